//! The bugs of a workspace as a list: each once, whatever campaigns showed it, with what is known of it and what a person has
//! said; searched, filtered and sorted.

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use taproof_campaign::{BugClass, BugKey, BugState, Corrections, Harm, JudgedBug};
use taproof_screen::words;

use super::{BugOf, FindingRow, StoreError, Workspace};

/// A finding in a list, with its bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFinding {
    /// What the workspace says of it.
    pub found: FindingRow,
    /// The bug that it is on the card of. `None` if it is too unsure for a card.
    pub bug: Option<BugOf>,
}

impl Deref for ListedFinding {
    type Target = FindingRow;

    fn deref(&self) -> &FindingRow {
        &self.found
    }
}

/// A campaign that saw a bug.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    /// When the campaign began, in seconds since 1970; `None` if that is not known.
    pub at: Option<i64>,
    /// Its number.
    pub campaign: i64,
    /// The version of the app; empty if it is not known.
    pub version: String,
}

/// A bug of an app in a list, whatever campaigns showed it.
#[derive(Clone, Debug)]
pub struct ListedBug {
    /// The findings that show it, by their indices in the list of findings; the one to look at first.
    pub findings: Vec<usize>,
    /// What its findings are known by.
    pub keys: BTreeSet<BugKey>,
    /// Package name of the app.
    pub app: String,
    /// The bug in one sentence.
    pub title: String,
    /// Whether it is a bug.
    pub class: BugClass,
    /// Whether it counts as one.
    pub counts: bool,
    /// How bad it is; `None` if too little is known of it.
    pub harm: Option<Harm>,
    /// What is to become of it.
    pub state: BugState,
    /// What a person noted of it.
    pub note: String,
    /// Whether it was seen after a person said that it is fixed.
    pub came_back: bool,
    /// How often it was seen.
    pub times: u64,
    /// The campaigns that saw it.
    pub campaigns: BTreeSet<i64>,
    /// The first campaign that saw it.
    pub first: Seen,
    /// The last campaign that saw it.
    pub last: Seen,
    /// Number of the row of its newest finding.
    pub newest: i64,
    values: BTreeMap<Facet, BTreeSet<String>>,
}

words! {
    /// What bugs are filtered by.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Facet {
        /// What is to become of it.
        State = "State",
        /// How bad it is.
        Harm = "Harm",
        /// The app, by its package name.
        App = "App",
        /// The oracle that reported it.
        Kind = "Kind",
        /// The build of the app on the bundled phone, or the devices' serials.
        Build = "Build",
        /// The model of the device, and its Android.
        Device = "Device",
        /// The version of the app.
        Version = "Version",
    }
    /// The facet for people.
    pub fn word;
    /// All facets, in the order of menus.
    pub const ALL;
}

words! {
    /// The order of a list of bugs.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum BugOrder {
        /// What was seen last comes first.
        #[default]
        Last = "last-seen",
        /// What was first seen last comes first.
        First = "first-seen",
        /// The worst first.
        Harm = "harm",
        /// What was seen most often comes first.
        Often = "often",
        /// By what is to become of it.
        State = "state",
        /// By the title.
        Title = "title",
    }
    /// The order as commands have it.
    pub fn word;
    /// All orders, in the order of menus.
    pub const ALL;
}

/// Which bugs are listed. The default lists all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BugFilter {
    /// Words that must all occur, in any order and case: in what is said of a bug, or on one of its screens.
    pub search: String,
    /// The values of which a bug must have one, by facet.
    pub facets: BTreeMap<Facet, BTreeSet<String>>,
    /// Whether to list only bugs that nobody has looked at or said anything of.
    pub unseen: bool,
}

impl BugFilter {
    /// Whether all bugs are listed.
    pub fn is_empty(&self) -> bool {
        *self == BugFilter::default()
    }

    /// Number of values and switches that are chosen.
    pub fn chosen(&self) -> usize {
        self.facets.values().map(BTreeSet::len).sum::<usize>() + usize::from(self.unseen)
    }

