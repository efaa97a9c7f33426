//! What is changed on a device and put back: settings of Android, what its services do, and permissions of apps.

use crate::connection::packages::RUNTIME;
use taproof_engine::agent::SettingChange;

/// The value of a setting that has none.
pub(crate) const UNSET: &str = "null";
/// The first API level on which `settings` and the agent make a setting unset.
const DELETES: u32 = 23;

/// A setting of Android that is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub namespace: &'static str,
    pub name: &'static str,
    /// The value during tests; `None` if it is changed only when something needs it.
    pub in_tests: Option<&'static str>,
}

/// The size of texts.
pub(crate) const FONT_SCALE: Setting = setting("system", "font_scale", None);
/// How many hours a clock shows: 12 unless the language says otherwise.
pub(crate) const HOURS: Setting = setting("system", "time_12_24", None);
/// Whether and how the location is found.
pub(crate) const LOCATION: Setting = setting("secure", "location_mode", None);
/// The settings of the rotation.
pub(crate) const ROTATION: [Setting; 2] =
    [setting("system", "accelerometer_rotation", None), setting("system", "user_rotation", None)];
/// The settings of the keyboards. A keyboard that types any text has to be enabled before it can be chosen.
pub(crate) const KEYBOARDS: [Setting; 2] =
    [setting("secure", "enabled_input_methods", None), setting("secure", "default_input_method", None)];
/// The settings that are changed for the whole of the work. For a test there are no animations, and a screen that stays on
/// with any power supply, and for half an hour without one, since a test may make the device believe that it runs on a low
/// battery.
pub(crate) const GUARDED: [Setting; 9] = [
    setting("global", "window_animation_scale", Some("0")),
    setting("global", "transition_animation_scale", Some("0")),
    setting("global", "animator_duration_scale", Some("0")),
    setting("global", "stay_on_while_plugged_in", Some("7")),
    setting("system", "screen_off_timeout", Some("1800000")),
    ROTATION[0],
    ROTATION[1],
    KEYBOARDS[0],
    KEYBOARDS[1],
];

const fn setting(namespace: &'static str, name: &'static str, in_tests: Option<&'static str>) -> Setting {
    Setting { namespace, name, in_tests }
}

impl Setting {
    /// The shell line that gives it a value. It prints nothing on success.
    fn line(&self, value: &str) -> String {
        let Setting { namespace, name, .. } = self;
        match value {
            // What `settings delete` does from Android 6 on; it prints how many there were.
            UNSET => format!(
                "if [ \"$(getprop ro.build.version.sdk)\" -lt {DELETES} ]; then \
                 content delete --uri content://settings/{namespace} --where \"name='{name}'\"; \
                 else settings delete {namespace} {name} >/dev/null; fi"
            ),
            value => format!("settings put {namespace} {name} '{value}'"),
        }
    }

    /// What the agent is asked for to give it a value; `None` if it cannot.
    pub fn change_to(&self, value: &str, sdk: u32) -> Option<SettingChange> {
        match value {
            UNSET => (sdk >= DELETES).then_some(SettingChange::Delete),
            value => Some(SettingChange::Put(value.to_owned())),
        }
    }
}

/// Something of a device that is changed and put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    Setting(Setting),
    DisplaySize,
    TimeZone,
    AirplaneMode,
    DoNotDisturb,
    LowStorage,
    DarkMode,
    Wifi,
    MobileData,
    /// What the battery service reports.
    Battery,
    /// A permission of an app: the package and the permission.
    Permission(String, String),
}

/// The value of a battery that is made to report that it is low; any other one ends that.
pub(crate) const LOW: &str = "low";
/// The value of a permission that an app has.
pub(crate) const GRANT: &str = "grant";

impl Thing {
    /// What is no setting and no permission, with its name in the journal.
    const SERVICES: [(Thing, &str); 9] = [
        (Thing::DisplaySize, "display-size"),
        (Thing::TimeZone, "time-zone"),
        (Thing::AirplaneMode, "airplane-mode"),
        (Thing::DoNotDisturb, "do-not-disturb"),
        (Thing::LowStorage, "low-storage"),
        (Thing::DarkMode, "dark-mode"),
        (Thing::Wifi, "wifi"),
        (Thing::MobileData, "mobile-data"),
        (Thing::Battery, "battery"),
    ];

