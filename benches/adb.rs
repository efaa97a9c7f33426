//! The bundled phone through real adb: events a second, from a tap to the picture of what it did, our own share of a step
//! on a device with the latencies of an emulator, and python uiautomator2 beside it (with `TAPROOF_PYTHON`, a python that
//! has the package), and a campaign by each method on a device with the latencies of a real one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, missing_docs)]

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use taproof_adb::{AdbPhone, AdbPhones, ControlMethod};
use taproof_campaign::{DeviceChoice, EndReason, NullSink, run};
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_phone::BundledPhones;
use taproof_screen::{Event, Gesture, Key, Selector};
use taproof_served::wire::{FileStat, Identity, Services, SocketHandler};
use taproof_served::{Latency, Like, Served, ServedServices, uiautomator2};

use taproof_testing::device::adb::{ServedPhone, bugs_behind, files_plan};

const FILES: &str = "org.taproof.files";
const EVENTS: usize = 200;
/// The events of a campaign.
const CAMPAIGN: u64 = 1000;

fn main() {
    let methods = [ControlMethod::Shell, ControlMethod::Uiautomator2, ControlMethod::Agent];
    methods.into_iter().for_each(events);
    pictures();
    methods.into_iter().for_each(own_share);
    campaigns(methods);
    python();
}

fn open(by: ControlMethod) -> Option<(ServedPhone, AdbPhone)> {
    let served = ServedPhone::with(FILES, &Build::Sound, Like::default(), Latency::Off)?;
    if by == ControlMethod::Uiautomator2 {
        uiautomator2::start(&served.served, uiautomator2::PORT).unwrap();
    }
    let mut phone = AdbPhone::open(&served.own.server, &served.serial, by, Arc::new(|| false)).unwrap();
    phone.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    Some((served, phone))
}

/// A tap on a folder and Back, again and again, and what is looked at after each; how long each takes.
fn script(phone: &mut AdbPhone, events: usize, look: impl Fn(&mut AdbPhone)) -> Vec<Duration> {
    (0..events).map(|number| step(phone, number, &look)).collect()
}

fn step(phone: &mut AdbPhone, number: usize, look: impl Fn(&mut AdbPhone)) -> Duration {
    let selector = Selector { text: Some("Documents".to_owned()), ..Selector::default() };
    let layout = phone.observe().unwrap().layout;
    let event = match number % 2 {
        0 => Event::on(&layout, selector, Gesture::Tap).unwrap(),
        _ => Event::Key(Key::Back),
    };
    let start = Instant::now();
    phone.perform(&event).unwrap();
    look(phone);
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    (times[times.len() / 2], times[times.len() * 95 / 100])
}

fn events(by: ControlMethod) {
    let Some((_served, mut phone)) = open(by) else { return };
    let way = by.word();
    let layout = |phone: &mut AdbPhone| drop(phone.observe().unwrap());
    script(&mut phone, 20, layout);
    let start = Instant::now();
    let took = script(&mut phone, EVENTS, layout);
    let rate = EVENTS as f64 / start.elapsed().as_secs_f64();
    let (middle, most) = median(took);
    println!("{way}: {rate:.0} events a second; an event takes {middle:?}, {most:?} at the 95th percentile");
}

fn pictures() {
    let Some((_served, mut phone)) = open(ControlMethod::Shell) else { return };
    let took = script(&mut phone, 60, |phone| drop(phone.screenshot().unwrap()));
    let (middle, most) = median(took);
    println!(
        "from a tap to the picture ({}): {middle:?}, {most:?} at the 95th percentile",
        phone.picture_source().word()
    );
}

/// How long shell commands of the served phone took, from their beginnings to their ends.
#[derive(Clone, Copy, Default)]
struct Shells {
    took: Duration,
    /// What latencies were counted meanwhile. More than `took` where the stages of a pipe waited side by side.
    waited: Duration,
}

/// The served phone, which tells how long its shell commands took.
struct Timed {
    services: ServedServices,
    shells: Arc<Mutex<Shells>>,
}

impl Services for Timed {
    fn identity(&self) -> Identity {
        self.services.identity()
    }
    fn shell(
        &self,
        command: &str,
        stdin: &mut dyn Read,
        out: &mut dyn Write,
        err: &mut dyn Write,
        tty: bool,
    ) -> u8 {
        let (start, before) = (Instant::now(), self.services.0.waited());
        let code = self.services.shell(command, stdin, out, err, tty);
        let mut shells = self.shells.lock().unwrap();
        shells.took += start.elapsed();
        shells.waited += self.services.0.waited() - before;
        code
    }
    fn stat(&self, path: &str) -> Option<FileStat> {
        self.services.stat(path)
    }
    fn list(&self, path: &str) -> Result<Vec<(String, FileStat)>, String> {
        self.services.list(path)
    }
    fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, String> {
        self.services.read(path)
    }
    fn write(&self, path: &str, mode: u32, mtime: u32, data: Vec<u8>) -> Result<(), String> {
        self.services.write(path, mode, mtime, data)
    }
    fn socket(&self, name: &str) -> Option<SocketHandler> {
        self.services.socket(name)
    }
    fn other(&self, service: &str) -> Option<SocketHandler> {
        self.services.other(service)
    }
}

