//! Reaching the adb server that the environment names, and starting it if it is not running on this computer.

use std::time::Duration;

use crate::connection::pace::Pace;
use crate::host::{AdbError, AdbLink, AdbProgram, AdbServer, Patience};
use crate::output::package_list;
use taproof_engine::device::DeviceError;

/// Limit for starting the server, which first scans ports and USB devices.
const START: Duration = Duration::from_secs(15);
/// Limit for asking the server itself.
const ASK: Duration = Duration::from_secs(10);

/// Returns the server that the environment names (`ADB_SERVER_SOCKET` and others). If none answers on this computer, it
/// is started through the `adb` program.
///
/// # Errors
///
/// If the server cannot be reached, and there is no program or it fails to start a server.
pub fn reach_server(unwanted: &dyn Fn() -> bool) -> Result<AdbServer, AdbError> {
    let variable = |name: &str| std::env::var(name).ok();
    let server = AdbServer::from_environment(&variable)?;
    let patience = Patience::new(START, unwanted);
    match server.version(&patience) {
        Err(AdbError::NotRunning { .. }) => {
            let program = AdbProgram::find(None, &variable)?;
            let start = server.start(&program, &patience)?;
            if let Some(warning) = start.warning() {
                tracing::warn!("{warning}");
            }
            Ok(server)
        }
        Err(error) => Err(error),
        Ok(_) => Ok(server),
    }
}

/// Returns the server that the environment names; `None` if it is not running. Never starts one.
pub fn running_server(unwanted: &dyn Fn() -> bool) -> Result<Option<AdbServer>, AdbError> {
    let server = AdbServer::from_environment(&|name| std::env::var(name).ok())?;
    match server.version(&Patience::new(ASK, unwanted)) {
        Ok(_) => Ok(Some(server)),
        Err(AdbError::NotRunning { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// How long to wait for a list of packages, which starts a virtual machine on a device of unknown pace.
pub(super) fn listing(unwanted: &dyn Fn() -> bool) -> Patience<'_> {
    Patience::new(Pace::default().limit_of(1), unwanted)
}

/// The packages that somebody installed on a device, and with `system` also those that came with it, sorted.
pub fn packages(
    link: &AdbLink,
    system: bool,
    unwanted: &dyn Fn() -> bool,
) -> Result<Vec<String>, DeviceError> {
    let which = if system { "" } else { " -3" };
    let text = link.shell(&format!("pm list packages{which}"), &listing(unwanted))?.text();
    let mut names: Vec<String> = package_list(&text)?.into_iter().map(|package| package.name).collect();
    names.sort();
    Ok(names)
}

/// Checks that an app is on a device, whoever installed it.
///
/// # Errors
///
/// [`DeviceError::NotInstalled`], with the packages that somebody installed. Also fails if the device cannot be
/// reached.
pub fn look_for_app(link: &AdbLink, app: &str, unwanted: &dyn Fn() -> bool) -> Result<(), DeviceError> {
    if packages(link, true, unwanted)?.iter().any(|package| package == app) {
        return Ok(());
    }
    Err(DeviceError::NotInstalled {
        app: app.to_owned(),
        serial: link.serial.clone(),
        installed: packages(link, false, unwanted)?.join(", "),
    })
}

/// Opens a link to a device that is ready.
pub fn link_to(server: &AdbServer, serial: &str) -> Result<AdbLink, AdbError> {
    AdbLink::connect(server, serial, &Patience::new(Pace::default().limit_of(0), &|| false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_packages_is_waited_for_as_on_a_slow_device() {
        let start_on_a_busy_old_device = Duration::from_secs(10);
        assert!(listing(&|| false).left() > start_on_a_busy_old_device * 3);
    }
}
