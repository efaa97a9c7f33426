//! Which device a campaign runs on.

use serde::{Deserialize, Serialize};

use taproof_engine::device::Build;

/// Which device a campaign runs on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceChoice {
    /// The bundled phone, an instance for each engine.
    #[default]
    Bundled,
    /// The devices behind adb with these serials. The first belongs to the first engine, and so on; where there are more
    /// engines, these begin with the first again, and engines of one device take turns.
    Adb(Vec<String>),
}

impl DeviceChoice {
    /// Whether this is the bundled phone, which is the default and is left out of saved plans.
    pub fn is_bundled(&self) -> bool {
        *self == DeviceChoice::Bundled
    }

    /// The serials of all devices; empty for the bundled phone.
    pub fn serials(&self) -> &[String] {
        match self {
            DeviceChoice::Bundled => &[],
            DeviceChoice::Adb(serials) => serials,
        }
    }

    /// The serial of the device of the engine at this index; `None` for the bundled phone.
    pub fn serial(&self, place: usize) -> Option<&str> {
        let serials = self.serials();
        serials.get(place.checked_rem(serials.len())?).map(String::as_str)
    }

    /// Where an app ran, for people: the build on the bundled phone, or the serials of the devices.
    pub fn words(&self, build: &Build) -> String {
        match self {
            DeviceChoice::Bundled => build.word(),
            DeviceChoice::Adb(serials) => serials.join(", "),
        }
    }
}
