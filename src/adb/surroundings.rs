//! What happens around an app: the network goes, the battery runs low, another app comes to the front.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::gestures::{key, words};
use super::kept::{Around, Night};
use super::line::{Line, PATIENCE};
use super::output::{process_list, setting_value, window_focus};
use super::phone::AdbPhone;
use super::sections::{answers, script};
use taproof_core::device::{AppId, DeviceError};
use taproof_core::model::{Key, SystemEvent};

/// How often it is looked whether an app has left the front, or has died.
const LOOKS: u32 = 10;
const PAUSE_MILLIS: u64 = 300;

/// What tests changed around the apps of a device and nothing took back yet.
#[derive(Clone, Default)]
pub(super) struct Surroundings(Arc<Mutex<Vec<Around>>>);

impl Surroundings {
    /// Those that a device says.
    pub fn of(around: Vec<Around>) -> Self {
        Surroundings(Arc::new(Mutex::new(around)))
    }

    /// As they are.
    pub fn all(&self) -> Vec<Around> {
        self.change(|around| around.clone())
    }

    /// They are these now.
    pub fn set(&self, now: &[Around]) {
        self.change(|around| *around = now.to_vec());
    }

    /// The lines that take back what `these` is true of, from the last one on.
    pub fn undo(&self, these: impl Fn(&Around) -> bool) -> String {
        let taken = self.change(|around| around.extract_if(.., |around| these(around)).collect::<Vec<_>>());
        taken.iter().rev().map(|around| around.undo()).collect::<Vec<_>>().join("\n")
    }

    /// The lines that write a change down and make it.
    fn disturb(&self, what: Around, lines: &str) -> String {
        self.change(|around| around.push(what));
        format!("{}\n{lines}", what.note())
    }

