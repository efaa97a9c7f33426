//! Where something was seen, as a developer of the app asks for it.

use serde::{Deserialize, Serialize};

/// The device and the version of the app that something was seen on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// Model name of the device.
    pub model: String,
    /// The release of Android, such as `4.4.2`; empty if the device does not say it.
    pub release: String,
    /// The API level.
    pub sdk: u32,
    /// The version of the app with its code, such as `1.1.8 (118)`; empty if the device does not say it.
    pub app_version: String,
}

impl Environment {
    /// The device in words: `Pixel 6, Android 14 (API level 34)`.
    pub fn device_words(&self) -> String {
        let Environment { model, release, sdk, .. } = self;
        let android = if release.is_empty() { "Android".to_owned() } else { format!("Android {release}") };
        let model = if model.is_empty() { String::new() } else { format!("{model}, ") };
        format!("{model}{android} (API level {sdk})")
    }
}
