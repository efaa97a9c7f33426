//! What changes between two layouts.

use std::collections::{BTreeMap, VecDeque};

use super::prepared::Prepared;
use crate::oracle::layout_effects::EditOp;
use taproof_screen::WidgetIdx;

/// One GUI effect: a widget is gone (`to` is empty), new (`from` is empty) or another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect {
    /// In the layout before.
    pub from: Option<WidgetIdx>,
    /// In the layout after.
    pub to: Option<WidgetIdx>,
    /// The contexts of both sides; partners have the same. 0 stands for no widget.
    pub contexts: (u64, u64),
    /// What was there before it: the widget's own label.
    pub origin: u64,
    /// What is there after it: the widget's own label.
    pub outcome: u64,
    /// Something goes or comes, or becomes something of another type; else only a text changes.
    pub replaces: bool,
    /// It is a new member of a list.
    pub joins: bool,
    /// The label of the list that it happens in.
    pub list: Option<u64>,
    /// What was there held other widgets, which are effects of their own.
    pub holds_others: bool,
    /// It is part of a new member of a list, which is an effect of its own.
    pub in_member: bool,
}

impl Effect {
    /// Whether a widget outside of lists only changes its text.
    pub(super) fn is_text(&self) -> bool {
        self.from.is_some() && self.to.is_some() && !self.replaces && self.list.is_none()
    }
}

/// The edits of a script that are no matches, as effects.
pub(super) fn effects_of(script: Vec<EditOp>, before: &Prepared, after: &Prepared) -> Vec<Effect> {
    let edits: Vec<(Option<WidgetIdx>, Option<WidgetIdx>)> = script
        .into_iter()
        .filter_map(|op| match op {
            EditOp::Match(..) => None,
            EditOp::Change(from, to) => Some((Some(from), Some(to))),
            EditOp::Delete(from) => Some((Some(from), None)),
            EditOp::Insert(to) => Some((None, Some(to))),
        })
        .collect();
    let mut joins = vec![false; after.len()];
    for (from, to) in &edits {
        if let Some(to) = to.filter(|to| from.is_none() && after.is_member(*to)) {
            joins[to.index()] = true;
        }
    }
    let in_member = after.inside(&joins);
    let effect = |(from, to): (Option<WidgetIdx>, Option<WidgetIdx>)| Effect {
        from,
        to,
        contexts: (before.context(from), after.context(to)),
        origin: from.map_or(0, |idx| before.label(idx)),
        outcome: to.map_or(0, |idx| after.label(idx)),
        replaces: match (from, to) {
            (Some(from), Some(to)) => !before.of_one_type(from, after, to),
            (_, _) => true,
        },
        joins: to.is_some_and(|idx| joins[idx.index()]),
        list: from.and_then(|idx| before.list_around(idx)).or(to.and_then(|idx| after.list_around(idx))),
        holds_others: from.is_some_and(|idx| before.holds_others(idx)),
        in_member: to.is_some_and(|idx| in_member[idx.index()]),
    };
    edits.into_iter().map(effect).collect()
}

/// What is left of two multisets of effects when partners are taken out, each used once.
pub(super) fn unmatched(seed: &[Effect], mutant: &[Effect]) -> (Vec<Effect>, Vec<Effect>) {
    let mut places: BTreeMap<(u64, u64), VecDeque<usize>> = BTreeMap::new();
    for (place, effect) in mutant.iter().enumerate() {
        places.entry(effect.contexts).or_default().push_back(place);
    }
    let mut taken = vec![false; mutant.len()];
    let mut lost = Vec::new();
    for effect in seed {
        match places.get_mut(&effect.contexts).and_then(VecDeque::pop_front) {
            Some(partner) => taken[partner] = true,
            None => lost.push(*effect),
        }
    }
    let left = mutant.iter().zip(taken).filter(|(_, taken)| !taken);
    (lost, left.map(|(effect, _)| *effect).collect())
}
