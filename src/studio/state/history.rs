//! What was found, in this window and before: the findings of the workspace, searched, filtered and grouped by
//! their cause.

use std::collections::BTreeSet;

use taproof_core::campaign::{Attribution, Cause, by_cause};

/// Names a finding for good: by its campaign in the workspace, and its name there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingKey {
    /// The campaign's row.
    pub campaign: i64,
    /// The finding's name.
    pub name: String,
}

/// What panels ask of the findings.
#[derive(Clone, Debug, PartialEq)]
pub enum HistoryCommand {
    /// Opens a finding in Replay.
    Open(FindingKey),
    /// Closes what is open in Replay.
    Close,
    /// Shows what matches.
    Filter(Box<FindingFilter>),
    /// Notes whether somebody has looked at a finding.
    See(FindingKey, bool),
}

/// A finding of the workspace, as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryRow {
    /// Which.
    pub key: FindingKey,
    /// The number that commands take.
    pub number: i64,
    /// One sentence.
    pub title: String,
    /// What judged, in one word.
    pub oracle: String,
    /// The app's package.
    pub app: String,
    /// The build, in one word.
    pub build: String,
    /// The engine's name.
    pub engine: String,
    /// The seed.
    pub seed: u64,
    /// Steps of the short way, and of the test that showed it.
    pub steps: (u64, u64),
    /// Times that it came back, and times that it was tried.
    pub confirmed: (u32, u32),
    /// The bugs that cause it, where known.
    pub bugs: Attribution,
    /// Whether somebody has looked at it.
    pub seen: bool,
}

/// What of the findings is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingFilter {
    /// Words that must all occur.
    pub search: String,
    /// The app's package.
    pub app: Option<String>,
    /// What judged.
    pub oracle: Option<String>,
    /// Only what nobody has looked at.
    pub unseen: bool,
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryLine {
    /// Findings of one cause follow.
    Cause {
        /// The bugs; none where the cause is not known.
        bugs: Attribution,
        /// Package of the app that the newest was found in.
        app: String,
        /// The engines that found them, in the order of finding.
        engines: Vec<String>,
        /// How many follow.
        count: usize,
    },
    /// A finding, by its place among the rows.
    Finding(usize),
}

/// A finding that is being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Which.
    pub key: FindingKey,
    /// Its title.
    pub title: String,
    /// Why it cannot be read.
    pub problem: Option<String>,
}

/// The findings of the workspace.
#[derive(Default)]
pub struct History {
    rows: Vec<HistoryRow>,
    lines: Vec<HistoryLine>,
    apps: BTreeSet<String>,
    oracles: BTreeSet<String>,
    filter: FindingFilter,
    /// Whether the workspace was read.
    pub read: bool,
    /// Why the workspace cannot be read.
    pub problem: Option<String>,
    /// The finding that is being read, or cannot be.
    pub opening: Option<Opening>,
}

impl History {
    /// All findings, the newest first.
    pub fn rows(&self) -> &[HistoryRow] {
        &self.rows
    }

    /// What is shown of them, grouped by cause; the groups and their findings newest first.
    pub fn lines(&self) -> &[HistoryLine] {
        &self.lines
    }

    /// What they are filtered by.
    pub fn filter(&self) -> &FindingFilter {
        &self.filter
    }

    /// The finding of that key.
    pub fn get(&self, key: &FindingKey) -> Option<&HistoryRow> {
        self.rows.iter().find(|row| row.key == *key)
    }

    /// How many nobody has looked at.
    pub fn unseen(&self) -> usize {
        self.rows.iter().filter(|row| !row.seen).count()
    }

    /// The packages of the apps that occur.
    pub fn apps(&self) -> &BTreeSet<String> {
        &self.apps
    }

    /// The oracles that occur.
    pub fn oracles(&self) -> &BTreeSet<String> {
        &self.oracles
    }

    /// Takes what the workspace holds, or why that cannot be said.
    pub fn take(&mut self, read: Result<Vec<HistoryRow>, String>) {
        self.read = true;
        match read {
            Ok(mut rows) => {
                rows.sort_by_key(|row| std::cmp::Reverse(row.number));
                self.apps = rows.iter().map(|row| row.app.clone()).collect();
                self.oracles = rows.iter().map(|row| row.oracle.clone()).collect();
                self.rows = rows;
                self.problem = None;
            }
            Err(problem) => self.problem = Some(problem),
        }
        self.arrange();
    }

    /// Shows what matches.
    pub fn set_filter(&mut self, filter: FindingFilter) {
        self.filter = filter;
        self.arrange();
    }

    /// Notes whether somebody has looked at a finding; true if that is new.
    pub fn see(&mut self, key: &FindingKey, seen: bool) -> bool {
        let row = self.rows.iter_mut().find(|row| row.key == *key && row.seen != seen);
        // A filter for what is new does not take the row away under the pointer.
        row.map(|row| row.seen = seen).is_some()
    }

    fn arrange(&mut self) {
        let shown: Vec<(usize, &HistoryRow)> =
            self.rows.iter().enumerate().filter(|(_, row)| self.filter.matches(row)).collect();
        let causes = by_cause(&shown, |(_, row)| (&row.app, row.cause()));
        let groups = causes.iter().map(|cause| cause.iter().map(|(index, _)| *index).collect::<Vec<usize>>());
        self.lines = groups.flat_map(|group| self.group_lines(&group)).collect();
    }

