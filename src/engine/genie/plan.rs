//! Which mutants of a seed test are played, and in which order (genie.md 7).

use std::collections::{BTreeMap, BTreeSet};

use super::GenieConfig;
use super::choice::field_text;
use super::detours::{Pivot, Planned, detours};
use super::gui_model::{Act, EventClass, GuiModel};
use super::mutant::Mutant;
use super::seed::SeedTest;
use crate::determinism::Rng;
use crate::model::{CandidateAction, drawer_open, is_dialog};

/// What the search for mutants works with.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The mined model.
    pub model: &'a GuiModel,
    /// The classes of events that were seen to change something.
    pub changing: &'a BTreeSet<EventClass>,
    /// The app under test.
    pub app: &'a str,
}

/// The mutants of a seed test in the order in which they are played, at most so many. Few of those that there are can
/// be played, so three orders take turns: the positions and at each the lengths of detours by turns, as the paper has
/// it; detours that do what no other mutant of the test does; and (both ours) detours that change what the test
/// changes, too, with other widgets.
pub fn mutants_of(
    seed: &SeedTest,
    known: Known<'_>,
    most: usize,
    config: &GenieConfig,
    rng: &mut Rng,
) -> Vec<Mutant> {
    let mut lists = by_position(seed, known, config, rng);
    let of_seed: BTreeSet<EventClass> = seed.planned.iter().map(Planned::class).collect();
    let mut alike: Vec<(usize, Mutant)> = lists
        .iter()
        .flatten()
        .map(|mutant| {
            let classes: BTreeSet<EventClass> = mutant.detour.iter().map(Planned::class).collect();
            let shared =
                classes.iter().filter(|class| of_seed.contains(class) && known.changing.contains(class));
            (shared.count(), mutant.clone())
        })
        .filter(|(shared, _)| *shared > 0)
        .collect();
    rng.shuffle(&mut alike);
    // Popped from the end: those that share most, the shortest of them first.
    alike.sort_by_key(|(shared, mutant)| (*shared, std::cmp::Reverse(mutant.detour.len())));
    let mut alike: Vec<Mutant> = alike.into_iter().map(|(_, mutant)| mutant).collect();
    let mut diverse = diverse(&lists, rng);
    let mut order: Vec<Mutant> = Vec::new();
    while order.len() < most && !lists.is_empty() {
        order.extend(diverse.pop());
        order.extend(alike.pop());
        let list = order.len() % lists.len();
        order.extend(lists[list].pop());
        lists.retain(|list| !list.is_empty());
    }
    order.truncate(most);
    let typed: Vec<&str> = seed.planned.iter().map(|planned| planned.text.as_str()).collect();
    order.iter_mut().for_each(|mutant| retype(&mut mutant.detour, &typed, rng));
    order
}

/// For each position of the seed test its mutants.
fn by_position(seed: &SeedTest, known: Known<'_>, config: &GenieConfig, rng: &mut Rng) -> Vec<Vec<Mutant>> {
    let (layouts, inactive) = (seed.layouts(), seed.inactive(config));
    let (openings, none, none_used) = (seed.openings(), BTreeSet::new(), BTreeSet::new());
    let used = seed.objects();
    let objects = if config.keep_objects { &used } else { &none_used };
    let mut lists = Vec::new();
    for (position, next) in seed.planned.iter().enumerate() {
        let Some(Some(layout)) = layouts.get(position) else { continue };
        // What stands on top of a page belongs to the event that opened it: a detour from there would close it.
        if config.keep_page && (is_dialog(layout) || drawer_open(layout)) {
            continue;
        }
        let Some(opening) = openings.get(position).filter(|it| !config.keep_objects || !it.of_object) else {
            continue;
        };
        let behind = if config.keep_page { &opening.behind } else { &none };
        let (inactive, app) = (&inactive[position], known.app);
        let pivot = Pivot { layout, inactive, next, app, behind, objects };
        let found = detours(known.model, pivot, config.mutants_per_position, config, rng);
        let list: Vec<Mutant> =
            by_turns_of_length(found, rng).into_iter().map(|detour| Mutant { position, detour }).collect();
        if !list.is_empty() {
            lists.push(list);
        }
    }
    rng.shuffle(&mut lists);
    lists
}

/// Mutants so that popping takes next one whose detour does most that those before did not do, the shorter first.
fn diverse(lists: &[Vec<Mutant>], rng: &mut Rng) -> Vec<Mutant> {
    let mut all: Vec<(BTreeSet<EventClass>, &Mutant)> = lists
        .iter()
        .flatten()
        .map(|mutant| (mutant.detour.iter().map(Planned::class).collect(), mutant))
        .collect();
    rng.shuffle(&mut all);
    all.sort_by_key(|(_, mutant)| mutant.detour.len());
    let mut done: BTreeSet<EventClass> = BTreeSet::new();
    let mut chosen = Vec::new();
    for (classes, mutant) in all {
        if !classes.is_subset(&done) {
            done.extend(classes);
            chosen.push(mutant.clone());
        }
    }
    rng.shuffle(&mut chosen);
    chosen
}

/// What a detour types is drawn anew, half of it from what the test types, so that names meet.
fn retype(detour: &mut [Planned], typed: &[&str], rng: &mut Rng) {
    let typed: Vec<&str> = typed.iter().copied().filter(|text| !text.is_empty()).collect();
    for planned in detour.iter_mut().filter(|it| matches!(it.act, Act::On(CandidateAction::SetText, _))) {
        let own = if rng.chance(1, 2) { rng.pick(&typed).copied() } else { None };
        planned.text = own.unwrap_or_else(|| field_text(rng)).to_owned();
    }
}

/// Detours so that popping takes their lengths by turns, by chance among those of one length.
fn by_turns_of_length(found: Vec<Vec<Planned>>, rng: &mut Rng) -> Vec<Vec<Planned>> {
    let mut lengths: BTreeMap<usize, Vec<Vec<Planned>>> = BTreeMap::new();
    for detour in found {
        lengths.entry(detour.len()).or_default().push(detour);
    }
    let mut lists: Vec<Vec<Vec<Planned>>> = lengths.into_values().collect();
    let mut order = Vec::new();
    while !lists.is_empty() {
        let at = rng.below(lists.len());
        let list = &mut lists[at];
        order.push(list.swap_remove(rng.below(list.len())));
        if list.is_empty() {
            lists.remove(at);
        }
    }
    order
}
