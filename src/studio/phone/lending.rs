//! Ensures that each device has one user at a time. The window lends the device that it shows to a campaign or a trial.

use std::time::Duration;

use taproof_core::campaign::{Build, DeviceChoice, Target};

use crate::app::Studio;

const WHILE_THEY_LEAVE: Duration = Duration::from_millis(50);

impl Studio {
    /// Whether no campaign or trial uses the device. Notifies the person otherwise.
    pub(crate) fn is_free(&mut self, serial: &str) -> bool {
        let Some(problem) = self.state.in_use().problem(serial) else { return true };
        self.state.notify_failure(problem);
        false
    }

    /// Makes the devices available for a campaign or a trial, and shows the bundled phone if the window used one of
    /// them. Returns `false`, after a notification, if one is in use.
    pub(crate) fn lend(&mut self, device: &DeviceChoice, to: &str) -> bool {
        if !device.serials().iter().all(|serial| self.is_free(serial)) {
            return false;
        }
        let shown = self.state.settings.target.device.as_deref();
        if let Some(serial) = device.serials().iter().find(|serial| Some(serial.as_str()) == shown)
            && let Some(bundled) = self.state.apps.iter().find(|app| app.device.is_none())
        {
            let meanwhile = Target::bundled(bundled.package.as_str(), Build::Faulty);
            self.lent = Some(self.state.settings.target.clone());
            self.use_app(meanwhile);
            self.state
                .notify(format!("The {to} has {serial}; the window shows the bundled phone meanwhile."));
        }
        true
    }

    /// Shows the lent device again once it is free, unless the bundled phone has been used meanwhile.
    pub(crate) fn take_back(&mut self) {
        let Some(serial) = self.lent.as_ref().and_then(|lent| lent.device.clone()) else { return };
        if self.state.in_use().problem(&serial).is_some() {
            return;
        }
        // Until the mirror has switched to the bundled phone, it still has the steps of the device.
        if !self.leaving.are_over() || self.state.mirror.busy() {
            // The previous user may still be restoring the device's settings, and nothing signals its end.
            return self.ctx.request_repaint_after(WHILE_THEY_LEAVE);
        }
        let used = self.state.settings.target.device.is_some() || !self.state.mirror.walked.steps.is_empty();
        if let Some(lent) = self.lent.take().filter(|_| !used) {
            self.use_app(lent);
            if self.state.devices.list.iter().any(|device| device.ready && device.serial == serial) {
                self.state.notify(format!("The window shows {serial} again."));
            }
        }
    }
}
