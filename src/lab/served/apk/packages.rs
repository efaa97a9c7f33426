//! The installed packages: the device's apps, the system's own packages, and helper apps of tools.

use super::component::Component;
use crate::outputs::table;
use crate::served::State;

/// The package that draws the dialogs for permissions.
pub(crate) const PERMISSIONS: &str = "com.android.permissioncontroller";
/// The package that draws the status bar and the navigation bar.
pub(crate) const SYSTEM_UI: &str = "com.android.systemui";
/// The pid of the home screen.
pub(crate) const HOME_PID: u32 = 4321;
/// The first uid for apps that are not part of the system.
const FIRST_USER: u32 = 10_100;

/// An installed package, as `pm` and `dumpsys package` list it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Package {
    pub name: String,
    pub apk: String,
    pub uid: u32,
    pub system: bool,
    /// The launcher activity; `None` if the package has none.
    pub activity: Option<Component>,
    pub version: String,
    pub version_code: u64,
    pub permissions: Vec<(String, bool)>,
    pub pid: Option<u32>,
}

impl Package {
    fn of_system(name: &str, apk: &str, uid: u32) -> Package {
        Package {
            name: name.to_owned(),
            apk: apk.to_owned(),
            uid,
            system: true,
            version: "1".to_owned(),
            version_code: 1,
            ..Package::default()
        }
    }
}

/// The name of a uid in the output of `ps`.
pub(crate) fn user_name(uid: u32) -> String {
    match uid {
        0 => "root".to_owned(),
        1000 => "system".to_owned(),
        2000 => "shell".to_owned(),
        uid => format!("u0_a{}", uid.saturating_sub(10_000)),
    }
}

impl State {
    /// All packages, sorted by name.
    pub(crate) fn packages(&mut self) -> Vec<Package> {
        let home = self.home.clone();
        let mut all = Vec::new();
        for words in table(self.like, "packages") {
            let &[name, uid, apk] = &*words else { continue };
            let package = Package::of_system(name, apk, uid.parse().unwrap_or_default());
            let starts = package.name == home.package;
            let (activity, pid) = (starts.then(|| home.clone()), starts.then_some(HOME_PID));
            all.push(Package { activity, pid, ..package });
        }
        let old = self.like.old();
        // A new version is installed next to the old one, which is then deleted.
        let installs = self.installs.clone();
        let path = |name: &str| {
            let side = 1 + installs.get(name).copied().unwrap_or(0) % 2;
            if old {
                format!("/data/app/{name}-{side}.apk")
            } else {
                format!("/data/app/{name}-{side}/base.apk")
            }
        };
        let mut uid = FIRST_USER;
        for app in self.apps() {
            all.push(Package {
                apk: path(&app.id.0),
                activity: (!app.activity.is_empty()).then(|| Component::new(&app.id.0, &app.activity)),
                name: app.id.0,
                uid,
                system: false,
                version: app.version,
                version_code: app.version_code,
                permissions: app.permissions,
                pid: app.pid,
            });
            uid += 1;
        }
        for name in self.helpers.keys() {
            let helper = Package::of_system(name, &path(name), uid);
            all.push(Package { system: false, ..helper });
            uid += 1;
        }
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all
    }

    /// The installed package with that name, if any.
    pub(crate) fn package(&mut self, name: &str) -> Option<Package> {
        self.packages().into_iter().find(|package| package.name == name)
    }
}
