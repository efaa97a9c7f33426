//! Mutants: a seed test with a detour, planned and played (paper.md, sections 9 and 10).

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::GenieConfig;
use super::detours::{Planned, shown_texts};
use super::gui_model::{Act, EventClass};
use super::seed::SeedTest;
use super::seeding::SECOND_RUN_WAIT;
use crate::oracle::layout_effects::{
    LabelBasis, SimilarWidget, content_hash, property_key, relocate, row_around, rows_by_widget,
};
use crate::oracle::place_of;
use crate::{Replay, RoundCtx, Stop};
use taproof_screen::determinism::StableHasher;
use taproof_screen::{
    AppHealth, CandidateAction, Event, Frame, Key, Layout, Same, StepRole, Text, WidgetIdx, event_on,
    is_dialog,
};
use taproof_spec::is_forbidden;

/// A seed test with a detour.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mutant {
    /// Index of the seed test's event before which the detour is inserted.
    pub position: usize,
    /// The events of the detour.
    pub detour: Vec<Planned>,
    /// The detour closes the pivot's page and opens it again, so it may show the pages that it was opened from.
    pub reopens: bool,
}

/// How playing a mutant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// All events were sent.
    Fully {
        /// Whether every widget was located exactly.
        faithful: bool,
    },
    /// An event only found another widget of the same kind than was meant.
    Unfaithfully,
    /// The widget of the event with this index was not there.
    Until(usize),
    /// The detour came back to the pivot's page, but not to its state.
    Returned,
    /// The detour did not come back to the pivot.
    Strayed,
}

impl Mutant {
    /// The events from the detour on.
    fn tail<'s>(&'s self, seed: &'s SeedTest) -> impl Iterator<Item = &'s Planned> {
        self.detour.iter().chain(seed.planned.iter().skip(self.position))
    }

    /// The class of the detour's first event, if it is followed by Back alone.
    pub fn only_opens(&self) -> Option<EventClass> {
        let (first, rest) = self.detour.split_first()?;
        let closes = first.act != Act::Back && rest.iter().all(|planned| planned.act == Act::Back);
        closes.then(|| first.class())
    }

    /// All events: those of the seed test with the detour.
    pub fn planned(&self, seed: &SeedTest) -> Vec<Planned> {
        seed.planned.iter().take(self.position).chain(self.tail(seed)).cloned().collect()
    }

    /// For each event, a hash of the plan up to and including it: equal prefixes have equal hashes.
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
        let before = seed.events().into_iter().take(self.position);
        Replay::new(before, StepRole::Seed).run(ctx)?;
        let mut faithful = true;
        let opening = seed.openings().into_iter().nth(self.position);
        let behind = opening.map(|opening| opening.behind).unwrap_or_default();
        let (objects, choices) = (seed.objects(), seed.choices(self.position));
        let pivot = Arc::clone(&ctx.frame().layout);
        let came_back = |frame: &Frame| {
            frame.health == AppHealth::Running && config.comes_back().holds(&pivot, &frame.layout)
        };
        let is_pivots_page =
            |frame: &Frame| frame.health == AppHealth::Running && place_of(&pivot) == place_of(&frame.layout);
        for (index, planned) in self.tail(seed).enumerate() {
            let layout = Arc::clone(&ctx.frame().layout);
            let event = match planned.act {
                Act::Back => Event::Key(Key::Back),
                Act::On(action, widget) => {
                    let (on, here) = (seed.steady(&planned.on), seed.steady(&layout));
                    let basis = LabelBasis::default();
                    let found = relocate(&on, widget, &here, basis);
                    let only = found.len() == 1
                        && row_around(&on, widget).is_none()
                        && !names_object(planned, action, widget);
                    let of_object = same_object(&on, widget, &here, &found, basis);
                    let found = of_object.or(found.first());
                    let event = found.and_then(|found| {
                        let event = event_on(&layout, found.widget, action.gesture(&planned.text))?;
                        let forbidden = is_forbidden(ctx.blocks(), &layout, &event);
                        (!forbidden).then_some((found, event))
                    });
                    let Some((found, event)) = event else {
                        return Ok(Played::Until(self.position + index));
                    };
                    faithful &= found.exact;
                    if of_object.is_none() && !only {
                        return Ok(Played::Unfaithfully);
                    }
                    let others = if is_dialog(&layout) { &choices } else { &objects };
                    let says = layout.widget(found.widget).says();
                    let used = index < self.detour.len()
                        && config.keep_objects
                        && !self.reopens
                        && (!shown_texts(&layout, found.widget).is_disjoint(others)
                            || says.is_some_and(|label| choices.contains(label)));
                    if used {
                        return Ok(Played::Strayed);
                    }
                    event
                }
            };
            let inserted = index < self.detour.len();
            ctx.perform(event, if inserted { StepRole::Inserted } else { StepRole::Seed })?;
            let keeps_page = config.keep_page && !self.reopens;
            if inserted && keeps_page && behind.contains(&ctx.frame().layout.key(Same::Page)) {
                return Ok(Played::Strayed);
            }
            // A message about what the detour did, such as an undo bar, goes by itself.
            if index + 1 == self.detour.len() && !came_back(ctx.frame()) && ctx.frame().layout.tells() {
                ctx.perform(Event::Wait(SECOND_RUN_WAIT), StepRole::Appended)?;
            }
            if index + 1 == self.detour.len() && !came_back(ctx.frame()) {
                return Ok(if is_pivots_page(ctx.frame()) { Played::Returned } else { Played::Strayed });
            }
        }
        Ok(Played::Fully { faithful })
    }
}

