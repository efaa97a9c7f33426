//! The tests of an engine that is not ODIN, kept as far as its oracle needs them: wherever one event was done often
//! enough on layouts of one state, a tiny minority of outcomes stands out, whoever did it.
//!
//! A batch of tests is kept until there is no room, and is looked at when it has grown to four times what it was. The
//! next one begins when the campaign is twice as old: there are few batches even in a long campaign, and late tests are
//! looked at as early ones are.

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
    /// The batch was full and is let go of: events of the campaign from which on the next one is kept.
    next_batch: Option<u64>,
    /// What stood out before, whatever came of it.
    known: BTreeSet<(String, Fingerprint)>,
    /// The tests of the batch in which something was told, with its state.
    told: Vec<(StateKey, BTreeSet<usize>)>,
}

/// A test without what the door added to it.
type PooledTest = Vec<PooledStep>;

#[derive(Clone, Serialize, Deserialize)]
struct PooledStep {
    event: Event,
    done: Done<LayoutId>,
    /// Whether no test did the same before.
    new: bool,
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
    /// Whether tests are kept. `campaign` are its events so far: when it is old enough, the next batch begins.
    pub fn wants(&mut self, campaign: u64) -> bool {
        if self.next_batch.is_some_and(|begins| campaign >= begins) {
            *self = TestPool { known: std::mem::take(&mut self.known), ..TestPool::default() };
        }
        self.next_batch.is_none() && !self.full()
    }

    /// There is no room for another layout or event.
    fn full(&self) -> bool {
        self.layouts.len() >= MOST_LAYOUTS || self.events >= MOST_EVENTS
    }

    /// A test is over that was wanted.
    pub fn add(&mut self, trace: &Trace, app: &str) {
        let mut input = 0;
        let mut test = PooledTest::new();
        for done in events_in(trace, |frame| self.learn(frame, app)) {
            let event = trace.steps()[done.step].event.clone();
            input = input_after(input, &event, &done);
            let new = self.inputs.insert(input);
            self.events += usize::from(new);
            test.push(PooledStep { event, done: Done { step: test.len(), ..done }, new });
        }
        if test.iter().any(|step| step.new) {
            self.tests.push(test);
        }
    }

    /// The outcome that a frame shows, if there is room for its layout.
    fn learn(&mut self, frame: &Frame, app: &str) -> Option<(Outcome<LayoutId>, Option<Arc<KnownLayout>>)> {
        let mut shown = None;
        if frame.health == AppHealth::Running {
            let known = || KnownLayout::of(Arc::clone(&frame.layout), app);
            let id = self.layouts.learn(&frame.layout, &VolatileViews::default(), MOST_LAYOUTS, known);
            shown = Some(id?);
        }
        let known = shown.map(|id| Arc::clone(self.layouts.get(id)));
        Some((outcome_as(frame, || shown.unwrap_or_default()), known))
    }

    /// Whether the batch has grown enough to be looked at.
    pub fn due(&self) -> bool {
        self.full() || self.events >= FIRST_LOOK.max(self.looked_at.saturating_mul(GROWTH))
    }

    /// Looks at the batch, if there is anything new in it: what stands out for the first time. A batch that is full is
    /// let go of then. `campaign` are its events so far. Ends early, with nothing, if it is not wanted any more.
    pub fn look(&mut self, app: &str, campaign: u64, wanted: &dyn Fn() -> bool) -> Vec<Suspect> {
        if self.events == self.looked_at && !self.full() {
            return Vec::new();
        }
        self.looked_at = self.events;
        let tests = self.tests.iter().map(|test| self.behaviours(test)).collect();
        let config = firm();
        let found = judge_tests(tests, &VolatileViews::default(), &config, wanted).unwrap_or_default();
        let new = found.into_iter().filter(|found| self.known.insert((found.event.clone(), found.blind)));
        let new: Vec<Minority> = new.collect();
        let suspects = new.into_iter().map(|found| self.suspect(found, app, &config)).collect();
        if self.full() {
            // Of what was told one is still asked while these suspects are confirmed.
            let (known, told) = (std::mem::take(&mut self.known), std::mem::take(&mut self.told));
            let next_batch = Some(campaign.saturating_mul(2));
            *self = TestPool { known, told, next_batch, ..TestPool::default() };
        }
        suspects
    }

