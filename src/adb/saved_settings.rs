//! The file on a device that says how its settings were, which of them were changed, and who uses the device; and how
//! the settings are written back from it, by the agent or by the shell.

use std::time::Duration;

use super::agent_client::AgentClient;
use super::disturbances::Disturbance;
use super::gestures::words;
use super::host::AdbLink;
use super::owners::Owner;
use taproof_core::agent::{Request, SettingChange, SettingRequest};
use taproof_core::device::DeviceError;

/// The first line of the file. Without it the file is one of an earlier build, which does not say what was changed.
pub(super) const FORMAT: &str = "format 2";
/// How the file says that a setting had no value.
pub(super) const UNSET: &str = "null";
/// The first API level on which settings can be made unset again.
const DELETES: u32 = 23;

/// The settings that may be changed, by namespace and name: saved before, restored afterwards. The last column is
/// Android's documented default, for devices on which a setting cannot be made unset again.
pub(super) const GUARDED: &[(&str, &str, &str)] = &[
    ("global", "window_animation_scale", "1"),
    ("global", "transition_animation_scale", "1"),
    ("global", "animator_duration_scale", "1"),
    ("global", "stay_on_while_plugged_in", "0"),
    ("system", "screen_off_timeout", "60000"),
    ("system", "accelerometer_rotation", "1"),
    ("system", "user_rotation", "0"),
    // A keyboard that types any text has to be enabled before it can be chosen.
    ("secure", "enabled_input_methods", ""),
    ("secure", "default_input_method", ""),
];

/// The settings of the rotation.
pub(super) const ROTATION: &[(&str, &str)] =
    &[("system", "accelerometer_rotation"), ("system", "user_rotation")];
/// The settings of the keyboards.
pub(super) const KEYBOARDS: &[(&str, &str)] =
    &[("secure", "enabled_input_methods"), ("secure", "default_input_method")];

/// The content of the file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SavedSettings {
    pub owners: Vec<Owner>,
    /// Namespace, name and value.
    pub settings: Vec<(String, String, String)>,
    /// Which of the settings were changed, by namespace and name.
    pub changed: Vec<(String, String)>,
    /// Only the first change of each kind, which has the original state.
    pub disturbances: Vec<Disturbance>,
}

impl SavedSettings {
    /// Parses the file. Unknown lines are skipped.
    pub fn read(text: &str) -> SavedSettings {
        let mut saved = SavedSettings::default();
        let guarded = |namespace, name| GUARDED.iter().any(|known| (known.0, known.1) == (namespace, name));
        for line in text.lines() {
            if let Some(owner) = Owner::parse(line) {
                saved.owners.retain(|known| !known.is(&owner));
                saved.owners.push(owner);
                continue;
            }
            let mut parts = line.trim_end().splitn(3, ' ');
            match (parts.next(), parts.next(), parts.next()) {
                (Some("around"), Some(word), None) => saved.add_disturbance(word),
                (Some("changed"), Some(namespace), Some(name)) if guarded(namespace, name) => {
                    let setting = (namespace.to_owned(), name.to_owned());
                    if !saved.changed.contains(&setting) {
                        saved.changed.push(setting);
                    }
                }
                (Some(namespace), Some(name), value) if guarded(namespace, name) => {
                    let value = value.unwrap_or_default().to_owned();
                    saved.settings.push((namespace.to_owned(), name.to_owned(), value));
                }
                _ => {}
            }
        }
        if text.lines().next().map(str::trim_end) != Some(FORMAT) {
            let all = saved.settings.iter().map(|(namespace, name, _)| (namespace.clone(), name.clone()));
            saved.changed = all.collect();
        }
        saved
    }

    fn add_disturbance(&mut self, word: &str) {
        let known = |noted: &Disturbance| self.disturbances.iter().any(|known| known.is_like(noted));
        let new = Disturbance::parse(word).filter(|noted| !known(noted));
        self.disturbances.extend(new);
    }

