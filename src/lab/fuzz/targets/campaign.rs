//! A small campaign on the bundled phone, whose results seed the readers of what campaigns leave.

use std::sync::Arc;

use super::pictures::small_png;
use taproof_campaign::{
    CampaignPlan, CampaignSink, ConfirmPlan, EngineRun, Finding, SavedCheckpoint, run, summarise,
};
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, PbfdroidConfig};
use taproof_phone::BundledPhones;
use taproof_phone::apps::shipped_specs;
use taproof_results::store::{
    CampaignEnd, NewCampaign, SpecSource, StoreError, StoredPlan, Workspace, read_specs,
};
use taproof_spec::format::DmfFile;

/// Enough for a first finding.
const EVENTS: u64 = 400;

/// What a campaign did.
pub(super) struct Campaign {
    pub stored: StoredPlan,
    pub findings: Vec<Finding>,
    checkpoint: Option<SavedCheckpoint>,
    summary: String,
}

#[derive(Default)]
struct Keeper {
    findings: Vec<Arc<Finding>>,
    checkpoint: Option<SavedCheckpoint>,
}

impl CampaignSink for Keeper {
    fn wants_checkpoint(&mut self) -> bool {
        true
    }

    fn checkpoint(&mut self, checkpoint: SavedCheckpoint) {
        self.checkpoint = Some(checkpoint);
    }

    fn finding(&mut self, finding: Arc<Finding>) {
        taproof_campaign::keep_latest(&mut self.findings, finding);
    }
}

/// A finding with its shortest trace alone, and one small picture.
fn small(finding: &Finding) -> Finding {
    let mut finding = finding.clone();
    let places = 0..=finding.minimal.trace.len();
    finding.minimal.screenshots = places.map(|place| (place == 0).then(|| Arc::new(small_png()))).collect();
    finding.witness = finding.minimal.clone();
    finding
}

/// The plan of a campaign that finds something at once.
pub(super) fn plan() -> StoredPlan {
    let shipped: Vec<SpecSource> =
        shipped_specs("files").map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    // A few functions are enough, and small inputs are tried faster than large ones.
    let mut spec = read_specs(&shipped).unwrap_or_default();
    spec.dmfs.retain(|dmf| dmf.data_type == "folder");
    spec.blocks.clear();
    let specs = vec![SpecSource::file("dmf_folders.json", DmfFile::new(&spec).source())];
    let plan = CampaignPlan {
        spec: Arc::new(read_specs(&specs).unwrap_or_default()),
        seed: 7,
        confirm: ConfirmPlan { tries: 1, pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new("org.taproof.files", EngineConfig::Pbfdroid(PbfdroidConfig::default()), EVENTS)
    };
    StoredPlan { plan, specs, traces: Vec::new() }
}

impl Campaign {
    /// Runs it.
    pub fn run() -> Campaign {
        let stored = plan();
        let mut keeper = Keeper::default();
        let mut summary = String::new();
        for engine in &stored.plan.engines {
            let phones = &mut BundledPhones::new(&stored.plan.app, &stored.plan.build);
            let report = run(&stored.plan, engine, phones, &CancelToken::new(), &mut keeper);
            let runs = [EngineRun { engine, report: &report, seconds: 1.0 }];
            summary = serde_json::to_string(&summarise(&stored.plan, &runs)).unwrap_or_default();
        }
        let findings = keeper.findings.first().map(|finding| small(finding)).into_iter().collect();
        Campaign { stored, findings, checkpoint: keeper.checkpoint, summary }
    }

    /// Writes it twice: as one that has ended, and as one that goes on.
    pub fn write(&self, workspace: &mut Workspace) -> Result<(), StoreError> {
        let plan = self.stored.to_json()?;
        let (app, engine) = (&*self.stored.plan.app, "pbfdroid");
        let new =
            NewCampaign { app, build: "faulty", engine, seed: 7, plan: &plan, repeatable: true, began: 1 };
        for ends in [true, false] {
            let running = workspace.begin_campaign(&new)?;
            for finding in &self.findings {
                workspace.save_finding(&running, finding)?;
            }
            match &self.checkpoint {
                Some(checkpoint) if !ends => workspace.save_checkpoint(&running, 0, checkpoint)?,
                Some(_) | None => workspace.end_campaign(running, &self.end())?,
            }
        }
        Ok(())
    }

    fn end(&self) -> CampaignEnd<'_> {
        CampaignEnd {
            end: "budget",
            detail: "",
            fingerprint: "",
            events: EVENTS,
            tests: 1,
            summary: &self.summary,
            at: 2,
        }
    }
}
