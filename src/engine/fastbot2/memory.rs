//! What Fastbot2 knows: the reuse model M (paper.md, section 4) with precomputed sums, and for each state only its key
//! and counters.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::fastbot2::{HyperEvent, ReuseModel};
use taproof_screen::Text;

/// Index of an event in `Knowledge`.
pub(super) type EventIdx = u32;
/// Index of a state in `States`.
pub(super) type StateIdx = u32;

/// The reuse model M, and what this run knows of its events.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Knowledge {
    events: Vec<EventRecord>,
    by_key: BTreeMap<u64, EventIdx>,
    activities: Vec<ActivityRecord>,
    by_name: BTreeMap<Text, u32>,
    /// Interned texts of events.
    texts: BTreeSet<Text>,
}

/// What is known of one hyper-event.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct EventRecord {
    pub event: HyperEvent,
    /// How often each activity was seen after it: index of the activity and count.
    targets: Vec<(u32, u32)>,
    /// N(e), the sum of these.
    total: u32,
    /// The part of `total` for activities that this run has not seen.
    outside: u32,
    /// How often this run has executed it.
    pub done: u32,
    /// How often this run has chosen it by guidance.
    pub guided: u32,
    /// Its Q-value, if Q-values belong to events and not to states.
    pub q: f64,
    /// Whether it is in the model of earlier runs.
    pub loaded: bool,
    /// Whether this run has seen it offered.
    pub met: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct ActivityRecord {
    name: Text,
    seen: bool,
    visits: u32,
}

/// How much of the loaded model was useful.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReuseHits {
    /// Number of events of the loaded model.
    pub events_loaded: usize,
    /// Number of these that this run has met.
    pub events_matched: usize,
}

impl EventRecord {
    /// Whether this run or an earlier one has executed it.
    pub fn known(&self) -> bool {
        self.total > 0 || self.done > 0
    }

    /// E(e): the probability that it leads to an activity that this run has not seen.
    pub fn expected(&self) -> f64 {
        if self.total == 0 { 0.0 } else { f64::from(self.outside) / f64::from(self.total) }
    }
}

impl Knowledge {
    /// Starts from the model of earlier runs.
    pub fn load(prior: &ReuseModel) -> Self {
        let mut knowledge = Knowledge::default();
        for (event, counts) in prior.events() {
            let idx = knowledge.intern(event.clone());
            for (activity, count) in counts {
                let activity = knowledge.activity(activity);
                knowledge.count(idx, activity, *count);
            }
            knowledge.events[idx as usize].loaded = true;
        }
        knowledge
    }

    /// The reuse model of the earlier runs and this one.
    pub fn learned(&self, package: &str) -> ReuseModel {
        let mut model = ReuseModel::of(package);
        for record in &self.events {
            for (activity, count) in &record.targets {
                let name = Text::clone(&self.activities[*activity as usize].name);
                model.add(record.event.clone(), name, *count);
            }
        }
        model
    }

    /// The event with this key, if it is known.
    pub fn find(&self, key: u64) -> Option<EventIdx> {
        self.by_key.get(&key).copied()
    }

    /// What is known of an event.
    pub fn event(&self, idx: EventIdx) -> &EventRecord {
        &self.events[idx as usize]
    }

    /// What is known of an event, for changes.
    pub fn event_mut(&mut self, idx: EventIdx) -> &mut EventRecord {
        &mut self.events[idx as usize]
    }

    /// Returns the index of an event, which is added if it is new.
    pub fn intern(&mut self, event: HyperEvent) -> EventIdx {
        let key = event.key();
        if let Some(idx) = self.by_key.get(&key) {
            debug_assert_eq!(self.events[*idx as usize].event, event, "two events have one key");
            return *idx;
        }
        let idx = self.events.len() as EventIdx;
        let event = HyperEvent {
            activity: self.shared(event.activity),
            resource_id: self.shared(event.resource_id),
            class: self.shared(event.class),
            static_text: self.shared(event.static_text),
            kind: event.kind,
        };
        self.events.push(EventRecord {
            event,
            targets: Vec::new(),
            total: 0,
            outside: 0,
            done: 0,
            guided: 0,
            q: 0.0,
            loaded: false,
            met: false,
        });
        self.by_key.insert(key, idx);
        idx
    }

    fn shared(&mut self, text: Text) -> Text {
        match self.texts.get(&text) {
            Some(known) => Text::clone(known),
            None => {
                self.texts.insert(Text::clone(&text));
                text
            }
        }
    }

    /// Returns the index of an activity, which is added if it is new.
    pub fn activity(&mut self, name: &Text) -> u32 {
        if let Some(idx) = self.by_name.get(name) {
            return *idx;
        }
        let idx = self.activities.len() as u32;
        let name = self.shared(Text::clone(name));
        self.activities.push(ActivityRecord { name: Text::clone(&name), seen: false, visits: 0 });
        self.by_name.insert(name, idx);
        idx
    }

    /// Counts that the event has led to the activity.
    pub fn record(&mut self, event: EventIdx, activity: u32) {
        self.count(event, activity, 1);
    }

    fn count(&mut self, event: EventIdx, activity: u32, times: u32) {
        let seen = self.activities[activity as usize].seen;
        let record = &mut self.events[event as usize];
        match record.targets.iter_mut().find(|(known, _)| *known == activity) {
            Some((_, count)) => *count = count.saturating_add(times),
            None => record.targets.push((activity, times)),
        }
        record.total = record.total.saturating_add(times);
        if !seen {
            record.outside = record.outside.saturating_add(times);
        }
    }

