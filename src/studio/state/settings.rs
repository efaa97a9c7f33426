//! What the person chose: the place, the app, the build.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use taproof_core::campaign::{Build, DeviceChoice};

/// The three places of the studio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Record what is done on the phone, and edit specifications.
    #[default]
    Record,
    /// Run campaigns.
    Fuzz,
    /// Step through a finding.
    Replay,
}

/// The two sides of the place Record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordView {
    /// What was done on the phone, and the DMF that it makes.
    #[default]
    Recording,
    /// The open specifications.
    Specification,
}

impl Place {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Place::Record => "Record",
            Place::Fuzz => "Fuzz",
            Place::Replay => "Replay",
        }
    }
}

/// The set of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the desktop has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The other one than what is shown.
    pub fn next(self, dark: bool) -> Theme {
        match self {
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Light,
            Theme::System if dark => Theme::Light,
            Theme::System => Theme::Dark,
        }
    }
}

/// The sizes that everything can be shown at, in percent.
pub const SCALES: [u16; 5] = [100, 125, 150, 175, 200];

/// Where the window stands on the desktop, in the desktop's points.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowPlace {
    /// Width and height of what is inside its frame.
    pub size: [f32; 2],
    /// Its upper left corner, where the desktop tells it.
    pub at: Option<[f32; 2]>,
    /// It fills the desktop.
    pub maximized: bool,
}

/// Which bugs of an app are switched on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BuildChoice {
    /// All.
    #[default]
    Faulty,
    /// None.
    Sound,
    /// These.
    Only(BTreeSet<String>),
    /// As it is installed on the device with this serial: nothing can be switched there.
    Device(String),
}

/// An app that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppEntry {
    /// Its package.
    pub package: String,
    /// Its name.
    pub label: String,
    /// The word that commands use for it.
    pub short_name: String,
    /// The real app that it is modelled on.
    pub modelled_on: String,
    /// Its bugs: id and title.
    pub bugs: Vec<(String, String)>,
    /// How many DMFs its specification has.
    pub dmfs: usize,
    /// The serial of the device that it is installed on; `None` for those of the bundled phone.
    pub device: Option<String>,
}

/// What the person chose. All of it is kept from one start to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The place shown.
    pub place: Place,
    /// The side of the place Record that is shown.
    pub record_view: RecordView,
    /// The set of colours.
    pub theme: Theme,
    /// The size of everything in percent, one of `SCALES`.
    pub scale: u16,
    /// Nothing moves by itself but what was asked to.
    pub reduce_motion: bool,
    /// Files are asked for in the window.
    pub own_dialogs: bool,
    /// The first steps are shown.
    pub first_steps: bool,
    /// Package of the app on the live phone; empty while a walk is shown.
    pub app: String,
    /// Its build.
    pub build: BuildChoice,
    /// Where the window stands.
    pub window: Option<WindowPlace>,
    /// The widths of the panels that were drawn, by name; the heights of those that lie above or below.
    pub panels: BTreeMap<String, f32>,
    /// The folders of files that were chosen, the newest first.
    pub recent_folders: Vec<PathBuf>,
    /// The ids of the actions that were chosen in the palette, the newest first.
    pub recent_actions: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            place: Place::default(),
            record_view: RecordView::default(),
            theme: Theme::default(),
            scale: 100,
            reduce_motion: false,
            own_dialogs: false,
            first_steps: true,
            app: String::new(),
            build: BuildChoice::default(),
            window: None,
            panels: BTreeMap::new(),
            recent_folders: Vec::new(),
            recent_actions: Vec::new(),
        }
    }
}

impl Settings {
    /// How much of a kind is remembered.
    const RECENT: usize = 6;

    /// The next larger size.
    pub fn larger(&self) -> Option<u16> {
        SCALES.into_iter().find(|scale| *scale > self.scale)
    }

    /// The next smaller size.
    pub fn smaller(&self) -> Option<u16> {
        SCALES.into_iter().rev().find(|scale| *scale < self.scale)
    }

    /// An action was chosen.
    pub fn used(&mut self, action: &str) {
        remember(&mut self.recent_actions, action.to_owned(), Self::RECENT);
    }

    /// A file or folder was chosen.
    pub fn been_at(&mut self, path: &Path) {
        if let Some(folder) = path.parent() {
            remember(&mut self.recent_folders, folder.to_owned(), Self::RECENT);
        }
    }
}

fn remember<T: PartialEq>(list: &mut Vec<T>, newest: T, most: usize) {
    list.retain(|known| *known != newest);
    list.insert(0, newest);
    list.truncate(most);
}

impl From<&Build> for BuildChoice {
    fn from(build: &Build) -> Self {
        match build {
            Build::Faulty => BuildChoice::Faulty,
            Build::Sound => BuildChoice::Sound,
            Build::Bugs(bugs) => BuildChoice::Only(bugs.iter().cloned().collect()),
        }
    }
}

impl From<&BuildChoice> for Build {
    fn from(build: &BuildChoice) -> Self {
        match build {
            BuildChoice::Faulty => Build::Faulty,
            BuildChoice::Sound => Build::Sound,
            BuildChoice::Only(bugs) => Build::Bugs(bugs.iter().cloned().collect()),
            BuildChoice::Device(_) => Build::default(),
        }
    }
}

impl From<&BuildChoice> for DeviceChoice {
    fn from(build: &BuildChoice) -> Self {
        match build {
            BuildChoice::Faulty | BuildChoice::Sound | BuildChoice::Only(_) => DeviceChoice::Bundled,
            BuildChoice::Device(serial) => DeviceChoice::Adb(vec![serial.clone()]),
        }
    }
}

impl BuildChoice {
    /// The word that commands use.
    pub fn word(&self) -> &'static str {
        match self {
            BuildChoice::Faulty => "faulty",
            BuildChoice::Sound => "sound",
            BuildChoice::Only(_) => "chosen bugs",
            BuildChoice::Device(_) => "as installed",
        }
    }

    /// The serial of the device, if it is not the bundled phone.
    pub fn device(&self) -> Option<&str> {
        match self {
            BuildChoice::Faulty | BuildChoice::Sound | BuildChoice::Only(_) => None,
            BuildChoice::Device(serial) => Some(serial),
        }
    }

    /// Whether this app, on its phone, is meant by a package with this build.
    pub fn means(&self, app: &AppEntry, package: &str) -> bool {
        app.package == package && app.device.as_deref() == self.device()
    }

    /// The ids that are switched on.
    pub fn bugs<'a>(&'a self, app: &'a AppEntry) -> Vec<&'a str> {
        let ids = app.bugs.iter().map(|(id, _)| id.as_str());
        match self {
            BuildChoice::Faulty => ids.collect(),
            BuildChoice::Sound | BuildChoice::Device(_) => Vec::new(),
            BuildChoice::Only(chosen) => ids.filter(|id| chosen.contains(*id)).collect(),
        }
    }
}
