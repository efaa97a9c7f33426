//! Settings that testing changes: what they were is written on the device itself before anything is changed, so that
//! they can be put back after a kill, too, and by whoever comes next.

use std::time::Duration;

use super::gestures::words;
use super::host::{AdbLink, Patience};
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
    ("secure", "default_input_method"),
];

/// What a test wants: no animations, and a screen that stays on with any power supply.
const WANTED: &[(&str, &str, &str)] = &[
    ("global", "window_animation_scale", "0"),
    ("global", "transition_animation_scale", "0"),
    ("global", "animator_duration_scale", "0"),
    ("global", "stay_on_while_plugged_in", "7"),
];

/// Writes down how the settings are and changes them, unless that was done and not put back yet: then they are changed.
pub fn keep_settings(link: &AdbLink, unwanted: &dyn Fn() -> bool) -> Result<(), DeviceError> {
    let mut lines = vec![format!("[ -f {FILE} ] || {{ {{ echo owner {}", std::process::id())];
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
    let answer = link.shell(&lines.join("\n"), &Patience::new(PATIENCE, unwanted))?;
    if answer.code == Some(1) {
        return Err(DeviceError::NotKept {
            serial: link.serial.clone(),
            problem: answer.everything().trim().to_owned(),
        });
    }
    Ok(())
}

/// Puts settings back that were changed, if some were; says whether. With `alive`, only if the program that changed
/// them is not alive any more.
pub fn put_settings_back(
    link: &AdbLink,
    alive: Option<&dyn Fn(u32) -> bool>,
    unwanted: &dyn Fn() -> bool,
) -> Result<bool, DeviceError> {
    let patience = Patience::new(PATIENCE, unwanted);
    let text = link.shell(&format!("cat {FILE} 2>/dev/null"), &patience)?.text();
    let kept = Kept::read(&text);
    let owner_lives = kept.owner.zip(alive).is_some_and(|(owner, alive)| alive(owner));
    if kept.settings.is_empty() || owner_lives {
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
    lines.push("dumpsys battery reset".to_owned());
    lines.push(format!("rm -f {FILE}"));
    link.shell(&lines.join("\n"), &patience)?;
    Ok(true)
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Kept {
    owner: Option<u32>,
    settings: Vec<(String, String, String)>,
}

impl Kept {
    /// Reads the file. Lines that are none of ours are passed over: other apps can write there.
    fn read(text: &str) -> Kept {
        let mut kept = Kept::default();
        for line in text.lines() {
            let mut parts = line.trim_end().splitn(3, ' ');
            match (parts.next(), parts.next(), parts.next()) {
                (Some("owner"), Some(pid), None) => kept.owner = pid.parse().ok(),
                (Some(namespace), Some(name), value) if CHANGED.contains(&(namespace, name)) => {
                    let value = value.unwrap_or_default().to_owned();
                    kept.settings.push((namespace.to_owned(), name.to_owned(), value));
                }
                _ => {}
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_lines_are_put_back() {
        let kept = Kept::read(
            "owner 12\nglobal window_animation_scale 1.0\nglobal adb_enabled 0\nsystem user_rotation null\nx\n",
        );
        assert_eq!(kept.owner, Some(12));
        let triple = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(
            kept.settings,
            [triple("global", "window_animation_scale", "1.0"), triple("system", "user_rotation", "null")]
        );
        assert_eq!(Kept::read(""), Kept::default());
    }
}
