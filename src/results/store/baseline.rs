//! Baselines: the bugs that are known, so that a build only fails for new ones.
//!
//! Two findings are the same bug if the app, the oracle, its subject (the function, or the signature of the crash) and the
//! failed conditions are the same. Engine, seed, steps and texts of the data do not count, as they differ from run to run;
//! nor do the line numbers of a crash, as they differ from version to version of the app.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{StoreError, replace_file};
use taproof_core::campaign::Finding;
use taproof_core::model::{FindingOrigin, OracleKind};

/// The version of the format that this program writes.
const VERSION: u32 = 1;

/// The bugs that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The title of each bug, for people.
    bugs: BTreeMap<BugKey, String>,
}

/// What makes two findings the same bug.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct BugKey {
    app: String,
    #[serde(flatten)]
    origin: FindingOrigin,
}

/// A baseline in a file.
#[derive(Serialize, Deserialize)]
struct BaselineFile {
    taproof_baseline: u32,
    bugs: Vec<KnownBug>,
}

#[derive(Serialize, Deserialize)]
struct KnownBug {
    #[serde(flatten)]
    key: BugKey,
    #[serde(default)]
    title: String,
}

impl BugKey {
    fn of(app: &str, mut origin: FindingOrigin) -> BugKey {
        if matches!(origin.oracle, OracleKind::Crash | OracleKind::NotResponding) {
            origin.subject = without_lines(&origin.subject);
            origin.checks = origin.checks.iter().map(|check| without_lines(check)).collect();
        }
        // The order in which conditions failed says nothing.
        origin.checks.sort();
        origin.checks.dedup();
        BugKey { app: app.to_owned(), origin }
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

impl Baseline {
    /// Reads a baseline. `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] if it cannot be read.
    pub fn read(path: &Path) -> Result<Option<Baseline>, StoreError> {
        let damaged = |problem: String| {
            let what = format!("{}: {problem}; write it anew by --write-baseline", path.display());
            StoreError::Damaged { what }
        };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(damaged(error.to_string())),
        };
        let file: BaselineFile = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if file.taproof_baseline != VERSION {
            let version = file.taproof_baseline;
            return Err(damaged(format!("it is a baseline of version {version}, and {VERSION} is known")));
        }
        let bugs = file.bugs.into_iter();
        let bugs = bugs.map(|bug| (BugKey::of(&bug.key.app, bug.key.origin), bug.title)).collect();
        Ok(Some(Baseline { bugs }))
    }

    /// Writes the baseline as JSON, sorted, so that versions of it can be compared line by line.
    ///
    /// # Errors
    ///
    /// [`StoreError::Write`] if the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), StoreError> {
        let bugs = self.bugs.iter();
        let bugs = bugs.map(|(key, title)| KnownBug { key: key.clone(), title: title.clone() }).collect();
        let text = serde_json::to_string_pretty(&BaselineFile { taproof_baseline: VERSION, bugs })?;
        replace_file(path, (text + "\n").as_bytes())
    }

    /// Whether this finding in the app with this package name is a known bug.
    pub fn knows(&self, app: &str, finding: &Finding) -> bool {
        self.bugs.contains_key(&BugKey::of(app, finding.origin.clone()))
    }

    /// Adds a finding. The title of a known bug stays as it is, which somebody may have written.
    pub fn add(&mut self, app: &str, finding: &Finding) {
        let key = BugKey::of(app, finding.origin.clone());
        self.bugs.entry(key).or_insert_with(|| finding.title.clone());
    }

    /// Number of known bugs.
    pub fn len(&self) -> usize {
        self.bugs.len()
    }

    /// Whether no bug is known.
    pub fn is_empty(&self) -> bool {
        self.bugs.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(app: &str, checks: &[&str]) -> BugKey {
        let checks = checks.iter().map(|check| (*check).to_owned()).collect();
        BugKey::of(app, FindingOrigin { oracle: OracleKind::Property, subject: "rename".to_owned(), checks })
    }

    #[test]
    fn a_bug_is_its_app_and_what_failed_in_whatever_order() {
        assert_eq!(key("a", &["x", "y"]), key("a", &["y", "x", "x"]));
        assert_ne!(key("a", &["x"]), key("b", &["x"]));
        assert_ne!(key("a", &["x"]), key("a", &["x", "y"]));
    }

    #[test]
    fn a_crash_is_the_same_when_its_lines_have_moved() {
        let signature =
            "java.lang.Error: at 3:4 at org.ex.A.b(A.java:214) < org.ex.C.d(C.kt:9) < e(Native Method)";
        let without = "java.lang.Error: at 3:4 at org.ex.A.b(A.java) < org.ex.C.d(C.kt) < e(Native Method)";
        assert_eq!(without_lines(signature), without);
        let key = |subject: &str| {
            let (oracle, checks) = (OracleKind::Crash, vec![subject.to_owned()]);
            BugKey::of("a", FindingOrigin { oracle, subject: subject.to_owned(), checks })
        };
        assert_eq!(key(signature), key(&signature.replace("214", "220")));
        assert_ne!(key(signature), key(&signature.replace("A.b", "A.x")));
    }

    #[test]
    fn what_is_written_is_read_and_what_is_damaged_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("baseline.json");
        assert_eq!(Baseline::read(&path).unwrap(), None);
        let bugs = BTreeMap::from([(key("a", &["\u{1b}[2J\n\"x\""]), "a <title>".to_owned())]);
        let baseline = Baseline { bugs };
        baseline.write(&path).unwrap();
        assert_eq!(Baseline::read(&path).unwrap(), Some(baseline));
        for (text, problem) in [
            ("[]", "expected"),
            (r#"{"taproof_baseline": 2, "bugs": []}"#, "version 2"),
            (r#"{"taproof_baseline": 1, "bugs": [{"app": "a"}]}"#, "oracle"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = Baseline::read(&path).unwrap_err().to_string();
            assert!(error.contains(problem) && error.contains("baseline.json"), "{error}");
        }
    }
}
