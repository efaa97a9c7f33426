//! Mutants: a seed test with a detour, planned and played (genie.md 7 and 8).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::GenieConfig;
use super::detours::{Pivot, Planned, detours};
use super::gui_model::{Act, GuiModel};
use super::seed::SeedTest;
use crate::determinism::{Rng, StableHasher};
use crate::engine::explore::event_on;
use crate::engine::{RoundCtx, Stop};
use crate::model::{
    AppHealth, CandidateAction, Event, Key, StepRole, WidgetIdx, dice_permille, page_key, property_key,
    relocate,
};

/// A seed test with a detour.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mutant {
    /// The detour stands before this event of the seed test.
    pub position: usize,
    /// Its events.
    pub detour: Vec<Planned>,
}

/// How playing a mutant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// All events were sent; `faithful` where every widget was found exactly.
    Fully {
        /// Whether every widget was found exactly.
        faithful: bool,
    },
    /// An event found only another widget of the kind than was meant.
    Unfaithfully,
    /// The widget of this event was not there.
    Until(usize),
    /// The detour did not come back to the pivot.
    Strayed,
}

impl Mutant {
    /// The events that stand from the detour on.
    fn tail<'s>(&'s self, seed: &'s SeedTest) -> impl Iterator<Item = &'s Planned> {
        self.detour.iter().chain(seed.planned.iter().skip(self.position))
    }

    /// For each event a hash of the plan up to and including it: equal prefixes have equal hashes.
    pub fn prefixes(&self, seed: &SeedTest) -> Vec<u64> {
        let mut hasher = StableHasher::new();
        let before = seed.planned.iter().take(self.position);
        let mut hash = |planned: &Planned| {
            match planned.act {
                Act::Back => hasher.u64(0),
                Act::On(action, widget) => {
                    let receiver = planned.on.widget(widget);
                    hasher.u64(action.code());
                    hasher.u64(property_key(receiver));
                    hasher.text(&receiver.text);
                    hasher.u64(u64::from(widget.0));
                    hasher.text(&planned.text);
                }
            }
            hasher.finish()
        };
        before.chain(self.tail(seed)).map(&mut hash).collect()
    }

    /// Plays the mutant on the app with cleared data.
    pub fn play(
        &self,
        ctx: &mut RoundCtx<'_>,
        seed: &SeedTest,
        config: &GenieConfig,
    ) -> Result<Played, Stop> {
        ctx.start()?;
        // Up to the detour both tests are the same, so the events are sent as recorded.
        for event in seed.events().iter().take(self.position) {
            let event = event.aimed(&ctx.frame().layout);
            ctx.perform(event, StepRole::Seed)?;
        }
        let (mut faithful, mut meant) = (true, true);
        let behind = seed.pages_behind().into_iter().nth(self.position).unwrap_or_default();
        let pivot = std::sync::Arc::clone(&ctx.frame().layout);
        for (index, planned) in self.tail(seed).enumerate() {
            let layout = std::sync::Arc::clone(&ctx.frame().layout);
            let event = match planned.act {
                Act::Back => Event::Key(Key::Back),
                Act::On(action, widget) => {
                    let found = relocate(&planned.on, widget, &layout, config.widget_basis());
                    let only = found.len() == 1 && !names_object(planned, action, widget);
                    let Some(found) = found.first() else { return Ok(Played::Until(self.position + index)) };
                    faithful &= found.exact;
                    meant &= found.content || only;
                    if !meant && !config.judge_unfaithful {
                        return Ok(Played::Unfaithfully);
                    }
                    event_on(&layout, found.widget, action.gesture(&planned.text))
                }
            };
            let inserted = index < self.detour.len();
            ctx.perform(event, if inserted { StepRole::Inserted } else { StepRole::Seed })?;
            let left = inserted && config.keep_page && behind.contains(&page_key(&ctx.frame().layout));
            if left || (index + 1 == self.detour.len() && !self.came_back(ctx, &pivot, config)) {
                return Ok(Played::Strayed);
            }
        }
        Ok(if meant { Played::Fully { faithful } } else { Played::Unfaithfully })
    }

    fn came_back(&self, ctx: &RoundCtx<'_>, pivot: &crate::model::Layout, config: &GenieConfig) -> bool {
        let frame = ctx.frame();
        frame.health == AppHealth::Running && dice_permille(pivot, &frame.layout) >= config.pivot_percent * 10
    }
}

/// Whether a receiver stands for the object whose texts it shows, such as a row: another one of its kind is then
/// another object, even if it is the only one left.
fn names_object(planned: &Planned, action: CandidateAction, widget: WidgetIdx) -> bool {
    let shows = |idx: WidgetIdx| !planned.on.widget(idx).text.is_empty();
    matches!(action, CandidateAction::Tap | CandidateAction::LongPress)
        && planned.on.subtree(widget).any(shows)
}

/// The mutants of a seed test in the order in which they are played: all positions get their turn, and at each the
/// lengths of detours do.
pub fn mutants_of(
    seed: &SeedTest,
    model: &GuiModel,
    app: &str,
    most: usize,
    config: &GenieConfig,
    rng: &mut Rng,
) -> Vec<Mutant> {
    let (layouts, inactive) = (seed.layouts(), seed.inactive(config));
    let (behind, none) = (seed.pages_behind(), BTreeSet::new());
    let mut lists: Vec<Vec<Mutant>> = Vec::new();
    for (position, next) in seed.planned.iter().enumerate() {
        let Some(Some(layout)) = layouts.get(position) else { continue };
        let behind = if config.keep_page { &behind[position] } else { &none };
        let pivot = Pivot { layout, inactive: &inactive[position], next, app, behind };
        let found = detours(model, pivot, config.mutants_per_position, config, rng);
        let list: Vec<Mutant> =
            by_turns_of_length(found, rng).into_iter().map(|detour| Mutant { position, detour }).collect();
        if !list.is_empty() {
            lists.push(list);
        }
    }
    let mut order = Vec::new();
    while order.len() < most && !lists.is_empty() {
        for list in &mut lists {
            order.extend(list.pop());
        }
        lists.retain(|list| !list.is_empty());
    }
    order.truncate(most);
    order
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
