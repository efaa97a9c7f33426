//! Changes that tests make to an app's surroundings, apart from the device's settings, and how to undo them.

use std::sync::{Arc, Mutex, PoisonError};

use super::packages::RUNTIME;
use super::switches::Switch;

/// A change that a test made to the surroundings of the app, apart from the guarded settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Disturbance {
    /// Wi-Fi was on and has been switched off.
    Wifi,
    /// Mobile data was on and has been switched off.
    Data,
    /// The battery service was made to report a low battery.
    Battery,
    /// Dark mode was changed; this is the previous mode.
    Night(Night),
    /// A setting was changed; this is the previous value.
    Switched(Switch, String),
    /// A permission was taken from an app.
    Revoked(Revoked),
}

/// A permission that an app had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Revoked {
    package: String,
    permission: String,
}

impl Revoked {
    /// `None` unless these are names as Android has them: they become words of shell lines and of the file on the device.
    pub fn new(package: &str, permission: &str) -> Option<Revoked> {
        let named = |name: &str| {
            name.contains('.') && name.chars().all(|char| char.is_ascii_alphanumeric() || "._".contains(char))
        };
        let both = named(package) && named(permission) && permission.starts_with(RUNTIME);
        both.then(|| Revoked { package: package.to_owned(), permission: permission.to_owned() })
    }

    pub fn is_of(&self, package: &str) -> bool {
        self.package == package
    }

    /// The shell line that takes the permission away.
    pub fn line(&self) -> String {
        format!("pm revoke {} {}", self.package, self.permission)
    }
}

/// Stands between the name of a setting and its previous value.
const WAS: &str = "-was-";
/// Stands between a package and a permission that it had.
const HAD: &str = "-had-";

/// How a device chooses between the light and the dark theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Night {
    Light,
    Dark,
    /// Dark at night, by sunset and sunrise.
    Auto,
    /// Dark between two times of the user's choice.
    Scheduled,
    /// Dark during the user's bedtime.
    Bedtime,
}

impl Night {
    const ALL: [Night; 5] = [Night::Light, Night::Dark, Night::Auto, Night::Scheduled, Night::Bedtime];

    /// Parses the answer of `cmd uimode night`, such as `Night mode: no`. `None` for an unknown mode.
    pub fn parse(answer: &str) -> Option<Night> {
        let said = answer.trim().rsplit(' ').next()?;
        Night::ALL.into_iter().find(|night| night.line().rsplit(' ').next() == Some(said))
    }

    /// The shell line that sets this mode.
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

impl Disturbance {
    /// The word for this disturbance in the file on the device.
    pub fn word(&self) -> String {
        match self {
            Disturbance::Wifi => "wifi".to_owned(),
            Disturbance::Data => "data".to_owned(),
            Disturbance::Battery => "battery".to_owned(),
            Disturbance::Night(Night::Light) => "was-light".to_owned(),
            Disturbance::Night(Night::Dark) => "was-dark".to_owned(),
            Disturbance::Night(Night::Auto) => "was-auto".to_owned(),
            Disturbance::Night(Night::Scheduled) => "was-scheduled".to_owned(),
            Disturbance::Night(Night::Bedtime) => "was-bedtime".to_owned(),
            Disturbance::Switched(switch, was) => format!("{}{WAS}{was}", switch.name()),
            Disturbance::Revoked(Revoked { package, permission }) => format!("{package}{HAD}{permission}"),
        }
    }

    /// The disturbance that this word stands for; `None` for an unknown word.
    pub fn parse(word: &str) -> Option<Disturbance> {
        if let Some((name, was)) = word.split_once(WAS) {
            let switch = Switch::ALL.into_iter().find(|switch| switch.name() == name && switch.has(was))?;
            return Some(Disturbance::Switched(switch, was.to_owned()));
        }
        if let Some((package, permission)) = word.split_once(HAD) {
            return Revoked::new(package, permission).map(Disturbance::Revoked);
        }
        let nights = Night::ALL.map(Disturbance::Night);
        let all = [Disturbance::Wifi, Disturbance::Data, Disturbance::Battery].into_iter().chain(nights);
        all.into_iter().find(|known| known.word() == word)
    }

