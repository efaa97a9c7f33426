//! The apps on the device: installing them, their files and permissions.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::agent_client::AgentError;
use crate::connection::Connection;
use crate::connection::sections::{answers, script};
use crate::host::{AdbLink, Patience, command};
use crate::output::{
    GrantOutcome, InstallOutcome, grant_outcome, install_outcome, package_details, package_list,
    package_paths,
};
use taproof_engine::agent::{Failure, FailureKind, Request};
use taproof_engine::device::{AppId, DeviceError};

/// Limit for installing or pulling a large app over a slow cable, including Android's checks.
const INSTALL: Duration = Duration::from_secs(300);
const LARGEST_APK: usize = 1 << 30;
/// The prefix of the permissions that are handled here. Others are granted at installation.
pub(crate) const RUNTIME: &str = "android.permission.";

/// The first API level on which users grant permissions. Before, all are granted at installation.
pub(crate) const FIRST_AT_RUNTIME: u32 = 23;

impl Connection {
    /// The permissions that users are asked for, and whether they are granted.
    pub(crate) fn runtime_permissions(&self, app: &AppId) -> Result<Vec<(String, bool)>, DeviceError> {
        let details = self.shell(&command(&["dumpsys", "package", &app.0])?)?;
        let permissions = package_details(&details, &app.0).map(|details| details.permissions);
        let mut permissions: Vec<_> = permissions.into_iter().flatten().collect();
        permissions.retain(|(name, _)| name.starts_with(RUNTIME));
        Ok(permissions)
    }

    /// Grants an app the permissions that a user would grant on request, as all the papers' tools do after clearing its
    /// data: testing an app that asks again in every test would test Android. Permissions that the device refuses to
    /// grant are left for the app to request, and added to `not_grantable` with the package.
    pub(crate) fn grant_all(
        &self,
        app: &AppId,
        not_grantable: &mut BTreeSet<(String, String)>,
    ) -> Result<(), DeviceError> {
        if self.info.sdk < FIRST_AT_RUNTIME {
            return Ok(());
        }
        if let Some(agent) = self.agent() {
            let request = Request::Grant { package: app.0.clone(), permissions: Vec::new() };
            return match agent.ask(&request, Duration::ZERO, &*self.unwanted, |from| from.pairs()) {
                Ok(refused) => {
                    refused.iter().for_each(|(name, why)| tracing::debug!(name, why, "not given"));
                    Ok(())
                }
                Err(AgentError::Failed(Failure { kind: FailureKind::Missing, .. })) => {
                    Err(self.missing(app)?)
                }
                Err(error) => Err(error.into_device(&self.info.serial, "grant the app its permissions")),
            };
        }
        let permissions = self.runtime_permissions(app)?.into_iter();
        let wanted = permissions.filter(|(_, granted)| !granted);
        let wanted: Vec<(String, String)> = wanted.map(|(name, _)| (app.0.clone(), name)).collect();
        let wanted: Vec<_> = wanted.into_iter().filter(|key| !not_grantable.contains(key)).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let mut lines = Vec::new();
        for (package, permission) in &wanted {
            lines.push(format!("{} 2>&1", command(&["pm", "grant", package, permission])?));
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let said = self.shell(&script(&lines))?;
        for (key, answer) in wanted.into_iter().zip(answers(&said)) {
            let outcome = grant_outcome(answer);
            if outcome != GrantOutcome::Granted {
                tracing::debug!(permission = key.1, ?outcome, "not given");
                not_grantable.insert(key);
            }
        }
        Ok(())
    }

    pub(crate) fn pull_apk(&self, app: &AppId) -> Result<Vec<u8>, DeviceError> {
        let path = self.file_of(app)?;
        Ok(self.link.pull(&path, LARGEST_APK, &self.patience(INSTALL))?)
    }

    /// The packages that somebody installed, sorted.
    pub(crate) fn installed(&self) -> Result<Vec<String>, DeviceError> {
        let packages = package_list(&self.shell("pm list packages -3")?)?;
        let mut names: Vec<String> = packages.into_iter().map(|package| package.name).collect();
        names.sort();
        Ok(names)
    }

    /// The path of the app's first file. Fails if the app is not installed, which many commands do not report.
    pub(crate) fn file_of(&self, app: &AppId) -> Result<String, DeviceError> {
        let paths = package_paths(&self.shell(&command(&["pm", "path", &app.0])?)?)?;
        match paths.into_iter().next() {
            Some(path) => Ok(path),
            None => Err(self.missing(app)?),
        }
    }

    /// The error for an app that is not installed.
    pub(crate) fn missing(&self, app: &AppId) -> Result<DeviceError, DeviceError> {
        let installed = self.installed()?;
        let installed: Vec<&str> = installed.iter().map(String::as_str).collect();
        Ok(self.info.not_installed(app, &installed))
    }
}

/// Installs an APK and grants the app its permissions. If an older version is installed, it is replaced and its data
/// stays. Nothing else on the device is changed. The returned package is empty if the device does not show which
/// package changed.
///
/// # Errors
///
/// [`DeviceError::NotInstallable`] if `apk` is not an APK or Android refuses it. Also fails if the device cannot be
/// reached.
pub fn install_app(link: &AdbLink, apk: &[u8], unwanted: &dyn Fn() -> bool) -> Result<AppId, DeviceError> {
    let patience = Patience::new(INSTALL, unwanted);
    let refused = |problem: String| DeviceError::NotInstallable { serial: link.serial.clone(), problem };
    if !apk.starts_with(b"PK") {
        return Err(refused("it is no APK: an APK is a ZIP file".to_owned()));
    }
    let before = places(link, &patience)?;
    let file = format!("/data/local/tmp/taproof-{}.apk", std::process::id());
    if let Err(error) = link.push(apk, &file, 0o644, 0, &patience) {
        // A part of it may have been written, and storage may be short.
        drop(link.shell(&format!("rm -f {file}"), &patience));
        return Err(error.into());
    }
    // Before Android 6 there are no permissions to grant, and no option for that.
    let script = format!(
        "G=-g\nif [ \"$(getprop ro.build.version.sdk)\" -lt 23 ]; then G=; fi\npm install -r -t $G {file}\nrm -f {file}"
    );
    let said = link.shell(&script, &patience)?.everything();
    match install_outcome(&said) {
        InstallOutcome::Done => {}
        other => return Err(refused(other.words().unwrap_or_default())),
    }
    // A new installation has another path, and so has a newer version.
    let after = places(link, &patience)?;
    let changed = after.into_iter().find(|(name, place)| before.get(name) != Some(place));
    Ok(AppId(changed.map(|(name, _)| name).unwrap_or_default()))
}

/// The paths of all apps' files, by package.
fn places(link: &AdbLink, patience: &Patience<'_>) -> Result<BTreeMap<String, Option<String>>, DeviceError> {
    let text = link.shell("pm list packages -f", patience)?.text();
    Ok(package_list(&text)?.into_iter().map(|package| (package.name, package.path)).collect())
}
