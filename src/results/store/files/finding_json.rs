//! The parts of a finding other than frames, as the database stores them: one JSON object.

use serde::{Deserialize, Serialize};

use taproof_campaign::{ComparisonRule, DataTimeline, Finding, Support};
use taproof_engine::device::Environment;
use taproof_screen::{DeviceDuration, DmfSpan, FindingOrigin, Violation};

#[derive(Serialize, Deserialize)]
pub(crate) struct Detail {
    pub origin: FindingOrigin,
    pub violation: Violation,
    pub first_millis: DeviceDuration,
    pub minimal_dmfs: Vec<String>,
    /// What speaks for it, beside how often it came back.
    pub support: Support,
    pub witness_spans: Vec<DmfSpan>,
    pub minimal_spans: Vec<DmfSpan>,
    /// The data that the app should hold.
    pub data: DataTimeline,
    /// How the minimal trace is compared with the reference; `None` if there is no reference.
    pub comparison: Option<ComparisonRule>,
    /// The device and the version of the app; `None` on the bundled phone.
    #[serde(default)]
    pub environment: Option<Environment>,
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
            data: finding.data.clone(),
            comparison: finding.reference.as_ref().map(|reference| reference.rule.clone()),
            environment: finding.environment.as_deref().cloned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_spec::{DataModel, ImpactOp};

    #[test]
    fn what_is_in_doubt_is_read_as_it_was_stored() {
        let mut data = DataModel::new();
        let mut written = DataTimeline::default();
        for (frame, object) in ["a", "b"].into_iter().enumerate() {
            data.apply("note", &ImpactOp::Add, object);
            written.push(frame, data.clone());
        }
        data.apply("note", &ImpactOp::Delete, "b");
        data.doubt("note", "a");
        data.doubt("folder", "c");
        written.push(2, data);
        let stored = serde_json::to_string(&written).unwrap();
        assert_eq!(serde_json::from_str::<DataTimeline>(&stored).unwrap(), written);
    }
}
