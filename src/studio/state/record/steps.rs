//! The steps of a recording: what was done, and the choices that belong to one step alone.

use std::sync::Arc;

use super::Choices;
use crate::mirror::Performed;
use taproof_core::model::{Event, Gesture, Layout};
use taproof_core::spec::{Input, RecordedStep, SpecSelector, coalesce, typed_text};

/// What undo goes over: the steps, and what the person says of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// What was done, in order.
    pub steps: Vec<Done>,
    /// What the person says of it.
    pub choices: Choices,
}

/// One step as it was done. What was typed in one go is one step.
#[derive(Clone, Debug)]
pub struct Done {
    /// The events of the phone that make it.
    pub events: Vec<Arc<Performed>>,
    /// They as one.
    pub step: RecordedStep,
    /// The selector that the person chose for its widget.
    pub selector: Option<SpecSelector>,
    /// Where its text comes from, as the person chose.
    pub input: Option<Input>,
    /// It may fail without failing the function.
    pub optional: bool,
    /// Whether the screen is scrolled until its widget is in sight, as the person chose.
    pub scroll_to: Option<bool>,
}

impl PartialEq for Done {
    fn eq(&self, other: &Self) -> bool {
        self.step == other.step
            && (&self.selector, &self.input) == (&other.selector, &other.input)
            && (self.optional, self.scroll_to) == (other.optional, other.scroll_to)
    }
}

impl Done {
    /// A step of one event.
    pub fn of(performed: &Arc<Performed>) -> Done {
        let step = recorded(performed);
        let alone = coalesce(std::slice::from_ref(&step)).into_iter().next();
        let step = alone.map_or(step, |alone| alone.step);
        let events = vec![Arc::clone(performed)];
        Done { events, step, selector: None, input: None, optional: false, scroll_to: None }
    }

    /// A step of several events that a hand does in one go; `None` of none.
    pub fn of_all(events: &[Arc<Performed>]) -> Option<Done> {
        let (first, rest) = events.split_first()?;
        let mut done = Done::of(first);
        for performed in rest {
            if !done.join(performed) {
                done.events.push(Arc::clone(performed));
                done.step.after = Arc::clone(&performed.after.frame.layout);
            }
        }
        Some(done)
    }

    /// Whether it fills a field.
    pub fn types(&self) -> bool {
        matches!(self.step.event, Event::Widget { gesture: Gesture::SetText(_), .. })
    }

    /// What it types.
    pub fn typed(&self) -> Option<&str> {
        typed_text(&self.step.event)
    }

    /// Takes what was done next into this step, where a hand does both in one go.
    fn join(&mut self, next: &Arc<Performed>) -> bool {
        let both = [self.step.clone(), recorded(next)];
        let Some(joined) = coalesce(&both).into_iter().next().filter(|joined| joined.end == both.len())
        else {
            return false;
        };
        self.step = joined.step;
        self.events.push(Arc::clone(next));
        true
    }
}

/// An event as the recorder takes it.
pub fn recorded(performed: &Performed) -> RecordedStep {
    RecordedStep {
        event: performed.event.clone(),
        before: Arc::clone(&performed.before.frame.layout),
        after: Arc::clone(&performed.after.frame.layout),
    }
}

impl Recording {
    /// The steps as the recorder takes them.
    pub fn recorded(&self) -> Vec<RecordedStep> {
        self.steps.iter().map(|done| done.step.clone()).collect()
    }

    /// Puts what was done at a place among the steps; true where it joined the step before it.
    pub(super) fn put(&mut self, at: usize, performed: &Arc<Performed>) -> bool {
        let at = at.min(self.steps.len());
        let before = at.checked_sub(1).and_then(|before| self.steps.get_mut(before));
        if before.is_some_and(|before| before.join(performed)) {
            return true;
        }
        self.steps.insert(at, Done::of(performed));
        false
    }

    /// The events of the first so many steps.
    pub fn events(&self, steps: usize) -> impl Iterator<Item = &Arc<Performed>> {
        self.steps.iter().take(steps).flat_map(|done| &done.events)
    }

    /// The layout before a step; the last where there is none behind it.
    pub fn layout(&self, step: usize) -> Option<&Arc<Layout>> {
        match self.steps.get(step) {
            Some(done) => Some(&done.step.before),
            None => self.steps.last().map(|done| &done.step.after),
        }
    }

    /// Whether the screen before a step is the one that the step before it left.
    pub fn follows(&self, step: usize) -> bool {
        let before = step.checked_sub(1).and_then(|before| self.steps.get(before));
        match (before, self.steps.get(step)) {
            (Some(before), Some(done)) => before.step.after == done.step.before,
            (None, _) | (_, None) => true,
        }
    }
}
