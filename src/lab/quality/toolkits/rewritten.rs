//! A bundled phone that shows its app as if it had been made with another toolkit: each layout is rewritten, and
//! everything else is the same.

use std::sync::Arc;

use taproof_engine::device::{
    AppData, AppId, Device, DeviceError, DeviceInfo, DeviceSource, Screenshot, SnapshotId, Typeable,
};
use taproof_phone::BundledPhones;
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{CodePoint, Event, Frame, Layout};

/// How a layout of classic views is rewritten.
pub type Rewrite = fn(&Layout) -> Layout;

struct Rewritten {
    phone: Box<dyn Device>,
    rewrite: Rewrite,
}

impl Device for Rewritten {
    fn info(&self) -> &DeviceInfo {
        self.phone.info()
    }

    fn now(&self) -> DeviceInstant {
        self.phone.now()
    }

    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.phone.launch(app, data)
    }

    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        self.phone.perform(event)
    }

    fn observe(&mut self) -> Result<Frame, DeviceError> {
        let frame = self.phone.observe()?;
        Ok(Frame { layout: Arc::new((self.rewrite)(&frame.layout)), ..frame })
    }

    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.phone.screenshot()
    }

    fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        self.phone.save_snapshot()
    }

    fn restore_snapshot(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        self.phone.restore_snapshot(id)
    }

    fn drop_snapshot(&mut self, id: SnapshotId) {
        self.phone.drop_snapshot(id);
    }

    fn open(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.phone.open(app)
    }

    fn holds_permissions(&mut self) -> Result<bool, DeviceError> {
        self.phone.holds_permissions()
    }

    fn typeable(&self) -> Typeable {
        self.phone.typeable()
    }

    fn resume_clock(&mut self, at: DeviceInstant) -> bool {
        self.phone.resume_clock(at)
    }

    fn code_points(&self) -> u32 {
        self.phone.code_points()
    }

    fn take_coverage(&mut self) -> Result<Vec<CodePoint>, DeviceError> {
        self.phone.take_coverage()
    }
}

/// Bundled phones that show everything rewritten.
pub struct RewrittenPhones {
    pub phones: BundledPhones,
    pub rewrite: Rewrite,
}

impl DeviceSource for RewrittenPhones {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        self.fresh_without(&[])
    }

    fn fresh_without(&mut self, bugs: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        Ok(Box::new(Rewritten { phone: self.phones.fresh_without(bugs)?, rewrite: self.rewrite }))
    }

    fn switchable_bugs(&self) -> Vec<String> {
        self.phones.switchable_bugs()
    }
}
