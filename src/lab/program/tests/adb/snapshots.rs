//! Snapshots of an emulator through real adb and a scripted console: what is gone back to is what was saved, or it is an
//! error; nothing of ours stays on the disk.

use taproof_testing::device::adb;

use std::sync::Arc;
use std::time::Duration;

use taproof_adb::{AdbPhone, AdbPhones, ControlMethod, GarbledAnswers, OpenedPhone, Opening, Role};
use taproof_campaign::{
    CampaignPlan, CampaignSink, CampaignWarning, ConfirmPlan, DeviceChoice, EndReason, Finding, run,
};
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceError, DeviceSource, LinkFault};
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, TimeMachineConfig};
use taproof_phone::apps::shipped_specs;
use taproof_results::store::{SpecSource, read_specs};
use taproof_screen::{AppHealth, Event, Gesture, Key, Layout, Selector, SystemEvent};
use taproof_served::uiautomator2;

use taproof_testing::device::emulator::{Emulator, LoadFault};

const FILES: &str = "org.taproof.files";
/// Long enough for everything that works, also where the machine is busy and adb takes long to connect an emulator again; no
/// test waits for more of it than one whole.
const LIMIT: Duration = Duration::from_secs(25);

fn opening(garbled: &GarbledAnswers) -> Opening<'_> {
    Opening { role: Role::Campaign, best: ControlMethod::Uiautomator2, garbled, before: None }
}

fn phone(emulator: &Emulator) -> AdbPhone {
    let never = || false;
    let (server, garbled) = (&emulator.own.server, GarbledAnswers::default());
    let opened = OpenedPhone::reach(server, &emulator.serial, &opening(&garbled), &never).unwrap();
    opened.with_snapshots(None, &never).waiting_for_snapshots(LIMIT).phone(Arc::new(|| false))
}

/// The emulator, its phone, and Files launched on it.
fn started() -> Option<(Emulator, AdbPhone)> {
    let emulator = Emulator::new(FILES, &Build::Faulty)?;
    let mut phone = phone(&emulator);
    assert!(phone.info().snapshots);
    phone.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    Some((emulator, phone))
}

fn layout(phone: &mut AdbPhone) -> Arc<Layout> {
    phone.observe().unwrap().layout
}

fn tap(phone: &mut AdbPhone, text: &str) {
    let selector = Selector { text: Some(text.to_owned()), ..Selector::default() };
    let event = Event::on(&layout(phone), selector, Gesture::Tap).unwrap();
    phone.perform(&event).unwrap();
}

#[test]
fn a_saved_state_comes_back_again_and_again() {
    let Some((emulator, mut phone)) = started() else { return };
    tap(&mut phone, "Documents");
    let there = layout(&mut phone);
    let saved = phone.save_snapshot().unwrap();
    for _ in 0..2 {
        phone.perform(&Event::Key(Key::Back)).unwrap();
        phone.perform(&Event::Key(Key::Home)).unwrap();
        assert!(matches!(phone.observe().unwrap().health, AppHealth::LeftApp(_)));
        phone.restore_snapshot(saved).unwrap();
        let frame = phone.observe().unwrap();
        assert_eq!((frame.layout, frame.health), (Arc::clone(&there), AppHealth::Running));
    }
    // It goes on from there, as an app that was launched.
    phone.perform(&Event::Key(Key::Back)).unwrap();
    assert_ne!(layout(&mut phone), there);
    assert_eq!(emulator.names().len(), 1);
    phone.drop_snapshot(saved);
    assert!(emulator.names().is_empty());
    let error = phone.restore_snapshot(saved).unwrap_err();
    assert!(matches!(error, DeviceError::NoSnapshot { .. }), "{error}");
}

#[test]
fn what_a_test_changed_around_the_app_is_known_again() {
    let Some((emulator, mut phone)) = started() else { return };
    phone.perform(&Event::System(SystemEvent::NetworkOff)).unwrap();
    let saved = phone.save_snapshot().unwrap();
    phone.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    assert!(emulator.served().lock().around.network);
    phone.restore_snapshot(saved).unwrap();
    assert!(!emulator.served().lock().around.network);
    phone.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    assert!(emulator.served().lock().around.network, "a clean start takes it back");
}

#[test]
fn the_server_on_the_device_ends_with_a_load() {
    let Some(emulator) = Emulator::new(FILES, &Build::Faulty) else { return };
    uiautomator2::start(emulator.served(), uiautomator2::PORT).unwrap();
    let mut phone = phone(&emulator);
    phone.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    let saved = phone.save_snapshot().unwrap();
    let there = layout(&mut phone);
    tap(&mut phone, "Documents");
    phone.restore_snapshot(saved).unwrap();
    assert_eq!(layout(&mut phone), there);
    tap(&mut phone, "Documents");
    assert_ne!(layout(&mut phone), there);
}

#[test]
fn a_load_that_did_not_happen_is_an_error() {
    let Some((emulator, mut phone)) = started() else { return };
    for (fault, words) in [
        (LoadFault::Refused, "does not have the requested snapshot"),
        (LoadFault::Ignored, "is where it was before"),
        (LoadFault::Elsewhere, "its screen is another one"),
    ] {
        phone.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
        let saved = phone.save_snapshot().unwrap();
        emulator.next_loads(Some(fault));
        let error = phone.restore_snapshot(saved).unwrap_err();
        assert!(matches!(error, DeviceError::NotRestored { .. }), "{fault:?}: {error}");
        assert!(error.to_string().contains(words), "{fault:?}: {error}");
        emulator.next_loads(None);
        let error = phone.restore_snapshot(saved).unwrap_err();
        assert!(matches!(error, DeviceError::NoSnapshot { .. }), "it is forgotten: {error}");
        assert!(emulator.names().is_empty(), "and off the disk");
    }
    let left = emulator.link().shell("ls /data/local/tmp", &adb::patience()).unwrap().text();
    assert!(!left.contains("mark"), "{left}");
}

