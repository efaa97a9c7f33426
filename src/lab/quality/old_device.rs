//! Campaigns on a bundled phone that answers like a slow one with Android 4.4: after a return to the app, the next looks
//! show the launcher's window under the app's activity; an app whose process was ended comes back late; and the text of an
//! empty field is its hint. None of this is a bug of the app.

use std::sync::Arc;

use taproof_campaign::{NullSink, run};
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceError, DeviceInfo, Screenshot};
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, GenieConfig, KeepConfig, PbfdroidConfig};
use taproof_phone::BundledPhones;
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{AppHealth, Event, Frame, Key, Layout, SystemEvent, Text};

use crate::wrapped::{Wrapped, plan_of};

/// How many looks after a return show the launcher's window.
const LOOKS: u32 = 3;

struct OldDevice {
    phone: Box<dyn Device>,
    launcher: Option<Arc<Layout>>,
    /// How many more looks show the launcher, and how many of these name its activity.
    looks: (u32, u32),
}

impl Device for OldDevice {
    fn info(&self) -> &DeviceInfo {
        self.phone.info()
    }
    fn now(&self) -> DeviceInstant {
        self.phone.now()
    }
    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        if self.launcher.is_none() {
            self.phone.perform(&Event::Key(Key::Home))?;
            self.launcher = Some(self.phone.observe()?.layout);
        }
        self.looks = (LOOKS, 0);
        self.phone.launch(app, data)
    }
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        match event {
            Event::System(SystemEvent::ProcessDeath) => self.looks = (LOOKS, LOOKS - 1),
            Event::Relaunch | Event::System(SystemEvent::Background) => self.looks = (LOOKS, 0),
            _ => {}
        }
        self.phone.perform(event)
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        let frame = self.phone.observe()?;
        let (left, named) = self.looks;
        self.looks = (left.saturating_sub(1), named.saturating_sub(1));
        let layout = match &self.launcher {
            Some(launcher) if named > 0 => {
                let health = AppHealth::LeftApp(Text::clone(launcher.activity()));
                return Ok(Frame { layout: Arc::clone(launcher), health, ..frame });
            }
            Some(launcher) if left > 0 => {
                (**launcher).clone().with_activity(Text::clone(frame.layout.activity()))
            }
            _ => frame.layout.with_hints_as_texts(),
        };
        Ok(Frame { layout: Arc::new(layout), ..frame })
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.phone.screenshot()
    }
}

fn old(phone: Box<dyn Device>) -> Box<dyn Device> {
    Box::new(OldDevice { phone, launcher: None, looks: (0, 0) })
}

/// The titles of what an engine finds in an app on such devices.
fn found(engine: EngineConfig, app: &str, build: Build, events: u64) -> Vec<String> {
    let plan = plan_of(engine, app, build, events);
    let mut source = Wrapped(BundledPhones::new(&plan.app, &plan.build), old);
    let report = run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut NullSink);
    report.findings.iter().map(|found| found.finding.title.clone()).collect()
}

fn nothing_is_found(engine: EngineConfig, apps: &[&str], events: u64) {
    for app in apps {
        assert_eq!(found(engine.clone(), app, Build::Sound, events), Vec::<String>::new(), "{app}");
    }
}

#[test]
fn keep_finds_nothing_in_sound_apps() {
    nothing_is_found(EngineConfig::Keep(KeepConfig::default()), &["files", "tasks"], 500);
}

#[test]
fn pbfdroid_finds_nothing_in_a_sound_app() {
    nothing_is_found(EngineConfig::Pbfdroid(PbfdroidConfig::default()), &["files"], 600);
}

#[test]
fn genie_finds_nothing_in_a_sound_app() {
    nothing_is_found(EngineConfig::Genie(GenieConfig::default()), &["diary"], 600);
}

#[test]
fn what_an_app_loses_is_still_found() {
    let found = found(EngineConfig::Keep(KeepConfig::default()), "tasks", Build::Faulty, 900);
    assert!(found.iter().any(|title| title.contains("loses typed text")), "{found:?}");
}
