//! Which mutants of a seed test are played, and in which order (paper.md, section 9).

use std::collections::{BTreeMap, BTreeSet};

use super::GenieConfig;
use super::choice::field_text;
use super::detours::{Pivot, Planned, detours};
use super::gui_model::{Act, EventClass, GuiModel};
use super::mutant::Mutant;
use super::seed::SeedTest;
use crate::oracle::asks_nothing;
use crate::{RoundCtx, Stop};
use taproof_screen::determinism::Rng;
use taproof_screen::{CandidateAction, Layout, Widget};
use taproof_spec::TestRules;

/// Number of detours that are searched for at each position of a seed test (the published tool's; section 9).
const MUTANTS_PER_POSITION: usize = 200;

/// The input of the search for mutants.
#[derive(Clone, Copy)]
pub struct SearchContext<'a, 'c> {
    /// The mined model that detours are searched in.
    pub model: &'a GuiModel,
    /// The classes of events that have changed something.
    pub changing: &'a BTreeSet<EventClass>,
    /// The current round, by which the search can be cancelled.
    pub ctx: &'a RoundCtx<'c>,
}

/// Returns at most `most` mutants of a seed test, in the order in which they are played. Only few of the possible ones
/// can be played, so three orders alternate: by position and, at each, by length of the detour, as in the paper;
/// detours that do what no other mutant of the test does; and detours that change what the test changes, but with other
/// widgets. The last two are not in the paper.
pub fn mutants_of(
    seed: &SeedTest,
    known: SearchContext<'_, '_>,
    others: &mut [Vec<Mutant>],
    most: usize,
    config: &GenieConfig,
    rng: &mut Rng,
) -> Result<Vec<Mutant>, Stop> {
    let mut lists = by_position(seed, known, config, rng)?;
    let spans = seed.spans();
    let of_seed: BTreeSet<EventClass> = seed.planned.iter().map(Planned::class).collect();
    let mut alike: Vec<((usize, usize), Mutant)> = Vec::new();
    for mutant in lists.iter().flatten() {
        let classes: BTreeSet<EventClass> = mutant.detour.iter().map(Planned::class).collect();
        let shared: BTreeSet<&EventClass> = classes.iter().filter(|class| of_seed.contains(class)).collect();
        if shared.iter().any(|class| known.changing.contains(class)) {
            alike.push(((shared.len() * 100 / mutant.detour.len(), shared.len()), mutant.clone()));
        }
    }
    rng.shuffle(&mut alike);
    // The next one is popped from the end: first those that do most of what the test does, and least else.
    alike.sort_by_key(|(shared, _)| *shared);
    let mut alike: Vec<Mutant> = alike.into_iter().map(|(_, mutant)| mutant).collect();
    let mut diverse = diverse(&lists, &spans, rng);
    let mut order: Vec<Mutant> = Vec::new();
    while order.len() < most && !(lists.is_empty() && others.iter().all(Vec::is_empty)) {
        order.extend(diverse.pop());
        order.extend(alike.pop());
        order.extend(others.iter_mut().filter_map(Vec::pop));
        let weights: Vec<u32> =
            lists.iter().map(|list| list.first().map_or(0, |it| spans[it.position])).collect();
        if let Some(list) = rng.weighted(&weights) {
            order.extend(lists[list].pop());
        }
        lists.retain(|list| !list.is_empty());
    }
    order.truncate(most);
    let typed: Vec<&str> = seed.planned.iter().map(|planned| planned.text.as_str()).collect();
    order.iter_mut().for_each(|mutant| retype(&mut mutant.detour, &typed, &known.ctx.target().rules, rng));
    Ok(order)
}