#[test]
fn an_emulator_that_never_comes_back_is_lost() {
    let Some((emulator, mut phone)) = started() else { return };
    let saved = phone.save_snapshot().unwrap();
    emulator.next_loads(Some(LoadFault::Gone));
    let error = phone.restore_snapshot(saved).unwrap_err();
    assert_eq!(error.link_fault(), Some(LinkFault::Lost), "{error}");
    emulator.next_loads(None);
    emulator.start_again();
    emulator.link().wait_for_device(&adb::patience()).unwrap();
    phone.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
}

#[test]
fn there_is_room_for_few_and_none_stays() {
    let Some((emulator, mut phone)) = started() else { return };
    let first = phone.save_snapshot().unwrap();
    for _ in 1..4 {
        phone.save_snapshot().unwrap();
    }
    let error = phone.save_snapshot().unwrap_err();
    assert!(matches!(error, DeviceError::Unsupported { .. }), "{error}");
    assert_eq!(emulator.asked("snapshot save"), 4, "the emulator was not asked");
    phone.drop_snapshot(first);
    emulator.refuse_saves(true);
    for words in ["No space left", "as it refused one"] {
        let error = phone.save_snapshot().unwrap_err();
        assert!(matches!(error, DeviceError::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    let ours = format!("taproof-{}-", std::process::id());
    assert!(emulator.names().iter().all(|name| name.starts_with(&ours)), "{:?}", emulator.names());
    drop(phone);
    assert!(emulator.names().is_empty());
}

#[test]
fn what_a_killed_run_left_is_deleted_and_nothing_else() {
    let Some(emulator) = Emulator::new(FILES, &Build::Faulty) else { return };
    // No process has a number that high.
    for name in ["default_boot", "taproof-4194999-7", "taproof-mine", "my-taproof-4194999-7"] {
        emulator.save_as(name);
    }
    drop(phone(&emulator));
    assert_eq!(emulator.names(), ["default_boot", "my-taproof-4194999-7", "taproof-mine"]);
}

#[test]
fn another_device_has_none() {
    let Some(served) = adb::ServedPhone::new(FILES) else { return };
    let never = || false;
    let (server, garbled) = (&served.own.server, GarbledAnswers::default());
    let opened = OpenedPhone::reach(server, &served.serial, &opening(&garbled), &never).unwrap();
    let mut phone = opened.with_snapshots(None, &never).phone(Arc::new(|| false));
    assert!(!phone.info().snapshots);
    assert!(matches!(phone.save_snapshot(), Err(DeviceError::Unsupported { .. })));
}

#[derive(Default)]
struct Heard {
    warnings: Vec<String>,
}

impl CampaignSink for Heard {
    fn finding(&mut self, _finding: Arc<Finding>) {}
    fn warning(&mut self, warning: CampaignWarning) {
        self.warnings.push(warning.to_string());
    }
}

fn campaign(emulator: &Emulator, events: u64) -> (EndReason, u64, Vec<String>) {
    let specs: Vec<SpecSource> =
        shipped_specs("files").map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    let config = TimeMachineConfig { segment_length: 20, ..TimeMachineConfig::default() };
    let plan = CampaignPlan {
        device: DeviceChoice::Adb(vec![emulator.serial.clone()]),
        spec: Arc::new(read_specs(&specs).unwrap()),
        seed: 3,
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(FILES, EngineConfig::TimeMachine(config), events)
    };
    let mut source = Source(
        AdbPhones::at(&emulator.own.server, &emulator.serial).controlled_by(ControlMethod::Uiautomator2),
    );
    let mut heard = Heard::default();
    let report = run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut heard);
    drop(source);
    (report.end, report.stats.events, heard.warnings)
}

struct Source(AdbPhones);

impl DeviceSource for Source {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        self.0.fresh()
    }
    fn lost(&mut self, error: &DeviceError) -> bool {
        self.0.lost(error)
    }
}

#[test]
fn timemachine_travels_by_them() {
    let Some(emulator) = Emulator::new(FILES, &Build::Faulty) else { return };
    let (end, events, warnings) = campaign(&emulator, 200);
    assert_eq!((end, events), (EndReason::BudgetSpent, 200), "{warnings:?}");
    let (saves, loads) = (emulator.asked("snapshot save"), emulator.asked("snapshot load"));
    assert!(saves >= 4 && loads > 0, "{saves} saves, {loads} loads");
    assert!(emulator.names().is_empty(), "{:?}", emulator.names());
}

#[test]
fn timemachine_walks_where_loads_fail() {
    let Some(emulator) = Emulator::new(FILES, &Build::Faulty) else { return };
    emulator.next_loads(Some(LoadFault::Refused));
    let (end, events, warnings) = campaign(&emulator, 200);
    assert_eq!((end, events), (EndReason::BudgetSpent, 200), "{warnings:?}");
    assert!(emulator.asked("snapshot load") > 0);
}
