//! A campaign on a phone whose apps go on showing for a while what was deleted: the finding says that it comes right late.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_campaign::{BugClass, Corrections, Harm, NullSink, group, of_class, run};
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceError, DeviceInfo, Screenshot};
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, PbfdroidConfig};
use taproof_phone::BundledPhones;
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};
use taproof_screen::{Event, Frame, Layout};

use crate::wrapped::{Wrapped, plan_of};

/// How long the old page is shown.
const LATE: DeviceDuration = DeviceDuration(7_000);

struct LateDevice {
    phone: Box<dyn Device>,
    /// The page that was shown last without a window in front of it.
    page: Option<Arc<Layout>>,
    /// Until when it is shown in place of one with fewer texts.
    until: DeviceInstant,
}

fn texts(layout: &Layout) -> BTreeSet<&str> {
    layout.widgets().iter().map(|widget| &*widget.text).collect()
}

impl Device for LateDevice {
    fn info(&self) -> &DeviceInfo {
        self.phone.info()
    }
    fn now(&self) -> DeviceInstant {
        self.phone.now()
    }
    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.page = None;
        self.phone.launch(app, data)
    }
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        self.phone.perform(event)
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        let frame = self.phone.observe()?;
        let same_page = |page: &&Arc<Layout>| page.page_name() == frame.layout.page_name();
        let old = self.page.as_ref().filter(same_page);
        let old = old.filter(|page| {
            let (before, now) = (texts(page), texts(&frame.layout));
            now.is_subset(&before) && now.len() + 3 > before.len() && now != before
        });
        let Some(old) = old.cloned() else {
            if !taproof_screen::is_dialog(&frame.layout) {
                self.page = Some(Arc::clone(&frame.layout));
                self.until = DeviceInstant(0);
            }
            return Ok(frame);
        };
        if self.until == DeviceInstant(0) {
            self.until = DeviceInstant(self.now().millis() + LATE.millis());
        } else if self.now() >= self.until {
            self.page = Some(Arc::clone(&frame.layout));
            self.until = DeviceInstant(0);
            return Ok(frame);
        }
        Ok(Frame { layout: old, ..frame })
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.phone.screenshot()
    }
}

fn late(phone: Box<dyn Device>) -> Box<dyn Device> {
    Box::new(LateDevice { phone, page: None, until: DeviceInstant(0) })
}

#[test]
fn what_is_right_after_a_while_is_a_late_update() {
    let engine = EngineConfig::Pbfdroid(PbfdroidConfig::default());
    let plan = plan_of(engine, "notes", Build::Sound, 600);
    let mut source = Wrapped(BundledPhones::new(&plan.app, &plan.build), late);
    let report = run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut NullSink);
    let findings: Vec<_> = report.findings.into_iter().map(|found| found.finding).collect();
    let bugs = group(&findings, &plan.app, &plan.spec, &Corrections::default());
    let told: Vec<_> = of_class(&bugs, BugClass::Bug).iter().map(|card| (card.harm, &*card.title)).collect();
    let late = |(harm, title): &(Harm, &str)| *harm == Harm::Late && title.ends_with(", at first");
    assert!(!told.is_empty() && told.iter().all(late), "{told:?}");
}
