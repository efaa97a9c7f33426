//! Finding the `adb` program.

use std::path::{Path, PathBuf};

use super::AdbError;

/// The `adb` program of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdbProgram {
    /// Path of the executable.
    pub path: PathBuf,
    /// Environment variables for the program and the server that it starts, such as `ADB_MDNS` and `0`.
    pub variables: Vec<(String, String)>,
}

impl AdbProgram {
    /// Finds the program that `setting` names (the file, or a folder of the SDK). Without a setting it is searched in
    /// `ADB`, `ANDROID_HOME`, `ANDROID_SDK_ROOT`, `PATH` and the usual folders.
    ///
    /// # Errors
    ///
    /// [`AdbError::NoProgram`] with the places that were searched. If a setting leads to no program, nothing else is
    /// searched, since whoever has set it expects that program and no other.
    pub fn find(setting: Option<&str>, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, AdbError> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let places = match setting.filter(|setting| !setting.is_empty()) {
            Some(setting) => named(setting, &set),
            None => usual_places(&set),
        };
        match places.iter().find(|place| is_program(place)) {
            Some(path) => Ok(AdbProgram { path: path.clone(), variables: Vec::new() }),
            None => Err(AdbError::NoProgram { looked: shown(&places) }),
        }
    }
}

/// The paths that a text given by a person may mean: a file, a folder of the SDK, or a name to be found in `PATH`.
fn named(text: &str, set: &dyn Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let path = PathBuf::from(text);
    let is_bare_name = path.components().count() == 1 && path.is_relative();
    let in_path = if is_bare_name { in_path(text, set) } else { Vec::new() };
    [path.clone(), path.join(file_name()), in_platform_tools(&path)].into_iter().chain(in_path).collect()
}

fn usual_places(set: &dyn Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let mut places = set("ADB").map(|text| named(&text, set)).unwrap_or_default();
    let sdks = ["ANDROID_HOME", "ANDROID_SDK_ROOT"];
    places.extend(sdks.iter().filter_map(|name| set(name)).map(|sdk| in_platform_tools(Path::new(&sdk))));
    places.extend(in_path(&file_name(), set));
    let home = set("HOME").or_else(|| set("USERPROFILE")).map(PathBuf::from);
    let of_home = ["Android/Sdk", "Android/sdk", "Library/Android/sdk", "AppData/Local/Android/Sdk"];
    places.extend(home.iter().flat_map(|home| of_home.map(|folder| in_platform_tools(&home.join(folder)))));
    let of_system = ["/opt/android-sdk", "/usr/lib/android-sdk", "/usr/local/android-sdk"];
    places.extend(of_system.map(|folder| in_platform_tools(Path::new(folder))));
    places.dedup();
    places
}

fn in_path(name: &str, set: &dyn Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let folders = set("PATH").unwrap_or_default();
    // A relative folder would depend on the working directory.
    std::env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .collect()
}

fn in_platform_tools(sdk: &Path) -> PathBuf {
    sdk.join("platform-tools").join(file_name())
}

fn file_name() -> String {
    format!("adb{}", std::env::consts::EXE_SUFFIX)
}

fn is_program(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && may_be_executed(&found))
}

#[cfg(unix)]
fn may_be_executed(found: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn may_be_executed(_found: &std::fs::Metadata) -> bool {
    true
}

fn shown(places: &[PathBuf]) -> String {
    places.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("find-program-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn file(&self, path: &str, mode: u32) -> String {
            let path = self.0.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "#!/bin/sh\n").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            path.display().to_string()
        }

        fn path(&self, path: &str) -> String {
            self.0.join(path).display().to_string()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            drop(std::fs::remove_dir_all(&self.0));
        }
    }

    fn found(setting: Option<&str>, variables: &[(&str, &str)]) -> Result<String, AdbError> {
        let look =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        AdbProgram::find(setting, &look).map(|program| program.path.display().to_string())
    }

    #[test]
    fn the_places_are_looked_at_in_their_order() {
        let folder = Folder::new("order");
        let set = folder.file("set/adb", 0o755);
        let named = folder.file("named/my-adb", 0o755);
        let home = folder.file("home/platform-tools/adb", 0o755);
        let root = folder.file("root/platform-tools/adb", 0o755);
        let path = folder.file("bin/adb", 0o755);
        let usual = folder.file("user/Android/Sdk/platform-tools/adb", 0o755);
        let bin = format!("{}:{}:relative", folder.path("empty"), folder.path("bin"));
        let (sdk, old_sdk, user) = (folder.path("home"), folder.path("root"), folder.path("user"));
        let all = [
            ("ADB", named.as_str()),
            ("ANDROID_HOME", &sdk),
            ("ANDROID_SDK_ROOT", &old_sdk),
            ("PATH", &bin),
            ("HOME", &user),
        ];
        assert_eq!(found(Some(&set), &all), Ok(set.clone()));
        for (skipped, expected) in [&named, &home, &root, &path, &usual].into_iter().enumerate() {
            assert_eq!(found(None, &all[skipped..]).as_ref(), Ok(expected));
        }
    }

    #[test]
    fn a_setting_may_name_a_folder_and_is_never_passed_over() {
        let folder = Folder::new("setting");
        let path = folder.file("sdk/platform-tools/adb", 0o755);
        let bin = folder.path("sdk/platform-tools");
        assert_eq!(found(Some(&folder.path("sdk")), &[]), Ok(path.clone()));
        assert_eq!(found(Some(&bin), &[]), Ok(path.clone()));
        assert_eq!(found(Some("adb"), &[("PATH", &bin)]), Ok(path.clone()));
        assert_eq!(found(None, &[("ADB", "adb"), ("PATH", &bin)]), Ok(path));
        let missing = found(Some(&folder.path("nowhere")), &[("PATH", &bin)]).unwrap_err();
        let AdbError::NoProgram { looked } = missing else { panic!("{missing:?}") };
        assert!(looked.contains("nowhere") && !looked.contains("sdk"), "{looked}");
    }

    #[test]
    fn what_cannot_be_executed_is_no_program() {
        let folder = Folder::new("mode");
        let plain = folder.file("adb", 0o644);
        assert!(matches!(found(Some(&plain), &[]), Err(AdbError::NoProgram { .. })));
        let nothing = found(None, &[("HOME", &folder.path("user")), ("PATH", &folder.path("bin"))]);
        let places = match nothing {
            Err(AdbError::NoProgram { looked }) => looked,
            // This machine has one in a system folder.
            Ok(path) => path,
            Err(other) => panic!("{other:?}"),
        };
        assert!(places.contains("platform-tools/adb"), "{places}");
    }
}
