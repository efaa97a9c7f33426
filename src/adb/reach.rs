//! The adb server as the environment names it, started if it does not run here.

use std::time::Duration;

use super::host::{AdbError, AdbLink, AdbProgram, AdbServer, Patience};
use super::output::package_list;
use taproof_core::device::DeviceError;

/// A server that starts scans ports and cables first.
const START: Duration = Duration::from_secs(15);
const CONNECT: Duration = Duration::from_secs(10);

/// The server of `ADB_SERVER_SOCKET` and its like, started through the `adb` program where none answers on this
/// computer. Errors: no server, and no program or one that does not start it.
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

/// The server of the environment, if it runs; none is started.
pub fn running_server(unwanted: &dyn Fn() -> bool) -> Result<Option<AdbServer>, AdbError> {
    let server = AdbServer::from_environment(&|name| std::env::var(name).ok())?;
    match server.version(&Patience::new(CONNECT, unwanted)) {
        Ok(_) => Ok(Some(server)),
        Err(AdbError::NotRunning { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The packages that somebody installed on a device, sorted.
pub fn third_party_packages(link: &AdbLink, unwanted: &dyn Fn() -> bool) -> Result<Vec<String>, DeviceError> {
    let text = link.shell("pm list packages -3", &Patience::new(CONNECT, unwanted))?.text();
    let mut names: Vec<String> = package_list(&text)?.into_iter().map(|package| package.name).collect();
    names.sort();
    Ok(names)
}

/// Looks whether an app is on a device, whoever installed it. Errors: `NotInstalled` with those that somebody installed.
pub fn look_for_app(link: &AdbLink, app: &str, unwanted: &dyn Fn() -> bool) -> Result<(), DeviceError> {
    let text = link.shell("pm list packages", &Patience::new(CONNECT, unwanted))?.text();
    if package_list(&text)?.iter().any(|package| package.name == app) {
        return Ok(());
    }
    Err(DeviceError::NotInstalled {
        app: app.to_owned(),
        serial: link.serial.clone(),
        installed: third_party_packages(link, unwanted)?.join(", "),
    })
}

/// A link to a device that is ready.
pub fn link_to(server: &AdbServer, serial: &str) -> Result<AdbLink, AdbError> {
    AdbLink::connect(server, serial, &Patience::new(CONNECT, &|| false))
}

/// Whether a process of this computer still runs: the one that changed a device's settings. One that nobody has waited
/// for does not. Where that cannot be said, none does.
pub fn process_lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // `PID (NAME) STATE ...`, and a name may hold anything.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}
