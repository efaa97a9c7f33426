//! A campaign's sink that keeps what it hears.

use std::sync::Arc;

use taproof_core::campaign::{CampaignSink, Checkpoint, Finding, keep_latest};

/// Keeps a checkpoint after every round, with the findings until then, as the database would.
#[derive(Default)]
pub struct Keeper {
    pub findings: Vec<Arc<Finding>>,
    pub kept: Vec<(Vec<u8>, usize)>,
}

impl CampaignSink for Keeper {
    fn wants_checkpoint(&mut self) -> bool {
        true
    }
    fn checkpoint(&mut self, checkpoint: Checkpoint) {
        self.kept.push((checkpoint.to_bytes().unwrap(), self.findings.len()));
    }
    fn finding(&mut self, finding: Arc<Finding>) {
        keep_latest(&mut self.findings, finding);
    }
}
