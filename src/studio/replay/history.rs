//! The findings of the workspace, including earlier sessions: searched, filtered, and grouped by bug.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use crate::state::FindingKey;
use taproof_campaign::{BugClass, Corrections, DeviceChoice, FindingState, bugs_in_words};
use taproof_engine::Task;
use taproof_results::store::{BugOf, FindingRow, engines_of};

/// A command about the findings.
#[derive(Clone, Debug, PartialEq)]
pub enum HistoryCommand {
    /// Opens a finding in Replay.
    Open(FindingKey),
    /// Stops opening a finding.
    CancelOpening,
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
    /// Lists the other findings of the bug that this finding is shown of (`true`), or folds them.
    Unfold(FindingKey, bool),
    /// Lists a part of the list (`true`), or folds it.
    UnfoldSection(HistorySection, bool),
    /// Lists the bugs that have come since the list is in sight.
    ListNew,
}

/// A part of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HistorySection {
    /// What counts as a bug.
    Bugs,
    /// What may be no bug: it came back each time, and its evidence does not suffice; or it did not even come back.
    Suspicions,
    /// What a person has said to be no bug.
    NotBugs,
}

/// A finding of the workspace, as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryRow {
    /// The finding's key in the workspace.
    pub key: FindingKey,
    /// What the workspace says of it.
    pub found: FindingRow,
    /// The bug that it is on the card of. `None` if it is too unsure for a card.
    pub bug: Option<BugOf>,
}

impl Deref for HistoryRow {
    type Target = FindingRow;

    fn deref(&self) -> &FindingRow {
        &self.found
    }
}

/// What the workspace knows of findings.
#[derive(Default)]
pub(crate) struct HistoryRead {
    /// All findings.
    pub rows: Vec<HistoryRow>,
    /// What a person has said of which findings show the same bug, by app.
    pub corrections: BTreeMap<String, Corrections>,
}

/// The findings of a bug, by their indices in the list. The first is the one to look at.
type BugGroup = Vec<usize>;

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
    /// A bug.
    Bug(BugLine),
    /// Another finding of the bug above, by its index in [`History::rows`].
    Finding(usize),
    /// The heading of a part of the list that can be folded.
    Section {
        /// The part.
        section: HistorySection,
        /// How many bugs are in it.
        count: usize,
        /// Whether they are listed below.
        unfolded: bool,
    },
}

/// A bug in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BugLine {
    /// The finding to look at, by its index in [`History::rows`].
    pub shown: usize,
    /// The bug in one sentence.
    pub title: String,
    /// The engines that found it, the earliest first.
    pub engines: Vec<String>,
    /// Number of its findings.
    pub count: usize,
    /// Whether nobody has seen one of them.
    pub new: bool,
    /// Whether its other findings are listed below.
    pub unfolded: bool,
}

/// A finding that is being loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The finding's key in the workspace.
    pub key: FindingKey,
    /// The finding's title, shown meanwhile.
    pub title: String,
    /// Number of steps that were read, and of all steps. `None` until the first is.
    pub read: Option<(usize, usize)>,
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
    /// All bugs, whatever the filter.
    bugs: Vec<BugGroup>,
    lines: Vec<HistoryLine>,
    /// The number of the last finding that is listed while the list is in sight: later ones would move the lines under the
    /// pointer. `None` lists all.
    listed_to: Option<i64>,
    /// The bugs whose other findings are listed, by the finding to look at.
    unfolded: BTreeSet<FindingKey>,
    /// The parts that are listed, beside the bugs.
    sections: BTreeSet<HistorySection>,
    /// The cards of the campaigns in this window, by the campaign's row and the finding's id.
    live: BTreeMap<i64, BTreeMap<String, BugOf>>,
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
        "property" => "contradicts its data",
        "invariant" => "breaks a rule of all screens",
        "anr" => "not responding",
        "log" => "error in the log",
        "loading" => "never loads",
        "genie" => "disturbed by a detour",
        "odin" => "unlike its neighbours",
        "keep" => "not kept",
        "agreement" => "two places do not agree",
        other => other,
    }
}

