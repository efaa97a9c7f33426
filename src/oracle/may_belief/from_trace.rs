//! Behaviours of recorded traces: what `judge` looks at, and what a re-execution shows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::fingerprint::brought_texts;
use super::{
    Anomaly, Behaviour, Fingerprint, KnownLayout, MayBeliefConfig, Outcome, StateKey, Told, VolatileViews,
    Way, judge_behaviours, structures, tell_apart,
};
use crate::model::{
    AppHealth, CandidateAction, Event, EventKey, Frame, Gesture, StepRole, Text, Trace, event_sentence,
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
    match &frame.health {
        AppHealth::Running => Outcome::Shows(Arc::new(KnownLayout::of(Arc::clone(&frame.layout), app))),
        AppHealth::Crashed(report) | AppHealth::NotResponding(report) => {
            Outcome::Died(report.signature().into())
        }
        AppHealth::LeftApp(activity) => Outcome::Left(Text::clone(activity)),
    }
}

/// The behaviours that a trace shows, in order: one for each event that a widget received while the app was in
/// front.
pub fn behaviours_in(trace: &Trace, app: &str) -> Vec<Seen> {
    let (mut found, mut way) = (Vec::new(), Way::default());
    let mut at = outcome(trace.first(), app);
    for step in 0..trace.len() {
        let performed = &trace.steps()[step];
        // What the door waits for belongs to the event before it.
        let waited =
            trace.steps()[step + 1..].iter().take_while(|step| step.role == StepRole::Appended).count();
        if performed.role == StepRole::Appended {
            continue;
        }
        let after = trace.frame(step + 1 + waited).map_or_else(|| at.clone(), |frame| outcome(frame, app));
        if let Outcome::Shows(before) = &at {
            way.enter(before.state);
            let seen = seen(before, &performed.event, after.clone(), way.features(), step);
            if let Some(seen) = seen {
                way.did(seen.event, &brought_texts(&seen.behaviour));
                found.push(seen);
            }
        }
        at = after;
    }
    found
}

/// The behaviour that a trace ends with.
pub fn last_behaviour(trace: &Trace, app: &str) -> Option<Behaviour> {
    let last = trace.steps().iter().rposition(|step| step.role != StepRole::Appended)?;
    let before = Arc::new(KnownLayout::of(Arc::clone(&trace.frame(last)?.layout), app));
    let event = &trace.steps()[last].event;
    seen(&before, event, outcome(trace.last(), app), Arc::default(), last).map(|seen| seen.behaviour)
}

fn seen(
    before: &Arc<KnownLayout>,
    event: &Event,
    after: Outcome,
    way: Arc<Vec<u64>>,
    step: usize,
) -> Option<Seen> {
    let Event::Widget { gesture, .. } = event else { return None };
    let touched = touched_widget(event, &before.layout)?;
    let handled = before.event_at(touched, CandidateAction::of(gesture)?)?;
    let typed = if let Gesture::SetText(text) = gesture { Some(Text::from(&**text)) } else { None };
    let key = typed.as_ref().map_or(handled.key, |text| handled.key.typing(text));
    let receiver = Some(handled.receiver);
    let behaviour = Behaviour { input: step, before: Arc::clone(before), receiver, typed, after, way };
    Some(Seen { event: key, behaviour, step })
}

/// A minority outcome in recorded traces.
#[derive(Clone, Debug)]
pub struct TraceAnomaly {
    /// The event, in words.
    pub event: String,
    /// How often the event was done, how often what is believed came of it, and how often this.
    pub counts: (usize, usize, usize),
    /// What tells this from what is believed.
    pub told: Told,
    /// What stands out.
    pub anomaly: Anomaly,
    /// The trace and step that show it.
    pub witness: (usize, usize),
    /// The trace and step that show what is believed.
    pub reference: (usize, usize),
}

/// Judges all events of recorded traces of one app against each other. Equal findings are told once.
pub fn judge_traces(
    traces: &[&Trace],
    app: &str,
    volatile: &VolatileViews,
    config: &MayBeliefConfig,
) -> Vec<TraceAnomaly> {
    let mut events: BTreeMap<(StateKey, EventKey), Vec<(usize, Seen)>> = BTreeMap::new();
    let mut inputs = 0;
    for (place, trace) in traces.iter().enumerate() {
        for mut seen in behaviours_in(trace, app) {
            // Every step of every trace ends an input of its own.
            seen.behaviour.input = inputs;
            inputs += 1;
            events.entry((seen.behaviour.before.state, seen.event)).or_default().push((place, seen));
        }
    }
    let behaviours = |seen: &[(usize, Seen)]| -> Vec<Behaviour> {
        seen.iter().map(|(_, seen)| seen.behaviour.clone()).collect()
    };
    let usual: BTreeMap<(StateKey, EventKey), BTreeSet<Fingerprint>> = events
        .iter()
        .map(|(place, seen)| (*place, structures(&behaviours(seen), volatile, config)))
        .collect();
    let (mut found, mut told) = (Vec::new(), Vec::new());
    for ((state, event), seen) in events {
        let behaviours = behaviours(&seen);
        let judged = judge_behaviours(&behaviours, volatile, &elsewhere(&usual, state, event), config);
        let believed = judged.believed();
        for anomaly in judged.anomalies {
            let origin = (event, anomaly.fingerprint, anomaly.beliefs.clone());
            if told.contains(&origin) {
                continue;
            }
            told.push(origin);
            let place = |behaviour: usize| (seen[behaviour].0, seen[behaviour].1.step);
            let (witness, reference) = (place(anomaly.witness), place(anomaly.reference));
            let step = &traces[witness.0].steps()[witness.1];
            let [believed_one, this_one] = [anomaly.reference, anomaly.witness].map(|at| &behaviours[at]);
            let like_this = judged.clustering.clusters[anomaly.cluster].members.len();
            found.push(TraceAnomaly {
                event: event_sentence(&step.event, &behaviours[anomaly.witness].before.layout),
                counts: (behaviours.len(), believed, like_this),
                told: tell_apart(believed_one, this_one, anomaly.rules, volatile, config),
                anomaly,
                witness,
                reference,
            });
        }
    }
    found
}

/// The structures of what an event usually does in the other states.
pub fn elsewhere(
    usual: &BTreeMap<(StateKey, EventKey), BTreeSet<Fingerprint>>,
    state: StateKey,
    event: EventKey,
) -> BTreeSet<Fingerprint> {
    let others = usual.iter().filter(|((other, known), _)| *known == event && *other != state);
    others.flat_map(|(_, structures)| structures).copied().collect()
}
