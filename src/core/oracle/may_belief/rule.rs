//! How a minority outcome is judged again, on fresh runs of its input and of one with the believed outcome.

use serde::{Deserialize, Serialize};

use super::from_trace::{last_behaviour, outcome};
use super::{
    Behaviour, Fingerprint, MayBeliefConfig, Rules, StateKey, VolatileViews, explain_difference,
    fingerprint_of,
};
use crate::model::{FailedCheck, Frame, OracleKind, Reason, Trace, Verdict, Violation, event_clause};

/// What makes the last event of a trace a minority outcome.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MinorityRule {
    /// Package name of the app under test.
    pub app: String,
    /// The state in which the event is performed.
    pub state: StateKey,
    /// The abstraction rules under which it shows.
    pub rules: Rules,
    /// The fingerprint of the suspected outcome.
    pub fingerprint: Fingerprint,
    /// The fingerprints of the believed outcomes.
    pub beliefs: Vec<Fingerprint>,
    /// Views whose texts are ignored.
    pub volatile: VolatileViews,
    /// How fingerprints are computed.
    pub config: MayBeliefConfig,
    /// The violation to report. Its description of the difference is replaced by that of the two traces.
    pub violation: Violation,
}

impl MinorityRule {
    /// Whether waiting as long as a witness's event took has the same outcome, which is then not caused by the event.
    pub fn comes_by_itself(&self, witness: &Trace, waited: &Frame) -> bool {
        let Some(behaviour) = last_behaviour(witness, &self.app) else { return false };
        let waited = Behaviour { after: outcome(waited, &self.app), ..behaviour };
        fingerprint_of(&waited, self.rules, &self.volatile, &self.config) == self.fingerprint
    }

    /// The last behaviour of a trace and its fingerprint, if the event is performed in the state.
    fn last(&self, trace: &Trace) -> Option<(Behaviour, Fingerprint)> {
        let behaviour = last_behaviour(trace, &self.app).filter(|last| last.before.state == self.state)?;
        let fingerprint = fingerprint_of(&behaviour, self.rules, &self.volatile, &self.config);
        Some((behaviour, fingerprint))
    }

    /// Whether a trace shows a believed outcome.
    pub fn is_believed(&self, trace: &Trace) -> bool {
        self.last(trace).is_some_and(|(_, outcome)| self.beliefs.contains(&outcome))
    }

    /// Judges a pair of traces: violated if the witness shows the suspected outcome and the reference a believed one.
    pub fn judge(&self, witness: &Trace, reference: &Trace) -> Verdict {
        let event = last_clause(witness);
        let (Some((seen, witness)), Some((believed, reference))) = (self.last(witness), self.last(reference))
        else {
            return Verdict::Inconclusive(Reason::Vacuous("the event is not done in its state".to_owned()));
        };
        if witness != self.fingerprint || self.beliefs.contains(&witness) {
            Verdict::Holds
        } else if self.beliefs.contains(&reference) {
            let mut violation = self.violation.clone();
            explain_difference(&believed, &seen, self.rules, &self.volatile, &self.config)
                .write_to(&event, &mut violation);
            Verdict::Violated(violation)
        } else {
            Verdict::Inconclusive(Reason::Vacuous("the reference does not do what is believed".to_owned()))
        }
    }
}

/// What the last step of a trace does, as a clause.
fn last_clause(trace: &Trace) -> String {
    let last = trace.len().saturating_sub(1);
    let step = trace.steps().get(last).zip(trace.frame(last));
    step.map_or_else(String::new, |(step, before)| event_clause(&step.event, &before.layout, "is"))
}

/// The violation of a minority outcome, before two traces provide the description of the difference: the event in
/// words, the name of the outcome, and how often the event was performed, had the believed outcome, and had this one.
pub fn minority_violation(
    subject: String,
    outcome: Fingerprint,
    (all, believed, like_this): (usize, usize, usize),
) -> Violation {
    Violation {
        oracle: OracleKind::MayBelief,
        subject,
        dmf: None,
        title: String::new(),
        failures: vec![FailedCheck {
            key: format!("{:016x}", outcome.0),
            condition: format!("what {believed} of {all} like events did, and {like_this} did not"),
            expected: String::new(),
            seen: String::new(),
            offending: Vec::new(),
            missing: None,
        }],
        after_drift: false,
    }
}
