//! Which steps of a recording belong to the function: from the last layout where it starts to the first
//! that shows its result. A recording may hold more, as people look around.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::DmfKind;
use super::recorder::{RecordedStep, RecorderError};
use super::recorder_objects::{Objects, shows, target_of, typed_text};
use crate::model::{Event, Gesture, Key, Layout};

/// The steps that belong to the function.
pub(super) struct Cut {
    /// The first recorded step of it.
    pub(super) first_step: usize,
    /// The recorded step behind its last.
    pub(super) end_step: usize,
    /// What became of its steps.
    pub(super) kept: Vec<Kept>,
    /// What was left out and why.
    pub(super) remarks: Vec<String>,
}

/// A step that stays, perhaps joined with those before it.
pub(super) struct Kept {
    /// The recorded step that it ends with.
    pub(super) recorded: usize,
    pub(super) step: RecordedStep,
}

impl Cut {
    /// The layout before each kept step, and the last.
    pub(super) fn layouts(&self) -> Vec<Arc<Layout>> {
        let before = self.kept.iter().map(|kept| kept.step.before.clone());
        before.chain(self.kept.last().map(|kept| kept.step.after.clone())).collect()
    }
}

pub(super) fn cut(steps: &[RecordedStep], kind: DmfKind, objects: &Objects) -> Result<Cut, RecorderError> {
    let layouts: Vec<&Arc<Layout>> =
        steps.iter().map(|step| &step.before).chain(steps.last().map(|step| &step.after)).collect();
    let (first_step, end_step) = bounds(steps, &layouts, kind, objects).unwrap_or((0, steps.len()));
    let mut cut = Cut { first_step, end_step, kept: Vec::new(), remarks: Vec::new() };
    if first_step > 0 || end_step < steps.len() {
        cut.remarks.push(format!(
            "of {} recorded steps, {} to {end_step} belong to the function: it starts on the screen that it \
             returns to and ends where its result first shows",
            steps.len(),
            first_step + 1
        ));
    }
    for (index, step) in steps.iter().enumerate().take(end_step).skip(first_step) {
        cut.keep(index, step);
    }
    if cut.kept.is_empty() { Err(RecorderError::Empty) } else { Ok(cut) }
}

impl Cut {
    /// Keeps a step. Typing into a field replaces what was typed or tapped there just before.
    fn keep(&mut self, index: usize, step: &RecordedStep) {
        if matches!(step.event, Event::Key(Key::Recents | Key::Delete)) {
            self.remarks.push(format!("step {} is left out: the format has no action for it", index + 1));
            return;
        }
        let mut step = step.clone();
        if typed_text(&step.event).is_some()
            && let Some(before) = self.kept.last()
            && replaced_by(&before.step, &step)
        {
            self.remarks.push(format!(
                "step {} is left out: step {} types into the same field",
                before.recorded + 1,
                index + 1
            ));
            let event = std::mem::replace(&mut step.event, before.step.event.clone());
            step = RecordedStep {
                event: retarget(event, &before.step),
                before: before.step.before.clone(),
                ..step
            };
            self.kept.pop();
        }
        self.kept.push(Kept { recorded: index, step });
    }
}

/// Whether the typing makes the step before it superfluous.
fn replaced_by(before: &RecordedStep, typing: &RecordedStep) -> bool {
    let only_prepares = match &before.event {
        Event::Widget { gesture: Gesture::Tap, .. } => true,
        Event::Widget { gesture: Gesture::SetText(_), .. } | Event::Type(_) => {
            matches!(typing.event, Event::Widget { gesture: Gesture::SetText(_), .. })
        }
        Event::Widget { .. } | Event::Key(_) | Event::Rotate | Event::Wait(_) | Event::Relaunch => false,
    };
    let field = |step: &RecordedStep| {
        let widget = step.before.widget(target_of(step)?);
        widget.is_text_field().then(|| (widget.resource_id.clone(), widget.class.clone(), widget.bounds.left))
    };
    only_prepares && field(before).is_some() && field(before) == field(typing)
}

