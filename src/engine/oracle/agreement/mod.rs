//! What the screens of an app agree on: a number that counts rows counts them, a total adds them up, what is sorted is
//! sorted, a row and the page that it opens say the same. Which of this holds is learned from a campaign's tests, as likely
//! invariants are from runs of a program (Daikon, Ernst et al., IEEE TSE 2001).
//!
//! `src/engine/oracle/agreement/paper.md` describes the idea, what is judged, and what is left out.

mod facts;
mod learner;
mod number;
mod relation;
mod way;

use serde::{Deserialize, Serialize};

pub use learner::{AgreementCounts, Agreements};
pub use relation::{Measure, Relation};
pub use way::Witness;

#[cfg(test)]
mod tests;

use learner::last_facts;
use relation::Compared;
use taproof_screen::{
    DeviceDuration, FailedCheck, OracleKind, Reason, Trace, Verdict, Violation, upper_first,
};

/// How long a screen must have been left alone before it is judged.
pub const SETTLED: DeviceDuration = DeviceDuration(3_000);

/// A screen that breaks a relation which was kept elsewhere.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// How it is seen again.
    pub witness: Witness,
    /// The relation.
    pub rule: AgreementRule,
}

/// A relation by which a trace is judged, with what speaks for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgreementRule {
    /// The package of the app.
    pub app: String,
    /// The page that is judged: a hash.
    pub page: u64,
    /// What must hold there.
    pub relation: Relation,
    /// Whether the reference shows the screen after a restart.
    pub restart: bool,
    /// Number of screens on which it held.
    pub looks: u32,
    /// Number of different data on which it held, as far as they are counted.
    pub data: u32,
    /// Number of tests in which it held.
    pub tests: u32,
}

impl AgreementRule {
    /// Number of events at the end of the witness that are no part of what led to the screen.
    pub fn witness_end(&self) -> usize {
        1 + usize::from(self.relation.is_opened())
    }

    /// Judges the last screen of the witness. It is broken only if the reference, after a restart, shows the same
    /// data and keeps the relation, or no restart is needed.
    pub fn judge(&self, witness: &Trace, reference: &Trace) -> Verdict {
        let unclear = |why: &str| Verdict::Inconclusive(Reason::NotJudged(why.to_owned()));
        let Some(seen) = self.compare(witness) else { return unclear("the screen shows something else") };
        if seen.holds {
            return Verdict::Holds;
        }
        if !self.restart {
            let missing = seen.text.clone();
            return Verdict::Violated(self.violation(&seen, witness, missing));
        }
        match self.compare(reference) {
            Some(healed) if healed.holds && healed.data == seen.data => {
                Verdict::Violated(self.violation(&seen, witness, healed.text))
            }
            _ if self.is_refuted_by(witness, reference) => Verdict::Holds,
            Some(_) | None => unclear("a restart shows something else"),
        }
    }

    /// Whether what is said follows from more than what is shown: a restart changes neither.
    pub fn is_refuted_by(&self, witness: &Trace, reference: &Trace) -> bool {
        let both = self.compare(witness).zip(self.compare(reference));
        self.restart && both.is_some_and(|(seen, same)| !seen.holds && !same.holds && same.data == seen.data)
    }

    fn compare(&self, trace: &Trace) -> Option<Compared> {
        let (opener, facts) = last_facts(trace, self.relation.is_opened(), &self.app)?;
        let opener = opener.as_ref().map(|(before, touched)| (before, *touched));
        self.relation.compare(opener, &facts).filter(|_| facts.page == self.page)
    }

    fn violation(&self, seen: &Compared, witness: &Trace, right: String) -> Violation {
        let [says, shows] = &seen.says;
        let subject = witness.last().layout.page_name();
        let condition = self.relation.condition();
        let checked = FailedCheck {
            key: format!("{condition}{}", seen.place_words(&witness.last().layout)),
            condition: format!(
                "{condition}: it did {} times, on {} different data, in {} tests",
                self.looks, self.data, self.tests
            ),
            missing: Some(right),
            ..FailedCheck::new(condition, format!("{says}, {shows}"))
        };
        Violation {
            oracle: OracleKind::Agreement,
            title: upper_first(&format!("{says} and {shows}")),
            subject,
            dmf: None,
            failures: vec![checked.at(seen.places.iter().copied())],
            after_drift: false,
        }
    }
}
