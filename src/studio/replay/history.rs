//! The findings of the workspace, including earlier sessions: searched, filtered, sorted, and grouped by bug.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use crate::state::FindingKey;
use taproof_campaign::{
    BugClass, BugState, Corrections, DeviceChoice, FindingState, JudgedBug, bugs_in_words,
};
use taproof_engine::{ENGINES, Task};
use taproof_results::store::{BugFilter, BugOf, BugOrder, FindingRow, ListedBug, ListedFinding, list_bugs};

/// What was said of findings in an app of which nothing was.
static NOTHING_SAID: Corrections = Corrections(Vec::new());

/// A part of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HistorySection {
    /// What counts as a bug.
    Bugs,
    /// What may be no bug: it came back each time, and its evidence does not suffice; or it did not even come back.
    Suspicions,
    /// What a person has said to be fixed, and was not seen since.
    Fixed,
    /// What a person has said to be no bug.
    NotBugs,
}

/// A finding of the workspace, as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryRow {
    /// The finding's key in the workspace.
    pub key: FindingKey,
    /// What the workspace says of it.
    pub listed: ListedFinding,
}

impl Deref for HistoryRow {
    type Target = ListedFinding;

    fn deref(&self) -> &ListedFinding {
        &self.listed
    }
}

impl Borrow<ListedFinding> for HistoryRow {
    fn borrow(&self) -> &ListedFinding {
        &self.listed
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
    /// The bug, by its index in [`History::listed_bugs`].
    pub bug: usize,
    /// The finding to look at, by its index in [`History::rows`].
    pub shown: usize,
    /// Number of its findings.
    pub count: usize,
    /// Whether nobody has looked at it or said anything of it.
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
    pub(super) rows: Vec<HistoryRow>,
    /// What a person has said of findings and bugs, by app.
    corrections: BTreeMap<String, Corrections>,
    /// All bugs, whatever the filter.
    bugs: Vec<ListedBug>,
    /// Those of the findings that are listed.
    pub(super) listed: Vec<ListedBug>,
    pub(super) lines: Vec<HistoryLine>,
    /// The number of the last finding that is listed while the list is in sight: later ones would move the lines under the
    /// pointer. `None` lists all.
    listed_to: Option<i64>,
    /// The bugs whose other findings are listed, by the finding to look at.
    unfolded: BTreeSet<FindingKey>,
    /// The parts that are listed, beside the bugs.
    sections: BTreeSet<HistorySection>,
    /// The chosen bugs, by the finding to look at.
    pub(super) chosen: BTreeSet<FindingKey>,
    /// The one that was chosen last.
    pub(super) last_chosen: Option<FindingKey>,
    /// What was said of bugs in this window, the latest last.
    pub(super) judged: Vec<Vec<(String, JudgedBug)>>,
    /// The cards of the campaigns in this window, by the campaign's row and the finding's id.
    live: BTreeMap<i64, BTreeMap<String, BugOf>>,
    filter: BugFilter,
    /// The order of the bugs.
    pub order: BugOrder,
    /// What was searched for on screens, and the numbers of the findings that have it there.
    screens: (String, BTreeSet<i64>),
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

/// The engine's name for people.
pub fn engine_word(engine: &str) -> &str {
    ENGINES.iter().find(|info| info.name == engine).map_or(engine, |info| info.label)
}

impl History {
    /// All findings, the newest first.
    pub fn rows(&self) -> &[HistoryRow] {
        &self.rows
    }

    /// All bugs that do not wait to be listed, whatever the filter.
    pub fn listed_bugs(&self) -> &[ListedBug] {
        &self.listed
    }

    /// The lines that match the filter: a line for each bug, and below it its other findings if they are unfolded.
    pub fn lines(&self) -> &[HistoryLine] {
        &self.lines
    }

    /// The filter that determines the lines.
    pub fn filter(&self) -> &BugFilter {
        &self.filter
    }

    /// Returns the finding with this key.
    pub fn get(&self, key: &FindingKey) -> Option<&HistoryRow> {
        self.rows.iter().find(|row| row.key == *key)
    }

    /// What a person has said of which findings in an app show the same bug, and of what is to become of it.
    pub fn corrections(&self, app: &str) -> &Corrections {
        self.corrections.get(app).unwrap_or(&NOTHING_SAID)
    }

    /// What a person has said, by app.
    pub fn all_corrections(&self) -> &BTreeMap<String, Corrections> {
        &self.corrections
    }

    /// Whether something was said of bugs in this window that can be taken back.
    pub fn can_take_back(&self) -> bool {
        !self.judged.is_empty()
    }

    /// Takes what a person has said of findings in an app.
    pub(crate) fn take_corrections(&mut self, app: String, all: Corrections) {
        self.corrections.insert(app, all);
        self.regroup();
    }

    /// What the workspace knows of a finding by now, if that is other than what is `shown`.
    pub fn known_meanwhile(&self, key: &FindingKey, shown: FindingState) -> Option<FindingState> {
        self.get(key).map(|row| row.state()).filter(|state| *state != shown)
    }

    /// Number of bugs that nobody has looked at or said anything of.
    pub fn new_bugs(&self) -> usize {
        self.of(HistorySection::Bugs).filter(|bug| self.is_new(bug)).count()
    }

    /// Keeps the lines where they are while the list is in sight.
    pub(crate) fn keep_still(&mut self, in_sight: bool) {
        if in_sight != self.listed_to.is_some() {
            self.listed_to = in_sight.then(|| self.newest());
            self.list();
        }
    }

    /// Lists what has come since the list is in sight.
    pub(crate) fn list_new(&mut self) {
        self.listed_to = self.listed_to.map(|_| self.newest());
        self.list();
    }

    fn newest(&self) -> i64 {
        self.rows.first().map_or(0, |row| row.id)
    }

    /// Number of the newest findings that wait to be listed.
    fn unlisted(&self) -> usize {
        self.listed_to.map_or(0, |last| self.rows.partition_point(|row| row.id > last))
    }

    /// Number of bugs that wait to be listed.
    pub fn waiting(&self) -> usize {
        let unlisted = self.unlisted();
        self.bugs.iter().filter(|bug| bug.findings.iter().all(|place| *place < unlisted)).count()
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
        let counted = self.bugs.iter().filter(|bug| bug.counts);
        counted.filter(|bug| bug.campaigns.contains(&campaign)).count()
    }

    /// All bugs in a part of the list, whatever the filter.
    fn of(&self, section: HistorySection) -> impl Iterator<Item = &ListedBug> {
        self.bugs.iter().filter(move |bug| section_of(bug) == section)
    }

    /// Whether nobody has looked at a bug or said anything of it.
    fn is_new(&self, bug: &ListedBug) -> bool {
        let mut rows = bug.findings.iter().filter_map(|place| self.rows.get(*place));
        bug.state == BugState::New && rows.all(|row| !row.seen)
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
    pub(crate) fn answered(&mut self, read: Result<HistoryRead, String>) -> Option<BTreeSet<i64>> {
        let rows = read.map(|HistoryRead { rows, corrections }| {
            self.corrections = corrections;
            rows
        });
        self.take(rows);
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
                self.rows = rows;
                self.problem = None;
            }
            Err(problem) => self.problem = Some(problem),
        }
        self.regroup();
    }

    /// Changes the filter, and the lines accordingly. Returns what is to be searched for on screens.
    pub fn set_filter(&mut self, filter: BugFilter) -> Option<String> {
        let searched = filter.search != self.filter.search && !filter.search.trim().is_empty();
        self.filter = filter;
        self.list_new();
        searched.then(|| self.filter.search.clone())
    }

    /// Takes the numbers of the findings that have what was searched for on a screen.
    pub(crate) fn take_screens(&mut self, search: String, findings: BTreeSet<i64>) {
        if search == self.filter.search {
            self.screens = (search, findings);
            self.arrange();
        }
    }

    /// Changes the order of the bugs.
    pub fn sort(&mut self, order: BugOrder) {
        self.order = order;
        self.list_new();
    }

    /// Marks a finding as seen or unseen. Returns whether this is a change.
    pub fn see(&mut self, key: &FindingKey, seen: bool) -> bool {
        let row = self.rows.iter_mut().find(|row| row.key == *key && row.seen != seen);
        // The lines stay as they are: a filter for unseen findings must not remove a row under the pointer.
        row.map(|row| row.listed.found.seen = seen).is_some()
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
        self.regroup();
    }

    /// What this window knows of a finding's bug is newer than what was read.
    fn name_bug(&self, row: &mut HistoryRow) {
        if let Some(bugs) = self.live.get(&row.key.campaign) {
            row.listed.bug = bugs.get(&row.key.name).cloned();
        }
    }

    fn regroup(&mut self) {
        self.bugs = list_bugs(&self.rows, &self.corrections);
        if self.unlisted() == self.rows.len() {
            self.listed_to = self.listed_to.map(|_| self.newest());
        }
        self.list();
    }

    fn list(&mut self) {
        let unlisted = self.unlisted();
        self.listed = match unlisted {
            0 => self.bugs.clone(),
            _ => list_bugs(self.rows.get(unlisted..).unwrap_or_default(), &self.corrections),
        };
        let places = self.listed.iter_mut().flat_map(|bug| &mut bug.findings);
        places.for_each(|place| *place += unlisted);
        self.arrange();
    }

    fn arrange(&mut self) {
        let none = BTreeSet::new();
        let screens = if self.screens.0 == self.filter.search { &self.screens.1 } else { &none };
        let mut bugs: Vec<&ListedBug> = self.listed.iter().collect();
        bugs.retain(|bug| self.filter.takes(bug, &self.rows, screens));
        self.order.sort(&mut bugs);
        use HistorySection::{Bugs, Fixed, NotBugs, Suspicions};
        let sections = [Bugs, Suspicions, Fixed, NotBugs];
        self.lines = sections.into_iter().flat_map(|section| self.section_lines(section, &bugs)).collect();
    }

    /// The lines of a part of the list. What is searched for is shown wherever it is.
    fn section_lines(&self, section: HistorySection, bugs: &[&ListedBug]) -> Vec<HistoryLine> {
        let of: Vec<&&ListedBug> = bugs.iter().filter(|bug| section_of(bug) == section).collect();
        let (count, lines) = (of.len(), of.iter().flat_map(|bug| self.bug_lines(bug)));
        if section == HistorySection::Bugs || count == 0 {
            return lines.collect();
        }
        let unfolded = self.sections.contains(&section) || !self.filter.is_empty();
        let heading = HistoryLine::Section { section, count, unfolded };
        std::iter::once(heading).chain(lines.filter(|_| unfolded)).collect()
    }

    /// The lines of a bug.
    fn bug_lines(&self, bug: &ListedBug) -> Vec<HistoryLine> {
        let Some((shown, others)) = bug.findings.split_first() else { return Vec::new() };
        let Some(row) = self.rows.get(*shown) else { return Vec::new() };
        let unfolded = self.unfolded.contains(&row.key);
        let line = HistoryLine::Bug(BugLine {
            bug: self.listed.iter().position(|one| std::ptr::eq(one, bug)).unwrap_or_default(),
            shown: *shown,
            count: bug.findings.len(),
            new: self.is_new(bug),
            unfolded,
        });
        let others = others.iter().filter(|_| unfolded).copied().map(HistoryLine::Finding);
        std::iter::once(line).chain(others).collect()
    }
}

fn section_of(bug: &ListedBug) -> HistorySection {
    match (bug.counts, bug.class) {
        (true, _) if bug.is_done() => HistorySection::Fixed,
        (true, _) => HistorySection::Bugs,
        (false, BugClass::Dismissed) => HistorySection::NotBugs,
        (false, _) => HistorySection::Suspicions,
    }
}

impl HistoryRow {
    /// A row of the workspace, with its bug.
    pub(crate) fn new(found: FindingRow, bug: Option<BugOf>) -> HistoryRow {
        let key = FindingKey { campaign: found.campaign, name: found.name.clone() };
        HistoryRow { key, listed: ListedFinding { found, bug } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Choosing;
    use taproof_campaign::{Attribution, BugKey, Correction, Harm};
    use taproof_results::store::Facet;
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
            count: 1,
            environment: None,
            began: Some(number),
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
        let once =
            FindingRow { confirmed: (0, 0), minimal_steps: 83, finished: false, ..kept.listed.found.clone() };
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
    fn check(change: impl FnOnce(&mut BugFilter), expected: &str) {
        let mut history = history();
        let mut filter = BugFilter::default();
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
            let bug = BugOf { shown: shown.into(), title, class: BugClass::Bug, harm: Harm::Odd };
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
            HistoryRow::new(FindingRow { app: "org.notes".into(), ..found(21, "c", &[]) }, None),
        ]));
        assert_eq!(unfolded(&mut history), "/2: 12 21 /3: 20 11 10");
        assert_eq!((history.bugs(), history.rows().len()), (2, 5));
        assert_eq!([1, 2, 3].map(|campaign| history.bugs_in(campaign)), [2, 2, 0]);
        let live = |shown: &str| {
            let (class, harm) = (BugClass::Bug, Harm::Odd);
            BugOf { shown: shown.into(), title: String::new(), class, harm }
        };
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
        let (class, harm) = (BugClass::Dismissed, Harm::Odd);
        let dismissed = BugOf { shown: "d".into(), title: String::new(), class, harm };
        let mut history = History::default();
        history.take(Ok(vec![
            of(30, "a", BugClass::Suspicion),
            of(31, "b", BugClass::Bug),
            of(32, "c", BugClass::Unsure),
            HistoryRow::new(found(33, "d", &[]), Some(dismissed)),
        ]));
        assert_eq!(unfolded(&mut history), "/1: 31 Suspicions 2: NotBugs 1:");
        assert_eq!((history.bugs(), history.new_bugs(), history.bugs_in(3)), (1, 1, 1));
        assert_eq!(history.words(), "1 bug, 2 suspicions");
        history.unfold_section(HistorySection::Suspicions, true);
        assert_eq!(unfolded(&mut history), "/1: 31 Suspicions 2: /1: 32 /1: 30 NotBugs 1:");
        history.set_filter(BugFilter { search: "d".into(), ..BugFilter::default() });
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
        check(|filter| filter.search = "old RENAME".into(), "/2: 22 10");
        check(|filter| filter.search = "lost".into(), "/2: 22 10");
        check(|filter| filter.search = "nothing".into(), "");
        let facet = |facet, value: &str| BTreeMap::from([(facet, BTreeSet::from([value.to_owned()]))]);
        check(|filter| filter.facets = facet(Facet::App, "org.notes"), "/2: 25 11");
        check(|filter| filter.facets = facet(Facet::Kind, "property"), "/1: 30 /2: 22 10");
        check(|filter| filter.facets = facet(Facet::State, "known"), "");
        check(|filter| filter.unseen = true, "/1: 30");
        let mut history = history();
        let screens = BugFilter { search: "on a screen".into(), ..BugFilter::default() };
        assert_eq!(history.set_filter(screens).as_deref(), Some("on a screen"));
        assert_eq!(unfolded(&mut history), "");
        history.take_screens("on a screen".into(), BTreeSet::from([10]));
        assert_eq!(unfolded(&mut history), "/2: 22 10");
    }

