//! System events around an app: the network is lost, the battery runs low, another app comes to the front. Disturbances
//! are noted in the journal, so that the next clean start or the next user of the device can undo them.

use crate::connection::Connection;
use crate::connection::packages::FIRST_AT_RUNTIME;
use crate::connection::sections::{answers, script};
use crate::host::command;
use crate::input::effects::{Effect, Effects};
use crate::input::gestures::Input;
use crate::input::launching::{Launcher, do_now};
use crate::input::switches::{Switch, switched_by, values};
use crate::observe::ScreenObserver;
use crate::output::{process_list, setting_value, window_focus};
use crate::restore::{Change, GRANT, Journal, LOW, Thing};
use taproof_engine::device::{AppId, DeviceError};
use taproof_screen::{Key, SystemEvent};

/// How many times to check whether an app has left the foreground, and how many times to kill it.
const LOOKS: u32 = 10;
const KILLS: u32 = 5;
/// The first API level with the command `cmd`.
const FIRST_WITH_CMD: u32 = 24;
const CUT_OFF: &str = "be cut off from the network, through which adb reaches it";

/// Causes a system event and observes the screen.
pub(crate) fn system_event(
    observer: &mut ScreenObserver,
    launcher: &mut Launcher,
    journal: &Journal,
    what: SystemEvent,
) -> Result<(), DeviceError> {
    let connection = &observer.connection;
    if let Some(switch) = switched_by(what) {
        let lines = switched(connection, journal, &switch)?;
        return observer.run(&Input::Lines(lines));
    }
    let app = observer.app.id().cloned();
    let lines = match (what, &app) {
        (SystemEvent::NetworkOff, _) => network_off(connection, journal)?,
        (SystemEvent::NetworkOn, _) => journal.undo(|one| matches!(one, Thing::Wifi | Thing::MobileData)),
        (SystemEvent::LowBattery, _) => disturb(journal, Thing::Battery, "reset", LOW),
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
            let effects = launcher.effects.clone();
            let kill = |connection: &Connection| kill_in_background(connection, &effects, app);
            return leave_and_return(observer, launcher, app, kill);
        }
        (SystemEvent::RevokePermission, Some(app)) => {
            let lines = revoking_lines(connection, journal, app)?;
            launcher.holds_permissions = None;
            return leave_and_return(observer, launcher, app, |connection| connection.do_lines(&lines));
        }
        (SystemEvent::GrantPermission, Some(app)) => {
            grants_at_runtime(connection)?;
            let lines = journal.undo(|one| matches!(one, Thing::Permission(package, _) if *package == app.0));
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
        // No app was launched that these could affect, or they were done above.
        (
            SystemEvent::Background
            | SystemEvent::ProcessDeath
            | SystemEvent::RevokePermission
            | SystemEvent::GrantPermission
            | SystemEvent::DarkMode
            | SystemEvent::FontScale
            | SystemEvent::DisplaySize
            | SystemEvent::HourFormat
            | SystemEvent::TimeZone
            | SystemEvent::Location
            | SystemEvent::AirplaneMode
            | SystemEvent::DoNotDisturb
            | SystemEvent::LowStorage,
            _,
        ) => String::new(),
    };
    observer.run(&Input::Lines(lines))
}

/// The shell lines that note in the journal that a thing has this value, and then give it another one.
fn disturb(journal: &Journal, thing: Thing, before: &str, to: &str) -> String {
    Change::new(thing, before).map_or(String::new(), |change| journal.change(change, to))
}