/// The mutants for each position of the seed test.
fn by_position(
    seed: &SeedTest,
    known: SearchContext<'_, '_>,
    config: &GenieConfig,
    rng: &mut Rng,
) -> Result<Vec<Vec<Mutant>>, Stop> {
    let (layouts, inactive) = (seed.layouts(), seed.inactive());
    let (openings, none, none_used) = (seed.openings(), BTreeSet::new(), BTreeSet::new());
    let used = seed.objects();
    let objects = if config.keep_objects { &used } else { &none_used };
    let mut lists = Vec::new();
    for (position, next) in seed.planned.iter().enumerate() {
        known.ctx.still_wanted()?;
        let Some(Some(layout)) = layouts.get(position) else { continue };
        if config.keep_page && asks(layout) {
            continue;
        }
        let Some(opening) = openings.get(position).filter(|it| !config.keep_objects || !it.of_object) else {
            continue;
        };
        let behind = if config.keep_page { &opening.behind } else { &none };
        let (inactive, app) = (&inactive[position], known.ctx.target().app.as_str());
        let chosen = seed.choices(position);
        let choices = if config.keep_objects { &chosen } else { &none_used };
        let set_before = if config.keep_objects { seed.set_before(position) } else { BTreeSet::new() };
        let pivot = Pivot { layout, inactive, next, app, behind, objects, choices, set_before: &set_before };
        let found = detours(known.model, pivot, MUTANTS_PER_POSITION, config.max_detour, rng);
        let list: Vec<Mutant> = by_turns_of_length(found, rng)
            .into_iter()
            .map(|detour| Mutant { position, detour, reopens: false })
            .collect();
        if !list.is_empty() {
            lists.push(list);
        }
    }
    Ok(lists)
}

/// Whether the layout asks or offers something: a dialog, a menu, a drawer, or a page with fields or labelled buttons, as
/// forms and bars have them. It belongs to what the test did before, and a detour would close or answer it.
fn asks(layout: &Layout) -> bool {
    let worded = |widget: &Widget| widget.short_class() == "Button" && !widget.text.is_empty();
    !asks_nothing(layout) || layout.widgets().iter().any(worded)
}

/// Orders mutants so that the one popped next has the detour with the most event classes that earlier ones did not
/// have; of equal ones, the shorter.
fn diverse(lists: &[Vec<Mutant>], spans: &[u32], rng: &mut Rng) -> Vec<Mutant> {
    let mut all: Vec<(BTreeSet<EventClass>, &Mutant)> = lists
        .iter()
        .flatten()
        .map(|mutant| (mutant.detour.iter().map(Planned::class).collect(), mutant))
        .collect();
    rng.shuffle(&mut all);
    all.sort_by_key(|(_, mutant)| (mutant.detour.len(), std::cmp::Reverse(spans[mutant.position])));
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

/// Replaces the texts that a detour types by random ones, half of them texts that the test types, so that names
/// coincide.
fn retype(detour: &mut [Planned], typed: &[&str], rules: &TestRules, rng: &mut Rng) {
    let typed: Vec<&str> = typed.iter().copied().filter(|text| !text.is_empty()).collect();
    for planned in detour {
        let Act::On(CandidateAction::SetText, field) = planned.act else { continue };
        let known = if rng.chance(1, 2) { rng.pick(&typed).copied().map(str::to_owned) } else { None };
        let known = known.or_else(|| rules.text_for(&planned.on, field, rng));
        planned.text = known.unwrap_or_else(|| field_text(rng).to_owned());
    }
}

/// Orders detours so that their lengths alternate when popped, at random among those of one length.
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

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{PxRect, WidgetIdx, layout_from};

    #[test]
    fn no_detour_begins_where_something_is_asked() {
        let list = layout_from("FrameLayout\n  ImageButton#add\n  ListView\n    TextView \"cat\"\n");
        let form = layout_from("FrameLayout\n  EditText#name\n  Button#save \"Save\"\n");
        let dialog = list.with_changed(&[WidgetIdx(0)], |root| root.bounds = PxRect::new(9, 9, 99, 99));
        assert_eq!([&list, &form, &dialog].map(asks), [false, true, true]);
    }
}
