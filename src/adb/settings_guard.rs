//! Saves the settings of a device that testing changes, and restores them.
//!
//! The original values are written to a file on the device before anything is changed, together with the processes that
//! use the device (`saved_settings`). So they can be restored after this program was killed, by another run of it on any
//! computer, and are not restored while another process still needs the changed ones. The file also says which settings
//! were changed: only those are written. Disturbances by tests other than settings (network, battery, dark mode) are
//! recorded in the same file.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::agent_client::{AgentClient, remove_line};
use super::disturbances::Disturbance;
use super::gestures::words;
use super::host::{AdbLink, Patience};
use super::output::{forbidden, setting_list, uptime};
use super::owners::{Owner, Role, process_lives};
use super::pace::Pace;
use super::saved_settings::{FORMAT, GUARDED, SavedSettings, UNSET, change_by_agent};
use super::sections::{answers, complaining, script};
use taproof_core::agent::SettingChange;
use taproof_core::device::DeviceError;
use taproof_core::model::Rotation;

const FILE: &str = "/data/local/tmp/taproof-settings";
const TRIES: u32 = 3;
/// What the script prints once the file is complete.
const DONE: &str = "taproof-kept";
/// How much of a device's complaint is told.
const LONGEST_COMPLAINT: usize = 120;

/// The values for a test: no animations, and a screen that stays on with any power supply, and for half an hour without
/// one, since a test may make the device believe that it runs on a low battery.
const WANTED: &[(&str, &str, &str)] = &[
    ("global", "window_animation_scale", "0"),
    ("global", "transition_animation_scale", "0"),
    ("global", "animator_duration_scale", "0"),
    ("global", "stay_on_while_plugged_in", "7"),
    ("system", "screen_off_timeout", "1800000"),
];

/// The shell line that records a disturbance in the file; to be run before the change is made.
pub(super) fn note(disturbance: &Disturbance) -> String {
    format!("echo around {} >>{FILE}", disturbance.word())
}

/// The shell line that records in the file that these settings are about to be changed.
pub(super) fn note_changed(settings: &[(&str, &str)]) -> String {
    let notes = settings.iter().map(|(namespace, name)| format!("echo changed {namespace} {name}"));
    format!("[ -f {FILE} ] && {{ {}; }} >>{FILE}", notes.collect::<Vec<_>>().join("; "))
}

/// The shell line that lists the settings of a namespace.
pub(super) fn settings_line(namespace: &str, sdk: u32) -> String {
    match sdk < 23 {
        true => format!("content query --uri content://settings/{namespace} --projection name:value"),
        false => format!("settings list {namespace}"),
    }
}

/// The device whose settings are saved.
pub(super) struct Guarded<'a> {
    pub link: &'a AdbLink,
    pub sdk: u32,
    /// The agent, if the device is controlled by it.
    pub agent: Option<&'a AgentClient>,
    pub pace: Pace,
}

/// What is known about a device whose settings were saved.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Saved {
    /// The disturbances by earlier tests that were not undone.
    pub disturbances: Vec<Disturbance>,
    /// The rotation in which the screen is locked; `None` if it is not or that is unknown.
    pub locked: Option<Rotation>,
}

/// Records that this process uses the device. Unless that was done before, first saves the settings and sets those that
/// differ to the values for tests.
///
/// # Errors
///
/// [`DeviceError::InUse`] if another process uses the device, and [`DeviceError::NotKept`] if the device cannot keep the
/// file; in both cases nothing was changed.
pub(super) fn save_settings(
    device: &Guarded<'_>,
    role: Role,
    unwanted: &dyn Fn() -> bool,
) -> Result<Saved, DeviceError> {
    let turn = turn_of(&device.link.serial);
    let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
    let mut problem = String::new();
    // Another program may have restored the settings between the query and the answer.
    for _ in 0..TRIES {
        match save_once(device, &role.owner(), unwanted)? {
            Ok(saved) => return Ok(saved),
            Err(said) => problem = said,
        }
    }
    Err(DeviceError::NotKept { serial: device.link.serial.clone(), problem })
}

