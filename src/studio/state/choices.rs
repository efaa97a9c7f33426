//! What can be chosen: places, themes, apps.

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use taproof_campaign::Target;
use taproof_engine::device::{Build, Screenshot};

/// The three places of the studio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// For recording functions on the phone, and editing specifications.
    #[default]
    Record,
    /// For running campaigns, and watching their progress.
    Fuzz,
    /// For stepping through a finding.
    Replay,
}

/// The two sides of the place Record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordView {
    /// The recorded steps, and the DMF made from them.
    #[default]
    Recording,
    /// The specifications that are open as documents.
    Specification,
}

impl Place {
    /// The name of the place, as the window shows it.
    pub fn word(self) -> &'static str {
        match self {
            Place::Record => "Record",
            Place::Fuzz => "Fuzz",
            Place::Replay => "Replay",
        }
    }
}

/// The choice between light and dark colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// The theme of the desktop.
    #[default]
    System,
    /// Light colours, regardless of the desktop.
    Light,
    /// Dark colours, regardless of the desktop.
    Dark,
}

impl Theme {
    /// The theme opposite to the one that is shown.
    pub fn next(self, dark: bool) -> Theme {
        match self {
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Light,
            Theme::System if dark => Theme::Light,
            Theme::System => Theme::Dark,
        }
    }
}

/// The zoom factors that can be chosen, in percent.
pub const SCALES: [u16; 5] = [100, 125, 150, 175, 200];

/// The position and size of the window, in points of the desktop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowPlace {
    /// Width of the inner area.
    pub width: f32,
    /// Height of the inner area.
    pub height: f32,
    /// The upper left corner of the frame. `None` if the desktop does not report it.
    pub at: Option<[f32; 2]>,
    /// Whether the window is maximised.
    #[serde(default)]
    pub maximized: bool,
}

impl WindowPlace {
    /// The valid range of widths and heights, in points.
    pub(super) const SIDE: RangeInclusive<f32> = 200.0..=16_000.0;
    const CORNER: RangeInclusive<f32> = 0.0..=16_000.0;

    /// This place, after the window was in another one. A maximised window keeps the size that it had before, to which it
    /// returns when it is maximised no more.
    #[must_use]
    pub fn after(self, before: Option<WindowPlace>) -> WindowPlace {
        match before {
            Some(before) if self.maximized => WindowPlace { maximized: true, ..before },
            Some(_) | None => self,
        }
    }

    /// The upper left corner, if it is a valid position on every desktop.
    pub fn corner(&self) -> Option<[f32; 2]> {
        self.at.filter(|at| at.iter().all(|place| Self::CORNER.contains(place)))
    }
}

/// An app that can be chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppEntry {
    /// The package, which names the app on a device.
    pub package: String,
    /// The app's name for people.
    pub label: String,
    /// The app's name on the command line.
    pub short_name: String,
    /// The real app that it is modelled on. Empty for apps on devices.
    pub modelled_on: String,
    /// Its catalogued bugs: id and title.
    pub bugs: Vec<(String, String)>,
    /// Number of DMFs in its bundled specification.
    pub dmfs: usize,
    /// The serial of the device that it is installed on. `None` for apps of the bundled phone.
    pub device: Option<String>,
    /// The icon on the launcher, if it is known.
    pub icon: Option<Screenshot>,
}

impl AppEntry {
    /// The target that this entry stands for. The build is only used on the bundled phone.
    pub fn target(&self, build: Build) -> Target {
        match &self.device {
            Some(serial) => Target::installed(self.package.as_str(), serial.as_str()),
            None => Target::bundled(self.package.as_str(), build),
        }
    }

    /// Whether this entry is the target's app on the target's phone.
    pub fn is(&self, target: &Target) -> bool {
        self.package == target.app && self.device == target.device
    }

    /// The ids of its bugs that a build switches on.
    pub fn switched_on(&self, build: &Build) -> Vec<&str> {
        let ids = self.bugs.iter().map(|(id, _)| id.as_str());
        match build {
            Build::Faulty => ids.collect(),
            Build::Sound => Vec::new(),
            Build::Bugs(only) => ids.filter(|id| only.iter().any(|bug| bug == id)).collect(),
        }
    }
}

/// Describes a target's build in a few words.
pub fn build_words(target: &Target) -> &'static str {
    match (&target.device, &target.build) {
        (Some(_), _) => "as installed",
        (None, Build::Faulty) => "with bugs",
        (None, Build::Sound) => "without bugs",
        (None, Build::Bugs(_)) => "with chosen bugs",
    }
}
