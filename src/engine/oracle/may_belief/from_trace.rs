//! The behaviours that a trace shows.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::fingerprint::brought_texts;
use super::known::event_at;
use super::{Behaviour, Handled, History, KnownLayout, Outcome, Past};
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{
    AppHealth, CandidateAction, Event, EventKey, Frame, Gesture, Layout, Text, Trace, WidgetIdx,
    touched_widget,
};

/// An event of a trace with its outcome.
#[derive(Clone, Debug)]
pub struct SeenBehaviour {
    /// The key of the event, which identifies it on other layouts.
    pub event: EventKey,
    /// The layouts before and after, and the texts that the event contributed.
    pub behaviour: Behaviour,
    /// Index of its step in the trace.
    pub step: usize,
}

/// The outcome of an event that led to this frame.
pub fn outcome(frame: &Frame, app: &str) -> Outcome {
    outcome_as(frame, || Arc::new(KnownLayout::of(Arc::clone(&frame.layout), app)))
}

/// As [`outcome`], with a value of another type for the layout.
pub(super) fn outcome_as<L>(frame: &Frame, shown: impl FnOnce() -> L) -> Outcome<L> {
    match &frame.health {
        AppHealth::Running => Outcome::Shows(shown()),
        AppHealth::Crashed(report) | AppHealth::NotResponding(report) => {
            Outcome::Died(report.exact_key().into())
        }
        AppHealth::LeftApp(activity) => Outcome::Left(Text::clone(activity)),
    }
}

/// An event of a test as the oracle sees it. `L` is a layout, or an id that stands for one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TestEvent<L> {
    /// Index of its step in the trace.
    pub(super) step: usize,
    /// The layout on which it was performed, if the app was in the foreground.
    pub(super) before: Option<L>,
    /// What a widget of that layout received; `None` if none did.
    pub(super) received: Option<Received>,
    /// The outcome of the event.
    pub(super) after: Outcome<L>,
}

impl<L: PartialEq> TestEvent<L> {
    /// Whether the same was done and seen, at whatever step.
    pub(super) fn is_like(&self, other: &TestEvent<L>) -> bool {
        self.before == other.before && self.received == other.received && self.after == other.after
    }
}

/// An event that a widget received.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Received {
    /// The key of the event, which identifies it on other layouts.
    pub(super) event: EventKey,
    pub(super) widget: WidgetIdx,
    pub(super) typed: Option<Text>,
}

impl Received {
    /// What a widget receives by an event on this layout, which handles these.
    fn of(event: &Event, layout: &Layout, handled: &[Handled]) -> Option<Self> {
        let Event::Widget { gesture, .. } = event else { return None };
        let handled =
            event_at(layout, handled, touched_widget(event, layout)?, CandidateAction::of(gesture)?)?;
        let typed = if let Gesture::SetText(text) = gesture { Some(Text::from(&**text)) } else { None };
        let event = typed.as_ref().map_or(handled.key, |text| handled.key.typing(text));
        Some(Received { event, widget: handled.receiver, typed })
    }

    /// Adds what distinguishes it from others in the same place.
    pub(super) fn add_to(&self, hasher: &mut HashBuffer) {
        hasher.u64(self.event.0);
        hasher.u64(u64::from(self.widget.0));
    }
}

/// The outcome that a frame shows, and the events that its layout handles.
pub(super) type Shown<L> = (Outcome<L>, Option<Arc<[Handled]>>);

/// The events of a trace in order. `learn` returns the outcome that a frame shows and the events that its layout
/// handles; if it returns `None`, the rest of the trace is ignored.
pub(super) fn events_in<L: Clone>(
    trace: &Trace,
    mut learn: impl FnMut(&Frame) -> Option<Shown<L>>,
) -> Vec<TestEvent<L>> {
    let mut events = Vec::new();
    let Some(mut at) = learn(trace.first()) else { return events };
    for (step, performed) in trace.steps().iter().enumerate() {
        // Appended events belong to the event before them.
        if performed.role.is_appended() {
            continue;
        }
        let waited = trace.steps()[step + 1..].iter().take_while(|step| step.role.is_appended()).count();
        let (Some(before), Some(frame)) = (trace.frame(step), trace.frame(step + 1 + waited)) else { break };
        let Some(after) = learn(frame) else { break };
        let received =
            at.1.as_ref().and_then(|handled| Received::of(&performed.event, &before.layout, handled));
        let before = if let Outcome::Shows(before) = at.0 { Some(before) } else { None };
        events.push(TestEvent { step, before, received, after: after.0.clone() });
        at = after;
    }
    events
}

/// The behaviours among the events of a test.
pub(super) fn behaviours_among(
    events: impl IntoIterator<Item = TestEvent<Arc<KnownLayout>>>,
) -> Vec<SeenBehaviour> {
    let (mut found, mut moments, mut history) = (Vec::new(), Vec::new(), History::default());
    for TestEvent { step, before, received, after } in events {
        let Some(before) = before else { continue };
        history.enter(&before);
        let Some(Received { event, widget, typed }) = received else { continue };
        moments.push(history.now());
        let (receiver, past) = (Some(widget), Past::default());
        let behaviour = Behaviour { input: step, before, receiver, typed, after, history: past };
        history.did(event, &brought_texts(&behaviour));
        behaviour.typed.iter().for_each(|text| history.typed(text));
        found.push(SeenBehaviour { event, behaviour, step });
    }
    for (seen, past) in found.iter_mut().zip(history.pasts(moments)) {
        seen.behaviour.history = past;
    }
    found
}

/// The behaviours that a trace shows, in order: one for each event that a widget received while the app was in the
/// foreground.
pub fn behaviours_in(trace: &Trace, app: &str) -> Vec<SeenBehaviour> {
    behaviours_among(events_in(trace, |frame| {
        let outcome = outcome(frame, app);
        let shown =
            if let Outcome::Shows(known) = &outcome { Some(Arc::clone(&known.handled)) } else { None };
        Some((outcome, shown))
    }))
}

/// The behaviour that a trace ends with.
pub fn last_behaviour(trace: &Trace, app: &str) -> Option<Behaviour> {
    let last = trace.steps().iter().rposition(|step| !step.role.is_appended())?;
    let layout = &trace.frame(last)?.layout;
    let before = Arc::new(KnownLayout::of(Arc::clone(layout), app));
    let Received { widget, typed, .. } = Received::of(&trace.steps()[last].event, layout, &before.handled)?;
    let after = outcome(trace.last(), app);
    Some(Behaviour { input: last, before, receiver: Some(widget), typed, after, history: Past::default() })
}
