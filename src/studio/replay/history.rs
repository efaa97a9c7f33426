//! The findings of the workspace, including earlier sessions: searched, filtered, and grouped by cause.

use std::collections::BTreeSet;

use crate::disk::Job;
use crate::effect::Effect;
use crate::state::FindingKey;
use taproof_core::campaign::{Attribution, Cause, DeviceChoice, FindingState, by_cause};
use taproof_core::engine::Task;

/// A command about the findings.
#[derive(Clone, Debug, PartialEq)]
pub enum HistoryCommand {
    /// Opens a finding in Replay.
    Open(FindingKey),
    /// Closes the finding in Replay.
    Close,
    /// Shows only the findings that match this filter.
    Filter(Box<FindingFilter>),
    /// Confirms and minimises the finding that is open in Replay.
    Minimise(FindingKey),
    /// Stops that after the current event. What was found out is kept.
    StopMinimising,
    /// Marks a finding as seen or unseen.
    See(FindingKey, bool),
}

/// A finding of the workspace, as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryRow {
    /// The finding's key in the workspace.
    pub key: FindingKey,
    /// The number that commands take.
    pub number: i64,
    /// A sentence that describes the violation.
    pub title: String,
    /// Name of the oracle that found it.
    pub oracle: String,
    /// Package of the app under test.
    pub app: String,
    /// The build, as one word.
    pub build: String,
    /// Name of the engine that found it.
    pub engine: String,
    /// The seed of the campaign that found it.
    pub seed: u64,
    /// Number of steps of the minimised trace, and of the test that found the violation.
    pub steps: (u64, u64),
    /// How far it was investigated.
    pub state: FindingState,
    /// The bugs that it is attributed to.
    pub bugs: Attribution,
    /// Whether somebody has seen the finding.
    pub seen: bool,
}

/// Which findings are shown. The default shows all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingFilter {
    /// Words that must all occur, in any order and case.
    pub search: String,
    /// Package of the app. `None` for all.
    pub app: Option<String>,
    /// Name of the oracle. `None` for all.
    pub oracle: Option<String>,
    /// Whether to show only findings that nobody has seen.
    pub unseen: bool,
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryLine {
    /// The heading of findings with the same cause.
    Cause {
        /// The bugs that the findings are attributed to, if any.
        bugs: Attribution,
        /// Package of the app that the newest was found in.
        app: String,
        /// The engines that found them, the earliest first.
        engines: Vec<String>,
        /// Number of findings below this heading.
        count: usize,
    },
    /// A finding, by its index in [`History::rows`].
    Finding(usize),
}

/// A finding that is being loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The finding's key in the workspace.
    pub key: FindingKey,
    /// The finding's title, shown meanwhile.
    pub title: String,
    /// Why it cannot be loaded. `None` while it is being loaded.
    pub problem: Option<String>,
}

/// A finding that is being confirmed and minimised.
#[derive(Clone, Debug)]
pub struct Minimising {
    /// The finding's key in the workspace.
    pub key: FindingKey,
    /// The number that commands take.
    pub number: i64,
    /// The phone on which it is re-executed.
    pub device: DeviceChoice,
    /// Number of events that were re-executed.
    pub events: u64,
    /// What is being done.
    pub task: Task,
}

/// The state of a finding in words, with the length of its shortest trace.
pub fn with_steps(state: FindingState) -> String {
    let steps = if state.steps == 1 { "step" } else { "steps" };
    format!("{state}, {} {steps}", state.steps)
}

/// The findings of the workspace with their filter.
#[derive(Default)]
pub struct History {
    rows: Vec<HistoryRow>,
    lines: Vec<HistoryLine>,
    apps: BTreeSet<String>,
    oracles: BTreeSet<String>,
    filter: FindingFilter,
    /// Whether the workspace has been read.
    pub read: bool,
    /// Whether it is being read, and whether it must then be read once more.
    asked: Option<bool>,
    /// Why the workspace cannot be read.
    pub problem: Option<String>,
    /// The finding that is being loaded, or that failed to.
    pub opening: Option<Opening>,
}

/// The oracle's name as lists show it.
pub fn oracle_word(oracle: &str) -> &str {
    match oracle {
        "anr" => "not responding",
        "loading" => "never loads",
        other => other,
    }
}

