//! Seed tests: random tests that are taken as right, each executed twice (genie.md 4 and 10).

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::GenieConfig;
use super::detours::Planned;
use super::groups::selectable_along;
use super::gui_model::Act;
use crate::model::page_key;
use crate::model::{CandidateAction, Event, Key, Layout, LayoutKey, StepRole, Text, Trace, WidgetIdx};
use crate::oracle::{WidgetKind, layouts_of};

/// A seed test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeedTest {
    /// Its first run.
    pub trace: Trace,
    /// Its events as they were chosen.
    pub planned: Vec<Planned>,
    /// What differed between its two runs.
    pub unstable: Vec<WidgetKind>,
}

impl SeedTest {
    /// The events as they were sent, without those that belong to the event before.
    pub fn events(&self) -> Vec<Event> {
        events_of(&self.trace).into_iter().map(|(event, _)| event).collect()
    }

    /// The layouts before the first event and after each.
    pub fn layouts(&self) -> Vec<Option<Arc<Layout>>> {
        layouts_of(&self.trace)
    }

    /// For each layout the widgets that a detour may begin with.
    pub fn inactive(&self, config: &GenieConfig) -> Vec<Vec<WidgetIdx>> {
        let layouts = self.layouts();
        let layouts: Vec<Option<&Layout>> = layouts.iter().map(Option::as_deref).collect();
        let receiver = |planned: &Planned| match planned.act {
            Act::On(_, widget) => Some(widget),
            Act::Back => None,
        };
        let receivers: Vec<Option<WidgetIdx>> = self.planned.iter().map(receiver).collect();
        selectable_along(&layouts, &receivers, config.widget_basis())
    }

    /// For each layout the pages that its own was opened from: going back to one of them would discard it.
    pub fn pages_behind(&self) -> Vec<BTreeSet<LayoutKey>> {
        let mut opened: Vec<LayoutKey> = Vec::new();
        let mut behind = Vec::new();
        for layout in self.layouts() {
            if let Some(layout) = layout {
                let page = page_key(&layout);
                let known = opened.iter().position(|earlier| *earlier == page);
                opened.truncate(known.unwrap_or(opened.len()));
                opened.push(page);
            }
            let (_, earlier) = opened.split_last().unwrap_or((&LayoutKey(0), &[]));
            behind.push(earlier.iter().copied().collect());
        }
        behind
    }
}

/// A trace's events with the layouts that they were sent on, without what was appended to them.
pub fn events_of(trace: &Trace) -> Vec<(Event, Arc<Layout>)> {
    let mut on = Arc::clone(&trace.first().layout);
    let mut events: Vec<(Event, Arc<Layout>)> = Vec::new();
    for step in trace.steps() {
        if step.role != StepRole::Appended {
            events.push((step.event.clone(), Arc::clone(&on)));
        }
        on = Arc::clone(&step.after.layout);
    }
    events
}

/// A recorded event as a plan has it; `None` where no detour could stand before it: what is done to no widget.
pub fn planned(event: &Event, on: &Arc<Layout>) -> Option<Planned> {
    let plan = |act, text: &str| Planned { act, text: text.to_owned(), on: Arc::clone(on) };
    match event {
        Event::Key(Key::Back) => Some(plan(Act::Back, "")),
        Event::Widget { target, gesture } => {
            let action = CandidateAction::of(gesture)?;
            let named = target.selector.matches(on);
            let there = |idx: &&WidgetIdx| on.widget(**idx).bounds.contains(target.at);
            let hit =
                named.iter().find(there).or(named.first()).copied().or_else(|| on.hit_test(target.at))?;
            // What a touch on a row's text does, the row does.
            let mut around = std::iter::once(hit).chain(on.ancestors(hit));
            let receiver = around.find(|idx| on.widget(*idx).is_actionable()).unwrap_or(hit);
            let text = match gesture {
                crate::model::Gesture::SetText(text) => Text::from(text.as_str()),
                _ => Text::from(""),
            };
            Some(plan(Act::On(action, receiver), &text))
        }
        Event::Type(_)
        | Event::Key(_)
        | Event::Rotate
        | Event::Wait(_)
        | Event::Relaunch
        | Event::System(_) => None,
    }
}
