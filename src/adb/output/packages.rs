//! Parsing which apps are installed, where their files are, and which activity starts an app.

use super::OutputError;
use super::component::Component;
use super::lines::lines;

/// An entry of `pm list packages`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledPackage {
    /// The package, such as `org.example.app`.
    pub name: String,
    /// Path of the APK; only with the option `-f`.
    pub path: Option<String>,
}

/// A user of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceUser {
    /// The id; 0 for the owner.
    pub id: u32,
    /// The name that a person gave.
    pub name: String,
    /// Whether it is a work profile, whose apps run beside those of the owner.
    pub work_profile: bool,
}

/// Parses `pm list users`. Old devices, and those that do not say, have the owner alone.
pub fn user_list(text: &str) -> Vec<DeviceUser> {
    const WORK_PROFILE: u32 = 0x20;
    let user = |line: &str| {
        // A name may have any characters, and the flags in hexadecimal follow.
        let (id, rest) = line.split_once("UserInfo{")?.1.split_once(':')?;
        let (name, flags) = rest.rsplit_once('}')?.0.rsplit_once(':')?;
        let flags = u32::from_str_radix(flags, 16).ok()?;
        let work_profile = flags & WORK_PROFILE != 0;
        Some(DeviceUser { id: id.parse().ok()?, name: name.to_owned(), work_profile })
    };
    let found: Vec<DeviceUser> = lines(text).filter_map(user).collect();
    match found.iter().any(|user| user.id == 0) {
        true => found,
        false => vec![DeviceUser { id: 0, name: String::new(), work_profile: false }],
    }
}

/// Parses `pm list packages`, with or without `-f`, keeping its order. An empty answer is an empty list.
///
/// # Errors
///
/// If the answer is not empty but contains no package.
pub fn package_list(text: &str) -> Result<Vec<InstalledPackage>, OutputError> {
    const COMMAND: &str = "pm list packages";
    let entries = |line| {
        // `-U`, `-i` and `--show-versioncode` add words after the name.
        let entry = package_line(line)?.split_whitespace().next()?;
        // Names of folders below /data/app end in `==`.
        let (path, name) = match entry.rsplit_once('=') {
            Some((path, name)) => (Some(path.to_owned()), name),
            None => (None, entry),
        };
        (!name.is_empty()).then(|| InstalledPackage { name: name.to_owned(), path })
    };
    let found: Vec<InstalledPackage> = lines(text).filter_map(entries).collect();
    if found.is_empty() && !text.trim().is_empty() {
        return Err(OutputError::missing(COMMAND, "line `package:NAME`", text));
    }
    Ok(found)
}

/// Parses the paths of an app's files from `pm path`, the base APK first; empty if the app is not installed.
///
/// # Errors
///
/// If the answer is not empty but contains no path.
pub fn package_paths(text: &str) -> Result<Vec<String>, OutputError> {
    let paths: Vec<String> =
        lines(text).filter_map(package_line).filter(|path| !path.is_empty()).map(str::to_owned).collect();
    if paths.is_empty() && !text.trim().is_empty() {
        return Err(OutputError::missing("pm path", "line `package:PATH`", text));
    }
    Ok(paths)
}

/// Parses the activity that starts an app from `cmd package resolve-activity --brief` (Android 7 and newer). `None` if there
/// is none, or several, of which Android would let the user choose.
///
/// # Errors
///
/// If the answer neither names an activity nor reports that there is none.
pub fn resolved_activity(text: &str) -> Result<Option<Component>, OutputError> {
    const RESOLVER: &str = "com.android.internal.app.ResolverActivity";
    if let Some(component) = lines(text).filter_map(|line| Component::parse(line.trim())).last() {
        let asks = component.package == "android" && component.class == RESOLVER;
        return Ok((!asks).then_some(component));
    }
    if lines(text).any(|line| line.trim() == "No activity found") {
        return Ok(None);
    }
    Err(OutputError::missing("cmd package resolve-activity", "line `PACKAGE/CLASS`", text))
}

fn package_line(line: &str) -> Option<&str> {
    line.trim().strip_prefix("package:").map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    #[test]
    fn users_are_listed_with_what_they_are() {
        let text = "Users:\n\tUserInfo{0:Owner:4c13} running\n\tUserInfo{10:Work: {a}:1030} running\n\tUserInfo{11:Kid:410}\n";
        let found: Vec<(u32, String, bool)> =
            user_list(text).into_iter().map(|user| (user.id, user.name, user.work_profile)).collect();
        let user = |id, name: &str, work| (id, name.to_owned(), work);
        assert_eq!(found, [user(0, "Owner", false), user(10, "Work: {a}", true), user(11, "Kid", false)]);
        for none in ["", "Error: unknown command 'users'", "UserInfo{x:a:1}"] {
            assert_eq!(user_list(none).len(), 1, "{none:?}");
        }
    }

    #[test]
    fn the_old_device_lists_its_apps() {
        let Some(text) = test_data::text("pm_list_packages.txt") else { return };
        let list = package_list(&text).unwrap();
        assert_eq!(list.len(), 38);
        assert_eq!(list[0], InstalledPackage { name: "com.android.soundrecorder".to_owned(), path: None });
        assert_eq!(list[2].name, "android");
        assert_eq!(list[8].name, "jackpal.androidterm");
        assert_eq!(list[37].name, "com.android.providers.downloads");
        let usage = test_data::text("pm_usage.txt").unwrap();
        assert!(matches!(package_list(&usage), Err(OutputError::Missing { .. })));
    }

    #[test]
    fn paths_end_at_the_last_equals_sign() {
        let text = "package:/data/app/~~x==/com.a-y==/base.apk=com.a\r\npackage:/system/app/B.apk=b.c \
            uid:10012\npackage:\n";
        let list = package_list(text).unwrap();
        assert_eq!(list.len(), 2);
        assert_eq!(list[0].name, "com.a");
        assert_eq!(list[0].path.as_deref(), Some("/data/app/~~x==/com.a-y==/base.apk"));
        assert_eq!((list[1].name.as_str(), list[1].path.as_deref()), ("b.c", Some("/system/app/B.apk")));
        assert_eq!(package_list("package:com.a versionCode:12\n").unwrap()[0].name, "com.a");
        assert_eq!(package_list("\r\n"), Ok(Vec::new()));
        let error = package_list("Error: Could not access the Package Manager.  Is the system running?\n");
        assert!(error.unwrap_err().to_string().contains("Is the system running?"));
    }

    #[test]
    fn an_app_may_have_several_files() {
        let text = "package:/data/app/~~x==/com.a-y==/base.apk\n\
            package:/data/app/~~x==/com.a-y==/split_config.de.apk\n";
        assert_eq!(package_paths(text).unwrap().len(), 2);
        assert_eq!(package_paths(""), Ok(Vec::new()));
        assert!(package_paths("java.lang.SecurityException").is_err());
    }

    #[test]
    fn an_app_starts_with_one_activity_or_none() {
        let text =
            "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\r\ncom.a/.Main\r\n";
        assert_eq!(resolved_activity(text), Ok(Component::parse("com.a/.Main")));
        let asks = "priority=0\nandroid/com.android.internal.app.ResolverActivity\n";
        assert_eq!(resolved_activity(asks), Ok(None));
        assert_eq!(resolved_activity("No activity found\n"), Ok(None));
        let Some(missing) = test_data::text("cmd_missing.txt") else { return };
        assert_eq!(
            resolved_activity(&missing).unwrap_err().to_string(),
            "this device has no `cmd package resolve-activity`: \
             it answers \"/system/bin/sh: cmd: not found\\r\\nrc=0\""
        );
    }
}
