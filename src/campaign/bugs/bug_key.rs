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

    /// Who says that it is a bug: the oracle and, of a loss, what it was lost by, as `Keep, rotation`.
    pub fn said_by(&self) -> String {
        let FindingOrigin { oracle, subject, .. } = &self.origin;
        match (oracle, subject.split_once(" on ")) {
            (OracleKind::Preservation, Some((relation, _))) => format!("Keep, {relation}"),
            (OracleKind::Preservation, None) => "Keep".to_owned(),
            (OracleKind::IndependentView, _) => "Genie".to_owned(),
            (OracleKind::MayBelief, _) => "ODIN".to_owned(),
            (oracle, _) => oracle.name().to_owned(),
        }
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
        assert_eq!(key(OracleKind::Preservation, "rotation on Settings").said_by(), "Keep, rotation");
        assert_eq!(key(OracleKind::IndependentView, "Main").said_by(), "Genie");
        assert_eq!(key(OracleKind::Property, "rename folder").said_by(), "property");
    }
}
