//! Saves the settings of a device that testing changes, and restores them.
//!
//! The original values are written to a file on the device before anything is changed, together with the processes that
//! use the device. So they can be restored after this program was killed, by another run of it on any computer, and are
//! not restored while another process still needs the changed ones. Disturbances by tests other than settings (network,
//! battery, dark mode) are recorded in the same file.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::agent_client::remove_line;
use super::disturbances::Disturbance;
use super::gestures::words;
use super::host::{AdbLink, Patience};
use super::output::{forbidden, setting_value};
use super::sections::{answers, complaining, script};
use taproof_core::device::DeviceError;

const FILE: &str = "/data/local/tmp/taproof-settings";
/// Before Android 8 each query takes a second or two.
const PATIENCE: Duration = Duration::from_secs(90);
const TRIES: u32 = 3;
/// How a device prints a setting without a value.
const UNSET: &str = "null";
/// What the script prints once the file is complete.
const DONE: &str = "taproof-kept";

/// The settings that may be changed, by namespace and name: saved before, restored afterwards.
const GUARDED: &[(&str, &str)] = &[
    ("global", "window_animation_scale"),
    ("global", "transition_animation_scale"),
    ("global", "animator_duration_scale"),
    ("global", "stay_on_while_plugged_in"),
    ("system", "screen_off_timeout"),
    ("system", "accelerometer_rotation"),
    ("system", "user_rotation"),
    // A keyboard that types any text has to be enabled before it can be chosen.
    ("secure", "enabled_input_methods"),
    ("secure", "default_input_method"),
];

/// The values for a test: no animations, and a screen that stays on with any power supply, and for half an hour without
/// one, since a test may make the device believe that it runs on a low battery.
const WANTED: &[(&str, &str, &str)] = &[
    ("global", "window_animation_scale", "0"),
    ("global", "transition_animation_scale", "0"),
    ("global", "animator_duration_scale", "0"),
    ("global", "stay_on_while_plugged_in", "7"),
    ("system", "screen_off_timeout", "1800000"),
];

/// The part of this program that uses a device. The settings are restored when the last user leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The mirror in the window.
    Window,
    /// A campaign of the window or the command line.
    Campaign,
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Role::Window => "window",
            Role::Campaign => "campaign",
        }
    }

    fn owner(self) -> Owner {
        Owner { pid: std::process::id(), role: self.word().to_owned() }
    }
}

/// The shell line that records a disturbance in the file; to be run before the change is made.
pub(super) fn note(disturbance: Disturbance) -> String {
    format!("echo around {} >>{FILE}", disturbance.word())
}

/// Records that this process uses the device. Unless that was done before, first saves the settings and sets the values
/// for tests. Returns the disturbances by earlier tests that were not undone.
pub(super) fn save_settings(
    link: &AdbLink,
    role: Role,
    unwanted: &dyn Fn() -> bool,
) -> Result<Vec<Disturbance>, DeviceError> {
    let turn = turn_of(&link.serial);
    let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
    let patience = Patience::new(PATIENCE, unwanted);
    let mut problem = String::new();
    // Another program may have restored the settings between the query and the answer.
    for _ in 0..TRIES {
        match save_once(link, &role.owner(), &patience)? {
            Ok(disturbances) => return Ok(disturbances),
            Err(said) => problem = said,
        }
    }
    Err(DeviceError::NotKept { serial: link.serial.clone(), problem })
}

