//! The parts of a finding that are not frames, as the database keeps them: one JSON object.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::StoreError;
use taproof_core::campaign::{ComparisonRule, DataTimeline, Finding};
use taproof_core::model::{
    DmfSpan, DrawnText, FailedCheck, FindingOrigin, OracleKind, TextClass, Violation, WidgetIdx,
};
use taproof_core::spec::{DataModel, ImpactOp};

#[derive(Serialize, Deserialize)]
pub(super) struct Detail {
    pub origin: StoredOrigin,
    pub violation: StoredViolation,
    pub first_millis: u64,
    pub minimal_dmfs: Vec<String>,
    pub untried: bool,
    pub witness_spans: Vec<StoredSpan>,
    pub minimal_spans: Vec<StoredSpan>,
    /// From which frame of the minimal trace on the app should hold which objects.
    pub data: Vec<(usize, BTreeMap<String, Vec<String>>)>,
    /// How the minimal trace is compared with the reference, where there is one.
    #[serde(default)]
    pub comparison: Option<ComparisonRule>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredOrigin {
    oracle: String,
    subject: String,
    checks: Vec<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredViolation {
    oracle: String,
    subject: String,
    dmf: Option<usize>,
    title: String,
    failures: Vec<StoredFailure>,
    after_drift: bool,
}

#[derive(Serialize, Deserialize)]
struct StoredFailure {
    key: String,
    condition: String,
    expected: String,
    seen: String,
    offending: Vec<u32>,
    missing: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredSpan {
    dmf: usize,
    name: String,
    first_step: usize,
    end_step: usize,
    inputs: Vec<String>,
    /// The words of the classes that the inputs were drawn as; files of older programs have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    classes: Vec<Option<String>>,
    completed: bool,
}

fn oracle_from(name: &str) -> Result<OracleKind, StoreError> {
    let found = OracleKind::ALL.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| StoreError::Damaged { what: format!("a finding has the oracle {name:?}") })
}

impl Detail {
    pub fn of(finding: &Finding) -> Self {
        let violation = &finding.violation;
        let failure = |failed: &FailedCheck| StoredFailure {
            key: failed.key.clone(),
            condition: failed.condition.clone(),
            expected: failed.expected.clone(),
            seen: failed.seen.clone(),
            offending: failed.offending.iter().map(|idx| idx.0).collect(),
            missing: failed.missing.clone(),
        };
        let objects = |data: &DataModel| {
            data.types().map(|(data_type, objects)| (data_type.clone(), objects.to_vec())).collect()
        };
        Detail {
            origin: StoredOrigin::of(&finding.origin),
            violation: StoredViolation {
                oracle: violation.oracle.name().to_owned(),
                subject: violation.subject.clone(),
                dmf: violation.dmf,
                title: violation.title.clone(),
                failures: violation.failures.iter().map(failure).collect(),
                after_drift: violation.after_drift,
            },
            first_millis: finding.first.device_time.millis(),
            minimal_dmfs: finding.minimal_dmfs.clone(),
            untried: finding.confirmation.counts().1 == 0,
            witness_spans: finding.witness.trace.spans.iter().map(StoredSpan::of).collect(),
            minimal_spans: finding.minimal.trace.spans.iter().map(StoredSpan::of).collect(),
            data: finding.data.entries().iter().map(|(frame, data)| (*frame, objects(data))).collect(),
            comparison: finding.reference.as_ref().map(|reference| reference.rule.clone()),
        }
    }

    pub fn origin(&self) -> Result<FindingOrigin, StoreError> {
        self.origin.origin()
    }

    pub fn violation(&self) -> Result<Violation, StoreError> {
        let stored = &self.violation;
        let failure = |failed: &StoredFailure| FailedCheck {
            key: failed.key.clone(),
            condition: failed.condition.clone(),
            expected: failed.expected.clone(),
            seen: failed.seen.clone(),
            offending: failed.offending.iter().map(|idx| WidgetIdx(*idx)).collect(),
            missing: failed.missing.clone(),
        };
        Ok(Violation {
            oracle: oracle_from(&stored.oracle)?,
            subject: stored.subject.clone(),
            dmf: stored.dmf,
            title: stored.title.clone(),
            failures: stored.failures.iter().map(failure).collect(),
            after_drift: stored.after_drift,
        })
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

impl StoredOrigin {
    pub fn of(origin: &FindingOrigin) -> Self {
        StoredOrigin {
            oracle: origin.oracle.name().to_owned(),
            subject: origin.subject.clone(),
            checks: origin.checks.clone(),
        }
    }

    pub fn origin(&self) -> Result<FindingOrigin, StoreError> {
        Ok(FindingOrigin {
            oracle: oracle_from(&self.oracle)?,
            subject: self.subject.clone(),
            checks: self.checks.clone(),
        })
    }
}

impl StoredSpan {
    fn drawn(&self, place: usize, text: &str) -> DrawnText {
        let word = self.classes.get(place).and_then(Option::as_deref);
        DrawnText { text: text.to_owned(), class: word.and_then(TextClass::named) }
    }

    pub fn of(span: &DmfSpan) -> Self {
        StoredSpan {
            dmf: span.dmf,
            name: span.name.clone(),
            first_step: span.first_step,
            end_step: span.end_step,
            inputs: span.texts(),
            classes: span
                .inputs
                .iter()
                .map(|drawn| drawn.class.map(|class| class.word().to_owned()))
                .collect(),
            completed: span.completed,
        }
    }

    pub fn span(&self) -> DmfSpan {
        DmfSpan {
            dmf: self.dmf,
            name: self.name.clone(),
            first_step: self.first_step,
            end_step: self.end_step,
            inputs: self.inputs.iter().enumerate().map(|(place, text)| self.drawn(place, text)).collect(),
            completed: self.completed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_of_a_text_is_kept_and_older_files_have_none() {
        let old =
            r#"{"dmf":0,"name":"add note","first_step":0,"end_step":2,"inputs":["a","B"],"completed":true}"#;
        let mut span = serde_json::from_str::<StoredSpan>(old).unwrap().span();
        assert!(span.inputs.iter().all(|drawn| drawn.class.is_none()));
        span.inputs[1].class = Some(TextClass::OtherCase);
        let text = serde_json::to_string(&StoredSpan::of(&span)).unwrap();
        assert!(text.contains(r#""inputs":["a","B"]"#), "older programs read it: {text}");
        assert_eq!(serde_json::from_str::<StoredSpan>(&text).unwrap().span(), span);
    }
}
