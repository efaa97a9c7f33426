//! What a device says of itself, asked once when it is opened.

use std::time::Duration;

use super::host::{AdbLink, Patience};
use super::output::{Properties, wm_size};
use super::sections::{answers, script};
use taproof_core::device::{DeviceError, DeviceInfo};
use taproof_core::model::PxSize;

/// Enough for a device that has just started.
const PATIENCE: Duration = Duration::from_secs(20);

/// What does not change while a device is connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The properties that matter here.
    pub properties: Properties,
    /// The upright screen.
    pub screen: PxSize,
    /// The keyboards that may be chosen.
    pub keyboards: Vec<String>,
}

impl Facts {
    /// Asks the device. Errors: it cannot be reached, is just starting, or does not say what Android it is.
    pub fn ask(link: &AdbLink, unwanted: &dyn Fn() -> bool) -> Result<Facts, DeviceError> {
        let patience = Patience::new(PATIENCE, unwanted);
        let script = script(&["getprop", "wm size", "ime list -s -a"]);
        let answer = link.shell(&script, &patience)?.text();
        let mut parts = answers(&answer);
        let (properties, size, keyboards) = (parts.next(), parts.next(), parts.next());
        let properties = Properties::from_getprop(properties.unwrap_or_default())?;
        if !properties.boot_completed {
            // adb is there long before Android is.
            return Err(DeviceError::Starting { serial: link.serial.clone() });
        }
        let size = wm_size(size.unwrap_or_default())?.current();
        let keyboards = keyboards.unwrap_or_default().lines().map(|line| line.trim().to_owned());
        Ok(Facts {
            properties,
            screen: size.into(),
            keyboards: keyboards.filter(|line| line.contains('/')).collect(),
        })
    }

    /// The same for whoever works with devices.
    pub fn info(&self, serial: &str) -> DeviceInfo {
        DeviceInfo {
            serial: serial.to_owned(),
            model: self.properties.model.clone(),
            sdk: self.properties.sdk,
            screen: self.screen,
            snapshots: false,
            live: true,
        }
    }
}
