//! What a person has said of the cards: which findings show the same bug, and what is to become of each bug.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use taproof_screen::words;

use crate::{BugKey, Finding};

/// A relation that a person dismissed so often in an app, and more often than confirmed, shows suspicions there.
const DISMISSED: usize = 3;

words! {
    /// What is to become of a bug, as a person has said.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum BugState {
        /// Nobody has said anything, or it is to be looked at again.
        #[default]
        New = "new",
        /// It is a bug, whatever speaks for it.
        True = "true",
        /// It is known, and no news if it is seen again.
        Known = "known",
        /// It is none.
        NotABug = "not-a-bug",
        /// It is mended: a bug if it is seen again.
        Fixed = "fixed",
    }
    /// The state as commands and files have it.
    pub fn word;
    /// All states, in the order of menus.
    pub const ALL;
}

impl BugState {
    /// The state for people.
    pub fn words(self) -> &'static str {
        if self == BugState::NotABug { "not a bug" } else { self.word() }
    }

    /// The state with the person's note: `known: a decision of last year`; `None` if nothing was said.
    pub fn with(self, note: &str) -> Option<String> {
        match (self, note) {
            (BugState::New, "") => None,
            (state, "") => Some(state.words().to_owned()),
            (state, note) => Some(format!("{}: {note}", state.words())),
        }
    }
}

/// A statement about findings, which are named by their ids, or about a bug, which is named by its keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// This finding shows another bug than the others on its card.
    Apart(String),
    /// These two findings show the same bug, and so does everything else on their cards.
    Same(String, String),
    /// This is to become of the bug.
    Judged(JudgedBug),
}

/// What a person has said of a card.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JudgedBug {
    /// What the findings on the card are known by.
    pub keys: BTreeSet<BugKey>,
    /// What is to become of it.
    pub state: BugState,
    /// Why, in the person's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The title of the card, for people.
    pub title: String,
    /// When it was said, in seconds since 1970; `None` if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
}

/// How often people confirmed what an oracle says, and how often they dismissed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of cards that are bugs.
    pub confirmed: usize,
    /// Number of cards that are none.
    pub dismissed: usize,
}

/// What a person has said of the findings in one app, in that order. Since the ids of findings are the same in every
/// campaign, it also holds for later ones. Of findings that are not there, nothing is changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corrections(pub Vec<Correction>);

impl Correction {
    /// What was said, as a sentence about ids.
    pub fn words(&self) -> String {
        match self {
            Correction::Apart(id) => format!("{id} is a bug of its own"),
            Correction::Same(one, other) => format!("{one} is the same bug as {other}"),
            Correction::Judged(JudgedBug { state, note, title, .. }) => {
                let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
                format!("{}: {title}{note}", state.words())
            }
        }
    }
}

impl Tally {
    /// How many of a hundred are bugs.
    pub fn percent(&self) -> usize {
        self.confirmed * 100 / (self.confirmed + self.dismissed).max(1)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.confirmed + self.dismissed;
        write!(f, "{} of {all} true ({} %)", self.confirmed, self.percent())
    }
}

impl JudgedBug {
    /// Whether it is about a bug with one of these keys.
    pub fn is_about(&self, keys: &BTreeSet<BugKey>) -> bool {
        !self.keys.is_disjoint(keys)
    }
}

impl Corrections {
    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What was said of bugs as a whole, the earliest first.
    pub fn judged(&self) -> impl DoubleEndedIterator<Item = &JudgedBug> {
        self.0.iter().filter_map(|said| match said {
            Correction::Judged(judged) => Some(judged),
            Correction::Apart(_) | Correction::Same(..) => None,
        })
    }

    /// What a person said last of a bug with these keys; `None` if nobody did.
    pub fn said_of(&self, keys: &BTreeSet<BugKey>) -> Option<&JudgedBug> {
        self.judged().rev().find(|judged| judged.is_about(keys))
    }

    /// What people confirmed (true, fixed) and dismissed (not a bug), by who said that it is a bug (see
    /// [`BugKey::said_by`]). Of several statements about a bug the last one counts.
    pub fn tallies(&self) -> BTreeMap<String, Tally> {
        let (mut tallies, mut counted) = (BTreeMap::<String, Tally>::new(), BTreeSet::new());
        for JudgedBug { keys, state, .. } in self.judged().rev() {
            if !counted.is_disjoint(keys) {
                continue;
            }
            counted.extend(keys.iter().cloned());
            let by: BTreeSet<String> = keys.iter().flat_map(BugKey::said_by).collect();
            for by in by {
                let tally = tallies.entry(by).or_default();
                match state {
                    BugState::True | BugState::Fixed => tally.confirmed += 1,
                    BugState::NotABug => tally.dismissed += 1,
                    BugState::New | BugState::Known => {}
                }
            }
        }
        tallies.retain(|_, tally| *tally != Tally::default());
        tallies
    }

    /// The relations that show suspicions in this app, since a person dismissed what they say often enough.
    pub fn doubted(&self) -> BTreeSet<String> {
        let doubted = |tally: &Tally| tally.dismissed >= DISMISSED && tally.dismissed > tally.confirmed;
        let tallies = self.tallies().into_iter().filter(|(by, tally)| by.contains(", ") && doubted(tally));
        tallies.map(|(by, _)| by).collect()
    }

