//! Settings that testing changes: what they were is written on the device itself before anything is changed, so that
//! they can be put back after a kill, too, and by whoever comes next.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::gestures::words;
use super::host::{AdbLink, Patience};
use super::output::{forbidden, setting_value};
use super::sections::{answers, complaining, script};
use taproof_core::device::DeviceError;

const FILE: &str = "/data/local/tmp/taproof-settings";
/// Before Android 8 each question takes a second or two.
const PATIENCE: Duration = Duration::from_secs(90);
const TRIES: u32 = 3;
/// How a device tells a setting that has no value.
const UNSET: &str = "null";
/// What the device says once all is written down.
const KEPT: &str = "taproof-kept";

/// What may be changed, by namespace and name.
const CHANGED: &[(&str, &str)] = &[
    ("global", "window_animation_scale"),
    ("global", "transition_animation_scale"),
    ("global", "animator_duration_scale"),
    ("global", "stay_on_while_plugged_in"),
    ("system", "screen_off_timeout"),
    ("system", "accelerometer_rotation"),
    ("system", "user_rotation"),
    // A keyboard that types any text is enabled before it is chosen.
    ("secure", "enabled_input_methods"),
    ("secure", "default_input_method"),
];

/// What a test wants: no animations, and a screen that stays on with any power supply, and for half an hour without, as
/// it is while a test has the battery run low.
const WANTED: &[(&str, &str, &str)] = &[
    ("global", "window_animation_scale", "0"),
    ("global", "transition_animation_scale", "0"),
    ("global", "animator_duration_scale", "0"),
    ("global", "stay_on_while_plugged_in", "7"),
    ("system", "screen_off_timeout", "1800000"),
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
    /// Wi-Fi was on and is off.
    Wifi,
    /// Mobile data were on and are off.
    Data,
    /// The battery says that it runs low.
    Battery,
    /// Dark mode was so.
    Night(Night),
}

/// How a device chooses between light and dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Night {
    Light,
    Dark,
    /// By the time of the day.
    Auto,
    /// By times that somebody set.
    Scheduled,
    /// While somebody sleeps.
    Bedtime,
}

impl Night {
    const ALL: [Night; 5] = [Night::Light, Night::Dark, Night::Auto, Night::Scheduled, Night::Bedtime];

    /// Out of the answer of `cmd uimode night`, `Night mode: no`.
    pub fn told(answer: &str) -> Option<Night> {
        let said = answer.trim().rsplit(' ').next()?;
        Night::ALL.into_iter().find(|night| night.line().rsplit(' ').next() == Some(said))
    }

    /// The line that makes it so.
    pub fn line(self) -> &'static str {
        match self {
            Night::Light => "cmd uimode night no",
            Night::Dark => "cmd uimode night yes",
            Night::Auto => "cmd uimode night auto",
            Night::Scheduled => "cmd uimode night custom_schedule",
            Night::Bedtime => "cmd uimode night custom_bedtime",
        }
    }
}

impl Around {
    const ALL: [Around; 8] = [
        Around::Wifi,
        Around::Data,
        Around::Battery,
        Around::Night(Night::Light),
        Around::Night(Night::Dark),
        Around::Night(Night::Auto),
        Around::Night(Night::Scheduled),
        Around::Night(Night::Bedtime),
    ];

    fn word(self) -> &'static str {
        match self {
            Around::Wifi => "wifi",
            Around::Data => "data",
            Around::Battery => "battery",
            Around::Night(Night::Light) => "was-light",
            Around::Night(Night::Dark) => "was-dark",
            Around::Night(Night::Auto) => "was-auto",
            Around::Night(Night::Scheduled) => "was-scheduled",
            Around::Night(Night::Bedtime) => "was-bedtime",
        }
    }

    /// The line that writes it down; to be run before it is changed.
    pub(super) fn note(self) -> String {
        format!("echo around {} >>{FILE}", self.word())
    }

    /// The lines that take it back.
    pub(super) fn undo(self) -> &'static str {
        match self {
            Around::Wifi => "svc wifi enable",
            Around::Data => "svc data enable",
            Around::Battery => "dumpsys battery reset",
            Around::Night(night) => night.line(),
        }
    }
}

/// Writes down who uses the device and, if nobody did yet, how its settings are; then changes them. Returns what is
/// changed around apps and not taken back.
pub(super) fn keep_settings(
    link: &AdbLink,
    role: Role,
    unwanted: &dyn Fn() -> bool,
) -> Result<Vec<Around>, DeviceError> {
    let turn = turn_of(&link.serial);
    let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
    let patience = Patience::new(PATIENCE, unwanted);
    let mut problem = String::new();
    // Another program may have put them back between the question and the answer.
    for _ in 0..TRIES {
        match keep_once(link, &role.owner(), &patience)? {
            Ok(around) => return Ok(around),
            Err(said) => problem = said,
        }
    }
    Err(DeviceError::NotKept { serial: link.serial.clone(), problem })
}

