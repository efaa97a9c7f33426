//! Apps, settings, packages and the screen as a whole.

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::answers::succeeded;
use super::session::{Refusal, refused};
use crate::Served;
use crate::apk::component::Component;
use crate::faults::Lock;
use taproof_engine::agent::{FailureKind, PackageEntry, Power, SettingChange, SettingRequest};
use taproof_engine::device::AppId;
use taproof_phone::Apps;

/// The prefix of the permissions that a user is asked for.
const RUNTIME: &str = "android.permission.";

fn forbidden(permission: &str) -> Refusal {
    let problem = format!("java.lang.SecurityException: Permission denial: requires {permission}");
    (FailureKind::Forbidden, problem)
}

pub(super) fn settings(served: &Served, requests: &[SettingRequest]) -> Result<Vec<u8>, Refusal> {
    let mut state = served.lock();
    let mut before = Vec::new();
    for SettingRequest { namespace, name, change } in requests {
        if state.faults.forbids.settings && *change != SettingChange::Keep {
            return Err(forbidden("android.permission.WRITE_SECURE_SETTINGS"));
        }
        before.push(state.setting(namespace, name).map(str::to_owned));
        let changed = match change {
            SettingChange::Keep => Ok(()),
            SettingChange::Put(value) => state.set_setting(namespace, name, Some(value)),
            SettingChange::Delete => state.set_setting(namespace, name, None),
        };
        changed.map_err(|error| (FailureKind::Other, error.to_string()))?;
    }
    Ok(succeeded(before.as_slice()))
}

pub(super) fn stop(served: &Served, package: &str) -> Result<Vec<u8>, Refusal> {
    let stopped = served.lock().device.stop(&AppId(package.to_owned()));
    // Stopping a package that is not installed is no error.
    match stopped.map_err(refused) {
        Ok(()) | Err((FailureKind::Missing, _)) => Ok(succeeded(&())),
        Err(refusal) => Err(refusal),
    }
}

pub(super) fn clear(served: &Served, package: &str) -> Result<Vec<u8>, Refusal> {
    let mut state = served.lock();
    if state.faults.forbids.clearing {
        return Err(forbidden("android.permission.CLEAR_APP_USER_DATA"));
    }
    state.clear(&AppId(package.to_owned())).map_err(refused)?;
    Ok(succeeded(&()))
}

pub(super) fn start(served: &Served, component: &str) -> Result<Vec<u8>, Refusal> {
    let mut state = served.lock();
    let missing = || (FailureKind::Missing, format!("there is no activity {component}"));
    let component = Component::parse(component).ok_or_else(missing)?;
    let app =
        state.app(&component.package).filter(|app| app.activity == component.class).ok_or_else(missing)?;
    state.device.open(&app.id).map_err(refused)?;
    Ok(succeeded(&()))
}

/// Grants permissions, or all that the app requests if none is named.
pub(super) fn grant(served: &Served, package: &str, permissions: &[String]) -> Result<Vec<u8>, Refusal> {
    let mut state = served.lock();
    let missing = || (FailureKind::Missing, format!("{package} is not installed"));
    let app = state.app(package).ok_or_else(missing)?;
    let requested = || {
        let asked = app.permissions.iter().filter(|(name, granted)| !granted && name.starts_with(RUNTIME));
        asked.map(|(name, _)| name.clone()).collect()
    };
    let wanted: Vec<String> = if permissions.is_empty() { requested() } else { permissions.to_vec() };
    let mut refusals = Vec::new();
    for name in wanted {
        if state.faults.forbids.granting {
            refusals.push((name, forbidden("android.permission.GRANT_RUNTIME_PERMISSIONS").1));
        } else if let Err(error) = state.device.set_permission(&app.id, &name, true) {
            refusals.push((name, error.to_string()));
        }
    }
    Ok(succeeded(refusals.as_slice()))
}

/// The largest side of an icon in pixels.
const MOST_SIDE: u16 = 256;

pub(super) fn packages(served: &Served, third_party: bool, icon: u16) -> Result<Vec<u8>, Refusal> {
    let mut state = served.lock();
    let apps = state.apps();
    let listed = state.packages().into_iter().filter(|package| !(third_party && package.system));
    let entries: Vec<PackageEntry> = listed
        .map(|package| {
            let app = apps.iter().find(|app| app.id.0 == package.name);
            PackageEntry {
                label: app.map_or_else(|| package.name.clone(), |app| app.label.clone()),
                version: package.version,
                version_code: package.version_code,
                activity: package.activity.map(|activity| activity.class),
                pid: package.pid,
                permissions: package.permissions,
                icon: icon_of(&package.name, icon.min(MOST_SIDE)),
                package: package.name,
            }
        })
        .collect();
    Ok(succeeded(entries.as_slice()))
}

/// The icon of a bundled app as PNG; `None` if none is wanted, or for other apps.
fn icon_of(package: &str, side: u16) -> Option<Vec<u8>> {
    let apps = Apps::default();
    let app = apps.find(package).filter(|app| side > 0 && app.manifest().package == package)?;
    let icon = app.manifest().launcher_icon(i32::from(side));
    let (mut png, side) = (Vec::new(), u32::from(side));
    let encoder = PngEncoder::new(&mut png);
    encoder.write_image(&icon.rgba, side, side, ExtendedColorType::Rgba8).ok()?;
    Some(png)
}

pub(super) fn clipboard(served: &Served, content: Option<&str>) -> Result<Vec<u8>, Refusal> {
    let mut state = served.lock();
    let before = (!state.clipboard.is_empty()).then(|| state.clipboard.clone());
    if let Some(content) = content {
        state.clipboard = content.to_owned();
    }
    Ok(succeeded([before].as_slice()))
}

pub(super) fn wake(served: &Served) -> Result<Vec<u8>, Refusal> {
    let mut state = served.lock();
    state.set_awake(true).map_err(refused)?;
    state.dismiss_lock();
    let lock = state.faults.lock;
    let power = Power { awake: state.awake, locked: lock != Lock::Open, secure: lock == Lock::Secret };
    Ok(succeeded(&power))
}
