//! Minority outcomes in the tests of an app. All behaviours of one event in one state are compared with each other.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Anomaly, Behaviour, Explanation, Fingerprint, MayBeliefConfig, SeenBehaviour, StateKey, VolatileViews,
    behaviour_clause, behaviours_in, blind_fingerprint, event_words, explain_difference, judge_behaviours,
    structures,
};
use taproof_screen::{EventKey, Trace};

/// A test and one of its steps.
pub type ShownAt = (usize, usize);

/// A minority outcome in the tests of an app.
#[derive(Clone, Debug)]
pub struct Minority {
    /// The state in which the event was performed.
    pub state: StateKey,
    /// The event, in words that are the same whatever is touched.
    pub event: String,
    /// What was done this time, as a clause.
    pub clause: String,
    /// How often the event was performed, how often it had the believed outcome, and how often this one.
    pub counts: (usize, usize, usize),
    /// How this outcome differs from the believed one, in words.
    pub explanation: Explanation,
    /// The cluster of behaviours with this outcome.
    pub anomaly: Anomaly,
    /// The fingerprint that names the outcome, without texts.
    pub blind: Fingerprint,
    /// Where the outcome is shown.
    pub witness: ShownAt,
    /// Where the believed outcome is shown.
    pub reference: ShownAt,
    /// Test and step of further witnesses, each with those of its reference.
    pub further: Vec<(ShownAt, ShownAt)>,
    /// The tests in which the outcome shows.
    pub tests: BTreeSet<usize>,
}

/// Judges all events of recorded traces of one app. Equal findings are returned once.
pub fn judge_traces(
    traces: &[&Trace],
    app: &str,
    volatile: &VolatileViews,
    config: &MayBeliefConfig,
) -> Vec<Minority> {
    let tests: Vec<Vec<SeenBehaviour>> = traces.iter().map(|trace| behaviours_in(trace, app)).collect();
    judge_tests(tests, volatile, config, &|| true).unwrap_or_default()
}

/// One event in one state.
#[derive(Default)]
struct EventInState {
    behaviours: Vec<Behaviour>,
    /// Test and step of each behaviour.
    shown: Vec<(usize, usize)>,
}

/// Judges the behaviours of tests of one app. `None` if the result is not wanted any more.
pub(super) fn judge_tests(
    tests: Vec<Vec<SeenBehaviour>>,
    volatile: &VolatileViews,
    config: &MayBeliefConfig,
    wanted: &dyn Fn() -> bool,
) -> Option<Vec<Minority>> {
    let mut places: BTreeMap<(StateKey, EventKey), EventInState> = BTreeMap::new();
    let numbered = tests.into_iter().enumerate();
    let seen = numbered.flat_map(|(test, seen)| seen.into_iter().map(move |seen| (test, seen)));
    for (input, (test, SeenBehaviour { event, behaviour, step })) in seen.enumerate() {
        let place = places.entry((behaviour.before.state, event)).or_default();
        // Every step of every test is the end of an input of its own.
        place.behaviours.push(Behaviour { input, ..behaviour });
        place.shown.push((test, step));
    }
    let enough = |place: &EventInState| place.behaviours.len() >= config.anomaly.min_behaviours;
    let judged = places.iter().filter(|(_, place)| enough(place));
    let judged: BTreeSet<EventKey> = judged.map(|((_, event), _)| *event).collect();
    places.retain(|(_, event), _| judged.contains(event));
    let mut usual = BTreeMap::new();
    for (key, place) in &places {
        usual.insert(*key, wanted().then(|| structures(&place.behaviours, volatile, config))?);
    }
    places.retain(|_, place| enough(place));
    let (mut found, mut reported) = (Vec::new(), Vec::new());
    for ((state, event), place) in &places {
        let usual = wanted().then(|| elsewhere(&usual, *state, *event))?;
        for minority in place.minorities(*state, *event, &usual, volatile, config) {
            let origin = (*event, minority.anomaly.fingerprint, minority.anomaly.beliefs.clone());
            if !reported.contains(&origin) {
                reported.push(origin);
                found.push(minority);
            }
        }
    }
    Some(found)
}

impl EventInState {
    fn minorities(
        &self,
        state: StateKey,
        event: EventKey,
        usual: &BTreeSet<Fingerprint>,
        volatile: &VolatileViews,
        config: &MayBeliefConfig,
    ) -> Vec<Minority> {
        let judged = judge_behaviours(&self.behaviours, volatile, usual, config);
        let minority = |anomaly: &Anomaly| {
            let members = &anomaly.members;
            let [believed, this] = [anomaly.reference, anomaly.witness].map(|at| &self.behaviours[at]);
            Minority {
                state,
                event: event_words(this, event),
                clause: behaviour_clause(this, event),
                counts: (self.behaviours.len(), anomaly.believed, members.len()),
                explanation: explain_difference(believed, this, anomaly.rules, volatile, config),
                blind: blind_fingerprint(this, anomaly.rules, volatile, config),
                witness: self.shown[anomaly.witness],
                reference: self.shown[anomaly.reference],
                further: anomaly
                    .further
                    .iter()
                    .map(|(it, other)| (self.shown[*it], self.shown[*other]))
                    .collect(),
                tests: members.iter().map(|member| self.shown[*member].0).collect(),
                anomaly: anomaly.clone(),
            }
        };
        judged.anomalies.iter().map(minority).collect()
    }
}

/// The structures of an event's usual outcomes in the other states.
pub fn elsewhere(
    usual: &BTreeMap<(StateKey, EventKey), BTreeSet<Fingerprint>>,
    state: StateKey,
    event: EventKey,
) -> BTreeSet<Fingerprint> {
    let others = usual.iter().filter(|((other, known), _)| *known == event && *other != state);
    others.flat_map(|(_, structures)| structures).copied().collect()
}
