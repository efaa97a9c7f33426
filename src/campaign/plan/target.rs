//! An app on a device.

use crate::DeviceChoice;
use taproof_engine::device::Build;

/// An app on a device, and which of its catalogued bugs are switched on there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Package name of the app; empty if no app is meant.
    pub app: String,
    /// Serial of a device behind adb; `None` for the bundled phone.
    pub device: Option<String>,
    /// Which catalogued bugs are on. Always the default on a device behind adb, where the app is as installed.
    pub build: Build,
}

impl Target {
    /// An app of the bundled phone.
    pub fn bundled(app: impl Into<String>, build: Build) -> Target {
        Target { app: app.into(), device: None, build }
    }

    /// An app as it is installed on the device with this serial.
    pub fn installed(app: impl Into<String>, serial: impl Into<String>) -> Target {
        Target { app: app.into(), device: Some(serial.into()), build: Build::default() }
    }

    /// The device as a plan names it.
    pub fn device_choice(&self) -> DeviceChoice {
        match &self.device {
            Some(serial) => DeviceChoice::Adb(vec![serial.clone()]),
            None => DeviceChoice::Bundled,
        }
    }
}
