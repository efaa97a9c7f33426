//! The parts of a finding other than frames, as the database stores them: one JSON object.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use taproof_core::campaign::{ComparisonRule, DataTimeline, Finding, Support};
use taproof_core::model::{DeviceDuration, DmfSpan, FindingOrigin, Violation};
use taproof_core::spec::{DataModel, ImpactOp};

/// Texts, by data type.
type TextsOfTypes = BTreeMap<String, Vec<String>>;

#[derive(Serialize, Deserialize)]
pub(super) struct Detail {
    pub origin: FindingOrigin,
    pub violation: Violation,
    pub first_millis: DeviceDuration,
    pub minimal_dmfs: Vec<String>,
    /// What speaks for it, beside how often it came back.
    pub support: Support,
    pub witness_spans: Vec<DmfSpan>,
    pub minimal_spans: Vec<DmfSpan>,
    /// The data that the app should hold, each with the index of the minimal trace's frame from which on it applies.
    pub data: Vec<(usize, TextsOfTypes)>,
    /// The texts of which it is unknown how many objects have them, in the same way, where there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<(usize, TextsOfTypes)>,
    /// How the minimal trace is compared with the reference; `None` if there is no reference.
    #[serde(default)]
    pub comparison: Option<ComparisonRule>,
}

impl Detail {
    pub fn of(finding: &Finding) -> Self {
        Detail {
            origin: finding.origin.clone(),
            violation: finding.violation.clone(),
            first_millis: finding.first.device_time,
            minimal_dmfs: finding.minimal_dmfs.clone(),
            support: finding.support,
            witness_spans: finding.witness.trace.spans.clone(),
            minimal_spans: finding.minimal.trace.spans.clone(),
            data: finding.data.entries().iter().map(|(frame, data)| (*frame, objects(data))).collect(),
            doubts: doubts(&finding.data),
            comparison: finding.reference.as_ref().map(|reference| reference.rule.clone()),
        }
    }

    pub fn timeline(&self) -> DataTimeline {
        timeline(&self.data, &self.doubts)
    }
}

fn objects(data: &DataModel) -> TextsOfTypes {
    data.types().map(|(data_type, objects)| (data_type.clone(), objects.to_vec())).collect()
}

fn doubts(timeline: &DataTimeline) -> Vec<(usize, TextsOfTypes)> {
    let of_types = |data: &DataModel| -> TextsOfTypes {
        data.doubts().map(|(data_type, texts)| (data_type.clone(), texts.iter().cloned().collect())).collect()
    };
    let all = timeline.entries().iter().map(|(frame, data)| (*frame, of_types(data)));
    all.filter(|(_, texts)| !texts.is_empty()).collect()
}

fn timeline(data: &[(usize, TextsOfTypes)], doubts: &[(usize, TextsOfTypes)]) -> DataTimeline {
    let mut timeline = DataTimeline::default();
    for (frame, types) in data {
        let mut data = DataModel::new();
        for (data_type, objects) in types {
            for object in objects {
                data.apply(data_type, &ImpactOp::Add, object);
            }
        }
        for (data_type, texts) in doubts.iter().filter(|(from, _)| from == frame).flat_map(|(_, types)| types)
        {
            texts.iter().for_each(|text| data.doubt(data_type, text));
        }
        timeline.push(*frame, data);
    }
    timeline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_doubt_is_read_as_it_was_stored() {
        let mut data = DataModel::new();
        let mut written = DataTimeline::default();
        for (frame, object) in ["a", "b"].into_iter().enumerate() {
            data.apply("note", &ImpactOp::Add, object);
            written.push(frame, data.clone());
        }
        data.doubt("note", "a");
        data.doubt("folder", "c");
        written.push(2, data);
        let stored: Vec<_> = written.entries().iter().map(|(frame, data)| (*frame, objects(data))).collect();
        assert_eq!(timeline(&stored, &doubts(&written)), written);
    }
}