    /// A permission of an app. `None` unless these are names as Android has them: they become words of shell lines.
    pub fn permission(package: &str, permission: &str) -> Option<Thing> {
        let named = |name: &str| {
            name.contains('.') && name.chars().all(|char| char.is_ascii_alphanumeric() || "._".contains(char))
        };
        let both = named(package) && named(permission) && permission.starts_with(RUNTIME);
        both.then(|| Thing::Permission(package.to_owned(), permission.to_owned()))
    }

    /// Whether only some events change it, around the app, and not the work as a whole.
    pub fn is_around(&self) -> bool {
        !matches!(self, Thing::Setting(setting) if GUARDED.contains(setting))
    }

    /// The name in the journal.
    pub fn name(&self) -> String {
        let name = match self {
            Thing::Setting(setting) => setting.name,
            Thing::Permission(package, permission) => return format!("{package}/{permission}"),
            service => {
                Thing::SERVICES.iter().find(|(known, _)| known == service).map_or("", |(_, name)| name)
            }
        };
        name.to_owned()
    }

    /// The thing of this name.
    fn of(name: &str) -> Option<Thing> {
        if let Some((package, permission)) = name.split_once('/') {
            return Thing::permission(package, permission);
        }
        let settings = GUARDED.into_iter().chain([FONT_SCALE, HOURS, LOCATION]).map(Thing::Setting);
        settings.chain(Thing::SERVICES.map(|(service, _)| service)).find(|thing| thing.name() == name)
    }

    /// The shell lines that give it a value.
    pub fn lines(&self, value: &str) -> String {
        match self {
            Thing::Setting(setting) => setting.line(value),
            Thing::DisplaySize => format!("wm density {value}"),
            Thing::TimeZone => format!("cmd alarm set-timezone {value}"),
            Thing::AirplaneMode => format!("cmd connectivity airplane-mode {value}"),
            Thing::DoNotDisturb => format!("cmd notification set_dnd {value}"),
            Thing::LowStorage => format!("cmd devicestoragemonitor {value} -f >/dev/null"),
            Thing::DarkMode => format!("cmd uimode night {value}"),
            Thing::Wifi => format!("svc wifi {value}"),
            Thing::MobileData => format!("svc data {value}"),
            Thing::Battery if value == LOW => {
                "dumpsys battery unplug\ndumpsys battery set level 5".to_owned()
            }
            Thing::Battery => "dumpsys battery reset".to_owned(),
            Thing::Permission(package, permission) => format!("pm {value} {package} {permission}"),
        }
    }
}

/// A change of a thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub thing: Thing,
    /// The value before.
    before: String,
}

impl Change {
    /// `None` for a value that is no plain word: it becomes one of a shell line.
    pub fn new(thing: Thing, before: &str) -> Option<Change> {
        // Between single quotes.
        let quotable = |char: char| !char.is_whitespace() && !char.is_control() && !"'\\".contains(char);
        let fits = match thing {
            Thing::Setting(_) => before.chars().all(quotable),
            Thing::Permission(..) => before == GRANT,
            _ => before.chars().all(|char| char.is_ascii_alphanumeric() || "/_+-.".contains(char)),
        };
        fits.then(|| Change { thing, before: before.to_owned() })
    }

    /// The line for the change in the journal. The name comes last, so that a line that was cut off names nothing.
    pub fn line(&self) -> String {
        format!("was ={} {}", self.before, self.thing.name())
    }

    /// Parses a line of the journal; `None` if it is none of a change.
    pub fn parse(line: &str) -> Option<Change> {
        let mut words = line.strip_prefix("was =")?.trim_end().split(' ');
        let (before, name) = (words.next()?, words.next()?);
        words.next().is_none().then(|| Change::new(Thing::of(name)?, before)).flatten()
    }

    /// The value before.
    pub fn before(&self) -> &str {
        &self.before
    }

