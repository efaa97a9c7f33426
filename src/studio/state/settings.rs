//! The settings: what the person chose, and where the window is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::de::Deserializer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::choices::{Place, RecordView, SCALES, Theme, WindowPlace};
use crate::fuzz::KeptForm;
use taproof_campaign::Target;
use taproof_spec::SelectorPreference;

/// The settings, which are preserved between sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The place that is shown.
    pub place: Place,
    /// The side of the place Record that is shown.
    pub record_view: RecordView,
    /// The choice between light and dark colours.
    pub theme: Theme,
    /// The zoom factor in percent, one of [`SCALES`].
    pub scale: u16,
    /// Whether animations are reduced.
    pub reduce_motion: bool,
    /// The kind of selector to choose where several name a widget alone.
    pub preferred_selector: SelectorPreference,
    /// The address of the issue tracker's page for a new issue, with `{title}` and `{body}`. Empty if there is none.
    pub issue_link: String,
    /// Whether the first steps are shown.
    pub first_steps: bool,
    /// The places whose first step was done.
    pub first_steps_done: Vec<Place>,
    /// The app on the live phone. Empty while a walk is shown.
    #[serde(flatten, with = "bundled_target")]
    pub target: Target,
    /// The form that starts a campaign.
    pub campaign: KeptForm,
    /// The position and size of the window. `None` until they are known.
    pub window: Option<WindowPlace>,
    /// The sizes of the panels that were drawn, by name: widths of panels at the sides, heights of those above or
    /// below.
    #[serde(deserialize_with = "panels")]
    pub panels: BTreeMap<String, f32>,
    /// The folders of the latest chosen files, the newest first.
    pub recent_folders: Vec<PathBuf>,
    /// The ids of the latest actions chosen in the palette, the newest first.
    pub recent_actions: Vec<String>,
    /// The serials of the devices on which a campaign can run as their check has shown, the newest first.
    pub fit_devices: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            place: Place::default(),
            record_view: RecordView::default(),
            theme: Theme::default(),
            scale: 100,
            reduce_motion: false,
            preferred_selector: SelectorPreference::default(),
            issue_link: String::new(),
            first_steps: true,
            first_steps_done: Vec::new(),
            target: Target::default(),
            campaign: KeptForm::default(),
            window: None,
            panels: BTreeMap::new(),
            recent_folders: Vec::new(),
            recent_actions: Vec::new(),
            fit_devices: Vec::new(),
        }
    }
}

impl Settings {
    /// The names of the settings that are the same in every project.
    pub const PREFERENCES: [&'static str; 12] = [
        "theme",
        "scale",
        "reduce_motion",
        "preferred_selector",
        "issue_link",
        "first_steps",
        "first_steps_done",
        "window",
        "panels",
        "recent_folders",
        "recent_actions",
        "fit_devices",
    ];

    /// Number of recent folders, and of recent actions, that are remembered.
    const RECENT: usize = 6;
    /// Number of devices that are remembered.
    const DEVICES: usize = 50;

    /// Whether the values are within their valid ranges.
    pub fn make_sense(&self) -> bool {
        let fits = |place: &WindowPlace| {
            [place.width, place.height].iter().all(|side| WindowPlace::SIDE.contains(side))
        };
        SCALES.contains(&self.scale) && self.window.as_ref().is_none_or(fits)
    }

    /// The next larger zoom factor. `None` if there is none.
    pub fn larger(&self) -> Option<u16> {
        SCALES.into_iter().find(|scale| *scale > self.scale)
    }

    /// The next smaller zoom factor. `None` if there is none.
    pub fn smaller(&self) -> Option<u16> {
        SCALES.into_iter().rev().find(|scale| *scale < self.scale)
    }

    /// Records that an action was chosen in the palette.
    pub fn used(&mut self, action: &str) {
        remember(&mut self.recent_actions, action.to_owned(), Self::RECENT);
    }

    /// Records that a campaign can run on the device with this serial.
    pub fn fits(&mut self, serial: &str) {
        remember(&mut self.fit_devices, serial.to_owned(), Self::DEVICES);
    }

    /// Records that a file or folder was chosen.
    pub fn been_at(&mut self, path: &Path) {
        // The settings file is JSON, which cannot represent paths that are not Unicode.
        if let Some(folder) = path.parent().filter(|folder| folder.to_str().is_some()) {
            remember(&mut self.recent_folders, folder.to_owned(), Self::RECENT);
        }
    }
}

/// (De)serialises the app and its build. Apps on devices are saved without the device, which may not be there the next
/// time, so they become apps of the bundled phone.
mod bundled_target {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use taproof_campaign::Target;
    use taproof_engine::device::Build;

    #[derive(Default, Serialize, Deserialize)]
    #[serde(default)]
    struct BundledTarget {
        app: String,
        build: Build,
    }

    pub(super) fn serialize<S: Serializer>(target: &Target, file: S) -> Result<S::Ok, S::Error> {
        BundledTarget { app: target.app.clone(), build: target.build.clone() }.serialize(file)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(file: D) -> Result<Target, D::Error> {
        BundledTarget::deserialize(file).map(|saved| Target::bundled(saved.app, saved.build))
    }
}

/// Reads the sizes of panels. Invalid ones are left out, which gives those panels their defaults.
fn panels<'de, D: Deserializer<'de>>(file: D) -> Result<BTreeMap<String, f32>, D::Error> {
    let sizes = BTreeMap::<String, Value>::deserialize(file)?;
    let size = |(name, size): (String, Value)| Some((name, size.as_f64()? as f32));
    Ok(sizes.into_iter().filter_map(size).filter(|(_, size)| (40.0..=4_000.0).contains(size)).collect())
}

fn remember<T: PartialEq>(list: &mut Vec<T>, newest: T, most: usize) {
    list.retain(|known| *known != newest);
    list.insert(0, newest);
    list.truncate(most);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maximised_window_keeps_the_size_that_it_had() {
        let small = WindowPlace { width: 1000.0, height: 700.0, at: Some([40.0, 50.0]), maximized: false };
        let large = WindowPlace { width: 1920.0, height: 1080.0, at: Some([0.0, 0.0]), maximized: true };
        let kept = large.clone().after(Some(small.clone()));
        assert_eq!(kept, WindowPlace { maximized: true, ..small.clone() });
        assert_eq!(small.clone().after(Some(kept)), small);
        assert_eq!(large.clone().after(None), large);
    }
}