/// One attempt. The inner error is what the device printed if the file was not written.
fn save_once(
    device: &Guarded<'_>,
    owner: &Owner,
    unwanted: &dyn Fn() -> bool,
) -> Result<Result<Saved, String>, DeviceError> {
    let link = device.link;
    let namespaces = if device.agent.is_some() { &[][..] } else { &["global", "system", "secure"] };
    let mut questions = vec![format!("cat {FILE} 2>/dev/null"), "cat /proc/uptime".to_owned()];
    questions.extend(
        namespaces
            .iter()
            .map(|namespace| format!("[ -f {FILE} ] || {}", settings_line(namespace, device.sdk))),
    );
    let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
    let patience = Patience::new(device.pace.limit_of(namespaces.len()), unwanted);
    let text = link.shell(&script(&questions), &patience)?.everything();
    let mut parts = answers(&text);
    let known = SavedSettings::read(parts.next().unwrap_or_default());
    let now = parts.next().and_then(uptime).map_or(0, |now| now.millis() / 1000);
    let other =
        known.owners.iter().find(|other| !other.in_process_of(owner) && other.lives(now, &process_lives));
    if let Some(other) = other {
        return Err(other.refuses(&link.serial));
    }
    let mut values = Vec::new();
    for (namespace, answer) in namespaces.iter().zip(parts) {
        match setting_list(answer) {
            Ok(listed) => values.extend(values_of(namespace, &listed)),
            // Unknown settings are not changed.
            Err(_) => allowed(link, answer)?,
        }
    }
    let unsaved = known.settings.is_empty();
    if let Some(agent) = device.agent.filter(|_| unsaved) {
        let keep = GUARDED.iter().map(|(namespace, name, _)| (*namespace, *name, SettingChange::Keep));
        let found = change_by_agent(agent, link, keep, unwanted)?;
        values =
            GUARDED.iter().zip(found).map(|(setting, value)| Value::of(setting, value.as_deref())).collect();
    }
    let lines = saving_lines(&values, owner, device.agent.is_none())?;
    let puts = values.iter().filter(|value| value.wanted.is_some()).count();
    let patience = Patience::new(device.pace.limit_of(puts), unwanted);
    let answer = link.shell(&lines, &patience)?.everything();
    allowed(link, &answer)?;
    let done = answer.lines().any(|line| line.trim_end() == DONE);
    if let Some(agent) = device.agent.filter(|_| done) {
        let wanted = values.iter().filter_map(|value| {
            Some((value.namespace, value.name, SettingChange::Put(value.wanted?.to_owned())))
        });
        change_by_agent(agent, link, wanted, unwanted)?;
    }
    let saved = Saved { disturbances: known.disturbances, locked: locked_in(&values) };
    Ok(if done { Ok(saved) } else { Err(shortened(&answer)) })
}

/// Fails with `Forbidden` if `said` shows that adb may not do this.
fn allowed(link: &AdbLink, said: &str) -> Result<(), DeviceError> {
    match forbidden(said) {
        Some(what) => {
            let serial = link.serial.clone();
            Err(DeviceError::Forbidden { serial, what: what.what(), advice: what.advice() })
        }
        None => Ok(()),
    }
}

/// A lock per device: the parts of this program that use a device change its settings one after the other.
fn turn_of(serial: &str) -> Arc<Mutex<()>> {
    static TURNS: Mutex<BTreeMap<String, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());
    let mut turns = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(turns.entry(serial.to_owned()).or_default())
}

/// A guarded setting, as it is before anything is changed.
struct Value {
    namespace: &'static str,
    name: &'static str,
    value: String,
    /// The value for tests if it is another one.
    wanted: Option<&'static str>,
}

/// The guarded settings of a namespace, all of whose settings are `listed`.
fn values_of(namespace: &str, listed: &BTreeMap<String, String>) -> Vec<Value> {
    let guarded = GUARDED.iter().filter(|setting| setting.0 == namespace);
    guarded.map(|setting| Value::of(setting, listed.get(setting.1).map(String::as_str))).collect()
}

impl Value {
    /// The value that a setting of [`GUARDED`] has; `None` if it has none.
    fn of((namespace, name, _): &(&'static str, &'static str, &str), value: Option<&str>) -> Value {
        let value = value.unwrap_or(UNSET).to_owned();
        let wanted = WANTED.iter().find(|wanted| (wanted.0, wanted.1) == (*namespace, *name));
        let wanted = wanted.map(|wanted| wanted.2).filter(|wanted| !equal(&value, wanted));
        Value { namespace, name, value, wanted }
    }
}

/// Whether two values mean the same: scales may be written with or without decimals.
fn equal(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other || number(one).is_some_and(|one| Some(one) == number(other))
}

/// The rotation in which the screen is locked according to the settings.
fn locked_in(values: &[Value]) -> Option<Rotation> {
    let value = |name: &str| values.iter().find(|value| value.name == name).map(|value| value.value.as_str());
    let turns = value("user_rotation")?.parse().ok().filter(|turns| *turns < 4)?;
    (value("accelerometer_rotation") == Some("0")).then_some(Rotation(turns))
}