/// The typing, done to the widget as it was before the first of the joined steps.
fn retarget(typing: Event, first: &RecordedStep) -> Event {
    match (typing_text(&typing), &first.event) {
        (Some(text), Event::Widget { target, .. }) => {
            Event::Widget { target: target.clone(), gesture: Gesture::SetText(text) }
        }
        (Some(_), Event::Type(_) | Event::Key(_) | Event::Rotate | Event::Wait(_) | Event::Relaunch)
        | (None, _) => typing,
    }
}

fn typing_text(event: &Event) -> Option<String> {
    typed_text(event).map(str::to_owned)
}

/// First step and end of the function; `None` where it cannot be told.
fn bounds(
    steps: &[RecordedStep],
    layouts: &[&Arc<Layout>],
    kind: DmfKind,
    objects: &Objects,
) -> Option<(usize, usize)> {
    let typed = |object: &str| steps.iter().rposition(|step| typed_text(&step.event) == Some(object));
    let first_showing =
        |from: usize, object: &str| (from..layouts.len()).find(|index| shows(layouts[*index], object));
    // A menu that unfolds on the screen leaves it similar; the function starts where it is most like its end.
    let start_for = |end: usize, limit: usize, shown: Option<&str>| {
        let starts = (0..=limit).filter(|start| shown.is_none_or(|object| shows(layouts[*start], object)));
        let like = starts.filter_map(|start| Some((start, similarity(layouts[start], layouts[end])?)));
        like.max_by_key(|(_, similarity)| *similarity).map(|(start, _)| start)
    };
    // Whoever types the old object first looks for it, which belongs to the function.
    let sought_by = |removed: &str, limit: usize| typed(removed).map_or(limit, |typed| typed.min(limit));
    match kind {
        DmfKind::Create => {
            let added = objects.added.as_deref()?;
            let typed = typed(added)?;
            let end = first_showing(typed + 1, added)?;
            Some((start_for(end, typed, None).unwrap_or(0), end))
        }
        DmfKind::Update => {
            let (added, removed) = (objects.added.as_deref()?, objects.removed.as_deref()?);
            let typed = typed(added)?;
            let starts = |end: usize| start_for(end, sought_by(removed, typed), Some(removed));
            let shown = first_showing(typed + 1, added);
            let end = shown.or_else(|| (typed + 1..layouts.len()).find(|end| starts(*end).is_some()))?;
            Some((starts(end).unwrap_or(0), end))
        }
        DmfKind::Delete => {
            let removed = objects.removed.as_deref()?;
            let last_shown = (0..layouts.len()).rev().find(|index| shows(layouts[*index], removed))?;
            let starts = |end: usize| start_for(end, sought_by(removed, last_shown), Some(removed));
            let end = (last_shown + 1..layouts.len()).find(|end| starts(*end).is_some())?;
            Some((starts(end)?, end))
        }
        DmfKind::Search => {
            let sought = objects.sought.as_deref()?;
            let typed = typed(sought)?;
            // Where it shows before it is typed, that it shows afterwards does not tell the result.
            let end = first_showing(typed + 1, sought).filter(|_| !shows(layouts[typed], sought))?;
            Some((0, end))
        }
        DmfKind::Read | DmfKind::Property => None,
    }
}

/// How many of ten thousand kinds of widgets two layouts share; `None` where they are not of one screen:
/// their activities differ, or less than half of the kinds agree.
fn similarity(a: &Layout, b: &Layout) -> Option<usize> {
    if !a.activity().is_empty() && !b.activity().is_empty() && a.activity() != b.activity() {
        return None;
    }
    let kinds = |layout: &Layout| -> BTreeSet<(String, String)> {
        let kind = |widget: &crate::model::Widget| {
            (widget.resource_id.as_deref().unwrap_or("").to_owned(), widget.class.to_string())
        };
        layout.widgets().iter().map(kind).collect()
    };
    let (a, b) = (kinds(a), kinds(b));
    let shared = a.intersection(&b).count() * 10_000 / a.union(&b).count().max(1);
    (shared >= 5_000).then_some(shared)
}
