//! Baselines: the bugs that are known, so that a build only fails for new ones, and what is none.
//!
//! A bug is known by the app and by what its findings are known by, their [`BugKey`]s. A bug that shows in several ways is
//! known if one of them is.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{StoreError, replace_file};
use taproof_campaign::{Bug, BugKey, BugState, Correction, Corrections, JudgedBug};

/// The version of the format that this program writes.
const VERSION: u32 = 1;

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

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct KnownBug {
    app: String,
    /// What its findings say failed.
    shown_by: BTreeSet<BugKey>,
    /// For people.
    #[serde(default)]
    title: String,
    /// Whether it is known, or none.
    #[serde(default = "known", skip_serializing_if = "is_known")]
    state: BugState,
}

fn known() -> BugState {
    BugState::Known
}

fn is_known(state: &BugState) -> bool {
    *state == BugState::Known
}

impl KnownBug {
    /// The bug of a file that somebody may have edited, with its keys as this program makes them.
    fn again(self) -> KnownBug {
        let shown_by = self.shown_by.into_iter().map(BugKey::again).collect();
        KnownBug { shown_by, ..self }
    }

    fn of(app: &str, bug: &Bug) -> KnownBug {
        KnownBug {
            app: app.to_owned(),
            shown_by: bug.keys.clone(),
            title: bug.title.clone(),
            state: BugState::Known,
        }
    }

    fn is(&self, other: &KnownBug) -> bool {
        self.app == other.app && !self.shown_by.is_disjoint(&other.shown_by)
    }
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
    pub fn knows(&self, app: &str, bug: &Bug) -> bool {
        let bug = KnownBug::of(app, bug);
        self.bugs.iter().any(|known| is_known(&known.state) && known.is(&bug))
    }

    /// What the baseline says of the app with this package name, followed by what else was said of it.
    pub fn with_said(&self, app: &str, said: &Corrections) -> Corrections {
        let here = self.bugs.iter().filter(|known| known.app == app).cloned();
        let here = here.map(|KnownBug { shown_by: keys, title, state, .. }| {
            Correction::Judged(JudgedBug { keys, state, note: String::new(), title, at: None })
        });
        Corrections(here.chain(said.0.iter().cloned()).collect())
    }

    /// Writes down what a person has said of a bug of the app with this package name: that it is none, or is known. One that
    /// is fixed is known no more; one that is a bug after all is known, but none becomes known by that.
    pub fn judge(&mut self, app: &str, judged: &JudgedBug) {
        let JudgedBug { keys, state, title, .. } = judged.clone();
        let kept = if state == BugState::NotABug { state } else { BugState::Known };
        let said = KnownBug { app: app.to_owned(), shown_by: keys, title, state: kept };
        match state {
            BugState::Fixed => self.bugs.retain(|known| !known.is(&said)),
            BugState::New | BugState::True if !self.bugs.iter().any(|known| known.is(&said)) => {}
            BugState::New | BugState::True | BugState::Known | BugState::NotABug => self.take(said),
        }
    }

    /// Adds a bug. The title of a known bug stays as it is, which somebody may have written.
    pub fn add(&mut self, app: &str, bug: &Bug) {
        self.take(KnownBug::of(app, bug));
    }

    /// Adds a bug, joined with those that are the same. Whether it is none is as it was said last.
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
        self.bugs.iter().filter(|known| is_known(&known.state)).count()
    }

    /// Whether no bug is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{FindingOrigin, OracleKind};

    fn bug(app: &str, title: &str, ways: &[&[&str]]) -> KnownBug {
        let key = |checks: &&[&str]| {
            let checks = checks.iter().map(|check| (*check).to_owned()).collect();
            BugKey::of_origin(FindingOrigin {
                oracle: OracleKind::Property,
                subject: "rename".to_owned(),
                checks,
            })
        };
        let shown_by = ways.iter().map(key).collect();
        KnownBug { app: app.to_owned(), shown_by, title: title.to_owned(), state: BugState::Known }
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
    fn what_was_dismissed_is_no_known_bug() {
        let mut baseline = baseline([bug("a", "first", &[&["x"]])]);
        let KnownBug { shown_by: keys, title, .. } = bug("a", "late", &[&["x"], &["y"]]);
        let judged = |state| {
            let (keys, title) = (keys.clone(), title.clone());
            JudgedBug { keys, state, note: String::new(), title, at: Some(7) }
        };
        let said = |baseline: &Baseline, app| {
            let all = baseline.with_said(app, &Corrections::default());
            all.said_of(&keys).map(|said| said.state)
        };
        use BugState::{Fixed, Known, NotABug, True};
        baseline.judge("a", &judged(NotABug));
        assert_eq!((baseline.len(), said(&baseline, "a"), said(&baseline, "b")), (0, Some(NotABug), None));
        for (state, len, kept) in
            [(True, 1, Some(Known)), (Fixed, 0, None), (True, 0, None), (Known, 1, Some(Known))]
        {
            baseline.judge("a", &judged(state));
            assert_eq!((baseline.len(), said(&baseline, "a")), (len, kept), "{state:?}");
        }
    }

    #[test]
    fn what_is_written_is_read_and_what_is_damaged_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("baseline.json");
        assert_eq!(Baseline::read(&path).unwrap(), None);
        let dismissed = KnownBug { state: BugState::NotABug, ..bug("b", "none", &[&["x"]]) };
        let baseline = baseline([bug("a", "a <title>", &[&["\u{1b}[2J\n\"x\""]]), dismissed]);
        baseline.write(&path).unwrap();
        assert_eq!(Baseline::read(&path).unwrap(), Some(baseline));
        for (text, problem) in [
            ("[]", "expected"),
            (r#"{"taproof_baseline": 3, "bugs": []}"#, "version 3"),
            (r#"{"taproof_baseline": 1, "bugs": [{"app": "a"}]}"#, "shown_by"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = Baseline::read(&path).unwrap_err().to_string();
            assert!(error.contains(problem) && error.contains("baseline.json"), "{error}");
        }
    }
}
