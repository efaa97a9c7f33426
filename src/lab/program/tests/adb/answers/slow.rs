//! A phone on which each start of a virtual machine takes three seconds: what is asked of it, who may use it, and how it
//! is left. Its waits are only told by its own clock, unless a test says so.

use std::sync::Arc;
use std::time::Duration;

use taproof_adb::{AdbPhone, AdbPhones, ControlMethod, put_settings_back};
use taproof_campaign::{CampaignSink, CampaignWarning, DeviceChoice, EndReason, Finding, run};
use taproof_engine::device::{AppData, AppId, Device, DeviceError, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_screen::{DeviceDuration, Event, Key};
use taproof_served::{Latency, Like};

use taproof_testing::device::adb::{ServedPhone, files_plan};

const FILES: &str = "org.taproof.files";
const START: Duration = Duration::from_secs(3);

fn open(phone: &ServedPhone, by: ControlMethod) -> AdbPhone {
    AdbPhone::open(&phone.own.server, &phone.serial, by, Arc::new(|| false)).unwrap().alone()
}

/// How many virtual machines the work starts on the device.
fn starts<T>(phone: &ServedPhone, work: impl FnOnce() -> T) -> (u64, T) {
    let before = phone.served.lock().machine_starts;
    let done = work();
    (phone.served.lock().machine_starts - before, done)
}

/// The starts for opening, the first launch, a restart with cleared data, and an event.
fn starts_of(like: Like, by: ControlMethod) -> Option<[u64; 4]> {
    let phone = ServedPhone::slow(FILES, like, START)?;
    let app = AppId(FILES.to_owned());
    let (opening, mut device) = starts(&phone, || open(&phone, by));
    let (launch, ()) = starts(&phone, || device.launch(&app, AppData::Clear).unwrap());
    let (restart, ()) = starts(&phone, || device.launch(&app, AppData::Clear).unwrap());
    let (event, ()) = starts(&phone, || device.perform(&Event::Key(Key::Back)).unwrap());
    Some([opening, launch, restart, event])
}

#[test]
fn few_virtual_machines_are_started() {
    for like in Like::ALL {
        let Some(shell) = starts_of(like, ControlMethod::Shell) else { return };
        let Some(agent) = starts_of(like, ControlMethod::Agent) else { return };
        println!("{like:?}: opening, launch, restart, event: by shell {shell:?}, by the agent {agent:?}");
        let [opening, launch, restart, event] = shell;
        assert!(opening <= 10, "{shell:?}");
        assert!(launch <= 7 && restart <= 4 && event <= 2, "{shell:?}");
        assert_eq!(agent, [0; 4], "beside the agent itself");
    }
}

#[test]
fn the_first_event_of_a_campaign_needs_three_virtual_machines() {
    let Some(phone) = ServedPhone::slow(FILES, Like::Android44, START) else { return };
    let plan = files_plan(DeviceChoice::Adb(vec![phone.serial.clone()]), 1);
    let mut phones = AdbPhones::at(&phone.own.server, &phone.serial);
    let (started, report) =
        starts(&phone, || run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut Quiet));
    assert_eq!((report.end, report.stats.events), (EndReason::BudgetSpent, 1));
    assert!(started <= 2, "{started} beside the agent");
}

#[test]
#[ignore = "takes long"]
fn a_device_on_which_putting_back_takes_half_a_minute_is_left_as_it_was() {
    let kind = (Like::Android44, Latency::Emulator);
    let Some(phone) = ServedPhone::starting_in(FILES, kind, Duration::from_secs(6)) else { return };
    let mut device = open(&phone, ControlMethod::Shell);
    device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    drop(device);
    assert_eq!(phone.text(&["shell", "ls /data/local/tmp"]), "", "nothing is left on the device");
}

#[test]
fn settings_without_a_value_have_none_afterwards_on_an_old_android() {
    let Some(phone) = ServedPhone::slow(FILES, Like::Android44, START) else { return };
    let settings = || {
        let names = ["global window_animation_scale", "system screen_off_timeout", "system user_rotation"];
        names.map(|name| phone.text(&["shell", &format!("settings get {name}")]).trim().to_owned())
    };
    let before = settings();
    for by in [ControlMethod::Shell, ControlMethod::Agent] {
        let mut device = open(&phone, by);
        device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
        device.perform(&Event::Rotate).unwrap();
        assert_eq!(settings()[0], "0", "{by:?}");
        drop(device);
        assert_eq!(before, settings(), "{by:?}");
        assert_eq!(phone.text(&["shell", "ls /data/local/tmp"]), "", "nothing is left on the device");
    }
}

