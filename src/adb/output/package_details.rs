//! Parsing what `dumpsys package P` reports about one app.

use std::collections::BTreeMap;

use super::OutputError;
use super::component::Component;
use super::lines::{lines, values, word};

/// The details of an installed app from `dumpsys package`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageDetails {
    /// Each permission that the app requests or has, and whether it is granted to the first user.
    pub permissions: BTreeMap<String, bool>,
    /// The launcher activity; `None` if the dump lists no intent filters or the app has none.
    pub launcher: Option<Component>,
    /// The version with its code, such as `1.1.8 (118)`; empty if the dump names none.
    pub version: String,
}

/// Parses `dumpsys package PACKAGE`.
///
/// # Errors
///
/// If the answer has no section on the package, which is then not installed.
pub fn package_details(text: &str, package: &str) -> Result<PackageDetails, OutputError> {
    let header = format!("Package [{package}]");
    let mut rest = lines(text).skip_while(|line| !line.trim_start().starts_with(&header));
    let missing =
        || OutputError::missing("dumpsys package", "section on the package: is it installed?", text);
    let depth = indent(rest.next().ok_or_else(missing)?);
    // An updated system app has a second section, on the version that it hides.
    let section: Vec<&str> = rest.take_while(|line| line.trim().is_empty() || indent(line) > depth).collect();
    Ok(PackageDetails {
        permissions: permissions(&section),
        launcher: launcher(text, package),
        version: version(&section),
    })
}

fn version(section: &[&str]) -> String {
    let [name, code] = ["versionName=", "versionCode="]
        .map(|key| section.iter().find_map(|line| values(line, key).next()).unwrap_or_default());
    match (name.trim(), word(code)) {
        (name, "") => name.to_owned(),
        ("", code) => code.to_owned(),
        (name, code) => format!("{name} ({code})"),
    }
}

/// The kind of list of permissions that a line belongs to.
#[derive(Clone, Copy, PartialEq)]
enum List {
    Requested,
    Granted,
    /// Each line contains `granted=`.
    Stated,
}

fn permissions(section: &[&str]) -> BTreeMap<String, bool> {
    let mut found = BTreeMap::new();
    let mut list: Option<(List, usize)> = None;
    let mut users = 0;
    for line in section {
        let (name, depth) = (line.trim(), indent(line));
        if list.is_some_and(|(_, header)| depth <= header) {
            list = None;
        }
        let begins = match name {
            "requested permissions:" => Some(List::Requested),
            "grantedPermissions:" => Some(List::Granted),
            "install permissions:" | "runtime permissions:" => Some(List::Stated),
            _ => None,
        };
        if let Some(begins) = begins {
            list = Some((begins, depth));
        } else if name.starts_with("User ") && name.contains(':') {
            users += 1;
            list = None;
        } else if let Some((list, _)) = list
            && users <= 1
        {
            let permission = name.split([':', ',', ' ']).next().unwrap_or_default();
            let granted = match list {
                List::Requested => false,
                List::Granted => true,
                List::Stated => values(name, "granted=true").next().is_some(),
            };
            if permission.contains('.') {
                *found.entry(permission.to_owned()).or_insert(false) |= granted;
            }
        }
    }
    found
}