/// Returns which of the widgets found belongs to the intended object: its row has the same content or, if there is only
/// one such row, has lost or gained a text. A button in a row belongs to the row.
fn same_object<'f>(
    on: &Layout,
    widget: WidgetIdx,
    here: &Layout,
    found: &'f [SimilarWidget],
    basis: LabelBasis,
) -> Option<&'f SimilarWidget> {
    let [rows, rows_here] = [on, here].map(rows_by_widget);
    let [labels, labels_here] = [on, here].map(|layout| basis.text_labels(layout));
    let row_of = |rows: &[Option<WidgetIdx>], widget: WidgetIdx| rows.get(widget.index()).copied().flatten();
    let row = row_of(&rows, widget);
    let meant = row.map(|row| content_hash(on, &labels, row));
    let content_here = |row: WidgetIdx| content_hash(here, &labels_here, row);
    let same =
        |found: &&SimilarWidget| found.content && row_of(&rows_here, found.widget).map(content_here) == meant;
    if let Some(first) = found.iter().find(same) {
        // If several look the same it is unknown which one is meant, unless there were as many before.
        let many = |layout: &Layout, labels: &[u64], rows: &[Option<WidgetIdx>]| {
            let own = layout.iter().map(|(idx, _)| idx).filter(|idx| row_of(rows, *idx) == Some(*idx));
            own.filter(|row| Some(content_hash(layout, labels, *row)) == meant).count()
        };
        let as_many = || many(on, &labels, &rows) == many(here, &labels_here, &rows_here);
        return (row.is_none() || as_many()).then_some(first);
    }
    let texts: BTreeSet<&Text> = on.texts_in(row?).collect();
    let like = |found: &&SimilarWidget| {
        row_of(&rows_here, found.widget).is_some_and(|row| {
            let others: BTreeSet<&Text> = here.texts_in(row).collect();
            !others.is_empty() && (others.is_subset(&texts) || texts.is_subset(&others))
        })
    };
    let mut like = found.iter().filter(like);
    like.next().filter(|_| like.next().is_none())
}

/// Whether a receiver stands for the object whose texts it shows, such as a row. Another widget of its kind is then
/// another object, even if it is the only one left.
fn names_object(planned: &Planned, action: CandidateAction, widget: WidgetIdx) -> bool {
    matches!(action, CandidateAction::Tap | CandidateAction::LongPress)
        && planned.on.texts_in(widget).next().is_some()
}