#[test]
fn a_device_has_one_campaign() {
    let Some(phone) = ServedPhone::slow(FILES, Like::Android14, START) else { return };
    let phones = || AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Shell);
    let mut first = phones();
    first.fresh().unwrap();
    let refused = phones().fresh().map(drop).unwrap_err();
    assert!(matches!(refused, DeviceError::InUse { .. }), "{refused}");
    assert!(refused.to_string().contains(&format!("process {}", std::process::id())), "{refused}");
    drop(first);
    phones().fresh().unwrap();
    // Another computer uses it: its owner stands in the file on the device.
    phone.text(&["shell", "echo owner 1 campaign elsewhere 0 1 >/data/local/tmp/taproof-journal"]);
    let refused = phones().fresh().map(drop).unwrap_err();
    assert!(refused.to_string().contains("on elsewhere"), "{refused}");
    phone.text(&["shell", "rm /data/local/tmp/taproof-journal"]);
    phones().fresh().unwrap();
    assert_eq!(put_settings_back(&phone.link(), None, &|_| false, &|| false), Ok(false), "all was restored");
}

/// The device's uptimes in seconds at which somebody was noted on it.
fn noted(phone: &ServedPhone) -> Vec<u64> {
    let file = phone.text(&["shell", "cat /data/local/tmp/taproof-journal"]);
    let owners = file.lines().filter(|line| line.starts_with("owner "));
    owners.map(|line| line.rsplit(' ').next().unwrap().split('.').next().unwrap().parse().unwrap()).collect()
}

#[test]
fn a_campaign_is_noted_on_the_device_while_it_runs() {
    let Some(phone) = ServedPhone::slow(FILES, Like::Android14, START) else { return };
    for by in [ControlMethod::Shell, ControlMethod::Agent] {
        let mut phones = AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(by);
        let mut device = phones.fresh().unwrap();
        device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
        let wait = Event::Wait(DeviceDuration(11 * 60 * 1000));
        device.perform(&wait).unwrap();
        assert_eq!(noted(&phone).len(), 1, "{by:?}");
        device.perform(&Event::Key(Key::Back)).unwrap();
        device.perform(&Event::Key(Key::Back)).unwrap();
        let [before, after] = noted(&phone).try_into().unwrap();
        assert!(after - before > 11 * 60, "{by:?}: {before} {after}");
        // Another computer takes it, which was not kept away in time.
        let lines = "read UP REST </proc/uptime; echo owner 1 campaign elsewhere 0 $UP >>/data/local/tmp/taproof-journal";
        device.perform(&wait).unwrap();
        phone.text(&["shell", lines]);
        let refused = device.perform(&Event::Key(Key::Back)).unwrap_err();
        assert!(refused.to_string().contains("on elsewhere"), "{by:?}: {refused}");
        phone.text(&["shell", "rm /data/local/tmp/taproof-journal"]);
    }
}

struct Quiet;

impl CampaignSink for Quiet {
    fn finding(&mut self, _finding: Arc<Finding>) {}
    fn warning(&mut self, warning: CampaignWarning) {
        println!("{warning}");
    }
}

/// How long a campaign takes by the clock of the device.
fn took(by: ControlMethod) -> Option<Duration> {
    let phone = ServedPhone::slow(FILES, Like::Android14, START)?;
    let plan = files_plan(DeviceChoice::Adb(vec![phone.serial.clone()]), 40);
    let before = phone.served.waited();
    let mut phones = AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(by);
    let report = run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut Quiet);
    assert_eq!(report.end, EndReason::BudgetSpent, "{by:?}");
    drop(phones);
    Some(phone.served.waited() - before)
}

#[test]
fn a_campaign_on_a_slow_phone_ends_and_the_agent_takes_a_tenth_of_its_time() {
    let Some(shell) = took(ControlMethod::Shell) else { return };
    let Some(agent) = took(ControlMethod::Agent) else { return };
    println!("40 events: {shell:?} by shell, {agent:?} by the agent");
    assert!(agent * 10 <= shell, "{agent:?} of {shell:?}");
}
