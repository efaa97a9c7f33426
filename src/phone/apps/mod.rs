//! The bundled apps, each modelled on a real one including its published bugs, and the set of apps of a phone.
//!
//! To add an app that ships with the program, add a module here and an entry to [`APPS`].

/// The code points in a file of an app's folder, one a line, sorted. `tests/it/campaigns/code_points.rs` compares them with
/// the sources.
macro_rules! points {
    ($file:literal) => {
        &const { crate::points::lines::<{ crate::points::line_count(include_str!($file)) }>(include_str!($file)) }
    };
}

#[cfg(test)]
mod around_tests;
mod diary;
mod files;
#[cfg(test)]
pub(crate) mod hand;
mod installed;
mod notes;
#[cfg(test)]
pub(crate) mod shown_strings;
mod tasks;
mod theme;
#[cfg(test)]
mod touch_tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{BugSet, Fonts, Phone};

pub use installed::{AppMaker, AppSource, AppTwice, Apps, BundledApp, ShippedSpec};
pub use theme::darkened;

macro_rules! specs {
    ($($path:literal),*) => {
        &[$(ShippedSpec { path: $path, text: include_str!(concat!("../../../specs/", $path)) },)*]
    };
}

/// The apps that ship with the program, in the order of the launcher.
pub const APPS: &[BundledApp] = &[
    BundledApp::of::<files::Files>().specs(specs!["files/dmf_files.json", "files/keyviews_files.json"]),
    BundledApp::of::<notes::Notes>().specs(specs!["notes/dmf_notes.json", "notes/keyviews_notes.json"]),
    BundledApp::of::<diary::Diary>().specs(specs!["diary/dmf_diary.json", "diary/keyviews_diary.json"]),
    // Nobody has specified this one.
    BundledApp::of::<tasks::Tasks>(),
];

/// The lines of a file with the string resources of an app.
fn lines(strings: &str) -> BTreeSet<String> {
    strings.lines().map(str::to_owned).collect()
}

/// The apps that ship with the program together with their specifications.
pub fn specified_apps() -> impl Iterator<Item = &'static BundledApp> {
    APPS.iter().filter(|app| !app.spec_files().is_empty())
}

/// The specification files that ship with the app of this short name.
pub fn shipped_specs(app: &str) -> impl Iterator<Item = &'static ShippedSpec> + '_ {
    APPS.iter().filter(move |known| known.short_name() == app).flat_map(BundledApp::spec_files)
}

/// Creates a phone with the apps that ship with the program, of which the one with this package has these bugs and the
/// others have none.
pub fn phone_with(fonts: &Arc<Fonts>, package: &str, bugs: &BugSet) -> Phone {
    Apps::default().phone(fonts, package, bugs)
}