/// The lines that save the settings unless that was done already, change them if this is done `by_shell`, and record the owner.
/// Without the file nothing is changed.
fn saving_lines(values: &[Value], owner: &Owner, by_shell: bool) -> Result<String, DeviceError> {
    let (mut keep, mut change) = (vec![format!("echo {FORMAT} >{FILE}.new")], vec![":".to_owned()]);
    for Value { namespace, name, value, wanted } in values {
        let line = words(&["echo", &format!("{namespace} {name} {value}")])?;
        keep.push(format!("{line} >>{FILE}.new"));
        if let Some(wanted) = wanted {
            keep.push(format!("echo changed {namespace} {name} >>{FILE}.new"));
            if by_shell {
                change.push(format!("settings put {namespace} {name} {wanted}"));
            }
        }
    }
    // The owner is noted before anything takes long.
    keep.push(owner.noting_lines(&format!("{FILE}.new")));
    let (keep, change) = (keep.join("\n"), change.join("\n"));
    Ok(format!(
        "if [ ! -f {FILE} ]; then\n{keep}\nmv {FILE}.new {FILE} && {{\n{change}\necho {DONE}\n}}\nelse\n{}\n\
         [ -f {FILE} ] && echo {DONE}\nfi",
        owner.noting_lines(FILE)
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
    put_back_by(link, None, leaving, alive, unwanted)
}

/// As [`put_settings_back`], by the agent as far as it can, which then ends.
pub(super) fn put_back_by(
    link: &AdbLink,
    agent: Option<&AgentClient>,
    leaving: Option<Role>,
    alive: &dyn Fn(u32) -> bool,
    unwanted: &dyn Fn() -> bool,
) -> Result<bool, DeviceError> {
    let turn = turn_of(&link.serial);
    let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
    let first = Patience::new(Pace::default().limit_of(0), unwanted);
    let said = link.shell(&script(&[&format!("cat {FILE} 2>/dev/null"), "cat /proc/uptime"]), &first)?.text();
    let mut parts = answers(&said);
    let text = parts.next().unwrap_or_default();
    let now = parts.next().and_then(uptime).map_or(0, |now| now.millis() / 1000);
    if text.trim().is_empty() {
        return Ok(false);
    }
    let mut saved = SavedSettings::read(text);
    let leaving = leaving.map(Role::owner);
    let leaves = |owner: &Owner| leaving.as_ref().is_some_and(|leaving| owner.is(leaving));
    saved.owners.retain(|owner| !leaves(owner) && owner.lives(now, alive));
    if !saved.owners.is_empty() {
        if leaving.is_some() {
            link.push(saved.text().as_bytes(), FILE, 0o600, 0, &first)?;
        }
        return Ok(false);
    }
    let changed = !saved.changed.is_empty();
    if let Some(agent) = agent {
        saved.restore_by(agent, link, unwanted);
        // Android changes the rotation once more when the agent ends.
        agent.end();
    }
    let settings = saved.restoring_lines()?;
    let undo: Vec<String> = saved.disturbances.iter().map(|change| change.undo()).collect();
    let questions = [complaining(&settings.join("\n")), undo.join("\n")];
    let patience = Patience::new(Pace::default().limit_of(settings.len() + undo.len()), unwanted);
    let said = link.shell(&script(&questions.each_ref().map(String::as_str)), &patience)?.text();
    // The file is deleted only on success: a device that is just starting, or that forbids changes, is tried again
    // later.
    match answers(&said).next().map(str::trim) {
        Some("") => link.shell(&format!("rm -f {FILE}\n{}", remove_line()), &first)?,
        said => {
            let (serial, problem) = (link.serial.clone(), shortened(said.unwrap_or_default()));
            return Err(DeviceError::NoAnswer { serial, what: "restoring its settings".to_owned(), problem });
        }
    };
    Ok(changed || !undo.is_empty())
}

/// The first line of what a device complains of; some print pages.
fn shortened(said: &str) -> String {
    let first = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    first.chars().take(LONGEST_COMPLAINT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_changed() {
        let listed = |settings: &[(&str, &str)]| -> BTreeMap<String, String> {
            settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let values = values_of("global", &listed(&[("window_animation_scale", "0.0"), ("other", "1")]));
        let changed: Vec<&str> =
            values.iter().filter(|value| value.wanted.is_some()).map(|value| value.name).collect();
        assert_eq!(
            changed,
            ["transition_animation_scale", "animator_duration_scale", "stay_on_while_plugged_in"]
        );
        let lines = saving_lines(&values, &Role::Window.owner(), true).unwrap();
        assert_eq!(lines.matches("settings put").count(), 3);
        assert!(lines.contains("echo 'global animator_duration_scale null'"), "{lines}");
        let rotation = |automatic, turns| {
            locked_in(&values_of(
                "system",
                &listed(&[("accelerometer_rotation", automatic), ("user_rotation", turns)]),
            ))
        };
        assert_eq!(rotation("0", "1"), Some(Rotation(1)));
        assert_eq!((rotation("1", "1"), rotation("0", "9"), rotation("0", "x")), (None, None, None));
    }

    #[test]
    fn a_complaint_is_one_short_line() {
        assert_eq!(shortened("\n usage:  settings\n more\n"), "usage:  settings");
        assert_eq!(shortened(&"x".repeat(500)).len(), LONGEST_COMPLAINT);
        assert_eq!(shortened(""), "");
    }
}