/// One try; what the device says where it did not write all down.
fn keep_once(
    link: &AdbLink,
    owner: &Owner,
    patience: &Patience<'_>,
) -> Result<Result<Vec<Around>, String>, DeviceError> {
    let allowed = |said: &str| match forbidden(said) {
        Some(what) => {
            let serial = link.serial.clone();
            Err(DeviceError::Forbidden { serial, what: what.what(), advice: what.advice() })
        }
        None => Ok(()),
    };
    let mut questions = vec![format!("cat {FILE} 2>/dev/null")];
    for (namespace, name) in CHANGED {
        questions.push(format!("[ -f {FILE} ] || settings get {namespace} {name}"));
    }
    let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
    let asked = link.shell(&script(&questions), patience)?;
    allowed(&asked.everything())?;
    let text = asked.text();
    let mut told = answers(&text);
    let kept = Kept::read(told.next().unwrap_or_default());
    let values = CHANGED.iter().zip(told).filter_map(|(setting, value)| Some((*setting, value_of(value)?)));
    let lines = keeping_lines(&values.collect::<Vec<_>>(), owner)?;
    let answer = link.shell(&lines, patience)?.everything();
    allowed(&answer)?;
    let done = answer.lines().any(|line| line.trim_end() == KEPT);
    Ok(if done { Ok(kept.around) } else { Err(answer.trim().to_owned()) })
}

/// The parts of this program that use a device change its settings one after the other.
fn turn_of(serial: &str) -> Arc<Mutex<()>> {
    static TURNS: Mutex<BTreeMap<String, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());
    let mut turns = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(turns.entry(serial.to_owned()).or_default())
}

/// What a device says that a setting is, on one line; `None` where it does not say: what is not known is not changed.
fn value_of(answer: &str) -> Option<String> {
    let value = setting_value(answer.trim()).ok()?;
    value.map_or(Some(UNSET.to_owned()), |value| (!value.contains('\n')).then_some(value))
}

/// The lines that write down how settings are, unless that was done, change them, and write down who does. Without the
/// file nothing is changed.
fn keeping_lines(values: &[((&str, &str), String)], owner: &Owner) -> Result<String, DeviceError> {
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
         [ -f {FILE} ] && echo {} >>{FILE} && echo {KEPT}",
        owner.line()
    ))
}

/// Puts settings back that were changed, unless somebody else still uses the device; says whether. `leaving` is what
/// of this program uses it no longer. Whose process is not `alive` uses nothing.
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
    let mut settings = Vec::new();
    for (namespace, name, value) in &kept.settings {
        match value.as_str() {
            UNSET => settings.push(words(&["settings", "delete", namespace, name])? + " >/dev/null"),
            value => settings.push(words(&["settings", "put", namespace, name, value])?),
        }
    }
    let around: Vec<&str> = kept.around.iter().map(|around| around.undo()).collect();
    let questions = [complaining(&settings.join("\n")), around.join("\n")];
    let said = link.shell(&script(&questions.each_ref().map(String::as_str)), &patience)?.text();
    // Only what was done is forgotten: a device that is just starting, or that forbids it, is asked again.
    match answers(&said).next().map(str::trim) {
        Some("") => link.shell(&format!("rm -f {FILE}"), &patience)?,
        said => {
            let (serial, problem) = (link.serial.clone(), said.unwrap_or_default().to_owned());
            return Err(DeviceError::NoAnswer { serial, what: "settings put".to_owned(), problem });
        }
    };
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
                    let night = |around: &Around| matches!(around, Around::Night(_));
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
             owner 12 window\nowner 12 window\nowner 13 campaign\naround wifi\naround was-light\naround was-dark\n",
        );
        let owner = |pid, role: &str| Owner { pid, role: role.to_owned() };
        assert_eq!(kept.owners, [owner(12, "window"), owner(13, "campaign")]);
        let triple = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(
            kept.settings,
            [triple("global", "window_animation_scale", "1.0"), triple("system", "user_rotation", "null")]
        );
        assert_eq!(kept.around, [Around::Wifi, Around::Night(Night::Light)], "as it was at first");
        assert_eq!(Kept::read(&kept.text()), kept);
        assert_eq!(Kept::read(""), Kept::default());
    }
}
