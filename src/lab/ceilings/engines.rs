//! Campaigns of one engine on the sound build of Files.

use std::hint::black_box;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use taproof_campaign::{
    Budget, CampaignPlan, CampaignSink, ConfirmPlan, DeviceChoice, Finding, NullSink, Oracles,
    SavedCheckpoint, run,
};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_engine::{AutoConfig, EngineConfig, PbfdroidConfig};
use taproof_phone::BundledPhones;
use taproof_phone::apps::{Apps, shipped_specs};
use taproof_results::store::{SpecSource, read_specs};

/// Events of the campaign whose checkpoints are counted.
const EVENTS: u64 = 4000;

/// A campaign on the sound build of Files.
pub(crate) fn plan(engine: EngineConfig, max_events: u64) -> Result<CampaignPlan> {
    let app = Apps::default();
    let app = app.find("files").context("Files is bundled")?;
    let sources: Vec<SpecSource> =
        shipped_specs(app.short_name()).map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    Ok(CampaignPlan {
        app: app.manifest().package.to_owned(),
        build: Build::Sound,
        device: DeviceChoice::Bundled,
        engines: vec![engine],
        spec: Arc::new(read_specs(&sources).map_err(|(file, error)| anyhow!("{file}: {error}"))?),
        seed_traces: Vec::new(),
        initialiser: None,
        seed: 1,
        budget: Budget { max_events, max_device_millis: None },
        rules: Vec::new(),
        oracles: Oracles::default(),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
    })
}

fn campaign(engine: EngineConfig, events: u64, sink: &mut dyn CampaignSink) -> Result<()> {
    let plan = plan(engine, events)?;
    let report = run(
        &plan,
        &plan.engines[0],
        &mut BundledPhones::new(&plan.app, &plan.build),
        &CancelToken::new(),
        sink,
    );
    black_box(report.stats.fingerprint());
    Ok(())
}

pub(crate) fn pbfdroid(events: u64) -> Result<()> {
    campaign(EngineConfig::Pbfdroid(PbfdroidConfig::default()), events, &mut NullSink)
}

pub(crate) fn auto(events: u64) -> Result<()> {
    campaign(EngineConfig::Auto(AutoConfig::default()), events, &mut NullSink)
}

/// Asks for a checkpoint after each of the first rounds.
struct AsksFor(u64);

impl CampaignSink for AsksFor {
    fn finding(&mut self, _finding: Arc<Finding>) {}

    fn wants_checkpoint(&mut self) -> bool {
        let wants = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        wants
    }

    fn checkpoint(&mut self, checkpoint: SavedCheckpoint) {
        black_box(checkpoint.bytes().len());
    }
}

pub(crate) fn checkpoints(times: u64) -> Result<()> {
    campaign(EngineConfig::Pbfdroid(PbfdroidConfig::default()), EVENTS, &mut AsksFor(times))
}