/// One attempt. The inner error is what the device printed if the file was not written.
fn save_once(
    link: &AdbLink,
    owner: &Owner,
    patience: &Patience<'_>,
) -> Result<Result<Vec<Disturbance>, String>, DeviceError> {
    let allowed = |said: &str| match forbidden(said) {
        Some(what) => {
            let serial = link.serial.clone();
            Err(DeviceError::Forbidden { serial, what: what.what(), advice: what.advice() })
        }
        None => Ok(()),
    };
    let mut questions = vec![format!("cat {FILE} 2>/dev/null")];
    for (namespace, name) in GUARDED {
        questions.push(format!("[ -f {FILE} ] || settings get {namespace} {name}"));
    }
    let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
    let asked = link.shell(&script(&questions), patience)?;
    allowed(&asked.everything())?;
    let text = asked.text();
    let mut parts = answers(&text);
    let saved = SavedSettings::read(parts.next().unwrap_or_default());
    let values = GUARDED.iter().zip(parts).filter_map(|(setting, value)| Some((*setting, value_of(value)?)));
    let lines = saving_lines(&values.collect::<Vec<_>>(), owner)?;
    let answer = link.shell(&lines, patience)?.everything();
    allowed(&answer)?;
    let done = answer.lines().any(|line| line.trim_end() == DONE);
    Ok(if done { Ok(saved.disturbances) } else { Err(answer.trim().to_owned()) })
}

/// A lock per device: the parts of this program that use a device change its settings one after the other.
fn turn_of(serial: &str) -> Arc<Mutex<()>> {
    static TURNS: Mutex<BTreeMap<String, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());
    let mut turns = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(turns.entry(serial.to_owned()).or_default())
}

/// The value of a setting on one line; `None` if the device does not report one line: unknown settings are not changed.
fn value_of(answer: &str) -> Option<String> {
    let value = setting_value(answer.trim()).ok()?;
    value.map_or(Some(UNSET.to_owned()), |value| (!value.contains('\n')).then_some(value))
}

/// The lines that save the settings unless that was done already, change them, and record the owner. Without the file
/// nothing is changed.
fn saving_lines(values: &[((&str, &str), String)], owner: &Owner) -> Result<String, DeviceError> {
    let (mut keep, mut change) = (vec![format!("rm -f {FILE}.new")], vec![":".to_owned()]);
    for ((namespace, name), value) in values {
        let line = words(&["echo", &format!("{namespace} {name} {value}")])?;
        keep.push(format!("{line} >>{FILE}.new"));
        let wanted = WANTED.iter().filter(|wanted| (wanted.0, wanted.1) == (*namespace, *name));
        change.extend(wanted.map(|(_, _, value)| format!("settings put {namespace} {name} {value}")));
    }
    let (keep, change) = (keep.join("\n"), change.join("\n"));
    Ok(format!(
        "if [ ! -f {FILE} ]; then\n{keep}\nmv {FILE}.new {FILE} && {{\n{change}\n}}\nfi\n\
         [ -f {FILE} ] && echo {} >>{FILE} && echo {DONE}",
        owner.line()
    ))
}

/// Restores the settings that were changed unless another user of the device remains. Returns whether it did. `leaving`
/// is the part of this program that no longer uses the device. Processes that are not `alive` do not count as users.
///
/// # Errors
///
/// If the device cannot be reached or rejects a value; the file then remains for another attempt.
pub fn put_settings_back(
    link: &AdbLink,
    leaving: Option<Role>,
    alive: &dyn Fn(u32) -> bool,
    unwanted: &dyn Fn() -> bool,
) -> Result<bool, DeviceError> {
    let turn = turn_of(&link.serial);
    let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
    let patience = Patience::new(PATIENCE, unwanted);
    let text = link.shell(&format!("cat {FILE} 2>/dev/null"), &patience)?.text();
    let mut saved = SavedSettings::read(&text);
    let leaving = leaving.map(Role::owner);
    saved.owners.retain(|owner| Some(owner) != leaving.as_ref() && alive(owner.pid));
    if saved.settings.is_empty() {
        return Ok(false);
    }
    if !saved.owners.is_empty() {
        if leaving.is_some() {
            link.push(saved.text().as_bytes(), FILE, 0o600, 0, &patience)?;
        }
        return Ok(false);
    }
    let mut settings = Vec::new();
    for (namespace, name, value) in &saved.settings {
        match value.as_str() {
            UNSET => settings.push(words(&["settings", "delete", namespace, name])? + " >/dev/null"),
            value => settings.push(words(&["settings", "put", namespace, name, value])?),
        }
    }
    let undo: Vec<&str> = saved.disturbances.iter().map(|change| change.undo()).collect();
    let questions = [complaining(&settings.join("\n")), undo.join("\n")];
    let said = link.shell(&script(&questions.each_ref().map(String::as_str)), &patience)?.text();
    // The file is deleted only on success: a device that is just starting, or that forbids changes, is tried again
    // later.
    match answers(&said).next().map(str::trim) {
        Some("") => link.shell(&format!("rm -f {FILE}\n{}", remove_line()), &patience)?,
        said => {
            let (serial, problem) = (link.serial.clone(), said.unwrap_or_default().to_owned());
            return Err(DeviceError::NoAnswer { serial, what: "settings put".to_owned(), problem });
        }
    };
    Ok(true)
}