    fn change<T>(&self, change: impl FnOnce(&mut Vec<Around>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl AdbPhone {
    pub(super) fn system_event(&mut self, what: SystemEvent) -> Result<(), DeviceError> {
        let app = self.under_test.clone();
        let lines = match (what, &app) {
            (SystemEvent::NetworkOff, _) => self.network_off()?,
            (SystemEvent::NetworkOn, _) => {
                self.around.undo(|around| matches!(around, Around::Wifi | Around::Data))
            }
            (SystemEvent::LowBattery, _) => {
                let lines = "dumpsys battery unplug\ndumpsys battery set level 5";
                self.around.disturb(Around::Battery, lines)
            }
            (SystemEvent::DarkMode, _) => {
                let said = self.line.shell("cmd uimode night")?;
                let Some(before) = Night::told(&said) else {
                    return Err(self.line.info.cannot("change between light and dark"));
                };
                let other = if before == Night::Dark { Night::Light } else { Night::Dark };
                self.around.disturb(Around::Night(before), other.line())
            }
            (SystemEvent::Background, Some(app)) => return self.leave_and_return(app, |_| Ok(())),
            (SystemEvent::ProcessDeath, Some(app)) => {
                return self.leave_and_return(app, |line| line.kill_in_background(app));
            }
            (SystemEvent::RevokePermission, Some(app)) => {
                let mut lines = Vec::new();
                for (name, granted) in self.line.runtime_permissions(app)? {
                    if granted {
                        lines.push(words(&["pm", "revoke", &app.0, &name])?);
                    }
                }
                return self.leave_and_return(app, |line| line.do_lines(&lines.join("\n")));
            }
            (SystemEvent::IncomingCall, _) => return Err(self.line.info.cannot("let somebody call")),
            (SystemEvent::Locale, _) => return Err(self.line.info.cannot("change its language through adb")),
            // No app was launched that it could happen to.
            (SystemEvent::Background | SystemEvent::ProcessDeath | SystemEvent::RevokePermission, None) => {
                String::new()
            }
        };
        self.look_after(&lines, Duration::ZERO)
    }

    /// Switches off what is on of it.
    fn network_off(&self) -> Result<String, DeviceError> {
        if through_the_air(&self.line.info.serial) {
            let what = "be cut off from the network, through which adb reaches it";
            return Err(self.line.info.cannot(what));
        }
        let questions =
            ["wifi_on", "mobile_data", "mobile_data1"].map(|name| format!("settings get global {name}"));
        let said = self.line.shell(&script(&questions.each_ref().map(String::as_str)))?;
        // Wi-Fi may be on in spite of flight mode, which is told as 2.
        let is_on = |answer: &str| match setting_value(answer.trim()) {
            Ok(Some(value)) => value == "1" || value == "2",
            Ok(None) | Err(_) => false,
        };
        let on: Vec<bool> = answers(&said).map(is_on).collect();
        let mut lines = Vec::new();
        if on.first() == Some(&true) {
            lines.push(self.around.disturb(Around::Wifi, "svc wifi disable"));
        }
        if on.iter().skip(1).any(|on| *on) {
            lines.push(self.around.disturb(Around::Data, "svc data disable"));
        }
        Ok(lines.join("\n"))
    }

    /// The app goes to the background, something happens, and it comes back.
    fn leave_and_return(
        &mut self,
        app: &AppId,
        meanwhile: impl FnOnce(&Line) -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        let component = self.component_of(app)?;
        self.line.leave(app)?;
        meanwhile(&self.line)?;
        self.bring_to_front(app, &component)
    }
}

impl Line {
    /// Presses Home and waits until another app is in front: the key is taken before anything happens.
    fn leave(&self, app: &AppId) -> Result<(), DeviceError> {
        let mut lines = key(Key::Home);
        for _ in 0..LOOKS {
            let said = self.ask_after(&lines, &[self.windows_line()], PATIENCE)?;
            let focus = said.first().and_then(|windows| window_focus(windows).ok());
            let front = focus.and_then(|focus| focus.activity);
            if front.is_none_or(|front| front.package != app.0) {
                return Ok(());
            }
            lines = self.wait(PAUSE_MILLIS);
        }
        Ok(())
    }

    /// Android kills no app that still pauses: it is asked until the app is gone.
    fn kill_in_background(&self, app: &AppId) -> Result<(), DeviceError> {
        let kill = words(&["am", "kill", &app.0])?;
        for _ in 0..LOOKS {
            self.do_lines(&kill)?;
            let running = process_list(&self.shell(self.processes_line())?).unwrap_or_default();
            if running.iter().all(|process| process.name != app.0) {
                return Ok(());
            }
            self.shell(&self.wait(PAUSE_MILLIS))?;
        }
        Err(self.info.cannot(&format!("kill {} in the background", app.0)))
    }
}

/// Whether adb reaches a device through the network that the device is in.
fn through_the_air(serial: &str) -> bool {
    let here = ["127.0.0.1:", "localhost:", "[::1]:"];
    let place = serial.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    serial.contains("._adb-tls-connect") || (place && !here.iter().any(|here| serial.starts_with(here)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_in_the_network_is_not_cut_off() {
        for serial in
            ["192.168.1.7:5555", "adb-1A2B3C._adb-tls-connect._tcp", "phone.lan:5555", "[fe80::1]:5555"]
        {
            assert!(through_the_air(serial), "{serial}");
        }
        for serial in ["1A2B3C", "emulator-5554", "127.0.0.1:5555", "localhost:5555", "[::1]:5555"] {
            assert!(!through_the_air(serial), "{serial}");
        }
    }

    #[test]
    fn what_was_changed_is_taken_back_once() {
        let around = Surroundings::default();
        let other = around.clone();
        assert!(around.disturb(Around::Wifi, "svc wifi disable").ends_with("\nsvc wifi disable"));
        around.disturb(Around::Battery, "");
        assert_eq!(other.undo(|around| *around == Around::Battery), "dumpsys battery reset");
        assert_eq!(around.undo(|_| true), "svc wifi enable");
        assert_eq!(around.undo(|_| true), "");
    }
}
