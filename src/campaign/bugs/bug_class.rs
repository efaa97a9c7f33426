//! Bug or suspicion: what the evidence of a finding amounts to. Decided here and nowhere else.

use std::fmt;
use taproof_screen::words;

use serde::{Deserialize, Serialize};

use crate::{Confirmation, Finding, FindingState, Reference};
use taproof_engine::oracle::ComparisonRule;
use taproof_engine::oracle::agreement::AgreementRule;
use taproof_screen::{OracleKind, counted};

words! {
    /// What a finding, or a group of findings with one cause, amounts to. The strongest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum BugClass {
        /// The evidence suffices to say that the app does something wrong.
        Bug = "bug",
        /// It came back each time, and the evidence does not suffice yet.
        Suspicion = "suspicion",
        /// It did not come back each time, or was not tried again.
        Unsure = "unsure",
        /// A person has said that it is no bug.
        Dismissed = "dismissed",
    }
    /// The class in a word, as files and commands have it.
    pub fn word;
    /// All classes.
    pub const ALL;
}

/// What speaks for a violation, beside how often it came back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Support {
    /// Number of re-executions whose control showed nothing: without the detour, with a pause in its place, nothing was lost;
    /// two executions of the test that is compared with do not differ.
    pub controls: u32,
    /// Number of other tests, each with other events or other data and with its own control, that showed the same.
    pub other_tests: u32,
    /// Whether what should be seen is seen after a while.
    #[serde(default)]
    pub comes_late: bool,
    /// Whether the tester demands that the app logs no error.
    #[serde(default)]
    pub log_demanded: bool,
}

impl BugClass {
    /// The class that this word names.
    pub fn from_word(word: &str) -> Option<BugClass> {
        BugClass::ALL.into_iter().find(|class| class.word() == word)
    }
}

impl fmt::Display for BugClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// So many bugs and suspicions, in words: `3 bugs, 1 suspicion`.
pub fn bugs_in_words(bugs: usize, suspicions: usize) -> String {
    let suspected = match suspicions {
        0 => String::new(),
        some => format!(", {}", counted(some, "suspicion")),
    };
    format!("{}{suspected}", counted(bugs, "bug"))
}

/// What a violation is a contradiction of.
enum Basis<'f> {
    /// The screen contradicts what a person or the platform demands of the app.
    Demand,
    /// Something is lost by a detour that should change nothing.
    Loss,
    /// Two tests of the same app differ.
    Comparison(&'f ComparisonRule),
    /// The app logs an error and goes on.
    Logged,
}

impl Finding {
    /// Whether the finding is a bug. What contradicts a property, an invariant or what every app must do is one if it came
    /// back each time. A loss must have had a control each time that kept what was lost. A difference between two tests must
    /// have been shown by a second, different test, and by no control.
    pub fn class(&self) -> BugClass {
        let Support { controls, other_tests, .. } = self.support;
        match (self.confirmation, self.basis()) {
            (Confirmation::Untried | Confirmation::Flaky { .. }, _) => BugClass::Unsure,
            (Confirmation::Reproduced { .. }, Basis::Demand) => BugClass::Bug,
            (Confirmation::Reproduced { hits, .. }, Basis::Loss) if controls >= hits => BugClass::Bug,
            (Confirmation::Reproduced { .. }, Basis::Comparison(_)) if controls > 0 && other_tests > 0 => {
                BugClass::Bug
            }
            (Confirmation::Reproduced { .. }, Basis::Loss | Basis::Comparison(_) | Basis::Logged) => {
                BugClass::Suspicion
            }
        }
    }

    /// Whether it counts as a bug, in exit codes, lists and test results, unless a person dismissed it: it is one, or it
    /// contradicts a demand and did not come back each time or was not tried again. What was only ever seen on one screen
    /// may be due to the phone; what the log tells has happened.
    pub fn counts(&self) -> bool {
        let never_came_back =
            self.finished && matches!(self.confirmation, Confirmation::Flaky { hits: 0, .. });
        match self.class() {
            BugClass::Bug => true,
            BugClass::Unsure if never_came_back && !self.origin.oracle.is_told_by_log() => false,
            BugClass::Unsure => matches!(self.basis(), Basis::Demand),
            BugClass::Suspicion | BugClass::Dismissed => false,
        }
    }

