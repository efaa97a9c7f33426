//! Campaigns on the bundled phone.

use std::sync::Arc;

use crate::apps::{APPS, phone_with};
use crate::{BugSet, Fonts};
use taproof_core::campaign::{AppFacts, Build, CampaignPlan, DeviceSource};
use taproof_core::device::{Device, DeviceError};

/// Bundled phones with the plan's app, one as fresh as the other.
pub struct BundledPhones {
    fonts: Arc<Fonts>,
    package: String,
    bugs: Vec<String>,
}

/// The bundled apps, for checking plans.
pub fn bundled_apps() -> Vec<AppFacts> {
    let facts = |manifest: &crate::Manifest| AppFacts {
        package: manifest.package.to_owned(),
        bugs: manifest.bugs.iter().map(|bug| bug.id.to_owned()).collect(),
    };
    APPS.iter().map(|app| facts(app.manifest())).collect()
}

impl BundledPhones {
    /// Phones for a plan that was checked.
    pub fn new(plan: &CampaignPlan) -> Self {
        BundledPhones::with(&plan.app, &plan.build)
    }

    /// Phones with an app of that package and build.
    pub fn with(app: &str, build: &Build) -> Self {
        let all = bundled_apps().into_iter().find(|facts| facts.package == app).map(|facts| facts.bugs);
        let bugs = build.switched_on(&all.unwrap_or_default());
        BundledPhones { fonts: Arc::new(Fonts::new()), package: app.to_owned(), bugs }
    }
}

impl DeviceSource for BundledPhones {
    fn fresh(&mut self, bugs_off: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        let bugs = BugSet::of(self.bugs.iter().map(String::as_str)).without(bugs_off);
        Ok(Box::new(phone_with(&self.fonts, &self.package, &bugs)))
    }

    fn switchable_bugs(&self) -> Vec<String> {
        self.bugs.clone()
    }
}