    /// Splits and merges groups of findings as they say, one statement after the other.
    pub(crate) fn apply<F>(&self, groups: &mut Vec<Vec<F>>, finding: impl Fn(&F) -> &Finding) {
        for said in &self.0 {
            match said {
                Correction::Apart(id) => split(groups, |one| finding(one).id == *id),
                Correction::Same(one, other) => {
                    merge(groups, |it| finding(it).id == *one, |it| finding(it).id == *other);
                }
                Correction::Judged(_) => {}
            }
        }
    }
}

/// How often what each oracle and each relation says was right in several apps.
pub fn precision<'c>(said: impl IntoIterator<Item = &'c Corrections>) -> BTreeMap<String, Tally> {
    let mut total = BTreeMap::<String, Tally>::new();
    for (by, tally) in said.into_iter().flat_map(Corrections::tallies) {
        let sum = total.entry(by).or_default();
        sum.confirmed += tally.confirmed;
        sum.dismissed += tally.dismissed;
    }
    total
}

/// Puts a finding into a group of its own.
fn split<F>(groups: &mut Vec<Vec<F>>, is: impl Fn(&F) -> bool) {
    let in_group = |group: &mut Vec<F>| {
        let place = group.iter().position(&is).filter(|_| group.len() > 1)?;
        Some(group.remove(place))
    };
    let alone = groups.iter_mut().find_map(in_group);
    groups.extend(alone.map(|alone| vec![alone]));
}

/// Joins the groups of two findings, in the place of the second.
fn merge<F>(groups: &mut Vec<Vec<F>>, one: impl Fn(&F) -> bool, other: impl Fn(&F) -> bool) {
    let with = |groups: &[Vec<F>], is: &dyn Fn(&F) -> bool| groups.iter().position(|it| it.iter().any(is));
    let places = with(groups, &one).zip(with(groups, &other));
    let Some((from, to)) = places.filter(|(from, to)| from != to) else { return };
    let moved = std::mem::take(&mut groups[from]);
    groups[to].extend(moved);
    groups.remove(from);
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{FindingOrigin, OracleKind};

    #[test]
    fn what_is_said_last_of_a_bug_counts() {
        let key = |subject: &str| {
            let (oracle, subject) = (OracleKind::Preservation, subject.to_owned());
            BugKey::of_origin(FindingOrigin { oracle, subject, checks: Vec::new() })
        };
        let said = |keys: &[&str], state| {
            let keys = keys.iter().map(|subject| key(subject)).collect();
            let (note, title) = (String::new(), String::new());
            Correction::Judged(JudgedBug { keys, state, note, title, at: None })
        };
        use BugState::{Fixed, Known, NotABug, True};
        let mut all = Corrections(vec![
            said(&["rotation on Main", "call on Main"], NotABug),
            said(&["rotation on Edit"], NotABug),
            said(&["rotation on Main"], True),
            said(&["scroll on Main"], Fixed),
            said(&["home on Main"], Known),
        ]);
        let state = |subject: &str| all.said_of(&BTreeSet::from([key(subject)])).map(|said| said.state);
        let states = ["rotation on Main", "call on Main", "rotation on Edit", "back on Main"].map(state);
        assert_eq!(states, [Some(True), Some(NotABug), Some(NotABug), None]);
        let tallies = all.tallies();
        let counts = |by: &str| tallies.get(by).map(|tally| (tally.confirmed, tally.dismissed));
        assert_eq!(counts("Keep, rotation"), Some((1, 1)));
        assert_eq!((counts("Keep, scroll"), counts("Keep, call")), (Some((1, 0)), None));
        assert_eq!((counts("Keep, home"), counts("Keep")), (None, Some((2, 1))), "the latest of each bug");
        assert_eq!(tallies["Keep, rotation"].to_string(), "1 of 2 true (50 %)");
        // What was dismissed three times, and more often than it was right, is doubted.
        all.0.push(said(&["rotation on About"], NotABug));
        assert!(all.doubted().is_empty());
        all.0.push(said(&["rotation on Help"], NotABug));
        assert_eq!(all.doubted(), BTreeSet::from(["Keep, rotation".to_owned()]));
    }

    fn groups(of: &str) -> Vec<Vec<char>> {
        of.split(' ').map(|group| group.chars().collect()).collect()
    }

    fn words(groups: &[Vec<char>]) -> String {
        groups.iter().map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_finding_is_split_from_its_group_and_from_no_other() {
        for (before, after) in [("abc d", "ac d b"), ("b ac", "b ac"), ("ac", "ac")] {
            let mut all = groups(before);
            split(&mut all, |it| *it == 'b');
            assert_eq!(words(&all), after);
        }
    }

    #[test]
    fn groups_are_merged_whole_and_a_split_takes_one_finding_out_again() {
        let mut all = groups("ab c de");
        merge(&mut all, |it| *it == 'a', |it| *it == 'd');
        assert_eq!(words(&all), "c deab");
        merge(&mut all, |it| *it == 'a', |it| *it == 'e');
        merge(&mut all, |it| *it == 'a', |it| *it == 'x');
        split(&mut all, |it| *it == 'a');
        assert_eq!(words(&all), "c deb a");
    }
}
