//! What a restart of the device does: the end of everything that was running.

use crate::Buffer;
use crate::served::State;
use taproof_screen::{Event, Key};

impl State {
    /// Starts the device anew: apps and servers end, files and settings stay. Connections to the daemon end, too.
    pub(crate) fn reboot(&mut self) {
        for app in self.apps() {
            // An app that cannot be stopped keeps running, as its device cannot do otherwise.
            self.device.stop(&app.id).unwrap_or_default();
        }
        self.device.perform(&Event::Key(Key::Home)).unwrap_or_default();
        self.end_programs(|_| true);
        self.clipboard.clear();
        self.awake = true;
        self.booted_millis = self.booted_millis.saturating_add(self.uptime_millis());
        self.update_log();
        self.log.clear(&Buffer::ALL);
        self.rebooted = true;
        self.restart_daemon();
    }
}
