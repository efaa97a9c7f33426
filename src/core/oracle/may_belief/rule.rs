//! How a minority outcome is judged again on fresh runs of its input and of one that shows what is believed.

use serde::{Deserialize, Serialize};

use super::from_trace::{last_behaviour, outcome};
use super::{
    Behaviour, Fingerprint, MayBeliefConfig, Rules, StateKey, VolatileViews, fingerprint_of, tell_apart,
};
use crate::model::{FailedCheck, Frame, OracleKind, Reason, Trace, Verdict, Violation};

/// What makes the last event of a trace a minority outcome.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MinorityRule {
    /// The app under test.
    pub app: String,
    /// The state in which the event is done.
    pub state: StateKey,
    /// The abstraction that shows it.
    pub rules: Rules,
    /// What stands out.
    pub fingerprint: Fingerprint,
    /// What is believed.
    pub beliefs: Vec<Fingerprint>,
    /// Views whose words do not count.
    pub volatile: VolatileViews,
    /// How fingerprints are taken.
    pub config: MayBeliefConfig,
    /// What is said of it; the words that tell the two apart are those of the traces.
    pub violation: Violation,
}

impl MinorityRule {
    /// Whether the same comes of waiting as long as a witness's event took: then it is not the event's outcome.
    pub fn comes_by_itself(&self, witness: &Trace, waited: &Frame) -> bool {
        let Some(behaviour) = last_behaviour(witness, &self.app) else { return false };
        let waited = Behaviour { after: outcome(waited, &self.app), ..behaviour };
        fingerprint_of(&waited, self.rules, &self.volatile, &self.config) == self.fingerprint
    }

    /// What comes of a trace's last event, if it is done in the state.
    fn last(&self, trace: &Trace) -> Option<(Behaviour, Fingerprint)> {
        let behaviour = last_behaviour(trace, &self.app).filter(|last| last.before.state == self.state)?;
        let fingerprint = fingerprint_of(&behaviour, self.rules, &self.volatile, &self.config);
        Some((behaviour, fingerprint))
    }

    /// Violated if the witness does what stands out and the reference what is believed.
    pub fn judge(&self, witness: &Trace, reference: &Trace) -> Verdict {
        let (Some((seen, witness)), Some((believed, reference))) = (self.last(witness), self.last(reference))
        else {
            return Verdict::Inconclusive(Reason::Vacuous("the event is not done in its state".to_owned()));
        };
        if witness != self.fingerprint || self.beliefs.contains(&witness) {
            Verdict::Holds
        } else if self.beliefs.contains(&reference) {
            let mut violation = self.violation.clone();
            tell_apart(&believed, &seen, self.rules, &self.volatile, &self.config).say(&mut violation);
            Verdict::Violated(violation)
        } else {
            Verdict::Inconclusive(Reason::Vacuous("the reference does not do what is believed".to_owned()))
        }
    }
}

/// What is said of a minority outcome before two traces are seen that tell it apart: the event in words, what the
/// outcome is called, and how often the event was done, what is believed came of it, and this.
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
