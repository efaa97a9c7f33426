//! The system properties, as `getprop` lists them.

use std::collections::BTreeMap;

use crate::like::release_of;
use crate::outputs::filled;
use crate::served::State;
use taproof_phone::PX_PER_DP;

/// The density of the bundled phone's screen in dots per inch.
pub(crate) const DENSITY: i32 = 160 * PX_PER_DP;

/// A device's name, without the characters at which an adb banner is split.
fn plain(name: &str) -> String {
    name.chars().map(|c| if matches!(c, ':' | ';' | '=' | '\n') { '_' } else { c }).collect()
}

impl State {
    /// All properties, by key.
    pub(crate) fn all_properties(&self) -> BTreeMap<String, String> {
        let (info, sdk) = (self.device.info(), self.sdk());
        let values: [(&str, &dyn std::fmt::Display); 6] = [
            ("density", &DENSITY),
            ("model", &plain(&info.model)),
            ("release", &release_of(sdk)),
            ("sdk", &sdk),
            ("serial", &plain(&info.serial)),
            ("zone", &self.around.time_zone),
        ];
        let text = filled(self.like, "getprop", &values);
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        let own = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
        own.chain(self.planted.0.clone()).collect()
    }

    /// The value of a property; empty if it is not set.
    pub fn property(&self, key: &str) -> String {
        self.all_properties().remove(key).unwrap_or_default()
    }
}
