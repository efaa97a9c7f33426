//! The surroundings of the apps: network, battery, screen, time zone and what else commands change.

use std::collections::BTreeSet;

use taproof_screen::{Layout, SystemEvent};

/// The time zone of a new device.
pub(crate) const USUAL_ZONE: &str = "GMT";
/// Limit on the name of a time zone in characters, as of any property.
pub(crate) const LONGEST_ZONE: usize = 91;

/// The surroundings of the apps. The device cannot be queried for them, so they are tracked here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around {
    /// Whether the network is available.
    pub network: bool,
    /// Whether dark mode is on.
    pub dark: bool,
    /// The battery level in percent.
    pub battery: u32,
    /// The settings that are not as usual, each by the event that switches it.
    pub switched: BTreeSet<SystemEvent>,
    /// The density that was chosen instead of the screen's own.
    pub density: Option<u32>,
    /// The time zone, as in the property `persist.sys.timezone`.
    pub time_zone: String,
}

impl Default for Around {
    fn default() -> Self {
        let time_zone = USUAL_ZONE.to_owned();
        Around {
            network: true,
            dark: false,
            battery: 100,
            switched: BTreeSet::new(),
            density: None,
            time_zone,
        }
    }
}

/// Whether a layout is that of the list of notifications.
pub(crate) fn is_notification_shade(layout: &Layout) -> bool {
    let is_panel = |id: &str| id == "com.android.systemui:id/notification_panel";
    layout.widgets().iter().any(|widget| widget.resource_id.as_deref().is_some_and(is_panel))
}
