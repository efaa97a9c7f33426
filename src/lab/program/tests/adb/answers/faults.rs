//! Everything that can go wrong between a campaign and its device, many times each: no hang, no panic, no lost finding, and
//! the campaign goes on or ends as failed.

use taproof_testing::device::adb;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use taproof_adb::host::{AdbServer, DeviceState, ServerAddress};
use taproof_adb::{AdbPhones, ControlMethod};
use taproof_campaign::{
    CampaignPlan, CampaignSink, CampaignWarning, ConfirmPlan, DeviceChoice, EndReason, Finding, Oracles, run,
};
use taproof_engine::EngineConfig;
use taproof_engine::device::{Build, DeviceError, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_served::{DumpFault, Latency, Like, uiautomator2};

use taproof_testing::device::adb::{CancelOnDrop, ServedPhone};

const FILES: &str = "org.taproof.files";
/// How often each thing goes wrong that is over at once.
const TIMES: u64 = 50;
/// How often the device goes away, which takes a second.
const AWAY: u64 = 20;

/// What a cable does to one conversation.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// It is cut after so many bytes of the answer.
    Cut(usize),
    /// Something else comes instead of the answer.
    Garbage,
    /// Nobody is there.
    Refused,
}

/// Stands between a client and the real server; every eleventh conversation goes wrong, as long as there are faults left.
struct Cable {
    address: ServerAddress,
    faults: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

impl Cable {
    fn to(server: &AdbServer, fault: Fault) -> Cable {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (faults, stop) = (Arc::new(AtomicU64::new(TIMES)), Arc::new(AtomicBool::new(false)));
        let (left, stopped, server) = (Arc::clone(&faults), Arc::clone(&stop), server.clone());
        let serve = move || {
            for (number, client) in listener.incoming().flatten().enumerate() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let wrong = number % 11 == 10
                    && left
                        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1))
                        .is_ok();
                let server = server.clone();
                let carry = move || carry(client, &server, wrong.then_some(fault));
                std::thread::Builder::new().name("cable".to_owned()).spawn(carry).unwrap();
            }
        };
        std::thread::Builder::new().name("cables".to_owned()).spawn(serve).unwrap();
        Cable { address: ServerAddress { host: "127.0.0.1".to_owned(), port }, faults, stop }
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(("127.0.0.1", self.address.port)));
    }
}

fn carry(mut client: TcpStream, server: &AdbServer, fault: Option<Fault>) {
    if fault == Some(Fault::Refused) {
        return;
    }
    let mut server = TcpStream::connect((server.address.host.as_str(), server.address.port)).unwrap();
    let (mut from_client, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let up = move || {
        drop(std::io::copy(&mut from_client, &mut to_server));
        drop(to_server.shutdown(Shutdown::Write));
    };
    std::thread::Builder::new().name("cable up".to_owned()).spawn(up).unwrap();
    let mut carried = 0;
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = server.read(&mut buffer) {
        let sent = match fault {
            Some(Fault::Garbage) => client.write_all(&[0xa5; 64]),
            Some(Fault::Cut(most)) => client.write_all(&buffer[..count.min(most.saturating_sub(carried))]),
            Some(Fault::Refused) | None => client.write_all(&buffer[..count]),
        };
        carried += count;
        let over = match fault {
            Some(Fault::Garbage) => true,
            Some(Fault::Cut(most)) => carried >= most,
            Some(Fault::Refused) | None => false,
        };
        if sent.is_err() || over {
            break;
        }
    }
    drop(client.shutdown(Shutdown::Both));
    drop(server.shutdown(Shutdown::Both));
}

#[derive(Default)]
struct Heard(Vec<Arc<Finding>>);

impl CampaignSink for Heard {
    fn finding(&mut self, finding: Arc<Finding>) {
        taproof_campaign::keep_latest(&mut self.0, finding);
    }
}

fn plan(serial: &str, events: u64) -> CampaignPlan {
    let monkey = taproof_engine::ENGINES.iter().find(|engine| engine.name == "monkey").unwrap();
    let config: EngineConfig = (monkey.config)();
    CampaignPlan {
        device: DeviceChoice::Adb(vec![serial.to_owned()]),
        oracles: Oracles::Own,
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(FILES, config, events)
    }
}

/// Campaigns one after the other until so much went wrong.
fn until_all_went_wrong(fault: Fault) {
    let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off) else { return };
    let cable = Cable::to(&phone.own.server, fault);
    let server = AdbServer::at(cable.address.clone());
    let (mut ends, mut campaigns) = ([0, 0], 0);
    while cable.faults.load(Ordering::SeqCst) > 0 {
        campaigns += 1;
        assert!(campaigns <= 4 * TIMES, "{fault:?}: {ends:?}");
        let plan = plan(&phone.serial, 60);
        let mut heard = Heard::default();
        let mut phones = AdbPhones::at(&server, &phone.serial).controlled_by(ControlMethod::Uiautomator2);
        let report = run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut heard);
        assert_eq!(report.findings.len(), heard.0.len());
        match report.end {
            EndReason::BudgetSpent => ends[0] += 1,
            EndReason::DeviceFailed(error) => {
                assert!(!error.to_string().is_empty());
                ends[1] += 1;
            }
            other => panic!("{fault:?}: {other:?}"),
        }
    }
    println!(
        "{fault:?}: {TIMES} times in {campaigns} campaigns; {} went on to their end, {} ended as failed",
        ends[0], ends[1]
    );
    assert!(fault != Fault::Garbage || ends[1] == 0, "garbage ends tests, not campaigns");
}

