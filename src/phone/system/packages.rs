//! Android's package and activity managers: lists, opens, stops and clears apps, sets permissions, installs and
//! uninstalls.

use taproof_engine::device::{AppData, AppFile, AppId, Device as _, DeviceError, InstalledApp, SharedChange};

use super::apk::package_of;
use super::system_ui::LauncherPage;
use crate::Date;
use crate::app::{Manifest, SharedStorage};
use crate::phone::{LAUNCHER, Phone, pid};

/// Version name and code of all bundled apps.
const VERSION: (&str, u32) = ("1.0", 1);

impl Phone {
    /// Returns the index of an installed app.
    ///
    /// # Errors
    ///
    /// If the app is not installed.
    pub(crate) fn place_of(&self, app: &AppId) -> Result<usize, DeviceError> {
        let installed = || self.installed().collect::<Vec<_>>();
        self.find(&app.0).ok_or_else(|| self.info.not_installed(app, &installed()))
    }

    pub(crate) fn installed_apps(&self) -> Vec<InstalledApp> {
        let running = |index: usize| self.state.apps[index].running().then(|| pid(index));
        let listed = self.installed_indices().map(|index| {
            let (app, manifest) = (&self.state.apps[index], self.state.apps[index].manifest());
            let class = manifest.activities.first().copied().unwrap_or_default();
            let permissions = manifest.permissions.iter();
            InstalledApp {
                id: AppId(manifest.package.to_owned()),
                label: manifest.label.to_owned(),
                activity: format!("{}.{class}", manifest.package),
                version: VERSION.0.to_owned(),
                version_code: u64::from(VERSION.1),
                permissions: permissions
                    .map(|name| ((*name).to_owned(), app.granted().contains(name)))
                    .collect(),
                pid: running(index),
            }
        });
        let mut apps: Vec<InstalledApp> = listed.collect();
        apps.sort_by(|one, other| one.id.cmp(&other.id));
        apps
    }

    pub(crate) fn open_app(&mut self, app: &AppId) -> Result<(), DeviceError> {
        let index = self.place_of(app)?;
        self.test(index);
        self.bring_to_front(index);
        self.settle(800);
        Ok(())
    }

    pub(crate) fn stop_app(&mut self, app: &AppId) -> Result<(), DeviceError> {
        let index = self.place_of(app)?;
        self.collect_executed();
        self.frame = None;
        self.state.apps[index].stop();
        if self.state.under_test == Some(index) {
            self.state.failure = None;
        }
        if self.state.front == index || !self.state.overlays.is_empty() {
            self.state.toast = None;
            let front = self.state.front;
            self.state.overlays.clear();
            if front == index {
                self.start_launcher(LauncherPage::Home);
            }
        }
        Ok(())
    }

    pub(crate) fn kill_app(&mut self, app: &AppId) -> Result<(), DeviceError> {
        let index = self.place_of(app)?;
        self.collect_executed();
        if self.state.front != index {
            self.state.apps[index].kill();
        }
        Ok(())
    }

    pub(crate) fn clear_app(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.stop_app(app)?;
        let index = self.place_of(app)?;
        self.forget_tests(index, AppData::Clear);
        Ok(())
    }

    pub(crate) fn set_app_permission(
        &mut self,
        app: &AppId,
        permission: &str,
        granted: bool,
    ) -> Result<(), DeviceError> {
        let index = self.place_of(app)?;
        let process = &mut self.state.apps[index];
        let known = process.manifest().permissions;
        let Some(name) = known.iter().copied().find(|name| *name == permission) else {
            return Err(DeviceError::UnknownPermission {
                app: app.0.clone(),
                permission: permission.to_owned(),
                known: known.join(", "),
            });
        };
        let had = process.granted().contains(name);
        process.set_granted(name, granted);
        if had && !granted {
            process.kill();
        }
        self.frame = None;
        Ok(())
    }

    pub(crate) fn install_apk(&mut self, bytes: &[u8]) -> Result<AppId, DeviceError> {
        let refused =
            |problem: String| DeviceError::NotInstallable { serial: self.info.serial.clone(), problem };
        let package = package_of(bytes).map_err(|problem| refused(problem.to_owned()))?;
        let app = AppId(package);
        let Some(index) = self.known(&app.0) else {
            return Err(refused(format!("the bundled phone has no app {:?}", app.0)));
        };
        if self.state.uninstalled.remove(&index) {
            self.refresh_launcher();
        }
        // An update ends the process and preserves the data.
        self.stop_app(&app)?;
        Ok(app)
    }

    pub(crate) fn uninstall_app(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.stop_app(app)?;
        let index = self.place_of(app)?;
        if data == AppData::Clear {
            self.state.apps[index].clear_data();
        }
        self.state.uninstalled.insert(index);
        self.state.recent.retain(|recent| *recent != index);
        if self.state.under_test == Some(index) {
            self.state.under_test = None;
        }
        self.refresh_launcher();
        Ok(())
    }

    /// The files that programs share, and the index of the app that manages them.
    pub(crate) fn shared_storage(&mut self) -> Option<(usize, &mut dyn SharedStorage)> {
        let uninstalled = &self.state.uninstalled;
        let apps = self.state.apps.iter_mut().enumerate();
        let installed = apps.filter(|(index, _)| !uninstalled.contains(index));
        installed.filter_map(|(index, app)| Some((index, app.shared_storage()?))).next()
    }

    pub(crate) fn change_shared(&mut self, change: &SharedChange) {
        let now = Date::at(self.now());
        let Some((index, storage)) = self.shared_storage() else { return };
        storage.change(change, now);
        self.frame = None;
        if self.state.front == index && self.state.apps[index].alive() {
            // As a file manager that watches its folder.
            self.with_app(index, |process, room| process.came_to_front(room));
        }
    }

    /// Shows the installed apps on the home screen if that is in front.
    fn refresh_launcher(&mut self) {
        if self.state.front == LAUNCHER {
            self.start_launcher(LauncherPage::Home);
        }
        self.frame = None;
    }

    pub(crate) fn declared(&self, app: &AppId) -> Result<AppFile, DeviceError> {
        let process = &self.state.apps[self.place_of(app)?];
        let Manifest { package, activities, .. } = process.manifest();
        let activities = activities.iter().map(|class| format!("{package}/{package}.{class}")).collect();
        Ok(AppFile::Declared { activities, strings: process.strings() })
    }
}
