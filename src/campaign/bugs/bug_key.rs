//! What the same bug is known by, in every campaign, workspace and baseline.

use serde::{Deserialize, Serialize};

use crate::Finding;
use taproof_screen::{FindingOrigin, OracleKind};

/// What is the same in all findings that show a bug in one way: the oracle, its subject (the function, the page or the
/// key of a crash) and the failed conditions. Engine, seed, steps and texts of the data do not count, as they differ from run
/// to run. What crashes and logged errors are known by in one version of the app, their only condition, does not count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BugKey {
    origin: FindingOrigin,
}

impl BugKey {
    /// The key of the bug that a finding shows.
    pub fn of(finding: &Finding) -> BugKey {
        BugKey::of_origin(finding.origin.clone())
    }

    /// The key of the bug that a violation of this origin shows.
    pub fn of_origin(mut origin: FindingOrigin) -> BugKey {
        if origin.oracle.is_told_by_log() {
            origin.checks.clear();
        }
        // The order in which conditions failed says nothing.
        origin.checks.sort();
        origin.checks.dedup();
        BugKey { origin }
    }

    /// The key as this program makes it, of one that somebody may have edited.
    #[must_use]
    pub fn again(self) -> BugKey {
        BugKey::of_origin(self.origin)
    }

    /// Who says that it is a bug: the oracle, and of a loss also what it was lost by: `Keep` and `Keep, rotation`.
    pub fn said_by(&self) -> Vec<String> {
        let FindingOrigin { oracle, subject, .. } = &self.origin;
        let relation = subject.split_once(" on ").filter(|_| *oracle == OracleKind::Preservation);
        let oracle = match oracle {
            OracleKind::Preservation => "Keep",
            OracleKind::IndependentView => "Genie",
            OracleKind::MayBelief => "ODIN",
            oracle => oracle.name(),
        };
        let relation = relation.map(|(relation, _)| format!("{oracle}, {relation}"));
        std::iter::once(oracle.to_owned()).chain(relation).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(oracle: OracleKind, subject: &str) -> BugKey {
        BugKey::of_origin(FindingOrigin {
            oracle,
            subject: subject.to_owned(),
            checks: vec![subject.to_owned()],
        })
    }

    #[test]
    fn a_crash_is_known_by_what_the_next_version_of_the_app_has_too() {
        let crash = |subject: &str, check: &str| {
            let (subject, checks) = (subject.to_owned(), vec![check.to_owned()]);
            BugKey::of_origin(FindingOrigin { oracle: OracleKind::Crash, subject, checks })
        };
        let component = crash("TypeError at Cart (address at index.android.bundle:1:55)", "a:1:55)");
        assert_eq!(component, crash("TypeError at Cart (address at index.android.bundle:1:55)", "b"));
        assert_ne!(component, crash("TypeError at Cart (address at index.android.bundle:1)", "a:1:55)"));
        assert_eq!(component.clone().again(), component);
    }

    #[test]
    fn a_loss_is_told_by_what_it_was_lost_by() {
        let by = |oracle, subject: &str| key(oracle, subject).said_by().join("; ");
        assert_eq!(by(OracleKind::Preservation, "rotation on Settings"), "Keep; Keep, rotation");
        assert_eq!(by(OracleKind::IndependentView, "Main"), "Genie");
        assert_eq!(by(OracleKind::Property, "rename folder"), "property");
    }
}
