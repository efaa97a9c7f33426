//! Adapters for what ships with the program: the bundled apps, their specifications, and phones that show one of them.

use std::sync::Arc;

use crate::mirror::{DeviceMaker, MirrorDevice};
use crate::state::AppEntry;
use taproof_engine::device::{AppData, AppId, BeforeTest, Device, Initialised};
use taproof_phone::{Apps, BugSet, BundledApp, Fonts};
use taproof_results::store::SpecSource;
use taproof_screen::Initialiser;
use taproof_session::shipped_with;

/// Side of the apps' icons in pixels, as on devices.
const ICON_SIDE: i32 = 48;

/// Returns an entry for each bundled app, those that are made when they are asked for last, with the source files of its specifications.
pub(crate) fn entries(apps: &Apps) -> Vec<(AppEntry, Vec<SpecSource>)> {
    let all = apps.all().iter().chain(apps.made());
    all.map(|app| (entry(app), shipped_with(apps, app.manifest().package))).collect()
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
        icon: Some(manifest.launcher_icon(ICON_SIDE)),
    }
}

/// Returns a maker of untouched phones with these bugs. Whenever the app is launched with cleared data, `before` is called
/// first and the steps of `first` are performed.
pub(super) fn fresh_phone_maker(
    (fonts, apps): (Arc<Fonts>, Apps),
    package: String,
    bugs: BugSet,
    first: Option<Arc<Initialiser>>,
    before: Option<BeforeTest>,
) -> DeviceMaker {
    Arc::new(move |_| {
        let phone = Box::new(apps.phone(&fonts, &package, &bugs));
        Ok(MirrorDevice::Live(Initialised::device(phone, &package, first.as_ref(), before.clone())))
    })
}

/// Returns a maker of phones with these bugs and the app launched. With an empty `package` no app is launched.
pub(super) fn phone_maker((fonts, apps): (Arc<Fonts>, Apps), package: String, bugs: BugSet) -> DeviceMaker {
    Arc::new(move |_| {
        let mut phone = apps.phone(&fonts, &package, &bugs);
        if !package.is_empty() {
            phone.launch(&AppId(package.clone()), AppData::Keep)?;
        }
        Ok(MirrorDevice::Live(Box::new(phone)))
    })
}
