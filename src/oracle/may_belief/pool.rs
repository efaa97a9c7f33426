//! The tests of an engine that is not ODIN, kept as far as its oracle needs them: wherever one event was done often
//! enough on layouts of one state, a tiny minority of outcomes stands out, whoever did it.
//!
//! A batch of tests is kept until there is no room, and is looked at when it has grown to four times what it was. The
//! next one begins when the campaign is twice as old: what this costs does not grow with a campaign, and late tests
//! are looked at as early ones are.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::from_trace::{Done, behaviours_among, events_in, outcome_as};
use super::minority::judge_tests;
use super::{
    AnomalyConfig, Fingerprint, KnownLayout, LayoutId, Layouts, MayBeliefConfig, Minority, MinorityRule,
    Outcome, Seen, StateKey, VolatileViews, minority_violation,
};
use crate::determinism::HashBuffer;
use crate::model::{AppHealth, Event, Frame, Trace};

/// Distinct layouts of a batch.
const MOST_LAYOUTS: usize = 4_000;
/// Events of a batch.
const MOST_EVENTS: usize = 40_000;
/// Events of a batch when it is first looked at, and how many times these when it is looked at again.
const FIRST_LOOK: usize = MOST_EVENTS / GROWTH;
const GROWTH: usize = 4;

/// How pooled tests are judged. Other engines' tests are long and no two of them alike, so what is believed must be
/// firmer than among ODIN's own short walks, which reach a state in many ways on purpose: with its constants the sound
/// apps had a finding in every other run, with these in one of seven (other seeds; `study oracles`).
fn firm() -> MayBeliefConfig {
    let anomaly = AnomalyConfig { majority: 0.9, min_behaviours: 50, ..AnomalyConfig::default() };
    MayBeliefConfig { anomaly, ..MayBeliefConfig::default() }
}

/// Tests of an app.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct TestPool {
    layouts: Layouts,
    tests: Vec<PooledTest>,
    /// What was done from a start on, as hashes: an input counts once, however often it is run.
    inputs: BTreeSet<u64>,
    /// Inputs of the batch.
    events: usize,
    /// Inputs at the last look.
    looked_at: usize,
    /// There is no room for another layout or event.
    full: bool,
    /// It was full and looked at: nothing of it is kept any more.
    closed: bool,
    /// Events of the campaign from which on the next batch is kept.
    next_batch: u64,
    /// What stood out before, whatever came of it.
    known: BTreeSet<(String, Fingerprint)>,
    /// The tests in which something was told, with its state.
    told: Vec<(StateKey, BTreeSet<usize>)>,
}

/// A test without what the door added to it.
#[derive(Clone, Serialize, Deserialize)]
struct PooledTest {
    events: Vec<Event>,
    done: Vec<Done<LayoutId>>,
    /// For each event whether no test did the same before.
    new: Vec<bool>,
}

/// A minority outcome that is still to be seen on fresh runs.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// Events that end with it.
    pub witness: Vec<Event>,
    /// Events that end with what is believed.
    pub reference: Vec<Event>,
    /// How the two are compared.
    pub rule: MinorityRule,
    tests: BTreeSet<usize>,
}

impl TestPool {
    /// A test is over. `campaign` are the events of the campaign so far.
    pub fn add(&mut self, trace: &Trace, app: &str, campaign: u64) {
        if self.closed {
            if self.next_batch == 0 {
                self.next_batch = campaign.saturating_mul(2);
            }
            if campaign < self.next_batch {
                return;
            }
            self.empty();
        }
        if self.full {
            return;
        }
        let done = events_in(trace, |frame| self.learn(frame, app));
        let events: Vec<Event> = done.iter().map(|done| trace.steps()[done.step].event.clone()).collect();
        let new = self.new_inputs(&events, &done);
        self.events += new.iter().filter(|new| **new).count();
        self.full |= self.events >= MOST_EVENTS;
        if new.contains(&true) {
            let done = done.into_iter().enumerate().map(|(step, done)| Done { step, ..done }).collect();
            self.tests.push(PooledTest { events, done, new });
        }
    }

