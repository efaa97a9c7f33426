//! Settings that testing changes: what they were is written on the device itself before anything is changed, so that
//! they can be put back after a kill, too, and by whoever comes next.

use std::time::Duration;

use super::gestures::words;
use super::host::{AdbLink, Patience};
use super::output::forbidden;
use crate::device::DeviceError;

const FILE: &str = "/data/local/tmp/taproof-settings";
const PATIENCE: Duration = Duration::from_secs(20);

/// What may be changed, by namespace and name.
const CHANGED: &[(&str, &str)] = &[
    ("global", "window_animation_scale"),
    ("global", "transition_animation_scale"),
    ("global", "animator_duration_scale"),
    ("global", "stay_on_while_plugged_in"),
    ("system", "accelerometer_rotation"),
    ("system", "user_rotation"),
    // A keyboard that types any text is enabled before it is chosen.
    ("secure", "enabled_input_methods"),
    ("secure", "default_input_method"),
];

/// What a test wants: no animations, and a screen that stays on with any power supply.
const WANTED: &[(&str, &str, &str)] = &[
    ("global", "window_animation_scale", "0"),
    ("global", "transition_animation_scale", "0"),
    ("global", "animator_duration_scale", "0"),
    ("global", "stay_on_while_plugged_in", "7"),
];

/// What of a program uses a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A person, through the window.
    Window,
    /// A campaign.
    Campaign,
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Role::Window => "window",
            Role::Campaign => "campaign",
        }
    }

    /// This program in that role.
    fn owner(self) -> Owner {
        Owner { pid: std::process::id(), role: self.word().to_owned() }
    }
}

/// What a test changed around the app, beside settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// The network is off.
    Network,
    /// The battery says that it runs low.
    Battery,
    /// Dark mode was off.
    WasLight,
    /// Dark mode was on.
    WasDark,
}

impl Around {
    const ALL: [Around; 4] = [Around::Network, Around::Battery, Around::WasLight, Around::WasDark];

    fn word(self) -> &'static str {
        match self {
            Around::Network => "network",
            Around::Battery => "battery",
            Around::WasLight => "was-light",
            Around::WasDark => "was-dark",
        }
    }

    /// The line that writes it down; to be run before it is changed.
    pub(super) fn note(self) -> String {
        format!("echo around {} >>{FILE}", self.word())
    }

    /// The lines that take it back.
    pub(super) fn undo(self) -> &'static str {
        match self {
            Around::Network => "svc wifi enable\nsvc data enable",
            Around::Battery => "dumpsys battery reset",
            Around::WasLight => "cmd uimode night no",
            Around::WasDark => "cmd uimode night yes",
        }
    }
}

/// Writes down who uses the device and, if nobody did yet, how its settings are; then changes them.
pub(super) fn keep_settings(
    link: &AdbLink,
    role: Role,
    unwanted: &dyn Fn() -> bool,
) -> Result<(), DeviceError> {
    let mut lines = vec![format!("[ -f {FILE} ] || {{ {{")];
    for (namespace, name) in CHANGED {
        lines.push(format!("echo \"{namespace} {name} $(settings get {namespace} {name})\""));
    }
    lines.push(format!("}} >{FILE}.new && mv {FILE}.new {FILE}"));
    // Without the file nothing may be changed.
    lines.push(format!("[ -f {FILE} ] || exit 1"));
    for (namespace, name, value) in WANTED {
        lines.push(format!("settings put {namespace} {name} {value}"));
    }
    lines.push("}".to_owned());
    lines.push(format!("echo {} >>{FILE}", role.owner().line()));
    let answer = link.shell(&lines.join("\n"), &Patience::new(PATIENCE, unwanted))?;
    if answer.code == Some(1) {
        return Err(DeviceError::NotKept {
            serial: link.serial.clone(),
            problem: answer.everything().trim().to_owned(),
        });
    }
    if let Some(what) = forbidden(&answer.everything()) {
        let serial = link.serial.clone();
        return Err(DeviceError::Forbidden { serial, what: what.what(), advice: what.advice() });
    }
    Ok(())
}

