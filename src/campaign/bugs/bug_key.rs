//! What the same bug is known by, in every campaign, workspace and baseline.

use serde::{Deserialize, Serialize};

use crate::Finding;
use taproof_screen::{FindingOrigin, OracleKind};

/// What is the same in all findings that show a bug in one way: the oracle, its subject (the function, the page or the
/// signature of the crash) and the failed conditions. Engine, seed, steps and texts of the data do not count, as they differ
/// from run to run; nor do the line numbers of a crash, as they differ from version to version of the app.
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
        if matches!(origin.oracle, OracleKind::Crash | OracleKind::NotResponding) {
            origin.subject = without_lines(&origin.subject);
            origin.checks = origin.checks.iter().map(|check| without_lines(check)).collect();
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

/// The signature of a crash without its line numbers, which change whenever something is added above them:
/// `Notes.save(Notes.java:12)` becomes `Notes.save(Notes.java)`.
fn without_lines(signature: &str) -> String {
    let mut parts = signature.split(')');
    let numbered = |part: &str| {
        let (before, line) = part.rsplit_once(':')?;
        let is_line = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
        is_line.then(|| before.to_owned())
    };
    let last = parts.next_back().unwrap_or_default();
    let frames = parts.map(|part| numbered(part).unwrap_or_else(|| part.to_owned()) + ")");
    frames.collect::<String>() + last
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
    fn a_crash_is_the_same_when_its_lines_have_moved() {
        let signature =
            "java.lang.Error: at 3:4 at org.ex.A.b(A.java:214) < org.ex.C.d(C.kt:9) < e(Native Method)";
        let without = "java.lang.Error: at 3:4 at org.ex.A.b(A.java) < org.ex.C.d(C.kt) < e(Native Method)";
        assert_eq!(without_lines(signature), without);
        let crash = |subject: &str| key(OracleKind::Crash, subject);
        assert_eq!(crash(signature), crash(&signature.replace("214", "220")));
        assert_ne!(crash(signature), crash(&signature.replace("A.b", "A.x")));
        let again = crash(signature);
        assert_eq!(again.clone().again(), again);
    }

    #[test]
    fn a_loss_is_told_by_what_it_was_lost_by() {
        assert_eq!(key(OracleKind::Preservation, "rotation on Settings").said_by(), "Keep, rotation");
        assert_eq!(key(OracleKind::IndependentView, "Main").said_by(), "Genie");
        assert_eq!(key(OracleKind::Property, "rename folder").said_by(), "property");
    }
}
