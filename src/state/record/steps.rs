//! The steps of a recording: what was done, and the choices that belong to one step alone.

use std::sync::Arc;

use super::Choices;
use crate::mirror::Performed;
use crate::model::{Event, Gesture, Key, Layout, Selector, Target, Text, WidgetIdx, touched_widget};
use crate::spec::{Input, RecordedStep, SpecSelector};

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
}

impl PartialEq for Done {
    fn eq(&self, other: &Self) -> bool {
        let (ours, theirs) = (&self.step, &other.step);
        (&ours.event, &ours.before, &ours.after) == (&theirs.event, &theirs.before, &theirs.after)
            && (&self.selector, &self.input, self.optional) == (&other.selector, &other.input, other.optional)
    }
}

impl Done {
    /// A step of one event.
    pub fn of(performed: &Arc<Performed>) -> Done {
        let step = RecordedStep {
            event: performed.event.clone(),
            before: Arc::clone(&performed.before.frame.layout),
            after: Arc::clone(&performed.after.frame.layout),
        };
        let typed = typed_into(&step).and_then(|field| entering(&step.before, field, &step.after));
        let step = RecordedStep { event: typed.unwrap_or(step.event), ..step };
        Done { events: vec![Arc::clone(performed)], step, selector: None, input: None, optional: false }
    }

    /// Whether it fills a field.
    pub fn types(&self) -> bool {
        matches!(self.step.event, Event::Widget { gesture: Gesture::SetText(_), .. })
    }

    /// What it types.
    pub fn typed(&self) -> Option<&str> {
        match &self.step.event {
            Event::Widget { gesture: Gesture::SetText(text), .. } | Event::Type(text) => Some(text),
            Event::Widget { .. } | Event::Key(_) | Event::Rotate | Event::Wait(_) | Event::Relaunch => None,
        }
    }

    /// Takes what was done next into this step, where that goes on filling the field that this step fills or
    /// has tapped: what counts is what the field holds in the end.
    fn join(&mut self, next: &Arc<Performed>) -> bool {
        let taps = matches!(self.step.event, Event::Widget { gesture: Gesture::Tap, .. });
        let after = &next.after.frame.layout;
        let typing = Done::of(next).step;
        let field = touched_widget(&self.step.event, &self.step.before);
        let (Some(field), Some(into)) = (field, touched_widget(&typing.event, &typing.before)) else {
            return false;
        };
        let same = key(&self.step.before, field) == key(&typing.before, into);
        let fills = matches!(next.event, Event::Type(_) | Event::Key(Key::Delete));
        if !fills || !same || !(taps || self.types()) {
            return false;
        }
        let Some(event) = entering(&self.step.before, field, after) else { return false };
        self.step.event = event;
        self.step.after = Arc::clone(after);
        self.events.push(Arc::clone(next));
        true
    }
}

/// By what a field is known again while it is filled.
fn key(layout: &Layout, field: WidgetIdx) -> (bool, Option<Text>, Text, i32) {
    let widget = layout.widget(field);
    (widget.is_text_field(), widget.resource_id.clone(), widget.class.clone(), widget.bounds.left)
}

/// The field that a key of the keyboard goes to.
fn typed_into(step: &RecordedStep) -> Option<WidgetIdx> {
    let types = matches!(step.event, Event::Type(_) | Event::Key(Key::Delete));
    types.then(|| touched_widget(&Event::Type(String::new()), &step.before)).flatten()
}

/// That the field gets what it holds afterwards; the keys alone do not say where they went.
fn entering(before: &Layout, field: WidgetIdx, after: &Layout) -> Option<Event> {
    let known = key(before, field);
    if !known.0 {
        return None;
    }
    let (_, filled) = after.iter().find(|(idx, _)| key(after, *idx) == known)?;
    let at = before.widget(field).bounds.center();
    let target = Target { selector: Selector::default(), at, screen: before.screen() };
    Some(Event::Widget { target, gesture: Gesture::SetText(filled.text.to_string()) })
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