/// The package's first activity with a filter for the launcher's category: `HASH com.a/.Main filter HASH`, followed by
/// the filter.
fn launcher(text: &str, package: &str) -> Option<Component> {
    let table = lines(text).skip_while(|line| !line.starts_with("Activity Resolver Table:")).skip(1);
    let mut current = None;
    for line in table.take_while(|line| line.trim().is_empty() || line.starts_with(' ')) {
        let mut words = line.split_whitespace();
        if let (Some(hash), Some(name)) = (words.next(), words.next())
            && hash.chars().all(|c| c.is_ascii_hexdigit())
            && let Some(component) = Component::parse(name)
        {
            current = Some(component).filter(|component| component.package == package);
        } else if line.contains("Category: \"android.intent.category.LAUNCHER\"") && current.is_some() {
            return current;
        }
    }
    None
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    #[test]
    fn the_old_calculator_is_read() {
        let Some(text) = test_data::text("dumpsys_package_calculator2.txt") else { return };
        let package = "com.android.calculator2";
        assert_eq!(
            package_details(&text, package),
            Ok(PackageDetails {
                permissions: BTreeMap::new(),
                launcher: Component::parse("com.android.calculator2/.Calculator"),
                version: "4.4.2-eng.cwhuang.20140214.170910 (19)".to_owned(),
            })
        );
        assert!(package_details(&text, "com.android").is_err());
    }

    const NEWER: &str = r#"Activity Resolver Table:
  Schemes:
      https:
        7f2d1b5 com.a/.Link filter 3d5d5d
          Category: "android.intent.category.BROWSABLE"
  Non-Data Actions:
      android.intent.action.MAIN:
        bfd1c2a com.a/.ui.Main filter 8b1f41b
          Action: "android.intent.action.MAIN"
          Category: "android.intent.category.LAUNCHER"

Receiver Resolver Table:
  Non-Data Actions:
      x.y:
        bfd1c2a com.a/.Receiver filter 8b1f41b
          Category: "android.intent.category.LAUNCHER"

Packages:
  Package [com.a] (8fd0f10):
    userId=10123
    codePath=/data/app/~~x==/com.a-y==
    versionCode=1203 minSdk=21 targetSdk=34
    versionName=1.2.3 beta
    flags=[ DEBUGGABLE HAS_CODE ALLOW_CLEAR_USER_DATA ]
    declared permissions:
      com.a.OWN: prot=signature, INSTALLED
    requested permissions:
      android.permission.CAMERA
      android.permission.INTERNET
      android.permission.READ_SMS: restricted=true
    install permissions:
      android.permission.INTERNET: granted=true
    User 0: ceDataInode=1 installed=true hidden=false
      firstInstallTime=2024-01-02 03:04:05
      gids=[3003]
      runtime permissions:
        android.permission.CAMERA: granted=true, flags=[ USER_SET|USER_SENSITIVE_WHEN_GRANTED]
        android.permission.READ_SMS: granted=false, flags=[ RESTRICTION_INSTALLER_EXEMPT]
      overlay paths:
        /product/overlay/x.apk
    User 10: ceDataInode=0 installed=false hidden=false
      runtime permissions:
        android.permission.READ_SMS: granted=true

Hidden system packages:
  Package [com.a] (1):
    versionCode=1 minSdk=21 targetSdk=30
    versionName=0.1
"#;

    #[test]
    fn a_newer_dump_has_users_and_permissions() {
        for text in [NEWER.to_owned(), NEWER.replace('\n', "\r\n")] {
            let details = package_details(&text, "com.a").unwrap();
            assert_eq!(details.launcher.unwrap().to_string(), "com.a/.ui.Main");
            let permissions: Vec<(&str, bool)> =
                details.permissions.iter().map(|(name, granted)| (name.as_str(), *granted)).collect();
            assert_eq!(
                permissions,
                [
                    ("android.permission.CAMERA", true),
                    ("android.permission.INTERNET", true),
                    ("android.permission.READ_SMS", false)
                ]
            );
        }
    }

    #[test]
    fn old_permissions_are_a_plain_list() {
        let text = "  Package [com.a] (1):\n    versionName=null\n    grantedPermissions:\n      \
            android.permission.INTERNET\n    \
            User 0:  installed=true\n";
        let details = package_details(text, "com.a").unwrap();
        assert_eq!(details.permissions.get("android.permission.INTERNET"), Some(&true));
    }

    #[test]
    fn a_package_that_is_not_there_is_an_error() {
        let error = package_details("Unable to find package: com.b\n", "com.b").unwrap_err();
        assert!(error.to_string().contains("is it installed?"), "{error}");
    }
}
