//! `pm` and `cmd package`: the installed packages, their data and permissions.

use super::activity::{Resolved, resolve};
use super::intent::Intent;
use super::{Call, Done};
use crate::Cost;
use taproof_engine::device::{AppData, AppId, DeviceError};

pub fn pm(call: &mut Call<'_, '_>) -> Done {
    let rest = call.args_from(1);
    let first = rest.iter().find(|arg| !arg.starts_with('-'));
    match (call.arg(0), first) {
        (Some("list"), _) => listed(call, rest),
        (Some("path"), Some(package)) => path(call, package),
        (Some("clear"), Some(package)) => clear(call, package),
        (Some(command @ ("grant" | "revoke")), Some(_)) => permission(call, command, rest),
        (Some("install"), _) => super::install::install(call, rest),
        (Some("uninstall"), Some(package)) => {
            let keeps = rest.iter().any(|arg| arg == "-k" || arg == "--keep-data");
            uninstall(call, package, if keeps { AppData::Keep } else { AppData::Clear })
        }
        (Some("resolve-activity"), _) if !call.old() => resolved(call, rest),
        (Some("path" | "clear" | "uninstall" | "grant" | "revoke"), None) => {
            call.fail("Error: no package specified", 1)
        }
        (unknown, _) => call.unknown("pm", unknown),
    }
}

/// `pm list users` and `pm list packages [-f] [-3 | -s] [--user USER] [FILTER]`.
fn listed(call: &Call<'_, '_>, args: &[String]) -> Done {
    let code = if call.old() { 1 } else { 255 };
    let Some((kind, options)) = args.split_first() else {
        return call.fail("Error: didn't specify type of data to list", code);
    };
    if kind == "users" {
        let users = call.state().users.clone();
        let line = |id: u32, name: &str, flags: &str| format!("\tUserInfo{{{id}:{name}:{flags}}} running\n");
        let others = users.iter().map(|(id, (name, flags, _))| line(*id, name, flags));
        let text = format!("Users:\n{}{}", line(0, "Owner", "c13"), others.collect::<String>());
        return call.print(&text).map(|()| 0);
    }
    if kind != "packages" {
        return call.fail(&format!("Error: unknown list type '{kind}'"), code);
    }
    let (mut files, mut third_party, mut system, mut user, mut filter) = (false, false, false, 0, "");
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match option.as_str() {
            "-f" => files = true,
            "-3" => third_party = true,
            "-s" => system = true,
            "--user" => user = options.next().and_then(|id| id.parse().ok()).unwrap_or_default(),
            unknown if unknown.starts_with('-') => {
                return call.fail(&format!("Error: Unknown option: {unknown}"), code);
            }
            word => filter = word,
        }
    }
    let mut text = String::new();
    if user != 0 && !call.state().users.contains_key(&user) {
        let problem =
            format!("java.lang.SecurityException: Shell does not have permission to access user {user}");
        return call.threw("list", &problem);
    }
    let own = call.state().users.get(&user).map(|(.., packages)| packages.clone());
    for name in own.iter().flatten().filter(|name| name.contains(filter) && !system) {
        text += &format!("package:{name}\n");
    }
    for package in call.state().packages() {
        let left_out = (third_party && package.system) || (system && !package.system);
        if package.name.contains(filter) && !left_out && (own.is_none() || package.system) {
            let file = if files { format!("{}=", package.apk) } else { String::new() };
            text += &format!("package:{file}{}\n", package.name);
        }
    }
    call.print(&text).map(|()| 0)
}

fn path(call: &Call<'_, '_>, package: &str) -> Done {
    let found = call.state().package(package);
    match found {
        Some(package) => call.say(&format!("package:{}", package.apk)).map(|()| 0),
        None => Ok(1),
    }
}

fn clear(call: &Call<'_, '_>, package: &str) -> Done {
    if call.state().faults.forbids.clearing {
        let needs = "android.permission.CLEAR_APP_USER_DATA";
        let problem = format!("PID 4321 does not have permission {needs} to clear data of package {package}");
        return call.threw("clear", &format!("java.lang.SecurityException: {problem}"));
    }
    let cleared = {
        let mut state = call.state();
        let helper = state.helpers.contains_key(package);
        if helper { Ok(()) } else { state.clear(&AppId(package.to_owned())) }
    };
    match cleared {
        Ok(()) => call.say("Success").map(|()| 0),
        Err(_) => call.say("Failed").map(|()| 1),
    }
}

fn permission(call: &Call<'_, '_>, command: &str, args: &[String]) -> Done {
    let words: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    let [package, permission, ..] = words.as_slice() else {
        return call.fail("Error: no permission specified", if call.old() { 1 } else { 255 });
    };
    if call.state().faults.forbids.granting {
        let problem =
            "Neither user 2000 nor current process has android.permission.GRANT_RUNTIME_PERMISSIONS.";
        return call
            .threw(command, &format!("java.lang.SecurityException: {command}RuntimePermission: {problem}"));
    }
    let granted = command == "grant";
    let outcome = call.state().device.set_permission(&AppId((*package).clone()), permission, granted);
    let problem = match outcome {
        Ok(()) => return Ok(0),
        Err(DeviceError::UnknownPermission { .. }) if permission.contains('.') => {
            format!(
                "java.lang.SecurityException: Package {package} has not requested permission {permission}"
            )
        }
        Err(DeviceError::UnknownPermission { .. }) => {
            format!("java.lang.IllegalArgumentException: Unknown permission: {permission}")
        }
        Err(DeviceError::NotInstalled { .. }) => {
            format!("java.lang.IllegalArgumentException: Unknown package: {package}")
        }
        Err(error) => format!("java.lang.UnsupportedOperationException: {error}"),
    };
    if call.old() {
        return call.fail(&format!("Operation not allowed: {problem}"), 1);
    }
    call.threw(command, &problem)
}

fn uninstall(call: &Call<'_, '_>, package: &str, data: AppData) -> Done {
    let removed = call.state().uninstall(&AppId(package.to_owned()), data);
    match removed {
        Ok(()) => call.say("Success").map(|()| 0),
        Err(_) => call.say("Failure [DELETE_FAILED_INTERNAL_ERROR]").map(|()| 1),
    }
}

/// `cmd package resolve-activity --brief PACKAGE`.
fn resolved(call: &Call<'_, '_>, args: &[String]) -> Done {
    let [option, rest @ ..] = args else { return call.usage("pm") };
    if option != "--brief" {
        return call.threw("resolve-activity", "java.lang.IllegalArgumentException: only --brief is known");
    }
    let intent = Intent::parse(rest).or_else(|problem| call.threw("resolve-activity", &problem))?.intent;
    call.take_time(Cost::Native)?;
    let found = {
        let mut state = call.state();
        match resolve(&mut state, &intent) {
            Resolved::To(_, component) => Some(component),
            Resolved::Home => Some(state.home.clone()),
            Resolved::Missing(_) | Resolved::Nowhere => None,
        }
    };
    let Some(component) = found else { return call.say("No activity found").map(|()| 0) };
    let what = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false";
    call.say(&format!("{what}\n{component}")).map(|()| 0)
}
