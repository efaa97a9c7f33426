//! A campaign's sink that keeps what it hears.

use std::sync::Arc;

use taproof_campaign::{
    CampaignPlan, CampaignReport, CampaignSink, CampaignWarning, Finding, SavedCheckpoint, keep_latest, run,
};
use taproof_engine::worker::CancelToken;
use taproof_phone::BundledPhones;

/// Keeps a checkpoint after every round, with the findings until then, as the database would.
#[derive(Default)]
pub struct Keeper {
    pub findings: Vec<Arc<Finding>>,
    pub kept: Vec<(SavedCheckpoint, usize)>,
    pub warnings: Vec<CampaignWarning>,
}

impl CampaignSink for Keeper {
    fn wants_checkpoint(&mut self) -> bool {
        true
    }
    fn checkpoint(&mut self, checkpoint: SavedCheckpoint) {
        self.kept.push((checkpoint, self.findings.len()));
    }
    fn warning(&mut self, warning: CampaignWarning) {
        self.warnings.push(warning);
    }
    fn finding(&mut self, finding: Arc<Finding>) {
        keep_latest(&mut self.findings, finding);
    }
}

/// Runs the first engine of a plan on bundled phones.
pub fn campaign(plan: &CampaignPlan) -> (CampaignReport, Keeper) {
    let (mut heard, mut phones) = (Keeper::default(), BundledPhones::new(&plan.app, &plan.build));
    let report = run(plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut heard);
    (report, heard)
}