/// Puts settings back that were changed, unless somebody else still uses the device; says whether. `leaving` is what
/// of this program uses it no longer. Whose process is not `alive` uses nothing.
pub fn put_settings_back(
    link: &AdbLink,
    leaving: Option<Role>,
    alive: &dyn Fn(u32) -> bool,
    unwanted: &dyn Fn() -> bool,
) -> Result<bool, DeviceError> {
    let patience = Patience::new(PATIENCE, unwanted);
    let text = link.shell(&format!("cat {FILE} 2>/dev/null"), &patience)?.text();
    let mut kept = Kept::read(&text);
    let leaving = leaving.map(Role::owner);
    kept.owners.retain(|owner| Some(owner) != leaving.as_ref() && alive(owner.pid));
    if kept.settings.is_empty() {
        return Ok(false);
    }
    if !kept.owners.is_empty() {
        if leaving.is_some() {
            link.push(kept.text().as_bytes(), FILE, 0o600, 0, &patience)?;
        }
        return Ok(false);
    }
    let mut lines = Vec::new();
    for (namespace, name, value) in &kept.settings {
        // A setting that had no value is told as "null".
        lines.push(match value.as_str() {
            "null" | "" => words(&["settings", "delete", namespace, name])?,
            value => words(&["settings", "put", namespace, name, value])?,
        });
    }
    lines.extend(kept.around.iter().map(|around| around.undo().to_owned()));
    lines.push(format!("rm -f {FILE}"));
    link.shell(&lines.join("\n"), &patience)?;
    Ok(true)
}

/// Who uses a device.
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

/// What the file says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Kept {
    owners: Vec<Owner>,
    settings: Vec<(String, String, String)>,
    /// As it was at first, where it was changed several times.
    around: Vec<Around>,
}

impl Kept {
    /// Reads the file. Lines that are none of ours are passed over.
    fn read(text: &str) -> Kept {
        let mut kept = Kept::default();
        for line in text.lines() {
            let mut parts = line.trim_end().splitn(3, ' ');
            match (parts.next(), parts.next(), parts.next()) {
                (Some("owner"), Some(pid), Some(role)) => {
                    let owner = pid.parse().map(|pid| Owner { pid, role: role.to_owned() });
                    kept.owners.extend(owner.ok().filter(|owner| !kept.owners.contains(owner)));
                }
                (Some("around"), Some(word), None) => {
                    let night = |around: &Around| matches!(around, Around::WasLight | Around::WasDark);
                    let around = Around::ALL.into_iter().find(|around| around.word() == word);
                    let known = |around: &Around| {
                        kept.around.iter().any(|known| known == around || (night(known) && night(around)))
                    };
                    let around = around.filter(|around| !known(around));
                    kept.around.extend(around);
                }
                (Some(namespace), Some(name), value) if CHANGED.contains(&(namespace, name)) => {
                    let value = value.unwrap_or_default().to_owned();
                    kept.settings.push((namespace.to_owned(), name.to_owned(), value));
                }
                _ => {}
            }
        }
        kept
    }

    /// The file anew.
    fn text(&self) -> String {
        let settings =
            self.settings.iter().map(|(namespace, name, value)| format!("{namespace} {name} {value}"));
        let around = self.around.iter().map(|around| format!("around {}", around.word()));
        let lines = settings.chain(around).chain(self.owners.iter().map(Owner::line));
        lines.map(|line| line + "\n").collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_lines_are_put_back() {
        let kept = Kept::read(
            "global window_animation_scale 1.0\nglobal adb_enabled 0\nsystem user_rotation null\nx\n\
             owner 12 window\nowner 12 window\nowner 13 campaign\naround network\naround was-light\naround was-dark\n",
        );
        let owner = |pid, role: &str| Owner { pid, role: role.to_owned() };
        assert_eq!(kept.owners, [owner(12, "window"), owner(13, "campaign")]);
        let triple = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(
            kept.settings,
            [triple("global", "window_animation_scale", "1.0"), triple("system", "user_rotation", "null")]
        );
        assert_eq!(kept.around, [Around::Network, Around::WasLight], "as it was at first");
        assert_eq!(Kept::read(&kept.text()), kept);
        assert_eq!(Kept::read(""), Kept::default());
    }
}
