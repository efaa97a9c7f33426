//! What an oracle says of a trace.

use serde::{Deserialize, Serialize};

use std::fmt;

use super::WidgetIdx;

/// What an oracle says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// Nothing is wrong.
    Holds,
    /// Something is wrong, with the evidence.
    Violated(Violation),
    /// It cannot be said.
    Inconclusive(Reason),
}

/// Why nothing can be said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The conditions cannot be false.
    Vacuous(String),
    /// What is looked for may be outside the visible part of a list.
    OffScreen(String),
    /// What is looked for lies under a widget that takes the touches.
    Covered(String),
    /// Model and app drifted apart earlier in the test.
    Drift(String),
    /// The specification cannot be judged (an unknown relation, a broken XPath).
    NotJudged(String),
}

/// What judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OracleKind {
    /// A DMF's postconditions.
    Property,
    /// An invariant, checked after every event.
    Invariant,
    /// The app died.
    Crash,
    /// The app does not answer.
    NotResponding,
    /// The app never finished loading.
    Loading,
    /// A detour through an independent view took away an effect (Genie).
    IndependentView,
    /// The outcome of an event is one of a tiny minority (ODIN).
    MayBelief,
}

impl OracleKind {
    /// Every one.
    pub const ALL: [OracleKind; 7] = [
        OracleKind::Property,
        OracleKind::Invariant,
        OracleKind::Crash,
        OracleKind::NotResponding,
        OracleKind::Loading,
        OracleKind::IndependentView,
        OracleKind::MayBelief,
    ];

    /// The word that commands and files use.
    pub fn name(self) -> &'static str {
        match self {
            OracleKind::Property => "property",
            OracleKind::Invariant => "invariant",
            OracleKind::Crash => "crash",
            OracleKind::NotResponding => "anr",
            OracleKind::Loading => "loading",
            OracleKind::IndependentView => "genie",
            OracleKind::MayBelief => "odin",
        }
    }
}

/// The evidence that something is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Violation {
    /// What judged.
    pub oracle: OracleKind,
    /// The DMF's or invariant's name, or the crash's exception.
    pub subject: String,
    /// Index of the DMF in the plan, for a property.
    pub dmf: Option<usize>,
    /// One sentence for a list.
    pub title: String,
    /// Every condition that failed, at least one.
    pub failures: Vec<FailedCheck>,
    /// An earlier violation or data-changing random event may have caused it.
    pub after_drift: bool,
}

/// One condition that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailedCheck {
    /// What makes two failures the same: stable across runs, without the object's own text.
    pub key: String,
    /// The condition as a sentence.
    pub condition: String,
    /// What should be seen.
    pub expected: String,
    /// What was seen.
    pub seen: String,
    /// The widgets on the last layout that are wrong.
    pub offending: Vec<WidgetIdx>,
    /// What is missing from the last layout, for a ghost row.
    pub missing: Option<String>,
}

/// What makes two violations the same report.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FindingOrigin {
    /// What judged.
    pub oracle: OracleKind,
    /// The DMF's or invariant's name, or the crash's signature.
    pub subject: String,
    /// The keys of the conditions that failed.
    pub checks: Vec<String>,
}

impl Violation {
    /// What makes two violations the same report.
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