/// What of a step did not pass inside of a device with the latencies of a typical emulator: neither in a shell command
/// nor in a latency of a server there. It is ours and adb's, with what that server computes.
fn own_share(by: ControlMethod) {
    let mut device = BundledPhones::new(FILES, &Build::Sound).fresh().unwrap();
    device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    let served = Arc::new(Served::with(device, Like::default(), Latency::Emulator));
    let shells = Arc::new(Mutex::new(Shells::default()));
    let services = ServedServices(Arc::clone(&served));
    let timed = Arc::new(Timed { services, shells: Arc::clone(&shells) });
    let Some(served) = ServedPhone::by(served, timed) else { return };
    if by == ControlMethod::Uiautomator2 {
        uiautomator2::start(&served.served, uiautomator2::PORT).unwrap();
    }
    let mut phone = AdbPhone::open(&served.own.server, &served.serial, by, Arc::new(|| false)).unwrap();
    phone.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    let (steps, way) = (if by == ControlMethod::Shell { 40 } else { 200 }, by.word());
    // A command's end is written down before the client hears of it.
    let inside = || {
        let shells = *shells.lock().unwrap();
        shells.took + (served.served.waited() - shells.waited)
    };
    let mut own = Vec::new();
    for number in 0..steps {
        let before = inside();
        let took = step(&mut phone, number, |phone| drop(phone.observe().unwrap()));
        own.push((took.as_secs_f64() - (inside() - before).as_secs_f64()) * 1000.0);
    }
    own.sort_by(f64::total_cmp);
    // Time that was counted twice would show as less than none.
    assert!(own[0] > 0.0, "{way}: the device took longer than the step: {own:?}");
    println!(
        "{way}, latencies of an emulator: our own share of a step is {:.2} ms, {:.2} ms at the 95th percentile (least \
         {:.2}, most {:.2}, of {steps} steps)",
        own[steps / 2],
        own[steps * 95 / 100],
        own[0],
        own[steps - 1]
    );
}

/// The same campaign by each method, on a device that tells by its own clock how long a real Android 4.4 takes for what
/// it is asked: how many events a second, and the bugs of the catalogue that were found.
fn campaigns(methods: [ControlMethod; 3]) {
    println!("a campaign of {CAMPAIGN} events, by the clock of a device as slow as an emulated Android 4.4:");
    let mut found = None;
    for by in methods {
        let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::Android44, Latency::Told) else {
            return;
        };
        if by == ControlMethod::Uiautomator2 {
            uiautomator2::start(&phone.served, uiautomator2::PORT).unwrap();
        }
        let plan = files_plan(DeviceChoice::Adb(vec![phone.serial.clone()]), CAMPAIGN);
        let before = phone.served.waited();
        let mut phones = AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(by);
        let report = run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut NullSink);
        assert_eq!(report.end, EndReason::BudgetSpent, "{}", by.word());
        let took = phone.served.waited() - before;
        let events = report.stats.events + report.stats.reexecuted;
        let bugs = bugs_behind(&plan, report.findings.iter().map(|found| &*found.finding));
        println!(
            "{}: {:.2} events a second ({events} with those that confirm, {} s), {} bugs: {}",
            by.word(),
            events as f64 / took.as_secs_f64(),
            took.as_secs(),
            bugs.len(),
            bugs.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
        );
        assert_eq!(*found.get_or_insert_with(|| bugs.clone()), bugs, "each method finds the same");
    }
}

/// The same script by python.
const PYTHON: &str = "
import sys, time, uiautomator2
device = uiautomator2.connect(sys.argv[1])
events = int(sys.argv[2])
def run(events):
    for number in range(events):
        if number % 2 == 0:
            device(text='Documents').click()
        else:
            device.press('back')
        device.dump_hierarchy()
run(20)
start = time.time()
run(events)
print(events / (time.time() - start))
";

fn python() {
    let Some(python) = std::env::var("TAPROOF_PYTHON").ok().filter(|path| !path.is_empty()) else {
        println!("python uiautomator2: skipped: no TAPROOF_PYTHON");
        return;
    };
    let Some((served, phone)) = open(ControlMethod::Shell) else { return };
    drop(phone);
    let home = tempfile::tempdir().unwrap();
    let output = std::process::Command::new(python)
        .args(["-c", PYTHON, served.serial.as_str(), &EVENTS.to_string()])
        .env("ANDROID_ADB_SERVER_PORT", served.own.port())
        .env("HOME", home.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    match said.trim().lines().last().and_then(|rate| rate.parse::<f64>().ok()) {
        Some(rate) => println!("python uiautomator2: {rate:.0} events a second"),
        None => println!("python uiautomator2 failed: {}", String::from_utf8_lossy(&output.stderr)),
    }
}
