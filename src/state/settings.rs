//! What the person chose: the place, the app, the build.

use std::collections::BTreeSet;

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
}

/// What the person chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The place shown.
    pub place: Place,
    /// The side of the place Record that is shown.
    pub record_view: RecordView,
    /// The dark set of colours.
    pub dark: bool,
    /// Package of the app on the live phone; empty while a walk is shown.
    pub app: String,
    /// Its build.
    pub build: BuildChoice,
    /// The list of shortcuts is shown.
    pub help: bool,
}

impl BuildChoice {
    /// The word that commands use.
    pub fn word(&self) -> &'static str {
        match self {
            BuildChoice::Faulty => "faulty",
            BuildChoice::Sound => "sound",
            BuildChoice::Only(_) => "chosen bugs",
        }
    }

    /// The ids that are switched on.
    pub fn bugs<'a>(&'a self, app: &'a AppEntry) -> Vec<&'a str> {
        let ids = app.bugs.iter().map(|(id, _)| id.as_str());
        match self {
            BuildChoice::Faulty => ids.collect(),
            BuildChoice::Sound => Vec::new(),
            BuildChoice::Only(chosen) => ids.filter(|id| chosen.contains(*id)).collect(),
        }
    }
}
