//! System events around an app: the network is lost, the battery runs low, another app comes to the front. Disturbances
//! are recorded, so that the next clean start or the next user of the device can undo them.

use super::connection::Connection;
use super::disturbances::{Disturbance, Disturbances, Night, Revoked};
use super::gestures::{Input, key, words};
use super::launching::Launcher;
use super::observer::ScreenObserver;
use super::output::{process_list, setting_value, window_focus};
use super::packages::FIRST_AT_RUNTIME;
use super::sections::{answers, script};
use super::settings_guard::note;
use super::switches::{Switch, Values};
use taproof_core::device::{AppId, DeviceError};
use taproof_core::model::{Key, SystemEvent};

/// How many times to check whether an app has left the foreground or has died.
const LOOKS: u32 = 10;
const PAUSE_MILLIS: u64 = 300;
/// The first API level with the command `cmd`.
const FIRST_WITH_CMD: u32 = 24;
const CUT_OFF: &str = "be cut off from the network, through which adb reaches it";

/// Causes a system event and observes the screen.
pub(super) fn system_event(
    observer: &mut ScreenObserver,
    launcher: &mut Launcher,
    disturbances: &Disturbances,
    what: SystemEvent,
) -> Result<(), DeviceError> {
    let connection = &observer.connection;
    let app = observer.app.id().cloned();
    let lines = match (what, &app) {
        (SystemEvent::NetworkOff, _) => network_off(connection, disturbances)?,
        (SystemEvent::NetworkOn, _) => {
            disturbances.undo(|one| matches!(one, Disturbance::Wifi | Disturbance::Data))
        }
        (SystemEvent::LowBattery, _) => {
            let lines = "dumpsys battery unplug\ndumpsys battery set level 5";
            disturb(disturbances, Disturbance::Battery, lines)
        }
        (SystemEvent::DarkMode, _) => {
            let said = connection.shell("cmd uimode night")?;
            let Some(before) = Night::parse(&said) else {
                return Err(connection.info.cannot("change between light and dark"));
            };
            let other = if before == Night::Dark { Night::Light } else { Night::Dark };
            disturb(disturbances, Disturbance::Night(before), other.line())
        }
        (SystemEvent::FontScale, _) => switched(connection, disturbances, Switch::FontScale)?,
        (SystemEvent::DisplaySize, _) => switched(connection, disturbances, Switch::DisplaySize)?,
        (SystemEvent::HourFormat, _) => switched(connection, disturbances, Switch::HourFormat)?,
        (SystemEvent::TimeZone, _) => switched(connection, disturbances, Switch::TimeZone)?,
        (SystemEvent::Location, _) => switched(connection, disturbances, Switch::Location)?,
        (SystemEvent::AirplaneMode, _) => switched(connection, disturbances, Switch::AirplaneMode)?,
        (SystemEvent::DoNotDisturb, _) => switched(connection, disturbances, Switch::DoNotDisturb)?,
        (SystemEvent::LowStorage, _) => switched(connection, disturbances, Switch::LowStorage)?,
        (SystemEvent::Notifications, _) => notifications(connection)?,
        (SystemEvent::ScreenOff, _) => {
            connection.sleep()?;
            connection.wake_up()?;
            String::new()
        }
        (SystemEvent::Background, Some(app)) => {
            return leave_and_return(observer, launcher, app, |_| Ok(()));
        }
        (SystemEvent::ProcessDeath, Some(app)) => {
            let kill = |connection: &Connection| connection.kill_in_background(app);
            return leave_and_return(observer, launcher, app, kill);
        }
        (SystemEvent::RevokePermission, Some(app)) => {
            let lines = revoking_lines(connection, disturbances, app)?;
            launcher.holds_permissions = None;
            return leave_and_return(observer, launcher, app, |connection| connection.do_lines(&lines));
        }
        (SystemEvent::GrantPermission, Some(app)) => {
            grants_at_runtime(connection)?;
            let of_app =
                |one: &Disturbance| matches!(one, Disturbance::Revoked(revoked) if revoked.is_of(&app.0));
            let lines = disturbances.undo(of_app);
            launcher.holds_permissions = None;
            return leave_and_return(observer, launcher, app, |connection| connection.do_lines(&lines));
        }
        (SystemEvent::IncomingCall, _) => return Err(connection.info.cannot("let somebody call")),
        (SystemEvent::SplitScreen, _) => return Err(connection.info.cannot("split its screen through adb")),
        (SystemEvent::ActivityDeath, _) => {
            return Err(connection.info.cannot("destroy activities in the background through adb"));
        }
        (SystemEvent::Locale, _) => {
            return Err(connection.info.cannot("change its language through adb"));
        }
        // No app was launched that these could affect.
        (
            SystemEvent::Background
            | SystemEvent::ProcessDeath
            | SystemEvent::RevokePermission
            | SystemEvent::GrantPermission,
            None,
        ) => String::new(),
    };
    observer.run(&Input::Lines(lines))
}

/// The shell lines that record a disturbance in the file on the device and then cause it.
fn disturb(disturbances: &Disturbances, what: Disturbance, lines: &str) -> String {
    let note = note(&what);
    disturbances.add(what);
    format!("{note}\n{lines}")
}