    /// Whether a bug is listed. `findings` are those of the list, and `screens` the numbers of those that have the words that
    /// are searched for on one of their screens.
    pub fn takes<F: Borrow<ListedFinding>>(
        &self,
        bug: &ListedBug,
        findings: &[F],
        screens: &BTreeSet<i64>,
    ) -> bool {
        let mut rows = bug.findings.iter().filter_map(|place| findings.get(*place)).map(F::borrow);
        let mut facets = self.facets.iter().filter(|(_, wanted)| !wanted.is_empty());
        let words = self.search.to_lowercase();
        let says = |row: &ListedFinding| words.split_whitespace().all(|word| bug.mentions(row, word));
        (!self.unseen || (bug.state == BugState::New && rows.clone().all(|row| !row.seen)))
            && facets.all(|(facet, wanted)| !bug.values(*facet).is_disjoint(wanted))
            && (words.is_empty() || rows.any(|row| says(row) || screens.contains(&row.id)))
    }
}

impl BugOrder {
    /// Sorts bugs. Equal ones are in the order in which they were seen, the latest first.
    pub fn sort(self, bugs: &mut [&ListedBug]) {
        bugs.sort_by_key(|bug| Reverse(bug.newest));
        match self {
            BugOrder::Last => bugs.sort_by_key(|bug| Reverse((bug.last.at, bug.newest))),
            BugOrder::First => bugs.sort_by_key(|bug| Reverse((bug.first.at, bug.first.campaign))),
            BugOrder::Harm => bugs.sort_by_key(|bug| (bug.harm.is_none(), bug.harm)),
            BugOrder::Often => bugs.sort_by_key(|bug| Reverse(bug.times)),
            BugOrder::State => bugs.sort_by_key(|bug| (bug.state, bug.harm.is_none(), bug.harm)),
            BugOrder::Title => bugs.sort_by_key(|bug| bug.title.to_lowercase()),
        }
    }
}

impl ListedBug {
    /// The values that it has of a facet.
    pub fn values(&self, facet: Facet) -> &BTreeSet<String> {
        const NONE: &BTreeSet<String> = &BTreeSet::new();
        self.values.get(&facet).unwrap_or(NONE)
    }

    /// Whether it is fixed, and was not seen since.
    pub fn is_done(&self) -> bool {
        self.state == BugState::Fixed && !self.came_back
    }

    /// What a person has said of it, in words; `None` if nobody did.
    pub fn said(&self) -> Option<String> {
        let said = self.state.with(&self.note)?;
        Some(if self.came_back { format!("{said}, seen again") } else { said })
    }

    /// What a person says of it at this time, in seconds since 1970.
    pub fn judged(&self, state: BugState, note: &str, at: i64) -> JudgedBug {
        let (keys, title) = (self.keys.clone(), self.title.clone());
        JudgedBug { keys, state, note: note.to_owned(), title, at: Some(at) }
    }

    fn mentions(&self, row: &ListedFinding, word: &str) -> bool {
        let texts = [&self.title, &self.note, &row.title, &row.name, &row.engine];
        let mut texts = texts.into_iter().chain(self.values.values().flatten());
        let has = |text: &String| text.to_lowercase().contains(word);
        texts.any(has) || row.attribution.bugs().iter().any(has)
    }