    fn empty(&mut self) {
        let known = std::mem::take(&mut self.known);
        *self = TestPool { known, ..TestPool::default() };
    }

    /// The outcome that a frame shows, if there is room for its layout.
    fn learn(&mut self, frame: &Frame, app: &str) -> Option<(Outcome<LayoutId>, Option<Arc<KnownLayout>>)> {
        let mut shown = None;
        if frame.health == AppHealth::Running {
            let known = || KnownLayout::of(Arc::clone(&frame.layout), app);
            let id = self.layouts.learn(&frame.layout, &VolatileViews::default(), MOST_LAYOUTS, known);
            self.full |= id.is_none();
            shown = Some(id?);
        }
        let known = shown.map(|id| Arc::clone(self.layouts.get(id)));
        Some((outcome_as(frame, || shown.unwrap_or_default()), known))
    }

    fn new_inputs(&mut self, events: &[Event], done: &[Done<LayoutId>]) -> Vec<bool> {
        let mut hasher = HashBuffer::default();
        let mut input = 0;
        let is_new = |(event, done): (&Event, &Done<LayoutId>)| {
            hasher.clear();
            hasher.u64(input);
            match &done.received {
                Some(received) => received.add_to(&mut hasher),
                None => hasher.text(&format!("{event:?}")),
            }
            input = hasher.finish();
            self.inputs.insert(input)
        };
        events.iter().zip(done).map(is_new).collect()
    }

    /// Whether the batch has grown enough to be looked at.
    pub fn due(&self) -> bool {
        self.full || self.events >= FIRST_LOOK.max(self.looked_at.saturating_mul(GROWTH))
    }

    /// Looks at the batch, if there is anything new in it: what stands out for the first time. Ends early, with
    /// nothing, if it is not wanted any more.
    pub fn look(&mut self, app: &str, wanted: &dyn Fn() -> bool) -> Vec<Suspect> {
        if self.events == self.looked_at && !self.full {
            return Vec::new();
        }
        self.looked_at = self.events;
        let tests = self.tests.iter().map(|test| self.behaviours(test)).collect();
        let config = firm();
        let found = judge_tests(tests, &VolatileViews::default(), &config, wanted).unwrap_or_default();
        let new = found.into_iter().filter(|found| self.known.insert((found.event.clone(), found.blind)));
        let new: Vec<Minority> = new.collect();
        let suspects = new.into_iter().map(|found| self.suspect(found, app, &config)).collect();
        if self.full {
            self.empty();
            self.closed = true;
        }
        suspects
    }

    fn behaviours(&self, test: &PooledTest) -> Vec<Seen> {
        let known = |id: LayoutId| Arc::clone(self.layouts.get(id));
        let events = test.done.iter().cloned().map(|done| Done {
            step: done.step,
            before: done.before.map(known),
            received: done.received,
            after: done.after.map(known),
        });
        let mut behaviours = behaviours_among(events);
        behaviours.retain(|seen| test.new[seen.step]);
        behaviours
    }

    fn suspect(&self, found: Minority, app: &str, config: &MayBeliefConfig) -> Suspect {
        let events = |(test, step): (usize, usize)| self.tests[test].events[..=step].to_vec();
        let mut violation = minority_violation(found.event, found.blind, found.counts);
        found.told.say(&mut violation);
        Suspect {
            witness: events(found.witness),
            reference: events(found.reference),
            rule: MinorityRule {
                app: app.to_owned(),
                state: found.state,
                rules: found.anomaly.rules,
                fingerprint: found.anomaly.fingerprint,
                beliefs: found.anomaly.beliefs,
                volatile: VolatileViews::default(),
                config: config.clone(),
                violation,
            },
            tests: found.tests,
        }
    }

    /// Whether the same tests showed something in the same state before: one wrong state of the app may show under
    /// several events.
    pub fn is_told(&self, suspect: &Suspect) -> bool {
        self.told
            .iter()
            .any(|(state, tests)| *state == suspect.rule.state && !tests.is_disjoint(&suspect.tests))
    }