impl History {
    /// All findings, the newest first.
    pub fn rows(&self) -> &[HistoryRow] {
        &self.rows
    }

    /// The lines that match the filter, grouped by cause. Groups and the findings in them are ordered newest first.
    pub fn lines(&self) -> &[HistoryLine] {
        &self.lines
    }

    /// The filter that determines the lines.
    pub fn filter(&self) -> &FindingFilter {
        &self.filter
    }

    /// Returns the finding with this key.
    pub fn get(&self, key: &FindingKey) -> Option<&HistoryRow> {
        self.rows.iter().find(|row| row.key == *key)
    }

    /// What the workspace knows of a finding by now, if that is other than what is `shown`.
    pub fn known_meanwhile(&self, key: &FindingKey, shown: FindingState) -> Option<FindingState> {
        self.get(key).map(|row| row.state).filter(|state| *state != shown)
    }

    /// Number of findings that nobody has seen.
    pub fn unseen(&self) -> usize {
        self.rows.iter().filter(|row| !row.seen).count()
    }

    /// The packages of all apps with findings.
    pub fn apps(&self) -> &BTreeSet<String> {
        &self.apps
    }

    /// The names of all oracles with findings.
    pub fn oracles(&self) -> &BTreeSet<String> {
        &self.oracles
    }

    /// Has the findings of the workspace read, or read again after they have been.
    pub(crate) fn ask(&mut self) -> Option<Effect> {
        let reading = self.asked.is_some();
        self.asked = Some(reading);
        (!reading).then_some(Effect::Disk(Job::History))
    }

    /// Takes the findings that were asked for. Asks again if there may be others by now.
    pub(crate) fn answered(&mut self, read: Result<Vec<HistoryRow>, String>) -> Option<Effect> {
        self.take(read);
        let again = self.asked.take()?;
        if again { self.ask() } else { None }
    }

    /// Takes the findings of the workspace, or why they cannot be read.
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

    /// Changes the filter, and the lines accordingly.
    pub fn set_filter(&mut self, filter: FindingFilter) {
        self.filter = filter;
        self.arrange();
    }

    /// Marks a finding as seen or unseen. Returns whether this is a change.
    pub fn see(&mut self, key: &FindingKey, seen: bool) -> bool {
        let row = self.rows.iter_mut().find(|row| row.key == *key && row.seen != seen);
        // The lines stay as they are: a filter for unseen findings must not remove a row under the pointer.
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
    /// Whether all findings are shown.
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
            state: FindingState { hits: 3, tries: 3, steps: 2, finished: true },
            bugs: Attribution::certain(bugs.iter().map(|bug| (*bug).to_owned()).collect()),
            seen: number < 20,
        }
    }

    #[test]
    fn a_finding_that_is_confirmed_meanwhile_is_told() {
        let mut history = History::default();
        let kept = row(10, "rename", &[]);
        let seen_once = FindingState { hits: 0, tries: 0, steps: 83, finished: false };
        let listed = |state| Ok(vec![HistoryRow { state, ..row(10, "rename", &[]) }]);
        history.take(listed(seen_once));
        assert_eq!(history.known_meanwhile(&kept.key, seen_once), None);
        history.take(listed(kept.state));
        assert_eq!(history.known_meanwhile(&kept.key, seen_once), Some(kept.state));
        assert_eq!(history.known_meanwhile(&kept.key, kept.state), None);
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

    /// Without a bug, the sentence of an oracle about an app is the cause, whatever the finding's name is.
    #[test]
    fn without_a_bug_the_sentence_is_the_cause() {
        let words = |number: i64, oracle: &str| HistoryRow {
            title: "Tap \u{201c}OK\u{201d}: a row goes".into(),
            oracle: oracle.into(),
            ..row(number, &format!("name-{number}"), &[])
        };
        let mut history = History::default();
        history.take(Ok(vec![words(10, "genie"), words(12, "odin"), words(14, "genie"), words(15, "genie")]));
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
    fn while_the_findings_are_read_they_are_asked_for_once_more_at_most() {
        let mut history = History::default();
        let asks = [history.ask(), history.ask(), history.ask()];
        assert_eq!(asks.map(|effect| effect.is_some()), [true, false, false]);
        assert!(history.answered(Ok(Vec::new())).is_some(), "some may have come since");
        assert!(history.answered(Ok(Vec::new())).is_none() && history.ask().is_some());
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
