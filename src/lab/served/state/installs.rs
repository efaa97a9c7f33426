//! Installs and removes apps.

use crate::apk::component::Component;
use crate::apk::helpers::Helper;
use crate::served::State;
use crate::system::settings::KEYBOARD;
use taproof_engine::device::{AppData, AppId, DeviceError};
use taproof_screen::format::manifest_of_apk;

/// Limit on the number of helper apps.
const MOST: usize = 32;
/// Limit on the length of a package name in bytes.
const LONGEST_NAME: usize = 255;

impl State {
    /// Installs an APK: one of the device's apps, or the helper app of a tool. Helper apps are those that provide a
    /// keyboard or an accessibility service. Their package is listed, and their keyboard can be chosen.
    pub(crate) fn install(&mut self, apk: &[u8]) -> Result<AppId, DeviceError> {
        let installed = self.device.install(apk).or_else(|error| self.install_helper(apk).ok_or(error));
        if let Ok(app) = &installed {
            *self.installs.entry(app.0.clone()).or_default() += 1;
        }
        installed
    }

    fn install_helper(&mut self, apk: &[u8]) -> Option<AppId> {
        let declared = manifest_of_apk(apk).ok()?;
        let service_with = |permission| {
            declared.service_with(permission).map(|class| Component::new(&declared.package, class))
        };
        let keyboard = service_with("android.permission.BIND_INPUT_METHOD");
        let service = service_with("android.permission.BIND_ACCESSIBILITY_SERVICE");
        let name = declared.package.clone();
        let usable = (keyboard.is_some() || service.is_some()) && (1..=LONGEST_NAME).contains(&name.len());
        let room = self.helpers.len() < MOST || self.helpers.contains_key(&name);
        // A helper must not hide a package that the device has.
        let foreign = self.helpers.contains_key(&name) || self.package(&name).is_none();
        if !(usable && room && foreign) {
            return None;
        }
        let keyboard = keyboard.map(|keyboard| keyboard.to_string());
        let service = service.map(|service| service.class);
        self.helpers.insert(name.clone(), Helper { service, keyboard });
        Some(AppId(name))
    }

    /// Uninstalls an app of the device or a helper app. If its keyboard was chosen, the device's own one is again.
    pub(crate) fn uninstall(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        let Some(helper) = self.helpers.remove(&app.0) else {
            return self.device.uninstall(app, data);
        };
        let chosen = self.setting("secure", "default_input_method");
        if chosen.is_some() && chosen == helper.keyboard.as_deref() {
            self.settings.store("secure", "default_input_method", KEYBOARD);
        }
        Ok(())
    }
}
