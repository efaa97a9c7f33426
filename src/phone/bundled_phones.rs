//! Bundled phones as the devices of a campaign.

use std::sync::Arc;

use crate::{Apps, BugSet, Fonts};
use taproof_engine::device::{Build, Device, DeviceError, DeviceSource};

/// Creates bundled phones with the plan's app, all in the same fresh state.
pub struct BundledPhones {
    fonts: Arc<Fonts>,
    apps: Apps,
    package: String,
    bugs: Vec<String>,
}

impl BundledPhones {
    /// Creates phones with the bundled apps, of which the one with the package `app` has this build.
    pub fn new(app: &str, build: &Build) -> Self {
        BundledPhones::of(&Apps::default(), app, build)
    }

    /// Creates phones with these apps, of which the one with the package `app` has this build.
    pub fn of(apps: &Apps, app: &str, build: &Build) -> Self {
        let all = apps.facts(app).into_iter().find(|facts| facts.package == app).map(|facts| facts.bugs);
        let bugs = build.switched_on(&all.unwrap_or_default());
        BundledPhones { fonts: Arc::new(Fonts::new()), apps: apps.clone(), package: app.to_owned(), bugs }
    }
}

impl DeviceSource for BundledPhones {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        self.fresh_without(&[])
    }

    fn fresh_without(&mut self, bugs: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        let bugs = BugSet::of(self.bugs.iter().map(String::as_str)).without(bugs);
        Ok(Box::new(self.apps.phone(&self.fonts, &self.package, &bugs)))
    }

    fn switchable_bugs(&self) -> Vec<String> {
        self.bugs.clone()
    }
}