    /// Writes the saved values of the settings that were changed by the agent, except for the rotation. What it cannot
    /// write is left to the shell.
    pub fn restore_by(&mut self, agent: &AgentClient, link: &AdbLink, unwanted: &dyn Fn() -> bool) {
        let (by_shell, by_agent): (Vec<_>, Vec<_>) = std::mem::take(&mut self.changed)
            .into_iter()
            .partition(|(namespace, name)| ROTATION.contains(&(namespace.as_str(), name.as_str())));
        let change = |(namespace, name): &'_ (String, String)| {
            let saved = self.settings.iter().find(|saved| (&saved.0, &saved.1) == (namespace, name))?;
            Some(match saved.2.as_str() {
                UNSET if agent.sdk() < DELETES => SettingChange::Put(default_of(namespace, name).to_owned()),
                UNSET => SettingChange::Delete,
                value => SettingChange::Put(value.to_owned()),
            })
        };
        let changes =
            by_agent.iter().filter_map(|setting| Some((&*setting.0, &*setting.1, change(setting)?)));
        let restored = change_by_agent(agent, link, changes, unwanted);
        self.changed = by_shell;
        if let Err(error) = restored {
            tracing::debug!(serial = link.serial, %error, "the shell restores the settings");
            self.changed.extend(by_agent);
        }
    }

    /// The shell lines that write the saved values of the settings that were changed. They print nothing on success.
    pub fn restoring_lines(&self) -> Result<Vec<String>, DeviceError> {
        let changed = self.settings.iter().filter(|(namespace, name, _)| {
            self.changed.iter().any(|changed| (&changed.0, &changed.1) == (namespace, name))
        });
        let line = |(namespace, name, value): &(String, String, String)| {
            if value != UNSET {
                return Ok(words(&["settings", "put", namespace, name, value])?);
            }
            let put = words(&["settings", "put", namespace, name, default_of(namespace, name)])?;
            let delete = words(&["settings", "delete", namespace, name])?;
            // Android 4.4 knows no deletion, and prints pages about that.
            Ok(format!(
                "if [ \"$(getprop ro.build.version.sdk)\" -lt {DELETES} ]; then {put}; else {delete} >/dev/null; fi"
            ))
        };
        changed.map(line).collect()
    }

    /// Formats the content of the file.
    pub fn text(&self) -> String {
        let settings =
            self.settings.iter().map(|(namespace, name, value)| format!("{namespace} {name} {value}"));
        let changed = self.changed.iter().map(|(namespace, name)| format!("changed {namespace} {name}"));
        let disturbances = self.disturbances.iter().map(|change| format!("around {}", change.word()));
        let lines = settings.chain(changed).chain(disturbances).chain(self.owners.iter().map(Owner::line));
        [FORMAT.to_owned()].into_iter().chain(lines).map(|line| line + "\n").collect()
    }
}

/// Android's documented default of a setting.
fn default_of(namespace: &str, name: &str) -> &'static str {
    GUARDED.iter().find(|known| (known.0, known.1) == (namespace, name)).map_or("", |known| known.2)
}

/// Reads and changes settings by the agent: namespace, name and change of each. Returns the values before.
pub(super) fn change_by_agent<'a>(
    agent: &AgentClient,
    link: &AdbLink,
    changes: impl Iterator<Item = (&'a str, &'a str, SettingChange)>,
    unwanted: &dyn Fn() -> bool,
) -> Result<Vec<Option<String>>, DeviceError> {
    let requests = changes.map(|(namespace, name, change)| SettingRequest {
        namespace: namespace.to_owned(),
        name: name.to_owned(),
        change,
    });
    agent
        .ask(&Request::Settings(requests.collect()), Duration::ZERO, unwanted, |from| from.values())
        .map_err(|error| error.into_device(&link.serial, "change settings"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disturbances::Night;

    #[test]
    fn only_our_own_lines_are_put_back() {
        let saved = SavedSettings::read(
            "format 2\nglobal window_animation_scale 1.0\nglobal adb_enabled 0\nsystem user_rotation null\nx\n\
             changed system user_rotation\nchanged global adb_enabled\nchanged system user_rotation\n\
             owner 12 window here 5 6\nowner 12 window here 5 7\nowner 13 campaign\naround wifi\naround was-light\n\
             around was-dark\n",
        );
        let owners: Vec<(u32, &str, u64)> =
            saved.owners.iter().map(|owner| (owner.pid, owner.role.as_str(), owner.noted)).collect();
        assert_eq!(owners, [(12, "window", 7), (13, "campaign", 0)]);
        let triple = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(
            saved.settings,
            [triple("global", "window_animation_scale", "1.0"), triple("system", "user_rotation", "null")]
        );
        assert_eq!(saved.changed, [("system".to_owned(), "user_rotation".to_owned())]);
        assert_eq!(
            saved.disturbances,
            [Disturbance::Wifi, Disturbance::Night(Night::Light)],
            "as it was at first"
        );
        assert_eq!(SavedSettings::read(&saved.text()), saved);
        assert_eq!(SavedSettings::read(""), SavedSettings::default());
        let [line] = saved.restoring_lines().unwrap().try_into().unwrap();
        assert!(line.contains("then settings put system user_rotation 0; else settings delete"), "{line}");
    }

    #[test]
    fn a_file_of_an_earlier_build_is_restored_whole() {
        let saved = SavedSettings::read("global window_animation_scale 1.0\nsystem user_rotation 1\n");
        assert_eq!(saved.restoring_lines().unwrap().len(), 2);
        let none = SavedSettings::read("format 2\nglobal window_animation_scale 1.0\n");
        assert!(none.restoring_lines().unwrap().is_empty());
    }
}