    /// Whether it is one of the same thing, of which the first has the original state.
    pub fn is_like(&self, other: &Disturbance) -> bool {
        match (self, other) {
            (Disturbance::Switched(one, _), Disturbance::Switched(other, _)) => one == other,
            (Disturbance::Revoked(one), Disturbance::Revoked(other)) => one == other,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// Whether it is a change of this setting.
    pub fn switched(&self, switch: Switch) -> bool {
        matches!(self, Disturbance::Switched(changed, _) if *changed == switch)
    }

    /// The shell line that undoes the change.
    pub fn undo(&self) -> String {
        match self {
            Disturbance::Wifi => "svc wifi enable".to_owned(),
            Disturbance::Data => "svc data enable".to_owned(),
            Disturbance::Battery => "dumpsys battery reset".to_owned(),
            Disturbance::Night(night) => night.line().to_owned(),
            Disturbance::Switched(switch, was) => switch.line(was),
            Disturbance::Revoked(Revoked { package, permission }) => {
                format!("pm grant {package} {permission}")
            }
        }
    }
}

/// The changes that tests made on a device and that have not been undone yet. Clones share the list, which belongs to
/// the device.
#[derive(Clone, Default)]
pub(super) struct Disturbances(Arc<Mutex<Vec<Disturbance>>>);

impl Disturbances {
    /// Starts with the disturbances that the file on the device lists.
    pub fn of(noted: Vec<Disturbance>) -> Self {
        Disturbances(Arc::new(Mutex::new(noted)))
    }

    /// A copy of the list.
    pub fn all(&self) -> Vec<Disturbance> {
        self.change(|list| list.clone())
    }

    /// Replaces the list, for use after a snapshot of the device was restored.
    pub fn set(&self, now: &[Disturbance]) {
        self.change(|list| *list = now.to_vec());
    }

    /// Removes the disturbances for which `chosen` returns true and returns the shell lines that undo them, the newest
    /// first.
    pub fn undo(&self, chosen: impl Fn(&Disturbance) -> bool) -> String {
        let taken = self.change(|list| list.extract_if(.., |one| chosen(one)).collect::<Vec<_>>());
        taken.iter().rev().map(|one| one.undo()).collect::<Vec<_>>().join("\n")
    }

    /// Adds a disturbance that is about to be caused.
    pub fn add(&self, new: Disturbance) {
        self.change(|list| list.push(new));
    }

    fn change<T>(&self, change: impl FnOnce(&mut Vec<Disturbance>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disturbance_is_taken_back_once() {
        let list = Disturbances::default();
        let other = list.clone();
        list.add(Disturbance::Wifi);
        list.add(Disturbance::Battery);
        assert_eq!(other.undo(|one| *one == Disturbance::Battery), "dumpsys battery reset");
        assert_eq!(list.undo(|_| true), "svc wifi enable");
        assert_eq!(list.undo(|_| true), "");
    }

    #[test]
    fn a_permission_is_given_back_by_checked_names_only() {
        let word =
            |permission: &str| Disturbance::parse(&format!("org.ex-had-android.permission.{permission}"));
        let (camera, contacts) = (word("CAMERA").unwrap(), word("READ_CONTACTS").unwrap());
        assert_eq!(camera.undo(), "pm grant org.ex android.permission.CAMERA");
        assert!(!camera.is_like(&contacts) && camera.is_like(&camera.clone()), "each of an app is put back");
        for bad in [
            "org.ex-had-android.permission.X;reboot",
            "org.ex-had-com.vendor.X",
            "$(reboot).x-had-android.permission.CAMERA",
            "-had-android.permission.CAMERA",
            "org.ex-had-",
        ] {
            assert_eq!(Disturbance::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_disturbance_is_known_by_its_word() {
        let scale = |percent: &str| Disturbance::Switched(Switch::FontScale, percent.to_owned());
        let zone = Disturbance::Switched(Switch::TimeZone, "America/Port-au-Prince".to_owned());
        let camera = Disturbance::Revoked(Revoked::new("org.ex", "android.permission.CAMERA").unwrap());
        for one in [Disturbance::Data, Disturbance::Night(Night::Scheduled), scale("85"), zone, camera] {
            assert_eq!(Disturbance::parse(&one.word()), Some(one));
        }
        assert_eq!(Disturbance::parse("font-scale-was-large"), None);
        assert_eq!(Disturbance::parse("font-scale-was-115"), Some(scale("115")));
        assert_eq!(Disturbance::parse("time-zone-was-x;reboot"), None);
        assert_eq!(scale("115").undo(), "settings put system font_scale 1.15");
        assert!(scale("115").is_like(&scale("100")) && !scale("115").switched(Switch::TimeZone));
    }
}