    /// The bug that these findings show, the newest first; `corrections` is what was said of findings in its app.
    fn of(
        findings: Vec<usize>,
        rows: &[&ListedFinding],
        corrections: Option<&Corrections>,
    ) -> Option<ListedBug> {
        let shown = *rows.first()?;
        let keys: BTreeSet<BugKey> = rows.iter().filter_map(|row| row.bug_key.clone()).collect();
        let judged = corrections.and_then(|said| said.said_of(&keys));
        let seen = |row: &&ListedFinding| Seen {
            at: row.began,
            campaign: row.campaign,
            version: row.environment.as_ref().map_or(String::new(), |it| it.app_version.clone()),
        };
        let all: BTreeSet<Seen> = rows.iter().map(seen).collect();
        let fixed = judged.filter(|said| said.state == BugState::Fixed).and_then(|said| said.at);
        let sure = rows.iter().map(|row| row.class()).filter(|class| *class != BugClass::Dismissed).min();
        let title = shown.bug.as_ref().filter(|_| shown.is_shown()).map(|bug| bug.title.clone());
        let mut bug = ListedBug {
            findings,
            app: shown.app.clone(),
            title: title.unwrap_or_else(|| shown.title_words()),
            class: sure.unwrap_or(BugClass::Dismissed),
            counts: rows.iter().any(|row| row.counts()),
            harm: rows.iter().filter_map(|row| Some(row.bug.as_ref()?.harm)).min(),
            state: judged.map(|said| said.state).unwrap_or_default(),
            note: judged.map(|said| said.note.clone()).unwrap_or_default(),
            came_back: fixed.is_some_and(|fixed| all.iter().any(|seen| seen.at > Some(fixed))),
            times: rows.iter().map(|row| row.count).sum(),
            campaigns: rows.iter().map(|row| row.campaign).collect(),
            newest: rows.iter().map(|row| row.id).max().unwrap_or_default(),
            first: all.first()?.clone(),
            last: all.last()?.clone(),
            values: BTreeMap::new(),
            keys,
        };
        let each = |of: fn(&FindingRow) -> Option<String>| rows.iter().filter_map(|row| of(row)).collect();
        let environment = |row: &FindingRow| row.environment.clone();
        bug.values = BTreeMap::from([
            (Facet::State, BTreeSet::from([bug.state.words().to_owned()])),
            (Facet::Harm, bug.harm.map(|harm| harm.words().to_owned()).into_iter().collect()),
            (Facet::App, BTreeSet::from([bug.app.clone()])),
            (Facet::Kind, each(|row| Some(row.oracle.clone()))),
            (Facet::Build, each(|row| Some(row.build.clone()))),
            (Facet::Device, rows.iter().filter_map(|row| Some(environment(row)?.device_words())).collect()),
            (
                Facet::Version,
                all.iter().map(|seen| seen.version.clone()).filter(|it| !it.is_empty()).collect(),
            ),
        ]);
        Some(bug)
    }
}

impl ListedFinding {
    /// Whether it is a bug: what its card says, otherwise what its evidence does.
    pub fn class(&self) -> BugClass {
        self.bug.as_ref().map_or(self.found.class, |bug| bug.class)
    }

    /// Whether it is the one to look at on its card.
    fn is_shown(&self) -> bool {
        self.bug.as_ref().is_some_and(|bug| bug.shown == self.name)
    }

    /// Whether it counts as a bug.
    fn counts(&self) -> bool {
        match self.class() {
            BugClass::Bug => true,
            BugClass::Unsure => self.found.counts,
            BugClass::Suspicion | BugClass::Dismissed => false,
        }
    }
}

