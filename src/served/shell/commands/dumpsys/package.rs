//! `dumpsys package`: versions, flags, permissions and launcher activities.

use crate::front::handle;
use crate::packages::Package;
use crate::served::State;
use taproof_core::determinism::DeviceInstant;
use taproof_core::device::DeviceError;
use taproof_phone::Date;

pub(super) fn text(state: &mut State, args: &[String]) -> Result<String, DeviceError> {
    let wanted = args.iter().find(|arg| !arg.starts_with('-'));
    let mut all = state.packages();
    if let Some(wanted) = wanted {
        all.retain(|package| package.name == *wanted);
        if all.is_empty() {
            return Ok(format!("Unable to find package: {wanted}\n"));
        }
    }
    let mut text =
        "Activity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:\n".to_owned();
    for package in &all {
        if let Some(activity) = &package.activity {
            let (name, filter) = (activity.to_string(), handle("filter", &activity.full()));
            text += &format!(
                "        {} {name} filter {filter}\n          Action: \"android.intent.action.MAIN\"\n          \
                 Category: \"android.intent.category.LAUNCHER\"\n",
                handle("resolver", &name)
            );
        }
    }
    text += "\nPackages:\n";
    let (old, sdk) = (state.like.old(), state.sdk());
    for package in &all {
        text += &one(package, old, sdk);
    }
    Ok(text)
}

fn one(package: &Package, old: bool, sdk: u32) -> String {
    let Package { name, apk, uid, .. } = package;
    let folder = if old { apk.as_str() } else { apk.trim_end_matches("/base.apk") };
    let date = Date::at(DeviceInstant(0));
    let time = format!("{} {}:{:02}", date.iso(), date.clock(), date.second);
    let system = if package.system { "SYSTEM " } else { "" };
    let flags = format!("[ {system}HAS_CODE ALLOW_CLEAR_USER_DATA ALLOW_BACKUP ]");
    let least = if old { String::new() } else { " minSdk=21".to_owned() };
    let mut text = format!(
        "  Package [{name}] ({}):\n    userId={uid}{}\n    pkg=Package{{{} {name}}}\n    codePath={folder}\n    \
         resourcePath={folder}\n    versionCode={}{least} targetSdk={sdk}\n    versionName={}\n    flags={flags}\n    \
         dataDir=/data/{}/{name}\n",
        handle("setting", name),
        if old { " gids=[]" } else { "" },
        handle("package", name),
        package.version_code,
        package.version,
        if old { "data" } else { "user/0" },
    );
    text += &format!(
        "    timeStamp={time}\n    firstInstallTime={time}\n    lastUpdateTime={time}\n    \
         signatures=PackageSignatures{{{} [{}]}}\n    pkgFlags={flags}\n",
        handle("signatures", name),
        handle("signature", name)
    );
    if !old && !package.permissions.is_empty() {
        text += "    requested permissions:\n";
        for (permission, _) in &package.permissions {
            text += &format!("      {permission}\n");
        }
    }
    text += &match old {
        true => {
            "    User 0:  installed=true blocked=false stopped=false notLaunched=false enabled=0\n".to_owned()
        }
        false => {
            let stopped = package.pid.is_none() && !package.system;
            let granted: String = package
                .permissions
                .iter()
                .map(|(permission, granted)| format!("        {permission}: granted={granted}, flags=[ ]\n"))
                .collect();
            format!(
                "    User 0: ceDataInode=0 installed=true hidden=false suspended=false stopped={stopped} \
                 notLaunched=false enabled=0 instant=false virtual=false\n      runtime permissions:\n{granted}"
            )
        }
    };
    text + "\n"
}
