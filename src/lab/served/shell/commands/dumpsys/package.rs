//! `dumpsys package`.

use crate::apk::packages::Package;
use crate::outputs::filled;
use crate::screen::front::handle;
use crate::served::State;
use taproof_engine::device::DeviceError;
use taproof_phone::Date;
use taproof_screen::determinism::DeviceInstant;

pub(super) fn text(state: &mut State, args: &[String]) -> Result<String, DeviceError> {
    let wanted = args.iter().find(|arg| !arg.starts_with('-'));
    let mut all = state.packages();
    if let Some(wanted) = wanted {
        all.retain(|package| package.name == *wanted);
        if all.is_empty() {
            return Ok(format!("Unable to find package: {wanted}\n"));
        }
    }
    let mut resolved = String::new();
    for activity in all.iter().filter_map(|package| package.activity.as_ref()) {
        let (handle_, filter) =
            (handle("resolver", &activity.to_string()), handle("filter", &activity.full()));
        let values: crate::outputs::Values<'_> =
            &[("handle", &handle_), ("activity", activity), ("filter", &filter)];
        resolved += &filled(state.like, "resolver", values);
    }
    let packages: String = all.iter().map(|package| one(state, package)).collect();
    Ok(filled(state.like, "dumpsys package", &[("resolved", &resolved)]) + &packages)
}

fn one(state: &State, package: &Package) -> String {
    let Package { name, apk, permissions, .. } = package;
    let date = Date::at(DeviceInstant(0));
    let requested: String = permissions.iter().map(|(name, _)| format!("      {name}\n")).collect();
    let granted =
        permissions.iter().map(|(name, granted)| format!("        {name}: granted={granted}, flags=[ ]\n"));
    let title = if permissions.is_empty() { "" } else { "    requested permissions:\n" };
    filled(
        state.like,
        "package",
        &[
            ("name", name),
            ("uid", &package.uid),
            ("folder", &apk.trim_end_matches("/base.apk")),
            ("version_code", &package.version_code),
            ("version", &package.version),
            ("sdk", &state.sdk()),
            ("system", &if package.system { "SYSTEM " } else { "" }),
            ("time", &format!("{} {}:{:02}", date.iso(), date.clock(), date.second)),
            ("setting", &handle("setting", name)),
            ("package", &handle("package", name)),
            ("signatures", &handle("signatures", name)),
            ("signature", &handle("signature", name)),
            ("stopped", &(package.pid.is_none() && !package.system)),
            ("requested", &(title.to_owned() + &requested)),
            ("granted", &granted.collect::<String>()),
        ],
    )
}
