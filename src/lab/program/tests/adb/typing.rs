//! Texts that do not arrive, and those that cannot be compared: a device without an input method reports success.

use std::sync::Arc;

use taproof_adb::{AdbPhone, AdbPhones, ControlMethod};
use taproof_campaign::{CampaignPlan, CampaignSink, CampaignWarning, DeviceChoice, EndReason, Finding, run};
use taproof_engine::device::{AppData, AppId, Device, DeviceError, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, PbfdroidConfig};
use taproof_screen::{Event, Gesture, Layout, Selector, Widget};
use taproof_served::Like;

use taproof_testing::device::adb::{ServedPhone, files_plan};

const FILES: &str = "org.taproof.files";
const LOST: &str = "a text does not arrive in a field of this device";

fn on(device: &mut dyn Device, found: impl Fn(&Widget) -> bool, gesture: Gesture) -> Result<(), DeviceError> {
    let layout = device.observe()?.layout;
    let widget = layout.widgets().iter().find(|widget| found(widget)).unwrap();
    let selector =
        Selector { resource_id: widget.resource_id.as_deref().map(str::to_owned), ..Selector::default() };
    device.perform(&Event::on(&layout, selector, gesture).unwrap())
}

fn enter(device: &mut dyn Device, text: &str) -> Result<(), DeviceError> {
    on(device, Widget::is_text_field, Gesture::SetText(text.to_owned()))
}

/// Starts Files with the field for a search in front.
fn search(device: &mut dyn Device) {
    device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    on(device, |widget| &*widget.content_desc == "Search", Gesture::Tap).unwrap();
}

fn field(layout: &Layout) -> String {
    layout.widgets().iter().find(|widget| widget.is_text_field()).unwrap().text.to_string()
}

fn problems(device: &mut dyn Device) -> Vec<String> {
    device.take_warnings().into_iter().map(|warning| warning.problem).filter(|said| said == LOST).collect()
}

#[test]
fn texts_that_do_not_arrive_are_reported_and_then_refused() {
    for like in Like::ALL {
        let Some(phone) = ServedPhone::slow(FILES, like, std::time::Duration::from_secs(1)) else { return };
        phone.served.lock().faults.keys_lost = true;
        let mut phones = AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Shell);
        let mut device = phones.fresh().unwrap();
        search(&mut *device);
        enter(&mut *device, "abc").unwrap();
        assert_eq!(problems(&mut *device), [LOST], "{like:?}");
        enter(&mut *device, "").unwrap();
        enter(&mut *device, "de").unwrap();
        drop(device);
        // The next test has another phone of the same device.
        let mut device = phones.fresh().unwrap();
        search(&mut *device);
        enter(&mut *device, "f").unwrap();
        assert_eq!(problems(&mut *device), [""; 0], "it is said once");
        let inputs = phone.served.lock().machine_starts;
        let refused = enter(&mut *device, "abc").unwrap_err();
        assert!(matches!(refused, DeviceError::CannotType { .. }), "{refused}");
        assert!(refused.to_string().contains("do not arrive"), "{refused}");
        assert_eq!(phone.served.lock().machine_starts, inputs, "nothing was typed");
    }
}

#[test]
fn a_device_that_has_typed_is_never_refused() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let mut phones = AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Shell);
    let mut device = phones.fresh().unwrap();
    search(&mut *device);
    enter(&mut *device, "abc").unwrap();
    assert_eq!(field(&device.observe().unwrap().layout), "abc");
    phone.served.lock().faults.keys_lost = true;
    for number in 0..5 {
        enter(&mut *device, &format!("x{number}")).unwrap();
    }
    assert_eq!(problems(&mut *device), [""; 0]);
}

#[test]
fn a_person_may_try_again() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    phone.served.lock().faults.keys_lost = true;
    let mut device =
        AdbPhone::open(&phone.own.server, &phone.serial, ControlMethod::Shell, Arc::new(|| false))
            .unwrap()
            .alone();
    search(&mut device);
    for number in 0..4 {
        enter(&mut device, &format!("x{number}")).unwrap();
    }
    assert_eq!(problems(&mut device), [LOST]);
    phone.served.lock().faults.keys_lost = false;
    enter(&mut device, "x").unwrap();
    assert_eq!(field(&device.observe().unwrap().layout), "x");
}

#[derive(Default)]
struct Told(Vec<String>);

impl CampaignSink for Told {
    fn finding(&mut self, _finding: Arc<Finding>) {}
    fn warning(&mut self, warning: CampaignWarning) {
        self.0.push(warning.to_string());
    }
}

#[test]
fn a_campaign_without_texts_says_so_and_ends() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    phone.served.lock().faults.keys_lost = true;
    let plan = files_plan(DeviceChoice::Adb(vec![phone.serial.clone()]), 150);
    let mut phones = AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Shell);
    let mut told = Told::default();
    let report = run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut told);
    assert_eq!(report.end, EndReason::BudgetSpent, "{:?}", told.0);
    let count = |words: &str| told.0.iter().filter(|warning| warning.contains(words)).count();
    assert_eq!((count(LOST), count("cannot type")), (1, 1), "{:?}", told.0);
}

/// A text that cannot be typed ends no test of an engine that only explores.
#[test]
fn exploring_goes_on_without_texts() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    phone.served.lock().faults.keys_lost = true;
    let explored = PbfdroidConfig { blanks: 100_000, way_every: 0, ..PbfdroidConfig::default() };
    let plan = CampaignPlan {
        engines: vec![EngineConfig::Pbfdroid(explored)],
        ..files_plan(DeviceChoice::Adb(vec![phone.serial.clone()]), 200)
    };
    let mut phones = AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Shell);
    let mut told = Told::default();
    let report = run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut told);
    assert_eq!((report.end, report.stats.tests), (EndReason::BudgetSpent, 1), "{:?}", told.0);
    assert!(told.0.iter().any(|warning| warning.contains("cannot type")), "{:?}", told.0);
}