    #[test]
    fn several_bugs_are_chosen_with_the_keys_of_lists() {
        let mut history = history();
        let key = |history: &History, number: i64| {
            history.rows().iter().find(|row| row.id == number).unwrap().key.clone()
        };
        let chosen = |history: &History| -> Vec<i64> {
            let shown = |bug: &&ListedBug| history.shown_of(bug).unwrap().id;
            history.chosen(None).iter().map(shown).collect()
        };
        let (first, second, last) = (key(&history, 30), key(&history, 25), key(&history, 22));
        history.choose(second.clone(), Choosing::Only);
        history.choose(last, Choosing::Range);
        assert_eq!(chosen(&history), [25, 22]);
        history.choose(second, Choosing::Also);
        history.choose(first.clone(), Choosing::Also);
        assert_eq!(chosen(&history), [30, 22]);
        history.choose_next(1);
        assert_eq!((chosen(&history), history.bug_of(&first).is_some()), (vec![25], true));
    }

    #[test]
    fn what_is_fixed_is_folded_until_it_is_seen_again() {
        let mut history = history();
        let bug = history.bug_of(&history.rows()[0].key.clone()).unwrap();
        let fixed = |at| Corrections(vec![Correction::Judged(bug.judged(BugState::Fixed, "", at))]);
        let (before, after) = (fixed(29), fixed(31));
        history.take_corrections("org.files".into(), after);
        assert_eq!(unfolded(&mut history), "/2: 25 11 /2: 22 10 Fixed 1:");
        history.take_corrections("org.files".into(), before);
        assert_eq!(unfolded(&mut history), "/1: 30 /2: 25 11 /2: 22 10");
        assert_eq!(history.listed_bugs()[0].said().as_deref(), Some("fixed, seen again"));
    }

    #[test]
    fn while_the_findings_are_read_they_are_asked_for_once_more_at_most() {
        let mut history = History::default();
        let asks = [history.ask(), history.ask(), history.ask()];
        assert_eq!(asks.map(|effect| effect.is_some()), [true, false, false]);
        assert!(
            history.answered(Ok(HistoryRead::default())).is_some() && history.reads(),
            "some may have come since"
        );
        assert!(history.answered(Ok(HistoryRead::default())).is_none() && !history.reads());
        assert!(history.ask().is_some());
    }
}
