//! What the workspace holds of a campaign, as reports want it. Only values are read here, never the disk.

use std::sync::Arc;

use crate::store::{CoverageSample, SpecSource, StoredCampaign, StoredPlan};

use super::{CampaignFacts, CurvePoint, ReportFacts, SpecFacts};

impl ReportFacts {
    /// What a plan of the workspace says.
    pub fn of_stored(stored: &StoredPlan, app_label: &str) -> Self {
        let file = |spec: &SpecSource| SpecFacts { name: spec.name.clone(), shipped: spec.is_shipped() };
        let specs = stored.specs.iter().map(file).collect();
        ReportFacts::of(&stored.plan, app_label, specs, stored.spec_version())
    }
}

impl CampaignFacts {
    /// What the workspace holds of a campaign.
    pub fn of_stored(stored: StoredCampaign, app_label: &str) -> Self {
        let point = |sample: &CoverageSample| CurvePoint {
            events: sample.events,
            states: sample.states,
            findings: sample.findings,
        };
        CampaignFacts {
            run: ReportFacts::of_stored(&stored.plan, app_label),
            summary: stored.summary,
            end: stored.row.end,
            curve: stored.samples.iter().map(point).collect(),
            findings: stored.findings.into_iter().map(Arc::new).collect(),
        }
    }
}