    /// The shell lines that undo the change.
    pub fn undo(&self) -> String {
        self.thing.lines(&self.before)
    }
}

/// Adds a change unless an earlier one of the same thing is there, which has the original value.
pub(super) fn add_first(changes: &mut Vec<Change>, new: Change) {
    if changes.iter().all(|known| known.thing != new.thing) {
        changes.push(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undone(line: &str) -> Option<String> {
        Change::parse(line).map(|change| change.undo())
    }

    #[test]
    fn a_change_is_known_by_its_line() {
        let camera = Thing::permission("org.ex", "android.permission.CAMERA").unwrap();
        for (thing, before, undo) in [
            (Thing::Wifi, "enable", "svc wifi enable"),
            (Thing::MobileData, "enable", "svc data enable"),
            (Thing::Battery, "reset", "dumpsys battery reset"),
            (Thing::DarkMode, "custom_schedule", "cmd uimode night custom_schedule"),
            (Thing::DisplaySize, "reset", "wm density reset"),
            (Thing::TimeZone, "America/Port-au-Prince", "cmd alarm set-timezone America/Port-au-Prince"),
            (Thing::AirplaneMode, "disable", "cmd connectivity airplane-mode disable"),
            (Thing::DoNotDisturb, "alarms", "cmd notification set_dnd alarms"),
            (Thing::LowStorage, "reset", "cmd devicestoragemonitor reset -f >/dev/null"),
            (Thing::Setting(FONT_SCALE), "1.15", "settings put system font_scale '1.15'"),
            (Thing::Setting(KEYBOARDS[0]), "", "settings put secure enabled_input_methods ''"),
            (
                Thing::Setting(KEYBOARDS[1]),
                "a.b/.C;7:d/.E",
                "settings put secure default_input_method 'a.b/.C;7:d/.E'",
            ),
            (camera, "grant", "pm grant org.ex android.permission.CAMERA"),
        ] {
            let change = Change::new(thing, before).unwrap();
            assert_eq!(Change::parse(&change.line()), Some(change.clone()));
            assert_eq!(change.undo(), undo);
        }
        let unset = undone("was =null user_rotation\r").unwrap();
        assert!(
            unset.contains("--where \"name='user_rotation'\"; else settings delete system user_rotation")
        );
    }

    #[test]
    fn no_line_runs_what_it_holds() {
        for line in [
            "was =1 adb_enabled",
            "was =x;reboot time-zone",
            "was =$(reboot) display-size",
            "was ='$(reboot)' font_scale",
            "was =a b font_scale",
            "was =grant org.ex/android.permission.X;reboot",
            "was =grant org.ex/com.vendor.X",
            "was =grant $(reboot).x/android.permission.CAMERA",
            "was =grant /android.permission.CAMERA",
            "was =grant org.ex/",
            "was =clear org.ex/android.permission.CAMERA",
            "x",
        ] {
            assert_eq!(Change::parse(line), None, "{line}");
        }
    }

    #[test]
    fn a_line_that_was_cut_off_names_nothing() {
        let line = Change::new(Thing::Setting(GUARDED[4]), "60000").unwrap().line();
        for end in 0..line.len() {
            assert_eq!(Change::parse(&line[..end]), None);
            // The next line is added to it.
            assert_eq!(Change::parse(&format!("{}{line}", &line[..end])).filter(|_| end > 0), None);
            assert_eq!(Change::parse(&format!("{}owner 1 window here 0 5", &line[..end])), None);
        }
    }

    #[test]
    fn of_each_thing_the_first_change_is_kept() {
        let mut changes = Vec::new();
        for line in ["was =no dark-mode", "was =yes dark-mode", "was =1.0 font_scale"] {
            add_first(&mut changes, Change::parse(line).unwrap());
        }
        let undone: Vec<String> = changes.iter().map(Change::undo).collect();
        assert_eq!(undone, ["cmd uimode night no", "settings put system font_scale '1.0'"]);
        assert!(!Thing::Setting(ROTATION[0]).is_around() && Thing::Setting(FONT_SCALE).is_around());
    }
}
