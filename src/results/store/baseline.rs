//! Baselines: the bugs that are known, so that a build only fails for new ones.
//!
//! A bug is known by what its findings are known by: the app, the oracle, its subject (the function, or the signature of
//! the crash) and the failed conditions. Engine, seed, steps and texts of the data do not count, as they differ from run to
//! run; nor do the line numbers of a crash, as they differ from version to version of the app. A bug that shows in several
//! ways is known if one of them is.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{StoreError, replace_file};
use taproof_core::campaign::Bug;
use taproof_core::model::{FindingOrigin, OracleKind};

/// The version of the format that this program writes.
const VERSION: u32 = 2;

/// The bugs that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// Sorted by app and by what shows them, so that versions of a file can be compared line by line.
    bugs: BTreeSet<KnownBug>,
}

/// A baseline in a file.
#[derive(Serialize, Deserialize)]
struct BaselineFile {
    taproof_baseline: u32,
    bugs: Vec<KnownBug>,
}

/// A baseline of version 1, with an entry for each way in which a bug shows.
#[derive(Deserialize)]
struct BaselineFile1 {
    bugs: Vec<KnownBug1>,
}

#[derive(Deserialize)]
struct KnownBug1 {
    app: String,
    #[serde(flatten)]
    origin: FindingOrigin,
    #[serde(default)]
    title: String,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct KnownBug {
    app: String,
    /// What its findings say failed.
    shown_by: BTreeSet<BugKey>,
    /// For people.
    #[serde(default)]
    title: String,
}

/// What is the same in all findings that show a bug in one way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct BugKey {
    origin: FindingOrigin,
}

impl BaselineFile1 {
    fn known(self) -> Vec<KnownBug> {
        let known = |bug: KnownBug1| {
            let shown_by = BTreeSet::from([BugKey { origin: bug.origin }]);
            KnownBug { app: bug.app, shown_by, title: bug.title }
        };
        self.bugs.into_iter().map(known).collect()
    }
}

impl KnownBug {
    /// The bug of a file that somebody may have edited, with its keys as this program makes them.
    fn again(self) -> KnownBug {
        let shown_by = self.shown_by.into_iter().map(|key| BugKey::of(key.origin)).collect();
        KnownBug { shown_by, ..self }
    }

    fn of(app: &str, bug: &Bug<'_>) -> KnownBug {
        let shown_by = bug.findings().map(|finding| BugKey::of(finding.origin.clone())).collect();
        KnownBug { app: app.to_owned(), shown_by, title: bug.title.clone() }
    }

    fn is(&self, other: &KnownBug) -> bool {
        self.app == other.app && !self.shown_by.is_disjoint(&other.shown_by)
    }
}

impl BugKey {
    pub(super) fn of(mut origin: FindingOrigin) -> BugKey {
        if matches!(origin.oracle, OracleKind::Crash | OracleKind::NotResponding) {
            origin.subject = without_lines(&origin.subject);
            origin.checks = origin.checks.iter().map(|check| without_lines(check)).collect();
        }
        // The order in which conditions failed says nothing.
        origin.checks.sort();
        origin.checks.dedup();
        BugKey { origin }
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
        let file: Value = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        let bugs = match file.get("taproof_baseline").and_then(Value::as_u64) {
            Some(1) => serde_json::from_value(file).map(|file: BaselineFile1| file.known()),
            Some(version) if version != u64::from(VERSION) => {
                return Err(damaged(format!(
                    "it is a baseline of version {version}, and {VERSION} is known"
                )));
            }
            Some(_) | None => serde_json::from_value(file).map(|file: BaselineFile| file.bugs),
        };
        let mut baseline = Baseline::default();
        bugs.map_err(|error| damaged(error.to_string()))?
            .into_iter()
            .for_each(|bug| baseline.take(bug.again()));
        Ok(Some(baseline))
    }

