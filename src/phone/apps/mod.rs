//! The bundled apps, each modelled on a real one, with its published bugs.
//!
//! A new app is a module here and a line in `APPS`.

#[cfg(test)]
mod around_tests;
pub mod diary;
pub mod files;
#[cfg(test)]
mod hand;
pub mod notes;
#[cfg(test)]
mod touch_tests;

use std::sync::Arc;

use super::{App, BugSet, Fonts, Manifest, Phone};

/// An app that ships with the phone.
pub struct BundledApp {
    manifest: fn() -> &'static Manifest,
    install: fn(&mut Phone, &BugSet),
}

/// All bundled apps, in the order of the launcher.
pub const APPS: &[BundledApp] =
    &[BundledApp::of::<files::Files>(), BundledApp::of::<notes::Notes>(), BundledApp::of::<diary::Diary>()];

impl BundledApp {
    const fn of<A: App>() -> Self {
        BundledApp { manifest: A::manifest, install: Phone::install::<A> }
    }

    /// What the app says of itself.
    pub fn manifest(&self) -> &'static Manifest {
        (self.manifest)()
    }

    /// The last part of the package, as commands take it: `files` of `org.taproof.files`.
    pub fn short_name(&self) -> &'static str {
        let package = self.manifest().package;
        package.rsplit('.').next().unwrap_or(package)
    }

    /// Installs the app with the given bugs switched on.
    pub fn install(&self, phone: &mut Phone, bugs: &BugSet) {
        (self.install)(phone, bugs);
    }
}

/// The bundled app of that package or short name.
pub fn find(name: &str) -> Option<&'static BundledApp> {
    APPS.iter().find(|app| app.manifest().package == name || app.short_name().eq_ignore_ascii_case(name))
}

/// A phone with all bundled apps: the one of that package with these bugs, the others sound.
pub fn phone_with(fonts: &Arc<Fonts>, package: &str, bugs: &BugSet) -> Phone {
    let mut phone = Phone::new(Arc::clone(fonts));
    let sound = BugSet::none();
    for app in APPS {
        let chosen = app.manifest().package == package;
        app.install(&mut phone, if chosen { bugs } else { &sound });
    }
    phone
}
