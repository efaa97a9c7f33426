//! Minority outcomes in the tests of an app: all behaviours of one event in one state are judged against each other.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Anomaly, Behaviour, Fingerprint, MayBeliefConfig, Seen, StateKey, Told, VolatileViews, behaviours_in,
    blind_fingerprint, event_words, judge_behaviours, structures, tell_apart,
};
use crate::model::{EventKey, Trace};

/// A minority outcome in the tests of an app.
#[derive(Clone, Debug)]
pub struct Minority {
    /// The state in which the event was done.
    pub state: StateKey,
    /// The event, in words.
    pub event: String,
    /// How often the event was done, how often what is believed came of it, and how often this.
    pub counts: (usize, usize, usize),
    /// What tells this from what is believed.
    pub told: Told,
    /// What stands out.
    pub anomaly: Anomaly,
    /// What it is called, texts aside.
    pub blind: Fingerprint,
    /// The test and step that show it.
    pub witness: (usize, usize),
    /// The test and step that show what is believed.
    pub reference: (usize, usize),
    /// The tests in which it shows.
    pub tests: BTreeSet<usize>,
}

/// Judges all events of recorded traces of one app against each other. Equal findings are told once.
pub fn judge_traces(
    traces: &[&Trace],
    app: &str,
    volatile: &VolatileViews,
    config: &MayBeliefConfig,
) -> Vec<Minority> {
    let tests: Vec<Vec<Seen>> = traces.iter().map(|trace| behaviours_in(trace, app)).collect();
    judge_tests(tests, volatile, config, &|| true).unwrap_or_default()
}

/// One event in one state.
#[derive(Default)]
struct Place {
    behaviours: Vec<Behaviour>,
    /// The test and step of each.
    shown: Vec<(usize, usize)>,
}

/// Judges the behaviours of tests of one app. `None` if that is not wanted any more.
pub(super) fn judge_tests(
    tests: Vec<Vec<Seen>>,
    volatile: &VolatileViews,
    config: &MayBeliefConfig,
    wanted: &dyn Fn() -> bool,
) -> Option<Vec<Minority>> {
    let mut places: BTreeMap<(StateKey, EventKey), Place> = BTreeMap::new();
    let numbered = tests.into_iter().enumerate();
    let seen = numbered.flat_map(|(test, seen)| seen.into_iter().map(move |seen| (test, seen)));
    for (input, (test, Seen { event, behaviour, step })) in seen.enumerate() {
        let place = places.entry((behaviour.before.state, event)).or_default();
        // Every step of every test ends an input of its own.
        place.behaviours.push(Behaviour { input, ..behaviour });
        place.shown.push((test, step));
    }
    let enough = |place: &Place| place.behaviours.len() >= config.anomaly.min_behaviours;
    let judged = places.iter().filter(|(_, place)| enough(place));
    let judged: BTreeSet<EventKey> = judged.map(|((_, event), _)| *event).collect();
    places.retain(|(_, event), _| judged.contains(event));
    let mut usual = BTreeMap::new();
    for (key, place) in &places {
        usual.insert(*key, wanted().then(|| structures(&place.behaviours, volatile, config))?);
    }
    places.retain(|_, place| enough(place));
    let (mut found, mut told) = (Vec::new(), Vec::new());
    for ((state, event), place) in &places {
        let usual = wanted().then(|| elsewhere(&usual, *state, *event))?;
        for minority in place.minorities(*state, *event, &usual, volatile, config) {
            let origin = (*event, minority.anomaly.fingerprint, minority.anomaly.beliefs.clone());
            if !told.contains(&origin) {
                told.push(origin);
                found.push(minority);
            }
        }
    }
    Some(found)
}

impl Place {
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
            let members = &judged.clustering.clusters[anomaly.cluster].members;
            let [believed, this] = [anomaly.reference, anomaly.witness].map(|at| &self.behaviours[at]);
            Minority {
                state,
                event: event_words(this, event),
                counts: (self.behaviours.len(), judged.believed(), members.len()),
                told: tell_apart(believed, this, anomaly.rules, volatile, config),
                blind: blind_fingerprint(this, anomaly.rules, volatile, config),
                witness: self.shown[anomaly.witness],
                reference: self.shown[anomaly.reference],
                tests: members.iter().map(|member| self.shown[*member].0).collect(),
                anomaly: anomaly.clone(),
            }
        };
        judged.anomalies.iter().map(minority).collect()
    }
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
