//! What ships with the program, as the window needs it: the apps, their specifications, a phone with one of
//! them in front.

use std::sync::Arc;

use crate::mirror::{DeviceMaker, MirrorDevice};
use crate::state::AppEntry;
use taproof_core::device::{AppData, AppId, Device, Initialised};
use taproof_core::model::Initialiser;
use taproof_phone::apps::{APPS, BundledApp, find, phone_with};
use taproof_phone::{BugSet, Fonts};
use taproof_results::store::{SpecSource, shipped_specs};

/// The apps and the files of their specifications.
pub(super) fn apps() -> Vec<(AppEntry, Vec<SpecSource>)> {
    APPS.iter().map(|app| (entry(app), sources(app.short_name()))).collect()
}

fn entry(app: &BundledApp) -> AppEntry {
    let manifest = app.manifest();
    AppEntry {
        package: manifest.package.to_owned(),
        label: manifest.label.to_owned(),
        short_name: app.short_name().to_owned(),
        modelled_on: manifest.modelled_on.to_owned(),
        bugs: manifest.bugs.iter().map(|bug| (bug.id.to_owned(), bug.title.to_owned())).collect(),
        dmfs: 0,
        device: None,
    }
}

/// What people call the app of that package.
pub(super) fn app_label(package: &str) -> String {
    find(package).map_or(package, |app| app.manifest().label).to_owned()
}

fn sources(app: &str) -> Vec<SpecSource> {
    shipped_specs(app).map(|spec| SpecSource::file(spec.path, spec.text)).collect()
}

/// Makes a phone on which nothing was done yet; these first steps are done there whenever the app is cleared.
pub(super) fn fresh_phone_maker(
    fonts: Arc<Fonts>,
    package: String,
    bugs: BugSet,
    first: Option<Arc<Initialiser>>,
) -> DeviceMaker {
    Arc::new(move || {
        let phone = Box::new(phone_with(&fonts, &package, &bugs));
        Ok(MirrorDevice::Live(Initialised::device(phone, &package, first.as_ref())))
    })
}

/// Makes a phone with the app in front.
pub(super) fn phone_maker(fonts: Arc<Fonts>, package: String, bugs: BugSet) -> DeviceMaker {
    Arc::new(move || {
        let mut phone = phone_with(&fonts, &package, &bugs);
        if !package.is_empty() {
            phone.launch(&AppId(package.clone()), AppData::Keep)?;
        }
        Ok(MirrorDevice::Live(Box::new(phone)))
    })
}
