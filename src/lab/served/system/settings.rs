//! The settings in three namespaces, as `settings` lists them. What follows from one on the device is up to
//! [`State::set_setting`](crate::State::set_setting).

use std::collections::BTreeMap;

use crate::Like;
use crate::memory::{LimitedMap, OutOfMemory};
use crate::outputs::table;

/// The id of the device's own keyboard.
pub(crate) const KEYBOARD: &str = "com.android.inputmethod.latin/.LatinIME";

/// The namespaces.
const NAMESPACES: [&str; 3] = ["global", "secure", "system"];

/// The room for a namespace in bytes.
const NAMESPACE_BYTES: usize = 8 << 20;

/// The settings of a device.
#[derive(Clone, Debug)]
pub struct Settings(BTreeMap<&'static str, LimitedMap>);

impl Settings {
    /// The settings of a device that was just switched on.
    pub(crate) fn new(like: Like) -> Settings {
        let mut settings = Settings(NAMESPACES.map(|name| (name, LimitedMap::new(NAMESPACE_BYTES))).into());
        for words in table(like, "settings") {
            if let [namespace, key, value] = *words {
                settings.store(namespace, key, value);
            }
        }
        settings
    }

    /// The value of a setting; `None` if it is not set.
    pub fn get(&self, namespace: &str, key: &str) -> Option<&str> {
        self.0.get(namespace)?.get(key)
    }

    /// The settings of a namespace, by key; `None` if there is no such namespace.
    pub(crate) fn of(&self, namespace: &str) -> Option<&LimitedMap> {
        self.0.get(namespace)
    }

    /// Sets a value or, without one, deletes the setting. In an unknown namespace nothing changes.
    pub(crate) fn set(&mut self, namespace: &str, key: &str, value: Option<&str>) -> Result<(), OutOfMemory> {
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
    pub(crate) fn store(&mut self, namespace: &str, key: &str, value: &str) {
        self.set(namespace, key, Some(value)).unwrap_or_default();
    }
}