/// A user of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Owner {
    pid: u32,
    role: String,
}

impl Owner {
    fn line(&self) -> String {
        format!("owner {} {}", self.pid, self.role)
    }
}

/// The content of the file.
#[derive(Debug, Default, PartialEq, Eq)]
struct SavedSettings {
    owners: Vec<Owner>,
    settings: Vec<(String, String, String)>,
    /// Only the first change of each kind, which has the original state.
    disturbances: Vec<Disturbance>,
}

impl SavedSettings {
    /// Parses the file. Unknown lines are skipped.
    fn read(text: &str) -> SavedSettings {
        let mut saved = SavedSettings::default();
        for line in text.lines() {
            let mut parts = line.trim_end().splitn(3, ' ');
            match (parts.next(), parts.next(), parts.next()) {
                (Some("owner"), Some(pid), Some(role)) => {
                    let owner = pid.parse().map(|pid| Owner { pid, role: role.to_owned() });
                    saved.owners.extend(owner.ok().filter(|owner| !saved.owners.contains(owner)));
                }
                (Some("around"), Some(word), None) => {
                    let night = |change: &Disturbance| matches!(change, Disturbance::Night(_));
                    let noted = Disturbance::ALL.into_iter().find(|change| change.word() == word);
                    let known = |noted: &Disturbance| {
                        saved
                            .disturbances
                            .iter()
                            .any(|known| known == noted || (night(known) && night(noted)))
                    };
                    let new = noted.filter(|noted| !known(noted));
                    saved.disturbances.extend(new);
                }
                (Some(namespace), Some(name), value) if GUARDED.contains(&(namespace, name)) => {
                    let value = value.unwrap_or_default().to_owned();
                    saved.settings.push((namespace.to_owned(), name.to_owned(), value));
                }
                _ => {}
            }
        }
        saved
    }

    /// Formats the content of the file.
    fn text(&self) -> String {
        let settings =
            self.settings.iter().map(|(namespace, name, value)| format!("{namespace} {name} {value}"));
        let disturbances = self.disturbances.iter().map(|change| format!("around {}", change.word()));
        let lines = settings.chain(disturbances).chain(self.owners.iter().map(Owner::line));
        lines.map(|line| line + "\n").collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disturbances::Night;

    #[test]
    fn only_our_own_lines_are_put_back() {
        let saved = SavedSettings::read(
            "global window_animation_scale 1.0\nglobal adb_enabled 0\nsystem user_rotation null\nx\n\
             owner 12 window\nowner 12 window\nowner 13 campaign\naround wifi\naround was-light\naround was-dark\n",
        );
        let owner = |pid, role: &str| Owner { pid, role: role.to_owned() };
        assert_eq!(saved.owners, [owner(12, "window"), owner(13, "campaign")]);
        let triple = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(
            saved.settings,
            [triple("global", "window_animation_scale", "1.0"), triple("system", "user_rotation", "null")]
        );
        assert_eq!(
            saved.disturbances,
            [Disturbance::Wifi, Disturbance::Night(Night::Light)],
            "as it was at first"
        );
        assert_eq!(SavedSettings::read(&saved.text()), saved);
        assert_eq!(SavedSettings::read(""), SavedSettings::default());
    }
}