#[test]
fn the_connection_is_cut_in_the_middle_of_answers() {
    for bytes in [2, 9, 200, 3000] {
        until_all_went_wrong(Fault::Cut(bytes));
    }
}

#[test]
fn garbage_comes_back() {
    until_all_went_wrong(Fault::Garbage);
}

#[test]
fn the_server_is_gone_for_a_moment() {
    until_all_went_wrong(Fault::Refused);
}

/// Counts what a campaign says while it runs.
#[derive(Default)]
struct Counts {
    lost: AtomicU64,
    back: AtomicU64,
    events: AtomicU64,
    told: std::sync::Mutex<Vec<String>>,
}

struct Counted<'c>(&'c Counts, Heard);

impl CampaignSink for Counted<'_> {
    fn progress(&mut self, stats: &taproof_engine::CampaignStats) {
        self.0.events.store(stats.events, Ordering::SeqCst);
    }
    fn finding(&mut self, finding: Arc<Finding>) {
        self.1.finding(finding);
    }
    fn warning(&mut self, warning: CampaignWarning) {
        match &warning {
            CampaignWarning::DeviceLost(_) => self.0.lost.fetch_add(1, Ordering::SeqCst),
            CampaignWarning::DeviceBack => self.0.back.fetch_add(1, Ordering::SeqCst),
            CampaignWarning::NotConfirmed { .. }
            | CampaignWarning::NoManifest(_)
            | CampaignWarning::NoCheckpoint(_)
            | CampaignWarning::Garbled(_)
            | CampaignWarning::DeviceProblem(_)
            | CampaignWarning::DeviceProblems { .. }
            | CampaignWarning::Opaque { .. }
            | CampaignWarning::Stagnant(_)
            | CampaignWarning::Rule(_)
            | CampaignWarning::Refused(_) => 0,
        };
        self.0.told.lock().unwrap().push(warning.to_string());
    }
}

const PAUSE: Duration = Duration::from_millis(5);

/// Lets one campaign run while its device goes away and comes back so many times; it waits each time, says so and goes
/// on, and what it found it has told. What it said.
fn away_and_back(away: impl Fn(&ServedPhone), back: impl Fn(&ServedPhone)) -> Option<Vec<String>> {
    let phone = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off)?;
    let (plan, cancel, counts) = (plan(&phone.serial, u64::MAX), CancelToken::new(), Counts::default());
    let mut phones =
        AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Uiautomator2);
    let mut sink = Counted(&counts, Heard::default());
    let ended = AtomicBool::new(false);
    let report = std::thread::scope(|scope| {
        let _stop = CancelOnDrop(&cancel);
        let campaign = scope.spawn(|| {
            let report = run(&plan, &plan.engines[0], &mut phones, &cancel, &mut sink);
            ended.store(true, Ordering::SeqCst);
            report
        });
        let until = |reached: &dyn Fn() -> bool| {
            let limit = adb::patience();
            while !reached() && !ended.load(Ordering::SeqCst) {
                limit.pause(PAUSE, "the campaign to notice").unwrap();
            }
        };
        for _ in 0..AWAY {
            let at = |count: &AtomicU64| count.load(Ordering::SeqCst);
            let (lost, events) = (at(&counts.lost), at(&counts.events));
            until(&|| at(&counts.events) > events + 3);
            away(&phone);
            until(&|| at(&counts.lost) > lost);
            back(&phone);
            until(&|| at(&counts.back) == at(&counts.lost));
        }
        cancel.cancel();
        campaign.join().unwrap()
    });
    assert_eq!(report.end, EndReason::Cancelled);
    assert_eq!(report.findings.len(), sink.1.0.len());
    assert!(report.stats.events > AWAY);
    assert!(counts.back.load(Ordering::SeqCst) >= AWAY);
    Some(counts.told.into_inner().unwrap())
}

#[test]
fn the_device_goes_offline() {
    let offline = |phone: &ServedPhone| {
        phone.silence();
        let shown = || phone.own.server.devices(&adb::patience()).unwrap().remove(0).state;
        let limit = adb::patience();
        while shown() != DeviceState::Offline {
            limit.pause(PAUSE, "the device to be offline").unwrap();
        }
    };
    let Some(told) = away_and_back(offline, ServedPhone::speak) else { return };
    let lost = told.iter().filter(|warning| warning.contains("waits until it is back")).count();
    println!("offline: {AWAY} times; the campaign waited {lost} times");
    assert!(told.iter().any(|warning| warning.contains("offline")), "{told:?}");
}

