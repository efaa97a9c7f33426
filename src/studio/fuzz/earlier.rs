//! The resumption of a campaign of an earlier session.

use std::sync::Arc;

use super::curves::KeptCurves;
use taproof_campaign::{CampaignPlan, Resumption};

/// An interrupted campaign that is to be resumed.
pub struct Resumed {
    /// The campaign's row in the workspace.
    pub row: i64,
    /// What the campaign runs.
    pub plan: Arc<CampaignPlan>,
    /// Its specification, in words.
    pub spec: String,
    /// The checkpoint of each engine. `None` for an engine that starts from the beginning.
    pub from: Vec<Option<Resumption>>,
    /// The curves until the interruption.
    pub curves: KeptCurves,
}
