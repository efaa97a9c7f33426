//! Which findings in a list show the same bug: those on one card of a campaign, and the same bug in several campaigns.

use std::collections::{BTreeMap, BTreeSet};

use super::history::HistoryRow;

/// The findings of a bug, by their indices in the list. The first is the one to look at.
pub(super) type BugGroup = Vec<usize>;

/// A bug while its findings are collected.
struct Bug {
    /// The campaigns in which it has a card.
    campaigns: BTreeSet<i64>,
    rows: BugGroup,
    /// Whether the first finding is the one to look at on a card.
    shown: bool,
}

/// Groups findings by bug, in the order of the first finding of each. Two cards of a campaign are two bugs, whatever
/// their findings say; cards of two campaigns, and findings without one, are the same bug if they share a finding or a
/// cause.
pub(super) fn bug_groups<'r>(rows: impl IntoIterator<Item = (usize, &'r HistoryRow)>) -> Vec<BugGroup> {
    let mut bugs: Vec<Bug> = Vec::new();
    let (mut by_card, mut by_name, mut by_cause) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (index, row) in rows {
        let card = row.bug.as_ref().map(|bug| (row.key.campaign, &bug.shown));
        let (name, cause) = ((&row.app, &row.key.name), (&row.app, row.cause()));
        let open = |place: &usize| {
            let bug = bugs.get(*place);
            card.is_none() || bug.is_some_and(|bug| !bug.campaigns.contains(&row.key.campaign))
        };
        let known = card.and_then(|card| by_card.get(&card).copied());
        let known = known.or_else(|| by_name.get(&name).copied().filter(open));
        let place = known.or_else(|| by_cause.get(&cause).copied().filter(open)).unwrap_or(bugs.len());
        if place == bugs.len() {
            bugs.push(Bug { campaigns: BTreeSet::new(), rows: Vec::new(), shown: false });
        }
        let Some(bug) = bugs.get_mut(place) else { continue };
        bug.campaigns.extend(card.map(|(campaign, _)| campaign));
        if let Some(card) = card {
            by_card.insert(card, place);
        }
        by_name.entry(name).or_insert(place);
        by_cause.entry(cause).or_insert(place);
        let is_shown = card.is_some_and(|(_, shown)| *shown == row.key.name);
        if is_shown && !bug.shown {
            bug.shown = true;
            bug.rows.insert(0, index);
        } else {
            bug.rows.push(index);
        }
    }
    bugs.into_iter().map(|bug| bug.rows).collect()
}
