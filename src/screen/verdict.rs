//! Verdicts: what oracles conclude about traces, with the evidence.

use serde::{Deserialize, Serialize};

use std::fmt;

use super::WidgetIdx;

/// What an oracle concludes about a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// The oracle found nothing wrong.
    Holds,
    /// Something is wrong, with the evidence.
    Violated(Violation),
    /// The oracle cannot decide, for this reason.
    Inconclusive(Reason),
}

/// Why an oracle cannot decide. The text gives the details for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The conditions cannot be false, so nothing was checked.
    Vacuous(String),
    /// What is looked for may be outside the visible part of a list.
    OffScreen(String),
    /// What is looked for is covered by a widget that takes its touches.
    Covered(String),
    /// The data model and the app diverged earlier in the test.
    Drift(String),
    /// The specification cannot be judged (an unknown relation, a broken XPath).
    NotJudged(String),
}

words! {
    /// The oracles, each of which judges one property of traces. The aliases are the variants' names, which earlier
    /// versions wrote into the rules of comparisons.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum OracleKind {
        /// The postconditions of a DMF.
        #[serde(rename = "property", alias = "Property")]
        Property = "property",
        /// An invariant, checked after every event.
        #[serde(rename = "invariant", alias = "Invariant")]
        Invariant = "invariant",
        /// The app's process died of an exception.
        #[serde(rename = "crash", alias = "Crash")]
        Crash = "crash",
        /// The app does not respond to input (ANR).
        #[serde(rename = "anr", alias = "NotResponding")]
        NotResponding = "anr",
        /// The app logged an error that did not end it, such as an unhandled one of Dart or of JavaScript.
        #[serde(rename = "log", alias = "LogError")]
        LogError = "log",
        /// The app never finished loading.
        #[serde(rename = "loading", alias = "Loading")]
        Loading = "loading",
        /// A detour through an independent view took away an effect (Genie).
        #[serde(rename = "genie", alias = "IndependentView")]
        IndependentView = "genie",
        /// The outcome of an event is one of a tiny minority (ODIN).
        #[serde(rename = "odin", alias = "MayBelief")]
        MayBelief = "odin",
        /// A neutral detour, such as turning the phone and back, lost or changed something.
        #[serde(rename = "keep", alias = "Preservation")]
        Preservation = "keep",
        /// A screen breaks what the screens of the app agree on otherwise, such as that a number counts the rows.
        #[serde(rename = "agreement")]
        Agreement = "agreement",
    }
    /// Name of the oracle in commands and files.
    pub fn name;
    /// All oracles, in the order of their declaration.
    pub const ALL;
}

impl OracleKind {
    /// Whether the device's log tells what is wrong: a crash, a hang or an error.
    pub fn is_told_by_log(self) -> bool {
        matches!(self, OracleKind::Crash | OracleKind::NotResponding | OracleKind::LogError)
    }
}

/// The evidence that something is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Violation {
    /// The oracle that found it.
    pub oracle: OracleKind,
    /// What the violation is about: the name of the DMF or the invariant, what a crash, an ANR or a
    /// logged error is known by, the activity that keeps loading or loses an effect, or the event with the minority outcome in words.
    pub subject: String,
    /// Index of the DMF in the plan's specification; `None` unless the oracle is [`OracleKind::Property`].
    pub dmf: Option<usize>,
    /// One sentence that describes the violation in lists.
    pub title: String,
    /// Every condition that failed, at least one.
    pub failures: Vec<FailedCheck>,
    /// Whether an earlier violation, or a random event that changed data, may have caused it.
    pub after_drift: bool,
}

/// One condition that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailedCheck {
    /// Identifies the failure: stable across runs, without the object's own text.
    pub key: String,
    /// The condition as a sentence.
    pub condition: String,
    /// What should be seen.
    pub expected: String,
    /// What was seen instead, in words.
    pub seen: String,
    /// The widgets of the last layout that are wrong.
    pub offending: Vec<WidgetIdx>,
    /// What is missing from the last layout, for people; `None` if nothing is.
    pub missing: Option<String>,
}

/// Identifies what was found: violations with equal origins are the same report.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FindingOrigin {
    /// The oracle that found it.
    pub oracle: OracleKind,
    /// What the violation is about; see [`Violation::subject`].
    pub subject: String,
    /// The keys of the failed conditions.
    pub checks: Vec<String>,
}

impl FailedCheck {
    /// What stands between conditions of which one is enough.
    pub const OR: &str = " or ";

    /// The failure of two conditions of which one would have been enough.
    #[must_use]
    pub fn or(mut self, other: FailedCheck) -> FailedCheck {
        for (mine, other) in [
            (&mut self.key, other.key),
            (&mut self.condition, other.condition),
            (&mut self.expected, other.expected),
        ] {
            *mine += Self::OR;
            *mine += &other;
        }
        if self.seen != other.seen {
            self.seen = format!("{}; {}", self.seen, other.seen);
        }
        self.offending.extend(other.offending);
        self.missing = self.missing.or(other.missing);
        self
    }

    /// Creates a failure from what should be seen and what was seen. `expected` is also the key by which failures of
    /// several runs are identified, so everything that changes from run to run belongs in `seen`.
    pub fn new(expected: impl Into<String>, seen: impl Into<String>) -> Self {
        let expected = expected.into();
        FailedCheck {
            key: expected.clone(),
            condition: expected.clone(),
            expected,
            seen: seen.into(),
            offending: Vec::new(),
            missing: None,
        }
    }

    /// Returns the failure with these widgets as the wrong ones, which replays and reports mark.
    #[must_use]
    pub fn at(self, widgets: impl IntoIterator<Item = WidgetIdx>) -> Self {
        FailedCheck { offending: widgets.into_iter().collect(), ..self }
    }
}

impl Violation {
    /// Returns what identifies the violation.
    pub fn origin(&self) -> FindingOrigin {
        FindingOrigin {
            oracle: self.oracle,
            subject: self.subject.clone(),
            checks: self.failures.iter().map(|failure| failure.key.clone()).collect(),
        }
    }
}

impl fmt::Display for FindingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.oracle.name(), self.subject, self.checks.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_judged_is_written_by_its_name_and_read_by_that_of_earlier_rules() {
        for oracle in OracleKind::ALL {
            let text = format!("\"{}\"", oracle.name());
            assert_eq!(serde_json::to_string(&oracle).unwrap(), text);
            assert_eq!(serde_json::from_str::<OracleKind>(&text).unwrap(), oracle);
            // No version wrote the name of the variant of this one.
            if oracle != OracleKind::Agreement {
                assert_eq!(serde_json::from_str::<OracleKind>(&format!("\"{oracle:?}\"")).unwrap(), oracle);
            }
        }
    }
}