    /// Counts a visit of the activity in this run. After the first, events that lead there no longer lead to a new
    /// activity. Returns the number of visits.
    pub fn visit(&mut self, activity: u32) -> u32 {
        let record = &mut self.activities[activity as usize];
        record.visits = record.visits.saturating_add(1);
        let visits = record.visits;
        if !std::mem::replace(&mut record.seen, true) {
            for event in &mut self.events {
                let there = event.targets.iter().find(|(known, _)| *known == activity);
                event.outside -= there.map_or(0, |(_, count)| *count);
            }
        }
        visits
    }

    /// How much of the loaded model was useful.
    pub fn hits(&self) -> ReuseHits {
        let loaded = || self.events.iter().filter(|event| event.loaded);
        ReuseHits {
            events_loaded: loaded().count(),
            events_matched: loaded().filter(|event| event.met).count(),
        }
    }
}

/// The states seen in this run. Only keys and counters, since long runs see very many (paper.md, section 12, trap 7).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct States {
    by_key: BTreeMap<u64, StateIdx>,
    records: Vec<StateRecord>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct StateRecord {
    visits: u32,
    done: Vec<InstanceCount>,
}

/// How often an event was executed on one of its equal widgets in a state.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct InstanceCount {
    event: EventIdx,
    /// Index among the equal widgets, in document order.
    instance: u16,
    times: u16,
}

impl States {
    /// Counts a visit. Returns the index of the state and its number of visits.
    pub fn visit(&mut self, key: u64) -> (StateIdx, u32) {
        let next = self.records.len() as StateIdx;
        let idx = *self.by_key.entry(key).or_insert(next);
        if idx == next {
            self.records.push(StateRecord::default());
        }
        let record = &mut self.records[idx as usize];
        record.visits = record.visits.saturating_add(1);
        (idx, record.visits)
    }

    /// Number of states seen.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// How often the event was executed in the state.
    pub fn times(&self, state: StateIdx, event: EventIdx) -> u32 {
        let done = self.records[state as usize].done.iter().filter(|done| done.event == event);
        done.map(|done| u32::from(done.times)).sum()
    }

    /// How often the event was executed on one of its equal widgets in the state.
    pub fn times_on(&self, state: StateIdx, event: EventIdx, instance: usize) -> u32 {
        let mut done = self.records[state as usize].done.iter();
        done.find(|done| done.event == event && usize::from(done.instance) == instance)
            .map_or(0, |done| u32::from(done.times))
    }

    /// Counts an execution of the event on one of its equal widgets.
    pub fn count(&mut self, state: StateIdx, event: EventIdx, instance: usize) {
        let instance = instance.min(usize::from(u16::MAX)) as u16;
        let done = &mut self.records[state as usize].done;
        match done.iter_mut().find(|done| done.event == event && done.instance == instance) {
            Some(done) => done.times = done.times.saturating_add(1),
            None => {
                // Most states are met only once or twice, so no spare capacity is reserved.
                done.reserve_exact(1);
                done.push(InstanceCount { event, instance, times: 1 });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_spec::ActionKind;

    fn event(id: &str) -> HyperEvent {
        let text = |text: &str| Text::from(text);
        HyperEvent {
            activity: text("org.ex/.Main"),
            resource_id: text(id),
            class: text("android.widget.Button"),
            static_text: text(""),
            kind: ActionKind::Click,
        }
    }

    #[test]
    fn the_expectation_is_the_share_that_leads_to_activities_not_seen() {
        let mut prior = ReuseModel::of("org.ex");
        prior.add(event("a"), Text::from("A"), 7);
        prior.add(event("a"), Text::from("Z"), 3);
        let mut knowledge = Knowledge::load(&prior);
        let idx = knowledge.find(event("a").key()).unwrap();
        assert_eq!(knowledge.event(idx).expected(), 1.0);
        let seen = knowledge.activity(&Text::from("A"));
        assert_eq!(knowledge.visit(seen), 1);
        assert_eq!(knowledge.event(idx).expected(), 0.3);
        assert_eq!(knowledge.visit(seen), 2);
        knowledge.record(idx, seen);
        assert_eq!(knowledge.event(idx).expected(), 3.0 / 11.0);
        let last = knowledge.activity(&Text::from("Z"));
        knowledge.visit(last);
        assert_eq!(knowledge.event(idx).expected(), 0.0);
        assert_eq!(knowledge.learned("org.ex").transitions(), 11);
        assert_eq!(knowledge.hits(), ReuseHits { events_loaded: 1, events_matched: 0 });
    }

    #[test]
    fn what_is_loaded_again_and_again_stays_the_same() {
        let mut model = ReuseModel::of("org.ex");
        model.add(event("a"), Text::from("A"), 7);
        model.add(event("b"), Text::from("Z"), 3);
        for _ in 0..3 {
            assert_eq!(Knowledge::load(&model).learned("org.ex"), model, "merged by name, not by object");
        }
    }

    #[test]
    fn states_count_each_widget_of_an_event() {
        let mut states = States::default();
        assert_eq!(states.visit(9), (0, 1));
        assert_eq!(states.visit(8), (1, 1));
        assert_eq!(states.visit(9), (0, 2));
        for instance in [0, 0, 3] {
            states.count(0, 5, instance);
        }
        assert_eq!((states.times(0, 5), states.times(1, 5), states.times(0, 4)), (3, 0, 0));
        assert_eq!((states.times_on(0, 5, 0), states.times_on(0, 5, 3), states.times_on(0, 5, 1)), (2, 1, 0));
    }
}