    fn engines_of(&self, group: &[usize]) -> Vec<String> {
        let mut engines: Vec<String> = Vec::new();
        for row in group.iter().rev().filter_map(|place| self.rows.get(*place)) {
            if !engines.contains(&row.engine) {
                engines.push(row.engine.clone());
            }
        }
        engines
    }

    fn group_lines(&self, group: &[usize]) -> Vec<HistoryLine> {
        let head = group.first().and_then(|first| self.rows.get(*first)).map(|row| HistoryLine::Cause {
            bugs: row.bugs.clone(),
            app: row.app.clone(),
            engines: self.engines_of(group),
            count: group.len(),
        });
        head.into_iter().chain(group.iter().copied().map(HistoryLine::Finding)).collect()
    }
}

impl FindingFilter {
    /// Whether everything is shown.
    pub fn is_empty(&self) -> bool {
        *self == FindingFilter::default()
    }

    fn matches(&self, row: &HistoryRow) -> bool {
        let is = |wanted: &Option<String>, value: &str| wanted.as_deref().is_none_or(|it| it == value);
        is(&self.app, &row.app)
            && is(&self.oracle, &row.oracle)
            && !(self.unseen && row.seen)
            && self.search.split_whitespace().all(|word| row.mentions(&word.to_lowercase()))
    }
}

impl HistoryRow {
    fn cause(&self) -> Cause<'_> {
        Cause::new(&self.bugs, &self.oracle, &self.title)
    }

    fn mentions(&self, word: &str) -> bool {
        let texts = [&self.title, &self.app, &self.oracle, &self.key.name, &self.build, &self.engine];
        texts.into_iter().chain(&self.bugs.bugs()).any(|text| text.to_lowercase().contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: i64, name: &str, bugs: &[&str]) -> HistoryRow {
        HistoryRow {
            key: FindingKey { campaign: number / 10, name: name.into() },
            number,
            title: format!("{name}: \u{2018}Old Name\u{2019} is not shown"),
            oracle: if name.starts_with("crash") { "crash" } else { "property" }.into(),
            app: if number % 2 == 0 { "org.files" } else { "org.notes" }.into(),
            build: "faulty".into(),
            engine: "pbfdroid".into(),
            seed: 1,
            steps: (6, 83),
            confirmed: (3, 3),
            bugs: Attribution::certain(bugs.iter().map(|bug| (*bug).to_owned()).collect()),
            seen: number < 20,
        }
    }

    fn history() -> History {
        let mut history = History::default();
        history.take(Ok(vec![
            row(10, "rename", &["lost"]),
            row(11, "crash-x", &[]),
            row(22, "delete", &["lost"]),
            row(25, "crash-x", &[]),
            row(30, "search", &[]),
        ]));
        history
    }

    /// The numbers of the findings, with `/` before each cause.
    fn check(change: impl FnOnce(&mut FindingFilter), expected: &str) {
        let mut history = history();
        let mut filter = FindingFilter::default();
        change(&mut filter);
        history.set_filter(filter);
        assert_eq!(lines(&history), expected);
    }

    fn lines(history: &History) -> String {
        let word = |line: &HistoryLine| match line {
            HistoryLine::Cause { count, .. } => format!("/{count}:"),
            HistoryLine::Finding(index) => history.rows()[*index].number.to_string(),
        };
        history.lines().iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn findings_of_one_cause_stand_together_and_the_newest_comes_first() {
        check(|_| (), "/1: 30 /2: 25 11 /2: 22 10");
    }

    /// Without a bug, what an oracle says of an app is the cause, whatever the finding is called.
    #[test]
    fn without_a_bug_the_sentence_is_the_cause() {
        let told = |number: i64, oracle: &str| HistoryRow {
            title: "Tap \u{201c}OK\u{201d}: a row goes".into(),
            oracle: oracle.into(),
            ..row(number, &format!("name-{number}"), &[])
        };
        let mut history = History::default();
        history.take(Ok(vec![told(10, "genie"), told(12, "odin"), told(14, "genie"), told(15, "genie")]));
        assert_eq!(lines(&history), "/1: 15 /2: 14 10 /1: 12");
    }

    #[test]
    fn search_and_filters_narrow_the_list() {
        check(|filter| filter.search = "old RENAME".into(), "/1: 10");
        check(|filter| filter.search = "lost".into(), "/2: 22 10");
        check(|filter| filter.search = "nothing".into(), "");
        check(|filter| filter.app = Some("org.notes".into()), "/2: 25 11");
        check(|filter| filter.oracle = Some("property".into()), "/1: 30 /2: 22 10");
        check(|filter| filter.unseen = true, "/1: 30 /1: 25 /1: 22");
    }

    #[test]
    fn what_is_seen_is_counted_once() {
        let mut history = history();
        let key = history.rows()[0].key.clone();
        assert_eq!(history.unseen(), 3);
        assert!(history.see(&key, true) && !history.see(&key, true));
        assert_eq!(history.unseen(), 2);
        history.take(Err("the disk is gone".into()));
        assert_eq!((history.rows().len(), history.problem.is_some()), (5, true));
    }
}
