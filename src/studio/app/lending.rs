//! Who has which device: one owner at a time. The window lends the one that it shows to a campaign or a trial.

use std::time::Duration;

use crate::state::BuildChoice;
use taproof_core::campaign::DeviceChoice;

use super::Studio;

const WHILE_THEY_LEAVE: Duration = Duration::from_millis(50);

impl Studio {
    /// Whether nothing but the window has the device; if something does, it is said.
    pub(super) fn is_free(&mut self, serial: &str) -> bool {
        let Some(problem) = self.state.in_use().problem(serial) else { return true };
        self.state.tell_failure(problem);
        false
    }

    /// Makes way for a campaign or a trial on its devices; whether they are free for it.
    pub(super) fn lend(&mut self, device: &DeviceChoice, to: &str) -> bool {
        if !device.serials().iter().all(|serial| self.is_free(serial)) {
            return false;
        }
        let shown = self.state.settings.build.device();
        if let Some(serial) = device.serials().iter().find(|serial| Some(serial.as_str()) == shown)
            && let Some(bundled) = self.state.apps.iter().find(|app| app.device.is_none())
        {
            let package = bundled.package.clone();
            let settings = &self.state.settings;
            self.lent = Some((settings.app.clone(), settings.build.clone()));
            self.use_app(package, BuildChoice::Faulty);
            self.state.tell(format!("The {to} has {serial}; the window shows the bundled phone meanwhile."));
        }
        true
    }

    /// Shows what was lent again once nothing has it any more, unless the phone in its place is used meanwhile.
    pub(super) fn take_back(&mut self) {
        let Some(serial) = self.lent.as_ref().and_then(|(_, build)| build.device()) else { return };
        if self.state.in_use().problem(serial).is_some() {
            return;
        }
        if !self.leaving.are_over() {
            // Who had it puts its settings back yet; nobody tells when that is done.
            return self.ctx.request_repaint_after(WHILE_THEY_LEAVE);
        }
        let used = self.state.settings.build.device().is_some() || !self.state.mirror.walked.steps.is_empty();
        let serial = serial.to_owned();
        if let Some((package, build)) = self.lent.take().filter(|_| !used) {
            self.use_app(package, build);
            if self.state.devices.list.iter().any(|device| device.ready && device.serial == serial) {
                self.state.tell(format!("The window shows {serial} again."));
            }
        }
    }
}
