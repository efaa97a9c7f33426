//! The parts of a finding other than frames, as the database stores them: one JSON object.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use taproof_core::campaign::{ComparisonRule, DataTimeline, Finding};
use taproof_core::model::{DeviceDuration, DmfSpan, FindingOrigin, Violation};
use taproof_core::spec::{DataModel, ImpactOp};

#[derive(Serialize, Deserialize)]
pub(super) struct Detail {
    pub origin: FindingOrigin,
    pub violation: Violation,
    pub first_millis: DeviceDuration,
    pub minimal_dmfs: Vec<String>,
    pub untried: bool,
    pub witness_spans: Vec<DmfSpan>,
    pub minimal_spans: Vec<DmfSpan>,
    /// The data that the app should hold, each with the index of the minimal trace's frame from which on it applies.
    pub data: Vec<(usize, BTreeMap<String, Vec<String>>)>,
    /// How the minimal trace is compared with the reference; `None` if there is no reference.
    #[serde(default)]
    pub comparison: Option<ComparisonRule>,
}

impl Detail {
    pub fn of(finding: &Finding) -> Self {
        let objects = |data: &DataModel| {
            data.types().map(|(data_type, objects)| (data_type.clone(), objects.to_vec())).collect()
        };
        Detail {
            origin: finding.origin.clone(),
            violation: finding.violation.clone(),
            first_millis: finding.first.device_time,
            minimal_dmfs: finding.minimal_dmfs.clone(),
            untried: finding.confirmation.counts().1 == 0,
            witness_spans: finding.witness.trace.spans.clone(),
            minimal_spans: finding.minimal.trace.spans.clone(),
            data: finding.data.entries().iter().map(|(frame, data)| (*frame, objects(data))).collect(),
            comparison: finding.reference.as_ref().map(|reference| reference.rule.clone()),
        }
    }

    pub fn timeline(&self) -> DataTimeline {
        let mut timeline = DataTimeline::default();
        for (frame, types) in &self.data {
            let mut data = DataModel::new();
            for (data_type, objects) in types {
                for object in objects {
                    data.apply(data_type, &ImpactOp::Add, object);
                }
            }
            timeline.push(*frame, data);
        }
        timeline
    }
}