    /// It came back on fresh runs.
    pub fn tell(&mut self, suspect: &Suspect) {
        self.told.push((suspect.rule.state, suspect.tests.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Gesture, Layout, Selector, Step, StepRole, frame_of, layout_from};

    const APP: &str = "org.ex";

    fn page(words: &str) -> Layout {
        layout_from(&format!("FrameLayout\n  Button#go \"Go\"\n  TextView#words \"{words}\"\n"))
    }

    /// A test that taps the button as often as there are words, and then sees these.
    fn test(start: &str, seen: &[&str]) -> Trace {
        let mut trace = Trace::start(frame_of(page(start)));
        for words in seen {
            let selector = Selector { resource_id: Some("org.ex:id/go".to_owned()), ..Selector::default() };
            let event = Event::on(&trace.last().layout, selector, Gesture::Tap).unwrap();
            trace.push(Step { event, role: StepRole::Explored, after: frame_of(page(words)) });
        }
        trace
    }

    fn look(pool: &mut TestPool) -> Vec<Suspect> {
        pool.look(APP, &|| true)
    }

    #[test]
    fn one_of_many_stands_out_once() {
        let mut pool = TestPool::default();
        let mut all = vec!["done"; 60];
        all[40] = "failed";
        pool.add(&test("start", &all), APP, 60);
        let found = look(&mut pool);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].witness.len(), 41);
        assert!(found[0].rule.violation.title.contains("failed"), "{:?}", found[0].rule.violation);
        assert!(!pool.is_told(&found[0]));
        pool.tell(&found[0]);
        assert!(pool.is_told(&found[0]));
        assert!(look(&mut pool).is_empty(), "nothing new");
        pool.add(&test("start", &all[..45]), APP, 105);
        assert_eq!(pool.tests.len(), 1, "the same was done before");
        all.push("done");
        pool.add(&test("start", &all), APP, 166);
        assert_eq!((pool.tests.len(), pool.events), (2, 61));
        assert!(look(&mut pool).is_empty(), "it was found before");
    }

    #[test]
    fn few_or_many_outcomes_allow_no_belief() {
        let mut pool = TestPool::default();
        let mut few = vec!["done"; 30];
        few[20] = "failed";
        pool.add(&test("start", &few), APP, 30);
        assert!(look(&mut pool).is_empty());
        let mut pool = TestPool::default();
        let some = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
        let mut many: Vec<&str> = some.iter().copied().cycle().take(80).collect();
        many[41] = "failed";
        pool.add(&test("start", &many), APP, 80);
        assert!(look(&mut pool).is_empty());
    }

    #[test]
    fn a_full_batch_is_looked_at_and_the_next_one_begins_at_twice_the_events() {
        let mut pool = TestPool::default();
        let words: Vec<String> = (0..=MOST_LAYOUTS).map(|number| format!("{number}")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        pool.add(&test("start", &words), APP, 5_000);
        assert!(pool.due() && pool.full);
        look(&mut pool);
        assert!(!pool.due());
        pool.add(&test("start", &["other"]), APP, 5_001);
        pool.add(&test("start", &["other"]), APP, 9_999);
        assert!(pool.closed && pool.layouts.is_empty() && pool.tests.is_empty(), "a checkpoint stays small");
        pool.add(&test("start", &["other"]), APP, 10_002);
        assert_eq!((pool.layouts.len(), pool.events), (2, 1));
    }

    #[test]
    fn saving_changes_nothing() {
        let mut all = vec!["done"; 80];
        all[70] = "failed";
        let mut pool = TestPool::default();
        pool.add(&test("start", &all[..50]), APP, 50);
        let saved = postcard::to_stdvec(&pool).unwrap();
        let mut pool: TestPool = postcard::from_bytes(&saved).unwrap();
        pool.add(&test("start", &all), APP, 130);
        assert_eq!(look(&mut pool).len(), 1);
    }
}
