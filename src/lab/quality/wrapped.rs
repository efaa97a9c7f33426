//! Campaigns on bundled phones behind devices that behave otherwise.

use std::sync::Arc;

use taproof_campaign::{CampaignPlan, ConfirmPlan};
use taproof_engine::EngineConfig;
use taproof_engine::device::{Build, Device, DeviceError, DeviceSource};
use taproof_phone::BundledPhones;
use taproof_phone::apps::shipped_specs;
use taproof_spec::format::DmfFile;

/// Bundled phones, each behind a device that changes what it shows.
pub struct Wrapped(pub BundledPhones, pub fn(Box<dyn Device>) -> Box<dyn Device>);

impl DeviceSource for Wrapped {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        self.fresh_without(&[])
    }
    fn fresh_without(&mut self, bugs: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        self.0.fresh_without(bugs).map(self.1)
    }
}

/// A campaign of one engine in an app with its shipped specification.
pub fn plan_of(engine: EngineConfig, app: &str, build: Build, events: u64) -> CampaignPlan {
    let file = shipped_specs(app).find(|spec| spec.path.contains("/dmf_"));
    let spec = file.map(|file| DmfFile::parse(file.text).unwrap().spec).unwrap_or_default();
    CampaignPlan {
        build,
        spec: Arc::new(spec),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(&format!("org.taproof.{app}"), engine, events)
    }
}