/// The shell lines that take the app's permissions away, each noted before.
fn revoking_lines(connection: &Connection, journal: &Journal, app: &AppId) -> Result<String, DeviceError> {
    grants_at_runtime(connection)?;
    let permissions = connection.runtime_permissions(app)?.into_iter();
    let granted = permissions.filter(|(_, granted)| *granted);
    let revoked = granted.filter_map(|(name, _)| Thing::permission(&app.0, &name));
    let lines = revoked.map(|permission| disturb(journal, permission, GRANT, "revoke"));
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
fn switched(connection: &Connection, journal: &Journal, switch: &Switch) -> Result<String, DeviceError> {
    let Switch { thing, question, action } = switch;
    let back = journal.undo(|one| one == thing);
    if !back.is_empty() {
        return Ok(back);
    }
    if *thing == Thing::AirplaneMode && through_the_air(&connection.info.serial) {
        return Err(connection.info.cannot(CUT_OFF));
    }
    let now = || Ok::<_, DeviceError>(values(thing, &connection.shell(question)?));
    let known = now()?.and_then(|(before, other)| Some((Change::new(thing.clone(), &before)?, other)));
    let Some((change, other)) = known else { return Err(connection.info.cannot(action)) };
    let before = change.before().to_owned();
    connection.do_lines(&journal.change(change, &other))?;
    if now()?.is_none_or(|(now, _)| now == before) {
        connection.do_lines(&journal.undo(|one| one == thing))?;
        return Err(connection.info.cannot(action));
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
fn network_off(connection: &Connection, journal: &Journal) -> Result<String, DeviceError> {
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
        lines.push(disturb(journal, Thing::Wifi, "enable", "disable"));
    }
    if on.iter().skip(1).any(|on| *on) {
        lines.push(disturb(journal, Thing::MobileData, "enable", "disable"));
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
    leave(connection, &launcher.effects, app)?;
    meanwhile(connection)?;
    launcher.bring_to_front(observer, app)
}

/// Presses Home and waits until another app is in front: the key is accepted before it takes effect.
fn leave(connection: &Connection, effects: &Effects, app: &AppId) -> Result<(), DeviceError> {
    effects.check(connection, Effect::Home)?;
    do_now(connection, &Input::Key(Key::Home))?;
    for _ in 0..LOOKS {
        let focus = window_focus(&connection.shell(connection.windows_line())?).ok();
        if !focus.is_some_and(|focus| focus.is_on(&app.0)) {
            return Ok(());
        }
        connection.shell(&connection.wait(connection.pace.glance_millis()))?;
    }
    Err(effects.note(connection, Effect::Home))
}

/// Kills the app in the background. Android does not kill an app that is still pausing, so this repeats until the app is
/// gone.
fn kill_in_background(connection: &Connection, effects: &Effects, app: &AppId) -> Result<(), DeviceError> {
    effects.check(connection, Effect::Kill)?;
    let kill = command(&["am", "kill", &app.0])?;
    for _ in 0..KILLS {
        connection.do_lines(&kill)?;
        let running = process_list(&connection.shell(connection.processes_line())?).unwrap_or_default();
        if running.iter().all(|process| process.name != app.0) {
            return Ok(());
        }
        connection.shell(&connection.wait(connection.pace.glance_millis()))?;
    }
    Err(effects.note(connection, Effect::Kill))
}

/// Tries what a device may ignore: its keys, and the end of a process in the background. The app is in front afterwards, in
/// whatever state.
pub(crate) fn try_effects(
    observer: &mut ScreenObserver,
    launcher: &mut Launcher,
    journal: &Journal,
    app: &AppId,
) -> Result<(), DeviceError> {
    observer.app.opened(app);
    launcher.bring_to_front(observer, app)?;
    match system_event(observer, launcher, journal, SystemEvent::ProcessDeath) {
        Ok(()) | Err(DeviceError::Unsupported { .. }) => {}
        Err(error) => return Err(error),
    }
    // An app may do nothing on BACK: only a device that ignores HOME is taken to ignore it as well.
    if launcher.effects.check(&observer.connection, Effect::Home).is_err() {
        let before = observer.observe()?;
        observer.run(&Input::Key(Key::Back))?;
        if observer.observe()?.layout == before.layout {
            launcher.effects.note(&observer.connection, Effect::Back);
        }
    }
    Ok(())
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
}
