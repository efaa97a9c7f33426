//! How a minority outcome is judged again, on fresh runs of its input and of one with the believed outcome.

use serde::{Deserialize, Serialize};

use super::from_trace::{last_behaviour, outcome};
use super::{
    Behaviour, Fingerprint, MayBeliefConfig, Rules, StateKey, VolatileViews, explain_difference,
    fingerprint_of,
};
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{FailedCheck, Frame, OracleKind, Reason, Trace, Verdict, Violation, event_clause};

/// How much later an event is done to see whether its outcome follows from time: messages have gone by then, and times in
/// minutes have changed.
pub const LATER: DeviceDuration = DeviceDuration(61_000);

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

    /// Whether time alone decides between the two outcomes: a witness or a reference whose event comes [`LATER`] shows the
    /// outcome of the other. Which row an event acts on is no matter of time.
    pub fn follows_from_time(&self, later_witness: Option<&Trace>, later_reference: Option<&Trace>) -> bool {
        let outcome = |trace: &Trace| {
            let behaviour = last_behaviour(trace, &self.app)?;
            Some(fingerprint_of(&behaviour, self.rules, &self.volatile, &self.config))
        };
        let (witness, reference) = (later_witness.and_then(outcome), later_reference.and_then(outcome));
        !self.rules.rows
            && (witness.is_some_and(|seen| self.beliefs.contains(&seen))
                || reference == Some(self.fingerprint))
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

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Event, Gesture, Selector, Step, StepRole, frame_of, layout_from};

    /// A test that taps a button, after which the page shows these words.
    fn tapped(words: &str) -> Trace {
        let page = |words: &str| {
            frame_of(layout_from(&format!("FrameLayout\n  Button#go \"Go\"\n  TextView#words \"{words}\"\n")))
        };
        let mut trace = Trace::start(page("start"));
        let selector = Selector { resource_id: Some("org.ex:id/go".to_owned()), ..Selector::default() };
        let event = Event::on(&trace.last().layout, selector, Gesture::Tap).unwrap();
        trace.push(Step { event, role: StepRole::Explored, after: page(words) });
        trace
    }

    #[test]
    fn an_outcome_that_comes_or_goes_with_time_is_no_minority() {
        let (app, volatile, config) =
            ("org.ex".to_owned(), VolatileViews::default(), MayBeliefConfig::default());
        let outcome = |trace: &Trace| {
            let last = last_behaviour(trace, "org.ex").unwrap();
            (last.before.state, fingerprint_of(&last, Rules::NONE, &volatile, &config))
        };
        let [(state, fingerprint), (_, believed)] = ["gone", "there"].map(|words| outcome(&tapped(words)));
        let violation = minority_violation("Tap Go".to_owned(), fingerprint, (60, 59, 1));
        let rule = MinorityRule {
            app,
            state,
            rules: Rules::NONE,
            fingerprint,
            beliefs: vec![believed],
            volatile: VolatileViews::default(),
            config: config.clone(),
            violation,
        };
        let [gone, there] = ["gone", "there"].map(tapped);
        assert!(!rule.follows_from_time(Some(&gone), Some(&there)), "as before");
        assert!(rule.follows_from_time(Some(&there), Some(&there)), "a minute later it is there");
        assert!(rule.follows_from_time(Some(&gone), Some(&gone)), "a minute later it is gone");
        assert!(!rule.follows_from_time(None, None));
    }
}