/// The shell lines that take the app's permissions away, each recorded before.
fn revoking_lines(
    connection: &Connection,
    disturbances: &Disturbances,
    app: &AppId,
) -> Result<String, DeviceError> {
    grants_at_runtime(connection)?;
    let permissions = connection.runtime_permissions(app)?.into_iter();
    let granted = permissions.filter(|(_, granted)| *granted);
    let revoked = granted.filter_map(|(name, _)| Revoked::new(&app.0, &name));
    let lines = revoked.map(|revoked| {
        let line = revoked.line();
        disturb(disturbances, Disturbance::Revoked(revoked), &line)
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// # Errors
///
/// [`DeviceError::Unsupported`] before Android 6.
fn grants_at_runtime(connection: &Connection) -> Result<(), DeviceError> {
    if connection.info.sdk < FIRST_AT_RUNTIME {
        return Err(connection.info.cannot("take permissions from apps or give them: that needs Android 6"));
    }
    Ok(())
}

/// Changes a setting, or returns the shell lines that change it back.
///
/// # Errors
///
/// [`DeviceError::Unsupported`] if the device does not tell the setting, or if it has the same value afterwards.
fn switched(
    connection: &Connection,
    disturbances: &Disturbances,
    switch: Switch,
) -> Result<String, DeviceError> {
    let back = disturbances.undo(|one| one.switched(switch));
    if !back.is_empty() {
        return Ok(back);
    }
    if switch.cuts_off() && through_the_air(&connection.info.serial) {
        return Err(connection.info.cannot(CUT_OFF));
    }
    let now = || Ok::<_, DeviceError>(switch.values(&connection.shell(switch.question())?));
    let Some(Values { now: before, other }) = now()? else {
        return Err(connection.info.cannot(switch.action()));
    };
    let change = Disturbance::Switched(switch, before.clone());
    connection.do_lines(&disturb(disturbances, change, &switch.line(&other)))?;
    if now()?.is_none_or(|values| values.now == before) {
        let back = disturbances.undo(|one| one.switched(switch));
        connection.do_lines(&back)?;
        return Err(connection.info.cannot(switch.action()));
    }
    Ok(String::new())
}

/// The shell line that pulls the notifications down.
fn notifications(connection: &Connection) -> Result<String, DeviceError> {
    if connection.info.sdk < FIRST_WITH_CMD {
        return Err(connection.info.cannot("pull its notifications down through adb"));
    }
    Ok("cmd statusbar expand-notifications".to_owned())
}

/// The shell lines that switch off Wi-Fi and mobile data, whichever is on.
fn network_off(connection: &Connection, disturbances: &Disturbances) -> Result<String, DeviceError> {
    if through_the_air(&connection.info.serial) {
        return Err(connection.info.cannot(CUT_OFF));
    }
    let questions =
        ["wifi_on", "mobile_data", "mobile_data1"].map(|name| format!("settings get global {name}"));
    let said = connection.shell(&script(&questions.each_ref().map(String::as_str)))?;
    // 2 means that Wi-Fi is on in spite of flight mode.
    let is_on = |answer: &str| match setting_value(answer.trim()) {
        Ok(Some(value)) => value == "1" || value == "2",
        Ok(None) | Err(_) => false,
    };
    let on: Vec<bool> = answers(&said).map(is_on).collect();
    let mut lines = Vec::new();
    if on.first() == Some(&true) {
        lines.push(disturb(disturbances, Disturbance::Wifi, "svc wifi disable"));
    }
    if on.iter().skip(1).any(|on| *on) {
        lines.push(disturb(disturbances, Disturbance::Data, "svc data disable"));
    }
    Ok(lines.join("\n"))
}

/// Sends the app to the background, runs `meanwhile`, and brings the app back.
fn leave_and_return(
    observer: &mut ScreenObserver,
    launcher: &mut Launcher,
    app: &AppId,
    meanwhile: impl FnOnce(&Connection) -> Result<(), DeviceError>,
) -> Result<(), DeviceError> {
    let connection = &observer.connection;
    // An app that cannot be started again is not left.
    launcher.component_of(connection, app)?;
    connection.leave(app)?;
    meanwhile(connection)?;
    launcher.bring_to_front(observer, app)
}

impl Connection {
    /// Presses Home and waits until another app is in front: the key is accepted before it takes effect.
    fn leave(&self, app: &AppId) -> Result<(), DeviceError> {
        let mut lines = key(Key::Home);
        for _ in 0..LOOKS {
            let said = self.ask_after(&lines, &[self.windows_line()], self.pace.limit())?;
            let focus = said.first().and_then(|windows| window_focus(windows).ok());
            let front = focus.and_then(|focus| focus.activity);
            if front.is_none_or(|front| front.package != app.0) {
                return Ok(());
            }
            lines = self.wait(PAUSE_MILLIS);
        }
        Ok(())
    }

    /// Kills the app in the background. Android does not kill an app that is still pausing, so this repeats until the
    /// app is gone.
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

/// Whether adb reaches the device through a network that the device is connected to.
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
    fn a_disturbance_is_noted_before_it_is_caused() {
        let list = Disturbances::default();
        let lines = disturb(&list, Disturbance::Wifi, "svc wifi disable");
        assert!(lines.starts_with("echo around wifi >>") && lines.ends_with("\nsvc wifi disable"), "{lines}");
        assert_eq!(list.all(), [Disturbance::Wifi]);
    }
}
