//! The settings in three namespaces, as `settings` lists them. What follows from one on the device is up to
//! [`State::set_setting`](super::State::set_setting).

use std::collections::BTreeMap;

use super::Like;
use super::memory::{LimitedMap, OutOfMemory};

/// The id of the device's own keyboard.
pub(super) const KEYBOARD: &str = "com.android.inputmethod.latin/.LatinIME";

/// The namespaces.
const NAMESPACES: [&str; 3] = ["global", "secure", "system"];

/// The room for a namespace in bytes.
const NAMESPACE_BYTES: usize = 8 << 20;

/// The settings of a device that was just switched on.
const INITIAL: [(&str, &str, &str); 26] = [
    ("global", "adb_enabled", "1"),
    ("global", "airplane_mode_on", "0"),
    ("global", "animator_duration_scale", "1.0"),
    ("global", "auto_time", "1"),
    ("global", "bluetooth_on", "0"),
    ("global", "device_provisioned", "1"),
    ("global", "stay_on_while_plugged_in", "0"),
    ("global", "transition_animation_scale", "1.0"),
    ("global", "wifi_on", "1"),
    ("global", "window_animation_scale", "1.0"),
    ("global", "zen_mode", "0"),
    ("secure", "accessibility_enabled", "0"),
    ("secure", "android_id", "7a11c0de5eed0001"),
    ("secure", "default_input_method", KEYBOARD),
    ("secure", "enabled_input_methods", KEYBOARD),
    ("secure", "location_mode", "3"),
    ("secure", "show_ime_with_hard_keyboard", "1"),
    ("secure", "user_setup_complete", "1"),
    ("system", "accelerometer_rotation", "1"),
    ("system", "font_scale", "1.0"),
    ("system", "screen_brightness", "102"),
    ("system", "screen_brightness_mode", "0"),
    ("system", "screen_off_timeout", "600000"),
    ("system", "time_12_24", "24"),
    ("system", "user_rotation", "0"),
    ("system", "volume_music", "5"),
];

/// The settings of a device.
#[derive(Clone, Debug)]
pub struct Settings(BTreeMap<&'static str, LimitedMap>);

impl Settings {
    /// The settings of a device that was just switched on.
    pub(super) fn new(like: Like) -> Settings {
        let mut settings = Settings(NAMESPACES.map(|name| (name, LimitedMap::new(NAMESPACE_BYTES))).into());
        for (namespace, key, value) in INITIAL {
            settings.store(namespace, key, value);
        }
        if like.old() {
            settings.store("system", "accelerometer_rotation", "0");
        }
        settings
    }

    /// The value of a setting; `None` if it is not set.
    pub fn get(&self, namespace: &str, key: &str) -> Option<&str> {
        self.0.get(namespace)?.get(key)
    }

    /// The settings of a namespace, by key; `None` if there is no such namespace.
    pub(super) fn of(&self, namespace: &str) -> Option<&LimitedMap> {
        self.0.get(namespace)
    }

    /// Sets a value or, without one, deletes the setting. In an unknown namespace nothing changes.
    pub(super) fn set(&mut self, namespace: &str, key: &str, value: Option<&str>) -> Result<(), OutOfMemory> {
        let Some(settings) = self.0.get_mut(namespace) else { return Ok(()) };
        match value {
            Some(value) => settings.insert(key, value),
            None => {
                settings.remove(key);
                Ok(())
            }
        }
    }

    /// Sets a value on behalf of the system, which is short. If a peer took all the room, the old value remains.
    pub(super) fn store(&mut self, namespace: &str, key: &str, value: &str) {
        self.set(namespace, key, Some(value)).unwrap_or_default();
    }
}
