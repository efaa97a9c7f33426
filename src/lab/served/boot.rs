//! What a start of the device does: the first lines of its log, and the end of everything that was running.

use super::log::SYSTEM_PID;
use super::served::State;
use super::{Buffer, Level};
use taproof_core::model::{Event, Key};

/// The pid of the process that all apps are forked from.
const ZYGOTE_PID: u32 = 310;
/// How long each step of the start took, in milliseconds since the start of the kernel. The events buffer names them.
const PROGRESS: [(&str, u32); 8] = [
    ("boot_progress_start", 1320),
    ("boot_progress_preload_start", 1580),
    ("boot_progress_preload_end", 2610),
    ("boot_progress_system_run", 2890),
    ("boot_progress_pms_start", 3170),
    ("boot_progress_pms_ready", 4020),
    ("boot_progress_ams_ready", 5280),
    ("boot_progress_enable_screen", 6110),
];
/// Lines of the system's own processes.
const LINES: [(Buffer, u32, Level, &str, &str); 5] = [
    (Buffer::Main, ZYGOTE_PID, Level::Info, "Zygote", "Preloading classes..."),
    (Buffer::Main, ZYGOTE_PID, Level::Info, "Zygote", "...preloaded 2777 classes in 1030ms."),
    (Buffer::Main, SYSTEM_PID, Level::Info, "SystemServer", "Entered the Android system server!"),
    (Buffer::System, SYSTEM_PID, Level::Info, "PackageManager", "Time to scan packages: 0.85 seconds"),
    (Buffer::System, SYSTEM_PID, Level::Info, "ActivityManager", "System now ready"),
];

impl State {
    /// Writes what Android logs while it starts.
    pub(super) fn log_boot(&mut self) {
        let now = self.epoch_millis();
        for (tag, millis) in PROGRESS {
            let pid = if millis < 2890 { ZYGOTE_PID } else { SYSTEM_PID };
            self.log.write(now, Buffer::Events, pid, Level::Info, tag, &millis.to_string());
        }
        for (buffer, pid, level, tag, text) in LINES {
            self.log.write(now, buffer, pid, level, tag, text);
        }
    }

    /// Starts the device anew: apps and servers end, files and settings stay. Connections to the daemon end, too.
    pub(super) fn reboot(&mut self) {
        for app in self.apps() {
            // An app that cannot be stopped keeps running, as its device cannot do otherwise.
            self.device.stop(&app.id).unwrap_or_default();
        }
        self.device.perform(&Event::Key(Key::Home)).unwrap_or_default();
        self.end_programs(|_| true);
        let keys = self.properties.entries().keys();
        let lost: Vec<String> = keys.filter(|key| !key.starts_with("persist.")).cloned().collect();
        for key in &lost {
            self.properties.remove(key);
        }
        self.clipboard.clear();
        self.finger = None;
        self.awake = true;
        self.booted_millis = self.booted_millis.saturating_add(self.uptime_millis());
        self.update_log();
        self.log.clear(&Buffer::ALL);
        self.log_boot();
        self.rebooted = true;
        self.restart_daemon();
    }
}