impl History {
    /// All findings, the newest first.
    pub fn rows(&self) -> &[HistoryRow] {
        &self.rows
    }

    /// The lines that match the filter: a line for each bug, the newest first, and below it its other findings if they are
    /// unfolded.
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
        self.get(key).map(|row| row.state()).filter(|state| *state != shown)
    }

    /// Number of bugs of which nobody has seen a finding.
    pub fn new_bugs(&self) -> usize {
        self.of(HistorySection::Bugs).filter(|bug| self.is_new(bug)).count()
    }

    /// Keeps the lines where they are while the list is in sight.
    pub(crate) fn keep_still(&mut self, in_sight: bool) {
        if in_sight != self.listed_to.is_some() {
            self.listed_to = in_sight.then(|| self.newest());
            self.arrange();
        }
    }

    /// Lists what has come since the list is in sight.
    pub(crate) fn list_new(&mut self) {
        self.listed_to = self.listed_to.map(|_| self.newest());
        self.arrange();
    }

    fn newest(&self) -> i64 {
        self.rows.first().map_or(0, |row| row.id)
    }

    fn is_listed(&self, row: &HistoryRow) -> bool {
        self.listed_to.is_none_or(|last| row.id <= last)
    }

    /// Number of bugs that wait to be listed.
    pub fn waiting(&self) -> usize {
        let listed = |place: &usize| self.rows.get(*place).is_some_and(|row| self.is_listed(row));
        self.bugs.iter().filter(|bug| !bug.iter().any(listed)).count()
    }

    /// Number of bugs.
    pub fn bugs(&self) -> usize {
        self.of(HistorySection::Bugs).count()
    }

    /// The number of bugs and of suspicions, in words.
    pub fn words(&self) -> String {
        bugs_in_words(self.bugs(), self.of(HistorySection::Suspicions).count())
    }

    /// Number of bugs that a campaign found.
    pub fn bugs_in(&self, campaign: i64) -> usize {
        let of = |place: &usize| self.rows.get(*place).is_some_and(|row| row.key.campaign == campaign);
        self.of(HistorySection::Bugs).filter(|bug| bug.iter().any(of)).count()
    }

    /// All bugs in a part of the list, whatever the filter.
    fn of(&self, section: HistorySection) -> impl Iterator<Item = &BugGroup> {
        self.bugs.iter().filter(move |bug| self.section_of(bug) == section)
    }

    fn section_of(&self, bug: &BugGroup) -> HistorySection {
        let mut rows = bug.iter().filter_map(|place| self.rows.get(*place));
        if rows.clone().any(HistoryRow::counts) {
            HistorySection::Bugs
        } else if rows.all(|row| row.class() == BugClass::Dismissed) {
            HistorySection::NotBugs
        } else {
            HistorySection::Suspicions
        }
    }

    fn is_new(&self, bug: &BugGroup) -> bool {
        bug.iter().filter_map(|place| self.rows.get(*place)).all(|row| !row.seen)
    }

    /// The packages of all apps with findings.
    pub fn apps(&self) -> &BTreeSet<String> {
        &self.apps
    }

    /// The names of all oracles with findings.
    pub fn oracles(&self) -> &BTreeSet<String> {
        &self.oracles
    }

    /// Whether the findings are being read.
    pub fn reads(&self) -> bool {
        self.asked.is_some()
    }

    /// Asks for the findings of the workspace, or for them again once they have been read. Returns the campaigns of this
    /// window if they must be read now.
    pub(crate) fn ask(&mut self) -> Option<BTreeSet<i64>> {
        let reading = self.asked.is_some();
        self.asked = Some(reading);
        (!reading).then(|| self.live.keys().copied().collect())
    }

    /// Takes the findings that were asked for. Asks again if there may be others by now.
    pub(crate) fn answered(&mut self, read: Result<Vec<HistoryRow>, String>) -> Option<BTreeSet<i64>> {
        self.take(read);
        let again = self.asked.take()?;
        if again { self.ask() } else { None }
    }

    /// Takes the findings of the workspace, or why they cannot be read.
    pub fn take(&mut self, read: Result<Vec<HistoryRow>, String>) {
        self.read = true;
        match read {
            Ok(mut rows) => {
                rows.iter_mut().for_each(|row| self.name_bug(row));
                rows.sort_by_key(|row| std::cmp::Reverse(row.id));
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
        self.list_new();
    }

    /// Marks a finding as seen or unseen. Returns whether this is a change.
    pub fn see(&mut self, key: &FindingKey, seen: bool) -> bool {
        let row = self.rows.iter_mut().find(|row| row.key == *key && row.seen != seen);
        // The lines stay as they are: a filter for unseen findings must not remove a row under the pointer.
        row.map(|row| row.found.seen = seen).is_some()
    }

    /// Lists the other findings of a bug, or folds them.
    pub fn unfold(&mut self, shown: FindingKey, unfolded: bool) {
        let changed = if unfolded { self.unfolded.insert(shown) } else { self.unfolded.remove(&shown) };
        if changed {
            self.arrange();
        }
    }

    /// Lists a part of the list, or folds it.
    pub fn unfold_section(&mut self, section: HistorySection, unfolded: bool) {
        let changed = if unfolded { self.sections.insert(section) } else { self.sections.remove(&section) };
        if changed {
            self.arrange();
        }
    }

    /// Takes the cards of a campaign of this window: the bug of each finding, by the finding's id.
    pub fn take_cards(&mut self, campaign: i64, bugs: BTreeMap<String, BugOf>) {
        self.live.insert(campaign, bugs);
        let mut rows = std::mem::take(&mut self.rows);
        rows.iter_mut().filter(|row| row.key.campaign == campaign).for_each(|row| self.name_bug(row));
        self.rows = rows;
        self.arrange();
    }

    /// What this window knows of a finding's bug is newer than what was read.
    fn name_bug(&self, row: &mut HistoryRow) {
        if let Some(bugs) = self.live.get(&row.key.campaign) {
            row.bug = bugs.get(&row.key.name).cloned();
        }
    }

    fn arrange(&mut self) {
        self.bugs = self.groups(|_| true);
        if !self.rows.iter().any(|row| self.is_listed(row)) {
            self.listed_to = self.listed_to.map(|_| self.newest());
        }
        let groups = self.groups(|row| self.filter.matches(row) && self.is_listed(row));
        let sections = [HistorySection::Bugs, HistorySection::Suspicions, HistorySection::NotBugs];
        self.lines = sections.into_iter().flat_map(|section| self.section_lines(section, &groups)).collect();
    }

    /// The findings that match by bug, in the order of the first finding of each. Two cards of a campaign are two
    /// bugs. Cards of two campaigns, and findings without one, are the same bug if they are known by the same.
    fn groups(&self, matches: impl Fn(&HistoryRow) -> bool) -> Vec<BugGroup> {
        let (mut groups, mut campaigns) = (Vec::<BugGroup>::new(), Vec::<BTreeSet<i64>>::new());
        let (mut by_card, mut by_key) = (BTreeMap::new(), BTreeMap::<_, Vec<usize>>::new());
        for (index, row) in self.rows.iter().enumerate().filter(|(_, row)| matches(row)) {
            let card = row.bug.as_ref().map(|bug| (row.campaign, &bug.shown));
            let alike = row.bug_key.as_ref().map(|key| by_key.entry((&row.app, key)).or_default());
            let has_card = |place: &&usize| {
                campaigns.get(**place).is_some_and(|campaigns| campaigns.contains(&row.campaign))
            };
            let mut same = alike.iter().flat_map(|places| places.iter());
            let same = same.find(|place| card.is_none() || !has_card(place)).copied();
            let known = card.and_then(|card| by_card.get(&card).copied()).or(same);
            let place = known.unwrap_or(groups.len());
            if place == groups.len() {
                groups.push(Vec::new());
                campaigns.push(BTreeSet::new());
            }
            groups[place].push(index);
            if let Some(card) = card {
                campaigns[place].insert(card.0);
                by_card.insert(card, place);
            }
            if let Some(places) = alike.filter(|places| !places.contains(&place)) {
                places.push(place);
            }
        }
        for group in &mut groups {
            let shown = |index: &usize| self.rows.get(*index).is_some_and(HistoryRow::is_shown);
            let place = group.iter().position(shown).unwrap_or(0);
            group[..=place].rotate_right(1);
        }
        groups
    }

    /// The lines of a part of the list. What is searched for is shown wherever it is.
    fn section_lines(&self, section: HistorySection, groups: &[BugGroup]) -> Vec<HistoryLine> {
        let of: Vec<&BugGroup> = groups.iter().filter(|bug| self.section_of(bug) == section).collect();
        let lines = || of.iter().flat_map(|bug| self.bug_lines(bug));
        if section == HistorySection::Bugs || of.is_empty() {
            return lines().collect();
        }
        let unfolded = self.sections.contains(&section) || !self.filter.is_empty();
        let heading = HistoryLine::Section { section, count: of.len(), unfolded };
        std::iter::once(heading).chain(lines().filter(|_| unfolded)).collect()
    }

    fn bug_lines(&self, bug: &BugGroup) -> Vec<HistoryLine> {
        let Some((shown, others)) = bug.split_first() else { return Vec::new() };
        let Some(row) = self.rows.get(*shown) else { return Vec::new() };
        let title = row.bug.as_ref().filter(|_| row.is_shown()).map(|bug| &bug.title);
        let unfolded = self.unfolded.contains(&row.key);
        let mut found: Vec<&FindingRow> =
            bug.iter().filter_map(|it| Some(&self.rows.get(*it)?.found)).collect();
        found.sort_by_key(|row| row.id);
        let line = HistoryLine::Bug(BugLine {
            shown: *shown,
            title: title.cloned().unwrap_or_else(|| row.title_words()),
            engines: engines_of(found).into_iter().map(str::to_owned).collect(),
            count: bug.len(),
            new: self.is_new(bug),
            unfolded,
        });
        let others = others.iter().filter(|_| unfolded).copied().map(HistoryLine::Finding);
        std::iter::once(line).chain(others).collect()
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
    /// A row of the workspace, with its bug.
    pub(crate) fn new(found: FindingRow, bug: Option<BugOf>) -> HistoryRow {
        HistoryRow { key: FindingKey { campaign: found.campaign, name: found.name.clone() }, found, bug }
    }

    /// Whether it is a bug: what its card says, otherwise what its evidence does.
    pub fn class(&self) -> BugClass {
        self.bug.as_ref().map_or(self.found.class, |bug| bug.class)
    }

    /// Whether it is the one to look at on its card.
    fn is_shown(&self) -> bool {
        self.bug.as_ref().is_some_and(|bug| bug.shown == self.key.name)
    }

    /// Whether it counts as a bug.
    fn counts(&self) -> bool {
        match self.class() {
            BugClass::Bug => true,
            BugClass::Unsure => self.found.counts,
            BugClass::Suspicion | BugClass::Dismissed => false,
        }
    }

    fn mentions(&self, word: &str) -> bool {
        let texts = [&self.title, &self.app, &self.oracle, &self.name, &self.build, &self.engine];
        texts.into_iter().chain(&self.attribution.bugs()).any(|text| text.to_lowercase().contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_campaign::{Attribution, BugKey};
    use taproof_screen::{FindingOrigin, OracleKind};

    fn found(number: i64, name: &str, bugs: &[&str]) -> FindingRow {
        FindingRow {
            id: number,
            campaign: number / 10,
            name: name.into(),
            title: format!("{name}: \u{2018}Old Name\u{2019} is not shown"),
            function: Some(name.into()),
            oracle: if name.starts_with("crash") { "crash" } else { "property" }.into(),
            app: if number % 2 == 0 { "org.files" } else { "org.notes" }.into(),
            build: "faulty".into(),
            engine: "pbfdroid".into(),
            seed: 1,
            first_event: 90,
            minimal_steps: 6,
            steps: 83,
            confirmed: (3, 3),
            finished: true,
            attribution: Attribution::certain(bugs.iter().map(|bug| (*bug).to_owned()).collect()),
            seen: number < 20,
            class: BugClass::Bug,
            counts: true,
            bug_key: Some(key("property", bugs.first().unwrap_or(&name))),
        }
    }

    fn key(oracle: &str, subject: &str) -> BugKey {
        let oracle = OracleKind::ALL.into_iter().find(|kind| kind.name() == oracle).unwrap();
        BugKey::of_origin(FindingOrigin { oracle, subject: subject.to_owned(), checks: Vec::new() })
    }

    fn row(number: i64, name: &str, bugs: &[&str]) -> HistoryRow {
        HistoryRow::new(found(number, name, bugs), None)
    }

    #[test]
    fn a_finding_that_is_confirmed_meanwhile_is_told() {
        let mut history = History::default();
        let kept = row(10, "rename", &[]);
        let once = FindingRow { confirmed: (0, 0), minimal_steps: 83, finished: false, ..kept.found.clone() };
        let seen_once = once.state();
        history.take(Ok(vec![HistoryRow::new(once, None)]));
        assert_eq!(history.known_meanwhile(&kept.key, seen_once), None);
        history.take(Ok(vec![kept.clone()]));
        assert_eq!(history.known_meanwhile(&kept.key, seen_once), Some(kept.state()));
        assert_eq!(history.known_meanwhile(&kept.key, kept.state()), None);
    }

    #[test]
    fn what_comes_while_the_list_is_in_sight_waits() {
        let mut history = history();
        history.keep_still(true);
        let before = unfolded(&mut history);
        let mut rows = history.rows().to_vec();
        rows.extend([row(40, "add", &[]), row(41, "crash-x", &[])]);
        history.take(Ok(rows));
        assert_eq!(
            (unfolded(&mut history), history.waiting()),
            (before, 1),
            "of a known bug and of another one"
        );
        history.list_new();
        assert!(unfolded(&mut history).starts_with("/3: 41") && history.waiting() == 0);
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

    /// The numbers of the findings, with `/` before each bug.
    fn check(change: impl FnOnce(&mut FindingFilter), expected: &str) {
        let mut history = history();
        let mut filter = FindingFilter::default();
        change(&mut filter);
        history.set_filter(filter);
        assert_eq!(unfolded(&mut history), expected);
    }

    fn unfolded(history: &mut History) -> String {
        let keys: Vec<FindingKey> = history.rows().iter().map(|row| row.key.clone()).collect();
        keys.into_iter().for_each(|key| history.unfold(key, true));
        let number = |index: &usize| history.rows()[*index].id;
        let word = |line: &HistoryLine| match line {
            HistoryLine::Bug(BugLine { count, shown, .. }) => format!("/{count}: {}", number(shown)),
            HistoryLine::Finding(index) => number(index).to_string(),
            HistoryLine::Section { section, count, .. } => format!("{section:?} {count}:"),
        };
        history.lines().iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn findings_of_one_cause_stand_together_and_the_newest_comes_first() {
        check(|_| (), "/1: 30 /2: 25 11 /2: 22 10");
    }

    /// What an oracle says of an app is what a bug is known by, whatever the finding's name is.
    #[test]
    fn without_a_bug_the_sentence_is_the_cause() {
        let words = |number: i64, oracle: &str| {
            let title = String::from("Tap \u{201c}OK\u{201d}: a row goes");
            let bug_key = Some(key(oracle, &title));
            let found = found(number, &format!("name-{number}"), &[]);
            HistoryRow::new(FindingRow { title, bug_key, oracle: oracle.into(), ..found }, None)
        };
        let mut history = History::default();
        history.take(Ok(vec![words(10, "genie"), words(12, "odin"), words(14, "genie"), words(15, "genie")]));
        assert_eq!(unfolded(&mut history), "/1: 15 /2: 14 10 /1: 12");
    }

    #[test]
    fn a_card_is_one_line_and_two_cards_of_a_campaign_are_two() {
        let carded = |number: i64, name: &str, shown: &str| {
            let title = format!("the bug of {shown}");
            let bug = BugOf { shown: shown.into(), title, class: BugClass::Bug };
            let found = FindingRow { app: "org.notes".into(), ..found(number, name, &[]) };
            HistoryRow::new(found, Some(bug))
        };
        let mut history = History::default();
        history.take(Ok(vec![
            carded(10, "a", "a"),
            carded(11, "b", "a"),
            carded(12, "c", "c"),
            // In a later campaign, "b" was found alone, and "c" only once.
            carded(20, "b", "b"),
            HistoryRow { bug: None, ..carded(21, "c", "") },
        ]));
        assert_eq!(unfolded(&mut history), "/2: 12 21 /3: 20 11 10");
        assert_eq!((history.bugs(), history.rows().len()), (2, 5));
        assert_eq!([1, 2, 3].map(|campaign| history.bugs_in(campaign)), [2, 2, 0]);
        let live = |shown: &str| BugOf { shown: shown.into(), title: String::new(), class: BugClass::Bug };
        history
            .take_cards(1, [("a", "a"), ("b", "b"), ("c", "c")].map(|(of, it)| (of.into(), live(it))).into());
        assert_eq!(unfolded(&mut history), "/2: 12 21 /2: 20 11 /1: 10", "split by hand");
    }

    #[test]
    fn suspicions_and_what_is_no_bug_are_folded_below_the_bugs_and_count_nowhere() {
        let of = |number: i64, name: &str, class| {
            let counts = class == BugClass::Bug;
            HistoryRow::new(FindingRow { class, counts, ..found(number, name, &[]) }, None)
        };
        let dismissed = BugOf { shown: "d".into(), title: String::new(), class: BugClass::Dismissed };
        let mut history = History::default();
        history.take(Ok(vec![
            of(30, "a", BugClass::Suspicion),
            of(31, "b", BugClass::Bug),
            of(32, "c", BugClass::Unsure),
            HistoryRow { bug: Some(dismissed), ..of(33, "d", BugClass::Bug) },
        ]));
        assert_eq!(unfolded(&mut history), "/1: 31 Suspicions 2: NotBugs 1:");
        assert_eq!((history.bugs(), history.new_bugs(), history.bugs_in(3)), (1, 1, 1));
        assert_eq!(history.words(), "1 bug, 2 suspicions");
        history.unfold_section(HistorySection::Suspicions, true);
        assert_eq!(unfolded(&mut history), "/1: 31 Suspicions 2: /1: 32 /1: 30 NotBugs 1:");
        history.set_filter(FindingFilter { search: "d".into(), ..FindingFilter::default() });
        assert!(unfolded(&mut history).ends_with("NotBugs 1: /1: 33"), "what is searched for is shown");
    }

    #[test]
    fn a_bug_is_new_until_one_of_its_findings_is_seen() {
        let mut history = History::default();
        history.take(Ok(vec![row(30, "rename", &["lost"]), row(32, "delete", &["lost"])]));
        assert_eq!(history.new_bugs(), 1);
        let key = history.rows()[1].key.clone();
        assert!(history.see(&key, true) && !history.see(&key, true));
        assert_eq!(history.new_bugs(), 0);
        history.take(Err("the disk is gone".into()));
        assert_eq!((history.rows().len(), history.problem.is_some()), (2, true));
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
        assert!(history.answered(Ok(Vec::new())).is_some() && history.reads(), "some may have come since");
        assert!(history.answered(Ok(Vec::new())).is_none() && !history.reads());
        assert!(history.ask().is_some());
    }
}
