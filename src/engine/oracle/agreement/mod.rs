//! What the screens of an app agree on: a number that counts rows counts them, a total adds them up, what is sorted is
//! sorted, a row and the page that it opens say the same. Which of this holds is learned from a campaign's tests, as likely
//! invariants are from runs of a program (Daikon, Ernst et al., IEEE TSE 2001).
//!
//! `src/engine/oracle/agreement/paper.md` describes the idea, what is judged, and what is left out.

mod facts;
mod learner;
mod measure;
mod number;
mod relation;
mod way;

use serde::{Deserialize, Serialize};

pub use learner::{AgreementCounts, Agreements};
pub use measure::Measure;
pub use relation::Relation;
pub use way::Witness;

#[cfg(test)]
mod tests;

use learner::last_facts;
use relation::{Compared, Told};
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
        let Some((seen, told)) = self.compare(witness) else {
            return unclear("the screen shows something else");
        };
        if seen.holds {
            return Verdict::Holds;
        }
        if !self.restart {
            let missing = told.text.clone();
            return Verdict::Violated(self.violation(&told, witness, missing));
        }
        match self.compare(reference) {
            Some((healed, right)) if healed.holds && healed.data == seen.data => {
                Verdict::Violated(self.violation(&told, witness, right.text))
            }
            _ if self.is_refuted_by(witness, reference) => Verdict::Holds,
            Some(_) | None => unclear("a restart shows something else"),
        }
    }

    /// Whether what is said follows from more than what is shown: a restart changes neither.
    pub fn is_refuted_by(&self, witness: &Trace, reference: &Trace) -> bool {
        let both = self.compare(witness).zip(self.compare(reference));
        let unchanged = |seen: Compared, same: Compared| !seen.holds && !same.holds && same.data == seen.data;
        self.restart && both.is_some_and(|((seen, _), (same, _))| unchanged(seen, same))
    }

    fn compare(&self, trace: &Trace) -> Option<(Compared, Told)> {
        let (opener, facts) = last_facts(trace, self.relation.is_opened(), &self.app)?;
        let opener = opener.as_ref().map(|(before, touched)| (before, *touched));
        let compared = self.relation.compare(opener, &facts).filter(|_| facts.page == self.page)?;
        Some((compared, self.relation.told(opener, &facts)?))
    }

    fn violation(&self, told: &Told, witness: &Trace, right: String) -> Violation {
        let ([says, shows], last) = (&told.says, witness.last());
        let (subject, condition) = (last.layout.page_name(), self.relation.condition());
        let id = told.places.first().and_then(|idx| last.layout.get(*idx)?.short_id());
        let checked = FailedCheck {
            // Relations of one kind on a page are told apart by the id of the first place.
            key: format!("{condition}{}", id.map_or(String::new(), |id| format!(" ({id})"))),
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
            failures: vec![checked.at(told.places.iter().copied())],
            after_drift: false,
        }
    }
}