    fn basis(&self) -> Basis<'_> {
        match (&self.reference, self.origin.oracle) {
            (Some(Reference { rule, .. }), _) => Basis::Comparison(rule),
            (None, OracleKind::Preservation) => Basis::Loss,
            (None, OracleKind::LogError) if !self.support.log_demanded => Basis::Logged,
            (None, _) => Basis::Demand,
        }
    }

    /// What it rests on, as a sentence without a full stop.
    pub fn rests_on(&self) -> String {
        let Support { controls, other_tests, comes_late, .. } = self.support;
        let state = FindingState::of(self);
        let tests = match other_tests {
            0 => "no second test has shown it".to_owned(),
            1 => "a second test with other data showed it as well".to_owned(),
            many => format!("{many} more tests with other data showed it as well"),
        };
        match self.basis() {
            Basis::Demand => {
                let late = if comes_late { ", and agrees with it after a while" } else { "" };
                format!("the screen contradicts what should be{late}; it {state}")
            }
            Basis::Loss => {
                format!("a detour lost it; it {state}, and a pause instead kept it {controls} times")
            }
            Basis::Logged => format!("the app logs an error and goes on; it {state}"),
            Basis::Comparison(ComparisonRule::Effects(_)) => {
                format!("one test with a detour and without it differ; it {state}, and {tests}")
            }
            Basis::Comparison(ComparisonRule::Minority(_)) => {
                format!("most tests see something else after the same event; it {state}, and {tests}")
            }
            Basis::Comparison(ComparisonRule::Agreement(rule)) => {
                let AgreementRule { looks, data, .. } = **rule;
                format!("it was kept {looks} times, on {data} different data; it {state}, and {tests}")
            }
        }
    }

    /// What would make it a bug or show that it is none, as a sentence without a full stop; `None` if nothing is needed.
    pub fn settled_by(&self) -> Option<&'static str> {
        match (self.class(), self.basis()) {
            (BugClass::Bug | BugClass::Dismissed, _) => None,
            (BugClass::Unsure, _) => Some("re-executions that show it each time"),
            (BugClass::Suspicion, Basis::Loss) => {
                Some("a pause in place of the detour after which all is still there, each time")
            }
            (BugClass::Suspicion, Basis::Logged) => {
                Some("a look of yours, or `--log-errors fail`, by which such errors are bugs")
            }
            (BugClass::Suspicion, Basis::Demand | Basis::Comparison(_)) => {
                Some("a second test with other steps or other texts that shows it, or a look of yours")
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{Attribution, DataTimeline, Evidence};
    use taproof_engine::Moment;
    use taproof_engine::oracle::EffectComparison;
    use taproof_screen::{DeviceDuration, FindingOrigin, Trace, Violation, frame_of, layout_from};

    /// A finding that came back so often, with so many controls that kept what was lost, and other tests that showed it.
    pub(in crate::bugs) fn finding(
        oracle: OracleKind,
        (hits, tries): (u32, u32),
        (controls, other_tests): (u32, u32),
    ) -> Finding {
        let evidence = || Evidence::without_pictures(Trace::start(frame_of(layout_from("FrameLayout\n"))));
        let compared = oracle == OracleKind::IndependentView;
        Finding {
            id: String::new(),
            origin: FindingOrigin { oracle, subject: String::new(), checks: Vec::new() },
            violation: Violation {
                oracle,
                subject: String::new(),
                dmf: None,
                title: String::new(),
                failures: Vec::new(),
                after_drift: false,
            },
            title: String::new(),
            engine: "",
            seed: 1,
            first: Moment { event: 1, device_time: DeviceDuration(1) },
            count: 1,
            witness: evidence(),
            minimal: evidence(),
            minimal_dmfs: Vec::new(),
            confirmation: Confirmation::of(hits, tries),
            support: Support { controls, other_tests, ..Support::default() },
            finished: true,
            attribution: Attribution::NONE,
            data: DataTimeline::default(),
            reference: compared.then(|| Reference {
                evidence: evidence(),
                rule: ComparisonRule::Effects(EffectComparison::default()),
            }),
            environment: None,
        }
    }

    #[test]
    fn a_bug_needs_a_demand_or_controls_or_a_second_test_and_comes_back_each_time() {
        use BugClass::{Bug, Suspicion, Unsure};
        let check = |oracle, counts, support, class, counts_as_bug| {
            let finding = finding(oracle, counts, support);
            let found = (finding.class(), finding.counts(), finding.settled_by().is_some());
            assert_eq!(found, (class, counts_as_bug, class != Bug), "{oracle:?} {counts:?} {support:?}");
        };
        for oracle in [OracleKind::Property, OracleKind::Crash, OracleKind::Loading, OracleKind::Invariant] {
            check(oracle, (3, 3), (0, 0), Bug, true);
            check(oracle, (2, 3), (0, 0), Unsure, true);
            check(oracle, (0, 0), (0, 0), Unsure, true);
            check(oracle, (0, 3), (0, 0), Unsure, oracle == OracleKind::Crash);
        }
        check(OracleKind::LogError, (3, 3), (0, 0), Suspicion, false);
        check(OracleKind::LogError, (2, 3), (0, 0), Unsure, false);
        let mut demanded = finding(OracleKind::LogError, (3, 3), (0, 0));
        demanded.support.log_demanded = true;
        assert!(demanded.class() == Bug && demanded.counts());
        let loss = OracleKind::Preservation;
        check(loss, (3, 3), (3, 0), Bug, true);
        check(loss, (3, 3), (2, 0), Suspicion, false);
        check(loss, (2, 3), (2, 0), Unsure, false);
        let difference = OracleKind::IndependentView;
        check(difference, (3, 3), (1, 1), Bug, true);
        check(difference, (3, 3), (1, 0), Suspicion, false);
        check(difference, (3, 3), (0, 2), Suspicion, false);
        check(difference, (0, 1), (0, 0), Unsure, false);
    }
}
