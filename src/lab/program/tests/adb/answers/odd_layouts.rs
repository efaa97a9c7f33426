//! A layout that is not as it should be and can be read all the same: whoever works with the device hears of it, in a
//! campaign, of the device itself and in the mirror.

use std::sync::Arc;

use taproof_adb::{AdbPhone, AdbPhones, ControlMethod};
use taproof_campaign::{CampaignSink, CampaignWarning, DeviceChoice, Finding, run};
use taproof_engine::device::{
    AppData, AppId, Build, Device, DeviceError, DeviceInfo, DeviceSource, DeviceWarning, InstalledApp,
    Screenshot,
};
use taproof_engine::worker::CancelToken;
use taproof_phone::BundledPhones;
use taproof_screen::{DeviceInstant, Event, Frame, PxRect, Text, WidgetIdx};
use taproof_served::{Latency, Like};
use taproof_studio::mirror::MirrorDevice;
use taproof_testing::device::adb::{ServedPhone, files_plan};
use taproof_testing::rig::Rig;

const FILES: &str = "org.taproof.files";
const PROBLEM: &str =
    "a layout of the device is not as it should be: resource-id has 1500 bytes; the first 1000 are kept";

/// A phone whose first widget has a longer id than any.
struct Odd(Box<dyn Device>);

impl Odd {
    fn served() -> Option<ServedPhone> {
        let mut phone = BundledPhones::new(FILES, &Build::Sound).fresh().unwrap();
        phone.launch(&AppId(FILES.to_owned()), AppData::Keep).unwrap();
        ServedPhone::of(Box::new(Odd(phone)), Like::default(), Latency::Off)
    }
}

impl Device for Odd {
    fn info(&self) -> &DeviceInfo {
        self.0.info()
    }
    fn now(&self) -> DeviceInstant {
        self.0.now()
    }
    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.0.launch(app, data)
    }
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        self.0.perform(event)
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        let mut frame = self.0.observe()?;
        let odd = |widget: &mut taproof_screen::Widget| {
            widget.resource_id = Some(Text::from("x".repeat(1500)));
        };
        frame.layout = Arc::new(frame.layout.with_changed(&[WidgetIdx(0)], odd));
        Ok(frame)
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.0.screenshot()
    }
    fn apps(&mut self) -> Result<Vec<InstalledApp>, DeviceError> {
        self.0.apps()
    }
    fn open(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.0.open(app)
    }
    fn stop(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.0.stop(app)
    }
    fn clear(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.0.clear(app)
    }
    fn set_permission(&mut self, app: &AppId, permission: &str, granted: bool) -> Result<(), DeviceError> {
        self.0.set_permission(app, permission, granted)
    }
    fn keyboard(&mut self) -> Result<Option<PxRect>, DeviceError> {
        self.0.keyboard()
    }
    fn logs(&mut self) -> Result<Vec<String>, DeviceError> {
        self.0.logs()
    }
}

#[test]
fn a_device_hands_over_what_is_odd_about_its_layouts() {
    let Some(phone) = Odd::served() else { return };
    let mut device =
        AdbPhone::open(&phone.own.server, &phone.serial, ControlMethod::Uiautomator2, Arc::new(|| false))
            .unwrap();
    let layout = device.observe().unwrap().layout;
    assert_eq!(layout.widget(WidgetIdx(0)).resource_id.as_ref().unwrap().len(), 1000);
    device.look_again().unwrap();
    let expected = DeviceWarning { problem: PROBLEM.to_owned(), count: 2 };
    assert_eq!(device.take_warnings(), [expected]);
    assert_eq!(device.take_warnings(), []);
}

#[derive(Default)]
struct Warnings(Vec<CampaignWarning>);

impl CampaignSink for Warnings {
    fn finding(&mut self, _finding: Arc<Finding>) {}
    fn warning(&mut self, warning: CampaignWarning) {
        self.0.push(warning);
    }
}

#[test]
fn a_campaign_tells_an_odd_layout_once_and_counts_it() {
    let Some(phone) = Odd::served() else { return };
    let plan = files_plan(DeviceChoice::Adb(vec![phone.serial.clone()]), 30);
    let mut source =
        AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Uiautomator2);
    let mut sink = Warnings::default();
    let report = run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut sink);
    assert!(report.stats.events >= 30, "{:?}", report.end);
    let told = sink.0.iter().filter_map(|warning| match warning {
        CampaignWarning::DeviceProblem(odd) => Some(odd.problem.as_str()),
        _ => None,
    });
    assert_eq!(told.collect::<Vec<_>>(), [PROBLEM]);
    match sink.0.last() {
        Some(CampaignWarning::DeviceProblems { problems: 1, count }) => assert!(*count > 30, "{count}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_mirror_notes_an_odd_layout() {
    let Some(phone) = Odd::served() else { return };
    let (server, serial) = (phone.own.server.clone(), phone.serial.clone());
    let mut rig = Rig::new(Arc::new(move |_| {
        let phone =
            AdbPhone::open(&server, &serial, ControlMethod::Uiautomator2, Arc::new(|| false))?.alone();
        Ok(MirrorDevice::Live(Box::new(phone)))
    }));
    rig.wait(|rig| rig.news.warning.as_ref().is_some_and(|warning| warning.contains(PROBLEM)));
    assert_eq!(rig.news.problem, None, "the screen is shown all the same");
}
