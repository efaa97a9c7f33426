//! The behaviours that a trace shows.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::fingerprint::brought_texts;
use super::{Behaviour, KnownLayout, Outcome, Way};
use crate::determinism::HashBuffer;
use crate::model::{
    AppHealth, CandidateAction, Event, EventKey, Frame, Gesture, Layout, StepRole, Text, Trace, WidgetIdx,
    touched_widget,
};

/// An event of a trace with what came of it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What makes it the same event elsewhere.
    pub event: EventKey,
    /// The layout pair.
    pub behaviour: Behaviour,
    /// Its step in the trace.
    pub step: usize,
}

/// What a frame shows as the outcome of an event.
pub fn outcome(frame: &Frame, app: &str) -> Outcome {
    outcome_as(frame, || Arc::new(KnownLayout::of(Arc::clone(&frame.layout), app)))
}

/// The same, with what stands for the layout that the app shows.
pub(super) fn outcome_as<L>(frame: &Frame, shown: impl FnOnce() -> L) -> Outcome<L> {
    match &frame.health {
        AppHealth::Running => Outcome::Shows(shown()),
        AppHealth::Crashed(report) | AppHealth::NotResponding(report) => {
            Outcome::Died(report.signature().into())
        }
        AppHealth::LeftApp(activity) => Outcome::Left(Text::clone(activity)),
    }
}

/// An event of a test as the oracle sees it. `L` is a layout, or stands for one of a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Done<L> {
    /// Its step in the trace.
    pub(super) step: usize,
    /// The layout that it was done on, if the app was in front.
    pub(super) before: Option<L>,
    /// What a widget of that received, if one did.
    pub(super) received: Option<Received>,
    /// What came of it.
    pub(super) after: Outcome<L>,
}

/// An event that a widget received.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Received {
    /// What makes it the same event elsewhere.
    pub(super) event: EventKey,
    pub(super) widget: WidgetIdx,
    pub(super) typed: Option<Text>,
}

impl Received {
    /// What an event on this layout is. The layout is known by `known`, where widgets may lie elsewhere.
    fn of(event: &Event, layout: &Layout, known: &KnownLayout) -> Option<Self> {
        let Event::Widget { gesture, .. } = event else { return None };
        let handled = known.event_at(touched_widget(event, layout)?, CandidateAction::of(gesture)?)?;
        let typed = if let Gesture::SetText(text) = gesture { Some(Text::from(&**text)) } else { None };
        let event = typed.as_ref().map_or(handled.key, |text| handled.key.typing(text));
        Some(Received { event, widget: handled.receiver, typed })
    }

    /// Tells it from others in the same place.
    pub(super) fn add_to(&self, hasher: &mut HashBuffer) {
        hasher.u64(self.event.0);
        hasher.u64(u64::from(self.widget.0));
    }
}

/// The events of a trace in order. `learn` makes a frame's layout known; where it does not, the trace ends for the
/// oracle.
pub(super) fn events_in<L: Clone>(
    trace: &Trace,
    mut learn: impl FnMut(&Frame) -> Option<(Outcome<L>, Option<Arc<KnownLayout>>)>,
) -> Vec<Done<L>> {
    let mut events = Vec::new();
    let Some(mut at) = learn(trace.first()) else { return events };
    for (step, performed) in trace.steps().iter().enumerate() {
        // What the door waits for belongs to the event before it.
        if performed.role == StepRole::Appended {
            continue;
        }
        let waited =
            trace.steps()[step + 1..].iter().take_while(|step| step.role == StepRole::Appended).count();
        let (Some(before), Some(frame)) = (trace.frame(step), trace.frame(step + 1 + waited)) else { break };
        let Some(after) = learn(frame) else { break };
        let received = at.1.as_ref().and_then(|known| Received::of(&performed.event, &before.layout, known));
        let before = if let Outcome::Shows(before) = at.0 { Some(before) } else { None };
        events.push(Done { step, before, received, after: after.0.clone() });
        at = after;
    }
    events
}

/// The behaviours among the events of a test.
pub(super) fn behaviours_among(events: impl IntoIterator<Item = Done<Arc<KnownLayout>>>) -> Vec<Seen> {
    let (mut found, mut way) = (Vec::new(), Way::default());
    for Done { step, before, received, after } in events {
        let Some(before) = before else { continue };
        way.enter(before.state);
        let Some(Received { event, widget, typed }) = received else { continue };
        let way_there = way.features();
        let behaviour =
            Behaviour { input: step, before, receiver: Some(widget), typed, after, way: way_there };
        way.did(event, &brought_texts(&behaviour));
        found.push(Seen { event, behaviour, step });
    }
    found
}

/// The behaviours that a trace shows, in order: one for each event that a widget received while the app was in
/// front.
pub fn behaviours_in(trace: &Trace, app: &str) -> Vec<Seen> {
    behaviours_among(events_in(trace, |frame| {
        let outcome = outcome(frame, app);
        let shown = if let Outcome::Shows(known) = &outcome { Some(Arc::clone(known)) } else { None };
        Some((outcome, shown))
    }))
}

/// The behaviour that a trace ends with.
pub fn last_behaviour(trace: &Trace, app: &str) -> Option<Behaviour> {
    let last = trace.steps().iter().rposition(|step| step.role != StepRole::Appended)?;
    let layout = &trace.frame(last)?.layout;
    let before = Arc::new(KnownLayout::of(Arc::clone(layout), app));
    let Received { widget, typed, .. } = Received::of(&trace.steps()[last].event, layout, &before)?;
    let after = outcome(trace.last(), app);
    Some(Behaviour { input: last, before, receiver: Some(widget), typed, after, way: Arc::default() })
}