#[test]
fn the_adb_server_is_killed() {
    let restart = |phone: &ServedPhone| phone.own.start_again();
    let Some(told) = away_and_back(|phone| phone.own.kill(), restart) else { return };
    let lost = told.iter().filter(|warning| warning.contains("waits until it is back")).count();
    println!("the server killed: {AWAY} times; the campaign waited {lost} times");
    // The kill meets a command that runs, or comes between two.
    let names_adb =
        |warning: &String| warning.contains("adb server") || warning.contains("whether adb still runs");
    assert!(told.iter().any(names_adb), "{told:?}");
}

#[test]
fn the_screen_never_settles() {
    let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off) else { return };
    let mut kinds = [DumpFault::NeverIdle, DumpFault::NullRoot, DumpFault::Killed].into_iter().cycle();
    for _ in 0..TIMES {
        let kind = kinds.next().unwrap();
        phone.served.lock().faults.dumps = Some((kind, 4));
        let plan = plan(&phone.serial, 10);
        let counts = Counts::default();
        let mut heard = Counted(&counts, Heard::default());
        let mut phones =
            AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Uiautomator2);
        let report = run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut heard);
        assert_eq!(report.end, EndReason::BudgetSpent, "{kind:?}");
        let told = counts.told.lock().unwrap().iter().filter(|words| words.contains("no layout")).count();
        assert_eq!(told, 1, "{kind:?}: a screen that gives no layout is not judged, and that is told once");
    }
    // One that never gives any ends the campaign as failed.
    phone.served.lock().faults.dumps = Some((DumpFault::NeverIdle, u32::MAX));
    let plan = plan(&phone.serial, 10);
    let mut phones =
        AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Uiautomator2);
    let mut heard = Heard::default();
    match run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut heard).end {
        EndReason::DeviceFailed(error) => assert!(error.to_string().contains("no layout"), "{error}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_screen_that_kills_the_dump_is_read_by_a_server() {
    let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::Android44, Latency::Off) else { return };
    let mut phones =
        AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Uiautomator2);
    let mut device = phones.fresh().unwrap();
    device.observe().unwrap();
    phone.served.lock().faults.dumps = Some((DumpFault::Killed, u32::MAX));
    let refused = device.look_again().unwrap_err();
    assert!(matches!(refused, DeviceError::NoLayout { .. }), "{refused}");
    assert!(refused.to_string().contains("start the uiautomator2 server"), "{refused}");
    let dumps = phone.served.lock().dumps;
    uiautomator2::start(&phone.served, uiautomator2::PORT).unwrap();
    device.look_again().unwrap();
    assert!(!device.observe().unwrap().layout.widgets().is_empty());
    let told: Vec<String> = device.take_warnings().into_iter().map(|warning| warning.problem).collect();
    assert!(told.iter().any(|told| told.contains("kills the device's own dump")), "{told:?}");
    device.look_again().unwrap();
    assert_eq!(phone.served.lock().dumps, dumps + 1, "the server is used from then on");
}

#[test]
fn a_cancelled_campaign_ends_though_the_device_is_silent() {
    let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off) else { return };
    // A server that takes every connection and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let server = AdbServer::at(ServerAddress { host: "127.0.0.1".to_owned(), port });
    let (plan, cancel) = (plan(&phone.serial, 60), CancelToken::new());
    let token = cancel.clone();
    let later = move || {
        assert!(crossbeam_channel::never::<()>().recv_timeout(Duration::from_millis(200)).is_err());
        token.cancel();
    };
    let thread = std::thread::Builder::new().name("cancel".to_owned()).spawn(later).unwrap();
    let mut phones = AdbPhones::at(&server, &phone.serial).controlled_by(ControlMethod::Uiautomator2);
    let report = run(&plan, &plan.engines[0], &mut phones, &cancel, &mut Heard::default());
    thread.join().unwrap();
    assert_eq!(report.end, EndReason::Cancelled);
}

#[test]
fn the_storage_is_full() {
    let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off) else { return };
    // What is kept on the device first must fit.
    let mut first =
        AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Uiautomator2);
    drop(first.fresh().unwrap());
    for _ in 0..TIMES {
        let used = phone.served.lock().files.used();
        phone.served.lock().files.limit = used;
        let plan = plan(&phone.serial, 10);
        let mut heard = Heard::default();
        let report = run(&plan, &plan.engines[0], &mut first, &CancelToken::new(), &mut heard);
        let EndReason::DeviceFailed(error) = report.end else { panic!("{:?}", report.end) };
        assert!(error.to_string().contains("storage"), "{error}");
        phone.served.lock().files.limit = u64::MAX;
    }
    let plan = plan(&phone.serial, 10);
    let report = run(&plan, &plan.engines[0], &mut first, &CancelToken::new(), &mut Heard::default());
    assert_eq!(report.end, EndReason::BudgetSpent, "with room again it goes on");
}
