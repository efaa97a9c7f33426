//! Which bugs of the list are chosen.

use std::collections::BTreeSet;

use super::history::{History, HistoryLine, HistoryRow};
use super::history_command::Choosing;
use crate::state::FindingKey;
use taproof_results::store::ListedBug;

impl History {
    /// Whether the bug that this finding is shown of is chosen.
    pub fn is_chosen(&self, shown: &FindingKey) -> bool {
        self.chosen.contains(shown)
    }

    /// The bugs in the order of the list, with the finding to look at.
    fn in_order(&self) -> impl Iterator<Item = (&FindingKey, &ListedBug)> {
        self.lines.iter().filter_map(|line| match line {
            HistoryLine::Bug(line) => Some((&self.rows.get(line.shown)?.key, self.listed.get(line.bug)?)),
            HistoryLine::Finding(_) | HistoryLine::Section { .. } => None,
        })
    }

    /// The chosen bugs; if none is, the one that this finding shows.
    pub fn chosen(&self, open: Option<&FindingKey>) -> Vec<&ListedBug> {
        let chosen: Vec<&ListedBug> =
            self.in_order().filter(|(key, _)| self.chosen.contains(key)).map(|(_, bug)| bug).collect();
        if !chosen.is_empty() {
            return chosen;
        }
        open.and_then(|key| self.bug_of(key)).into_iter().collect()
    }

    /// The bug that a finding shows.
    pub fn bug_of(&self, key: &FindingKey) -> Option<&ListedBug> {
        let place = self.rows.iter().position(|row| row.key == *key)?;
        self.listed.iter().find(|bug| bug.findings.contains(&place))
    }

    /// The finding to look at of a bug.
    pub fn shown_of(&self, bug: &ListedBug) -> Option<&HistoryRow> {
        bug.findings.first().and_then(|place| self.rows.get(*place))
    }

    /// The bug that was chosen last, by the finding to look at.
    pub fn last_chosen(&self) -> Option<&FindingKey> {
        self.last_chosen.as_ref().filter(|key| self.chosen.contains(key))
    }

    /// Chooses a bug, or others with it.
    pub(super) fn choose(&mut self, key: FindingKey, how: Choosing) {
        let keys: Vec<FindingKey> = self.in_order().map(|(key, _)| key.clone()).collect();
        let place = |key: &FindingKey| keys.iter().position(|one| one == key);
        let range = self.last_chosen.as_ref().and_then(place).zip(place(&key));
        match (how, range) {
            (Choosing::Range, Some((from, to))) => {
                let range = keys.get(from.min(to)..=from.max(to)).unwrap_or_default();
                self.chosen = range.iter().cloned().collect();
                return;
            }
            (Choosing::Also, _) if self.chosen.remove(&key) => {}
            (Choosing::Also, _) => drop(self.chosen.insert(key.clone())),
            (Choosing::Only | Choosing::Range, _) => self.chosen = BTreeSet::from([key.clone()]),
        }
        self.last_chosen = Some(key);
    }

    /// Chooses the bug that a finding shows, and no other.
    pub(super) fn choose_shown(&mut self, finding: &FindingKey) {
        let shown = self.bug_of(finding).and_then(|bug| Some(self.shown_of(bug)?.key.clone()));
        self.chosen = shown.iter().cloned().collect();
        self.last_chosen = shown;
    }

    /// Chooses the bug so many lines below the one that was chosen last, or the first.
    pub(super) fn choose_next(&mut self, lines: isize) {
        let keys: Vec<&FindingKey> = self.in_order().map(|(key, _)| key).collect();
        let last = self.last_chosen.as_ref().and_then(|last| keys.iter().position(|key| *key == last));
        let next = last.map_or(0, |last| last.saturating_add_signed(lines).min(keys.len().saturating_sub(1)));
        if let Some(key) = keys.get(next) {
            let key = (*key).clone();
            self.choose(key, Choosing::Only);
        }
    }
}