    /// Writes the baseline as JSON, sorted, so that versions of it can be compared line by line.
    ///
    /// # Errors
    ///
    /// [`StoreError::Write`] if the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), StoreError> {
        let bugs = self.bugs.iter().cloned().collect();
        let text = serde_json::to_string_pretty(&BaselineFile { taproof_baseline: VERSION, bugs })?;
        replace_file(path, (text + "\n").as_bytes())
    }

    /// Whether this bug of the app with this package name is known.
    pub fn knows(&self, app: &str, bug: &Bug<'_>) -> bool {
        let bug = KnownBug::of(app, bug);
        self.bugs.iter().any(|known| known.is(&bug))
    }

    /// Adds a bug. The title of a known bug stays as it is, which somebody may have written.
    pub fn add(&mut self, app: &str, bug: &Bug<'_>) {
        self.take(KnownBug::of(app, bug));
    }

    /// Adds a bug, joined with those that are the same.
    fn take(&mut self, mut bug: KnownBug) {
        let (same, others): (BTreeSet<KnownBug>, BTreeSet<KnownBug>) =
            std::mem::take(&mut self.bugs).into_iter().partition(|known| known.is(&bug));
        if let Some(known) = same.first() {
            bug.title.clone_from(&known.title);
        }
        same.into_iter().for_each(|known| bug.shown_by.extend(known.shown_by));
        self.bugs = others;
        self.bugs.insert(bug);
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

    fn bug(app: &str, title: &str, ways: &[&[&str]]) -> KnownBug {
        let key = |checks: &&[&str]| {
            let checks = checks.iter().map(|check| (*check).to_owned()).collect();
            BugKey::of(FindingOrigin { oracle: OracleKind::Property, subject: "rename".to_owned(), checks })
        };
        KnownBug { app: app.to_owned(), shown_by: ways.iter().map(key).collect(), title: title.to_owned() }
    }

    fn baseline(bugs: impl IntoIterator<Item = KnownBug>) -> Baseline {
        let mut baseline = Baseline::default();
        bugs.into_iter().for_each(|bug| baseline.take(bug));
        baseline
    }

    #[test]
    fn a_bug_is_its_app_and_what_failed_in_whatever_order() {
        assert!(bug("a", "", &[&["x", "y"]]).is(&bug("a", "", &[&["y", "x", "x"]])));
        assert!(!bug("a", "", &[&["x"]]).is(&bug("b", "", &[&["x"]])));
        assert!(!bug("a", "", &[&["x"]]).is(&bug("a", "", &[&["x", "y"]])));
    }

    #[test]
    fn a_bug_is_known_by_each_way_in_which_it_shows() {
        let first = bug("a", "first", &[&["x"], &["y"]]);
        let joined =
            baseline([first.clone(), bug("a", "other", &[&["z"]]), bug("a", "late", &[&["y"], &["w"]])]);
        let expected = [bug("a", "first", &[&["w"], &["x"], &["y"]]), bug("a", "other", &[&["z"]])];
        assert_eq!(joined.bugs, BTreeSet::from(expected));
        // A bug that shows that two are one joins them.
        let one = baseline(joined.bugs.into_iter().chain([bug("a", "", &[&["x"], &["z"]])]));
        assert_eq!(one.len(), 1);
        assert!(one.bugs.first().unwrap().is(&first));
    }

    #[test]
    fn a_crash_is_the_same_when_its_lines_have_moved() {
        let signature =
            "java.lang.Error: at 3:4 at org.ex.A.b(A.java:214) < org.ex.C.d(C.kt:9) < e(Native Method)";
        let without = "java.lang.Error: at 3:4 at org.ex.A.b(A.java) < org.ex.C.d(C.kt) < e(Native Method)";
        assert_eq!(without_lines(signature), without);
        let key = |subject: &str| {
            let (oracle, checks) = (OracleKind::Crash, vec![subject.to_owned()]);
            BugKey::of(FindingOrigin { oracle, subject: subject.to_owned(), checks })
        };
        assert_eq!(key(signature), key(&signature.replace("214", "220")));
        assert_ne!(key(signature), key(&signature.replace("A.b", "A.x")));
    }

    #[test]
    fn a_baseline_of_version_1_is_still_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("baseline.json");
        let text = r#"{"taproof_baseline": 1, "bugs": [
            {"app": "a", "oracle": "property", "subject": "rename", "checks": ["y", "x"], "title": "t"}]}"#;
        std::fs::write(&path, text).unwrap();
        assert_eq!(Baseline::read(&path).unwrap(), Some(baseline([bug("a", "t", &[&["x", "y"]])])));
    }

    #[test]
    fn what_is_written_is_read_and_what_is_damaged_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("baseline.json");
        assert_eq!(Baseline::read(&path).unwrap(), None);
        let baseline = baseline([bug("a", "a <title>", &[&["\u{1b}[2J\n\"x\""]])]);
        baseline.write(&path).unwrap();
        assert_eq!(Baseline::read(&path).unwrap(), Some(baseline));
        for (text, problem) in [
            ("[]", "expected"),
            (r#"{"taproof_baseline": 3, "bugs": []}"#, "version 3"),
            (r#"{"taproof_baseline": 1, "bugs": [{"app": "a"}]}"#, "oracle"),
            (r#"{"taproof_baseline": 2, "bugs": [{"app": "a"}]}"#, "shown_by"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = Baseline::read(&path).unwrap_err().to_string();
            assert!(error.contains(problem) && error.contains("baseline.json"), "{error}");
        }
    }
}
