//! `pm` and `cmd package`: the installed packages, their data and permissions.

use super::activity::{Resolved, resolve};
use super::intent::Intent;
use super::package_list::list;
use super::{Call, Done};
use crate::Cost;
use taproof_core::device::{AppData, AppId, DeviceError};

const USAGE: &str = "usage: pm list packages [-f] [-d] [-e] [-s] [-3] [-i] [-u] [--user USER_ID] [FILTER]
       pm path PACKAGE
       pm dump PACKAGE
       pm install [-r] [-t] [-d] [-g] PATH
       pm uninstall [-k] PACKAGE
       pm clear [--user USER_ID] PACKAGE
       pm grant PACKAGE PERMISSION
       pm revoke PACKAGE PERMISSION
";

pub fn pm(call: &mut Call<'_, '_>) -> Done {
    let rest = without_user(call.args_from(1));
    let first = rest.iter().find(|arg| !arg.starts_with('-')).cloned();
    let newer = !call.old();
    match (call.arg(0), first) {
        (Some("list"), _) => listed(call, &rest),
        (Some("path"), Some(package)) => path(call, &package),
        (Some("dump"), Some(_)) => super::dumpsys::package(call, &rest),
        (Some("clear"), Some(package)) => clear(call, &package),
        (Some(command @ ("grant" | "revoke")), Some(_)) => {
            let command = command.to_owned();
            permission(call, &command, &rest)
        }
        (Some("install"), _) => super::install::install(call, &rest),
        (Some("uninstall"), Some(package)) => {
            let keeps = rest.iter().any(|arg| arg == "-k" || arg == "--keep-data");
            uninstall(call, &package, if keeps { AppData::Keep } else { AppData::Clear })
        }
        (Some("resolve-activity" | "query-activities"), _) if newer => resolved(call, &rest),
        (Some("path" | "clear" | "uninstall" | "grant" | "revoke" | "dump"), None) => {
            call.fail("Error: no package specified", 1)
        }
        (Some(unknown), _) if newer => call.fail(&format!("Unknown command: {unknown}"), 255),
        (Some(unknown), _) => {
            call.io.err.put(format!("Error: unknown command '{unknown}'\n{USAGE}").as_bytes())?;
            Ok(1)
        }
        (None, _) => {
            call.io.err.put(USAGE.as_bytes())?;
            Ok(if newer { 255 } else { 1 })
        }
    }
}

/// Removes `--user` and its value, which are ignored: there is only one user.
fn without_user(args: &[String]) -> Vec<String> {
    let mut rest = args.iter();
    let mut kept = Vec::new();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--user" => drop(rest.next()),
            _ => kept.push(arg.clone()),
        }
    }
    kept
}

fn listed(call: &Call<'_, '_>, args: &[String]) -> Done {
    let text = {
        let mut state = call.state();
        match args.first().map(String::as_str) {
            Some("packages" | "package") => list(&mut state, args.get(1..).unwrap_or_default()),
            Some(unknown) => Err(format!("Error: unknown list type '{unknown}'")),
            None => Err("Error: didn't specify type of data to list".to_owned()),
        }
    };
    match text {
        Ok(text) => call.print(&text).map(|()| 0),
        Err(problem) => call.fail(&problem, if call.old() { 1 } else { 255 }),
    }
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

fn resolved(call: &Call<'_, '_>, args: &[String]) -> Done {
    let brief = args.iter().any(|arg| arg == "--brief");
    let components = args.iter().any(|arg| arg == "--components");
    let ours = ["--brief", "--components", "--query-flags"];
    let args: Vec<String> = args.iter().filter(|arg| !ours.contains(&arg.as_str())).cloned().collect();
    let intent = match Intent::parse(&args) {
        Ok(asked) => asked.intent,
        Err(problem) => return call.threw("resolve-activity", &problem),
    };
    call.take_time(Cost::Native)?;
    let found = {
        let mut state = call.state();
        let home = state.home.clone();
        match resolve(&mut state, &intent) {
            Resolved::To(_, component) => Some(component),
            Resolved::Home => Some(home),
            Resolved::Missing(_) | Resolved::Nowhere => None,
        }
    };
    let Some(component) = found else { return call.say("No activity found").map(|()| 0) };
    let what = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false";
    if components {
        return call.say(&component.to_string()).map(|()| 0);
    }
    if brief {
        return call.say(&format!("{what}\n{component}")).map(|()| 0);
    }
    call.say(&format!(
        "  {what}\n  ActivityInfo:\n    name={}\n    packageName={}\n    enabled=true exported=true",
        component.class, component.package
    ))?;
    Ok(0)
}
