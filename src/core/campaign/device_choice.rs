//! What a campaign runs on.

use serde::{Deserialize, Serialize};

use super::Build;

/// What a campaign runs on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceChoice {
    /// Bundled phones, one for each engine.
    #[default]
    Bundled,
    /// Devices by their serials, one for each engine in its order.
    Adb(Vec<String>),
}

impl DeviceChoice {
    /// Whether it is the bundled phone: what plans say that do not say it.
    pub fn is_bundled(&self) -> bool {
        *self == DeviceChoice::Bundled
    }

    /// The serials of all devices; none for the bundled phone.
    pub fn serials(&self) -> &[String] {
        match self {
            DeviceChoice::Bundled => &[],
            DeviceChoice::Adb(serials) => serials,
        }
    }

    /// The serial of the device at this place; `None` for the bundled phone.
    pub fn serial(&self, place: usize) -> Option<&str> {
        self.serials().get(place).map(String::as_str)
    }

    /// What people are told that an app ran on: its build there, or the devices.
    pub fn words(&self, build: &Build) -> String {
        match self {
            DeviceChoice::Bundled => build.word(),
            DeviceChoice::Adb(serials) => serials.join(", "),
        }
    }
}
