//! What a person has said of the cards: which findings show the same bug, what is a bug and what is none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{BugKey, Finding};

/// A statement about findings, which are named by their ids, or about a bug, which is named by its keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// This finding shows another bug than the others on its card.
    Apart(String),
    /// These two findings show the same bug, and so does everything else on their cards.
    Same(String, String),
    /// This is a bug, or none.
    Judged(JudgedBug),
}

/// What a person has said of a card.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JudgedBug {
    /// What the findings on the card are known by.
    pub keys: BTreeSet<BugKey>,
    /// Whether it is a bug.
    pub is_bug: bool,
    /// The title of the card, for people.
    pub title: String,
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
            Correction::Judged(JudgedBug { is_bug: true, title, .. }) => format!("a bug: {title}"),
            Correction::Judged(JudgedBug { is_bug: false, title, .. }) => format!("not a bug: {title}"),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} true, {} not", self.confirmed, self.dismissed)
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

    /// Whether a bug with these keys is one, as a person said last; `None` if nobody did.
    pub fn verdict(&self, keys: &BTreeSet<BugKey>) -> Option<bool> {
        self.judged().rev().find(|judged| judged.is_about(keys)).map(|judged| judged.is_bug)
    }

    /// What people confirmed and dismissed, by who said that it is a bug (see [`BugKey::said_by`]). Of several statements
    /// about a bug the last one counts.
    pub fn tallies(&self) -> BTreeMap<String, Tally> {
        let (mut tallies, mut counted) = (BTreeMap::<String, Tally>::new(), BTreeSet::new());
        for JudgedBug { keys, is_bug, .. } in self.judged().rev() {
            if !counted.is_disjoint(keys) {
                continue;
            }
            counted.extend(keys.iter().cloned());
            for said_by in keys.iter().map(BugKey::said_by).collect::<BTreeSet<String>>() {
                let tally = tallies.entry(said_by).or_default();
                *(if *is_bug { &mut tally.confirmed } else { &mut tally.dismissed }) += 1;
            }
        }
        tallies
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
        let said = |keys: &[&str], is_bug| {
            let keys = keys.iter().map(|subject| key(subject)).collect();
            Correction::Judged(JudgedBug { keys, is_bug, title: String::new() })
        };
        let all = Corrections(vec![
            said(&["rotation on Main", "call on Main"], false),
            said(&["rotation on Edit"], false),
            said(&["rotation on Main"], true),
            said(&["scroll on Main"], true),
        ]);
        let verdict = |subject: &str| all.verdict(&BTreeSet::from([key(subject)]));
        let verdicts = ["rotation on Main", "call on Main", "rotation on Edit", "home on Main"].map(verdict);
        assert_eq!(verdicts, [Some(true), Some(false), Some(false), None]);
        let tallies = all.tallies();
        let counts = |by: &str| tallies.get(by).map(|tally| (tally.confirmed, tally.dismissed));
        assert_eq!(counts("Keep, rotation"), Some((1, 1)));
        assert_eq!((counts("Keep, scroll"), counts("Keep, call")), (Some((1, 0)), None));
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