/// The bugs that these findings show, the newest first, in the order of the first finding of each. Two cards of a campaign are
/// two bugs. Cards of two campaigns, and findings without one, are the same bug if they are known by the same.
pub fn list_bugs<F: Borrow<ListedFinding>>(
    findings: &[F],
    corrections: &BTreeMap<String, Corrections>,
) -> Vec<ListedBug> {
    let (mut groups, mut campaigns) = (Vec::<Vec<usize>>::new(), Vec::<BTreeSet<i64>>::new());
    let (mut by_card, mut by_key) = (BTreeMap::new(), BTreeMap::<_, Vec<usize>>::new());
    let mut by_title = BTreeMap::<_, Vec<usize>>::new();
    for (index, row) in findings.iter().map(F::borrow).enumerate() {
        let card = row.bug.as_ref().map(|bug| (row.campaign, &bug.shown));
        let alike = row.bug_key.as_ref().map(|key| by_key.entry((&row.app, key)).or_default());
        let has_card =
            |place: &&usize| campaigns.get(**place).is_some_and(|known| known.contains(&row.campaign));
        let mut same = alike.iter().flat_map(|places| places.iter());
        let same = same.find(|place| card.is_none() || !has_card(place)).copied();
        // What other tests of a campaign found of a bug has other keys.
        let titled = row.bug.as_ref().map(|bug| by_title.entry((&row.app, &*bug.title)).or_default());
        let same = same.or_else(|| titled.as_ref()?.iter().find(|place| !has_card(place)).copied());
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
        for places in [alike, titled].into_iter().flatten().filter(|places| !places.contains(&place)) {
            places.push(place);
        }
    }
    let bug = |mut group: Vec<usize>| {
        let row = |index: &usize| findings.get(*index).map(F::borrow);
        let place = group.iter().position(|index| row(index).is_some_and(ListedFinding::is_shown));
        group[..=place.unwrap_or(0)].rotate_right(1);
        let rows: Vec<&ListedFinding> = group.iter().filter_map(row).collect();
        let app = &rows.first()?.app;
        ListedBug::of(group, &rows, corrections.get(app))
    };
    groups.into_iter().filter_map(bug).collect()
}

impl Workspace {
    /// All findings with their bugs, the newest first.
    ///
    /// # Errors
    ///
    /// Fails if the findings cannot be read.
    pub fn listed_findings(&self) -> Result<Vec<ListedFinding>, StoreError> {
        let rows = self.findings(None)?;
        let mut bugs: BTreeMap<i64, BTreeMap<String, BugOf>> = BTreeMap::new();
        for row in &rows {
            // What is damaged is said when it is opened.
            bugs.entry(row.campaign).or_insert_with(|| self.bugs_of(row.campaign).unwrap_or_default());
        }
        let listed = |found: FindingRow| {
            let bug = bugs.get_mut(&found.campaign).and_then(|bugs| bugs.remove(&found.name));
            ListedFinding { found, bug }
        };
        Ok(rows.into_iter().rev().map(listed).collect())
    }

    /// The numbers of the findings with a screen whose texts have all these words, in any order and case.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn findings_showing(&self, words: &str) -> Result<BTreeSet<i64>, StoreError> {
        // As they stand in a dump.
        let words = words.to_lowercase().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let words: Vec<&str> = words.split_whitespace().collect();
        let Some(longest) = words.iter().max_by_key(|word| word.len()) else { return Ok(BTreeSet::new()) };
        // SQLite knows small letters of ASCII only.
        let sieve = if longest.is_ascii() { *longest } else { "" };
        let reader = self.database.reader();
        let mut layouts = reader.prepare("SELECT id, xml FROM layouts WHERE instr(lower(xml), ?1) > 0")?;
        let mut rows = layouts.query([sieve])?;
        let mut screens: BTreeSet<i64> = BTreeSet::new();
        while let Some(row) = rows.next()? {
            let texts = screen_texts(&row.get::<_, String>(1)?);
            if words.iter().all(|word| texts.contains(word)) {
                screens.insert(row.get(0)?);
            }
        }
        let mut steps = reader.prepare("SELECT DISTINCT layout, finding FROM steps")?;
        let rows = steps.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let all: Vec<(i64, i64)> = rows.collect::<Result<_, _>>()?;
        Ok(all
            .into_iter()
            .filter(|(layout, _)| screens.contains(layout))
            .map(|(_, finding)| finding)
            .collect())
    }
}

/// The texts and descriptions in a dump, in small letters, a line for each.
fn screen_texts(xml: &str) -> String {
    let values = [" text=\"", " content-desc=\""].into_iter().flat_map(|name| xml.split(name).skip(1));
    let values = values.filter_map(|rest| rest.split('"').next()).filter(|value| !value.is_empty());
    values.flat_map(|value| [value, "\n"]).collect::<String>().to_lowercase()
}
