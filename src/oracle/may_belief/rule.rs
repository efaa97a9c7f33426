//! How a minority outcome is judged again on fresh runs of its input and of one that shows what is believed.

use serde::{Deserialize, Serialize};

use super::from_trace::last_behaviour;
use super::{Fingerprint, MayBeliefConfig, Rules, StateKey, VolatileViews, fingerprint_of};
use crate::model::{Reason, Trace, Verdict, Violation};

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
    /// What is said of it.
    pub violation: Violation,
}

impl MinorityRule {
    /// The fingerprint of a trace's last event, if it is done in the state.
    pub fn fingerprint(&self, trace: &Trace) -> Option<Fingerprint> {
        let behaviour = last_behaviour(trace, &self.app)?;
        let there = behaviour.before.state == self.state;
        there.then(|| fingerprint_of(&behaviour, self.rules, &self.volatile, &self.config))
    }

    /// Violated if the witness does what stands out and the reference what is believed.
    pub fn judge(&self, witness: &Trace, reference: &Trace) -> Verdict {
        let (Some(witness), Some(reference)) = (self.fingerprint(witness), self.fingerprint(reference))
        else {
            return Verdict::Inconclusive(Reason::Vacuous("the event is not done in its state".to_owned()));
        };
        if witness != self.fingerprint || self.beliefs.contains(&witness) {
            Verdict::Holds
        } else if self.beliefs.contains(&reference) {
            Verdict::Violated(self.violation.clone())
        } else {
            Verdict::Inconclusive(Reason::Vacuous("the reference does not do what is believed".to_owned()))
        }
    }
}