    fn behaviours(&self, test: &PooledTest) -> Vec<Seen> {
        let known = |id: LayoutId| Arc::clone(self.layouts.get(id));
        let events = test.iter().map(|step| step.done.clone()).map(|done| Done {
            step: done.step,
            before: done.before.map(known),
            received: done.received,
            after: done.after.map(known),
        });
        let mut behaviours = behaviours_among(events);
        behaviours.retain(|seen| test[seen.step].new);
        behaviours
    }

    fn suspect(&self, found: Minority, app: &str, config: &MayBeliefConfig) -> Suspect {
        let events = |(test, last): (usize, usize)| {
            self.tests[test][..=last].iter().map(|step| step.event.clone()).collect()
        };
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

/// What was done from a start on, given what was done `before`.
fn input_after(before: u64, event: &Event, done: &Done<LayoutId>) -> u64 {
    let mut hasher = HashBuffer::default();
    hasher.u64(before);
    match &done.received {
        Some(received) => received.add_to(&mut hasher),
        None => hasher.text(&format!("{event:?}")),
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::determinism::DeviceDuration;
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
        pool.look(APP, 5_000, &|| true)
    }

    #[test]
    fn one_of_many_stands_out_once() {
        let mut pool = TestPool::default();
        let mut all = vec!["done"; 60];
        all[40] = "failed";
        pool.add(&test("start", &all), APP);
        let found = look(&mut pool);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].witness.len(), 41);
        assert!(found[0].rule.violation.title.contains("failed"), "{:?}", found[0].rule.violation);
        assert!(!pool.is_told(&found[0]));
        pool.tell(&found[0]);
        assert!(pool.is_told(&found[0]));
        assert!(look(&mut pool).is_empty(), "nothing new");
        pool.add(&test("start", &all[..45]), APP);
        assert_eq!(pool.tests.len(), 1, "the same was done before");
        all.push("done");
        pool.add(&test("start", &all), APP);
        assert_eq!((pool.tests.len(), pool.events), (2, 61));
        assert!(look(&mut pool).is_empty(), "it was found before");
    }

    #[test]
    fn few_or_many_outcomes_allow_no_belief() {
        let mut pool = TestPool::default();
        let mut few = vec!["done"; 30];
        few[20] = "failed";
        pool.add(&test("start", &few), APP);
        assert!(look(&mut pool).is_empty());
        let mut pool = TestPool::default();
        let some = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
        let mut many: Vec<&str> = some.iter().copied().cycle().take(80).collect();
        many[41] = "failed";
        pool.add(&test("start", &many), APP);
        assert!(look(&mut pool).is_empty());
    }

    /// A pool that is full; one tap of its only test failed.
    fn full() -> TestPool {
        let mut pool = TestPool::default();
        let mut seen = ["done"; 200];
        seen[100] = "failed";
        let mut trace = test("start", &seen);
        for number in 0..MOST_LAYOUTS {
            let event = Event::Wait(DeviceDuration::from_millis(number as u64));
            trace.push(Step { event, role: StepRole::Explored, after: frame_of(page(&number.to_string())) });
        }
        pool.add(&trace, APP);
        pool
    }

    #[test]
    fn a_full_batch_is_looked_at_and_the_next_one_begins_at_twice_the_events() {
        let mut pool = full();
        assert!(pool.due() && !pool.wants(5_000));
        look(&mut pool);
        assert!(!pool.due() && !pool.wants(9_999));
        assert!(pool.layouts.is_empty() && pool.tests.is_empty(), "a checkpoint stays small");
        assert!(pool.wants(10_000));
        pool.add(&test("start", &["other"]), APP);
        assert_eq!((pool.layouts.len(), pool.events), (2, 1));
    }

    #[test]
    fn what_was_told_of_a_full_batch_is_known_until_the_next_one_begins() {
        let mut pool = full();
        let found = look(&mut pool);
        assert!(!found.is_empty());
        pool.tell(&found[0]);
        assert!(pool.is_told(&found[0]));
        let mut pool = full();
        pool.told.push((found[0].rule.state, found[0].tests.clone()));
        let found = look(&mut pool);
        assert!(pool.is_told(&found[0]), "told at an earlier look");
        assert!(pool.wants(10_000));
        assert!(!pool.is_told(&found[0]), "other tests");
    }

    #[test]
    fn saving_changes_nothing() {
        let mut all = vec!["done"; 80];
        all[70] = "failed";
        let mut pool = TestPool::default();
        pool.add(&test("start", &all[..50]), APP);
        let saved = postcard::to_stdvec(&pool).unwrap();
        let mut pool: TestPool = postcard::from_bytes(&saved).unwrap();
        pool.add(&test("start", &all), APP);
        assert_eq!(look(&mut pool).len(), 1);
    }
}
