//! For campaigns and trials that are looked at when they are over.

use std::sync::Arc;

use super::{CampaignSink, Finding, TrialSink};

/// Ignores everything that it is told.
pub struct NullSink;

impl CampaignSink for NullSink {
    fn finding(&mut self, _finding: Arc<Finding>) {}
}

impl TrialSink for NullSink {}
