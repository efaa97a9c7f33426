//! Applies ODIN's oracle to the tests of other engines, which are stored as far as the oracle needs them. If one event
//! was performed often enough on layouts of one state, a tiny minority of outcomes is suspicious, whichever engine
//! performed it.
//!
//! A batch of tests is collected until there is no more room, and is judged each time it has grown to four times its
//! size. The next batch begins when the campaign is twice as old. So there are few batches even in a long campaign, and
//! late tests are judged as well as early ones.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::from_trace::{Shown, TestEvent, behaviours_among, events_in, outcome_as};
use super::minority::judge_tests;
use super::{
    AnomalyConfig, Fingerprint, KnownLayout, LayoutId, MOST_WITNESSES, MayBeliefConfig, Minority,
    MinorityRule, Outcome, SeenBehaviour, ShownAt, StateKey, VolatileViews, minority_violation,
};
use crate::oracle::may_belief::states::packed::PackedLayouts;
use crate::worker::in_turn;
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{AppHealth, Event, Frame, Trace};

/// Maximum number of distinct layouts of a batch.
const MOST_LAYOUTS: usize = 4_000;
/// Maximum number of events of a batch.
const MOST_EVENTS: usize = 40_000;
/// Number of events of a batch when it is first judged, and the factor by which it must have grown when it is judged
/// again.
const FIRST_LOOK: usize = MOST_EVENTS / GROWTH;
const GROWTH: usize = 4;

/// How pooled tests are judged. Tests of other engines are long, and no two of them are similar, so beliefs must be
/// firmer than among ODIN's own short walks, which deliberately reach a state in many ways. With ODIN's constants, the
/// sound apps had a finding in every other run; with these, in one of seven (other seeds; `study oracles`).
fn firm() -> MayBeliefConfig {
    let anomaly = AnomalyConfig { majority: 0.9, min_behaviours: 50 };
    MayBeliefConfig { anomaly, ..MayBeliefConfig::default() }
}

/// The tests of an app that are still to be judged.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct TestPool {
    layouts: PackedLayouts,
    tests: Vec<PooledTest>,
    /// The distinct events of the tests, most of which are performed again and again.
    events: Numbered<Event>,
    /// The same with their distinct outcomes.
    done: Numbered<Done>,
    /// Hashes of what was done since a start. An input counts once, however often it is run.
    inputs: BTreeSet<u64>,
    /// Number of distinct inputs of the batch.
    distinct_inputs: usize,
    /// Number of inputs when the batch was last judged.
    looked_at: usize,
    /// If set, the last batch was full and was dropped, and the next one begins at this number of the campaign's
    /// events.
    next_batch: Option<u64>,
    /// The minority outcomes that were suspected before, with whatever result, each with the tests of the batch that
    /// were its witnesses, and their number in all batches.
    known: BTreeMap<MinorityName, (usize, BTreeSet<usize>)>,
    /// The minorities that were confirmed, each with its state and the tests of the batch in which it shows.
    reported: Vec<(MinorityName, StateKey, BTreeSet<usize>)>,
}

/// What names a minority outcome in all states: the event in words, and the outcome without texts.
type MinorityName = (String, Fingerprint);

/// A test without appended events.
type PooledTest = Vec<PooledStep>;

#[derive(Clone, Copy, Serialize, Deserialize)]
struct PooledStep {
    /// What was done, by number.
    done: u32,
    /// Whether no test did the same before.
    new: bool,
}

/// An event with its outcome, wherever in a test.
#[derive(Clone, Serialize, Deserialize)]
struct Done {
    /// The event, by number.
    event: u32,
    /// Its step is that of the first test that did it.
    seen: TestEvent<LayoutId>,
}

/// Distinct values, by number.
#[derive(Clone, Serialize, Deserialize)]
struct Numbered<T> {
    values: Vec<T>,
    /// The number of a value by a hash of its content.
    by_content: BTreeMap<u64, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { values: Vec::new(), by_content: BTreeMap::new() }
    }
}

impl<T> Numbered<T> {
    /// The number of a value. Two of one content may have two numbers, but no two have one.
    fn number(&mut self, content: u64, is_it: impl Fn(&T) -> bool, value: impl FnOnce() -> T) -> u32 {
        let next = self.values.len() as u32;
        let number = *self.by_content.entry(content).or_insert(next);
        if self.values.get(number as usize).is_some_and(is_it) {
            return number;
        }
        self.values.push(value());
        next
    }

    fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }
}

/// A minority outcome that is still to be confirmed on fresh devices.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// Events that end with the suspected outcome.
    pub witness: Vec<Event>,
    /// Events that end with the believed outcome.
    pub reference: Vec<Event>,
    /// The rule by which the two are compared.
    pub rule: MinorityRule,
    name: MinorityName,
    /// Whether another test was suspected of the same before. It only shows whether that is seen twice.
    further: bool,
    tests: BTreeSet<usize>,
}

impl TestPool {
    /// Whether the pool accepts tests now. `campaign` is the number of its events so far; when it is large enough, the
    /// next batch begins.
    pub fn wants(&mut self, campaign: u64) -> bool {
        if self.next_batch.is_some_and(|begins| campaign >= begins) {
            self.known.values_mut().for_each(|(_, tests)| tests.clear());
            *self = TestPool { known: std::mem::take(&mut self.known), ..TestPool::default() };
        }
        self.next_batch.is_none() && !self.full()
    }

    /// Whether there is no room for another layout or event.
    fn full(&self) -> bool {
        self.layouts.len() >= MOST_LAYOUTS || self.distinct_inputs >= MOST_EVENTS
    }

    /// Adds a finished test. Call it only while [`wants`](TestPool::wants) is true.
    pub fn add(&mut self, trace: &Trace, app: &str) {
        let mut input = 0;
        let mut test = PooledTest::new();
        for seen in events_in(trace, |frame| self.learn(frame, app)) {
            let event = &trace.steps()[seen.step].event;
            input = input_after(input, event, &seen);
            let new = self.inputs.insert(input);
            self.distinct_inputs += usize::from(new);
            test.push(PooledStep { done: self.number(event, seen), new });
        }
        if test.iter().any(|step| step.new) {
            test.shrink_to_fit();
            self.tests.push(test);
        }
    }

    /// The number of what was done among the distinct ones.
    fn number(&mut self, event: &Event, seen: TestEvent<LayoutId>) -> u32 {
        let content = content_of(event, &seen);
        let event = self.events.number(content, |known| known == event, || event.clone());
        let mut hasher = HashBuffer::default();
        hasher.u64(event.into());
        hasher.u64(seen.before.map_or(u64::MAX, |id| id as u64));
        if let Outcome::Shows(id) = seen.after {
            hasher.u64(id as u64);
        }
        let is_it = |known: &Done| known.event == event && known.seen.is_like(&seen);
        self.done.number(hasher.finish(), is_it, || Done { event, seen: seen.clone() })
    }

    /// The outcome that a frame shows and the events that its layout handles, if there is room for the layout.
    fn learn(&mut self, frame: &Frame, app: &str) -> Option<Shown<LayoutId>> {
        let mut shown = None;
        if frame.health == AppHealth::Running {
            shown = Some(self.layouts.learn(&frame.layout, app, MOST_LAYOUTS)?);
        }
        let (id, handled) = shown.unzip();
        Some((outcome_as(frame, || id.unwrap_or_default()), handled))
    }

    /// Whether the batch has grown enough to be judged.
    pub fn due(&self) -> bool {
        self.full() || self.distinct_inputs >= FIRST_LOOK.max(self.looked_at.saturating_mul(GROWTH))
    }

    /// Judges the batch, if it contains anything new. Returns the outcomes that are suspected for the first time, and
    /// then those that further tests show, a few for each. A full batch is dropped afterwards. `campaign` is the number of its events so far. Returns early, without
    /// suspects, if `wanted` returns false.
    pub fn look(&mut self, app: &str, campaign: u64, wanted: &dyn Fn() -> bool) -> Vec<Suspect> {
        if self.distinct_inputs == self.looked_at && !self.full() {
            return Vec::new();
        }
        self.looked_at = self.distinct_inputs;
        let config = firm();
        let found = in_turn(|| self.judge(&config, wanted)).unwrap_or_default();
        let mut suspects: Vec<Suspect> =
            found.into_iter().flat_map(|found| self.suspects(&found, app, &config)).collect();
        suspects.sort_by_key(|suspect| suspect.further);
        if self.full() {
            // What was confirmed is still needed while these suspects are confirmed.
            let (known, reported) = (std::mem::take(&mut self.known), std::mem::take(&mut self.reported));
            let next_batch = Some(campaign.saturating_mul(2));
            *self = TestPool { known, reported, next_batch, ..TestPool::default() };
        }
        suspects
    }

    /// The minorities among the tests. `None` if one of the layouts is damaged, or the judgement is not wanted any more.
    fn judge(&mut self, config: &MayBeliefConfig, wanted: &dyn Fn() -> bool) -> Option<Vec<Minority>> {
        let layouts = self.layouts.unpack()?;
        let tests = self.tests.iter().map(|test| self.behaviours(test, &layouts)).collect();
        judge_tests(tests, &VolatileViews::default(), config, wanted)
    }

    /// What a test shows that no test before it did.
    fn behaviours(&self, test: &PooledTest, layouts: &[Arc<KnownLayout>]) -> Vec<SeenBehaviour> {
        let known = |id: LayoutId| Arc::clone(&layouts[id]);
        let events = test.iter().enumerate().map(|(step, pooled)| {
            let seen = self.done.get(pooled.done).seen.clone();
            TestEvent {
                step,
                before: seen.before.map(known),
                received: seen.received,
                after: seen.after.map(known),
            }
        });
        let mut behaviours = behaviours_among(events);
        behaviours.retain(|seen| test[seen.step].new);
        behaviours
    }

    /// The witnesses of a minority that were not suspected before.
    fn suspects(&mut self, found: &Minority, app: &str, config: &MayBeliefConfig) -> Vec<Suspect> {
        let first = (found.witness, found.reference);
        let mut suspects = Vec::new();
        for (witness, reference) in std::iter::once(first).chain(found.further.iter().copied()) {
            let name = (found.event.clone(), found.blind);
            let (count, tests) = self.known.entry(name.clone()).or_default();
            if *count >= MOST_WITNESSES || !tests.insert(witness.0) {
                continue;
            }
            *count += 1;
            let further = *count > 1;
            suspects.push(self.suspect(found, (witness, reference), (name, further), (app, config)));
        }
        suspects
    }

    fn suspect(
        &self,
        found: &Minority,
        (witness, reference): (ShownAt, ShownAt),
        (name, further): (MinorityName, bool),
        (app, config): (&str, &MayBeliefConfig),
    ) -> Suspect {
        let events = |(test, last): ShownAt| {
            let event = |step: &PooledStep| self.events.get(self.done.get(step.done).event).clone();
            self.tests[test][..=last].iter().map(event).collect()
        };
        let mut violation = minority_violation(found.event.clone(), found.blind, found.counts);
        found.explanation.clone().write_to(&found.clause, &mut violation);
        Suspect {
            witness: events(witness),
            reference: events(reference),
            name,
            further,
            rule: MinorityRule {
                app: app.to_owned(),
                state: found.state,
                rules: found.anomaly.rules,
                fingerprint: found.anomaly.fingerprint,
                beliefs: found.anomaly.beliefs.clone(),
                volatile: VolatileViews::default(),
                config: config.clone(),
                violation,
            },
            tests: found.tests.clone(),
        }
    }

    /// Whether the suspect need not be looked at. One wrong state of the app may show under several events, of which one
    /// is enough; and whether a further test shows the same is only asked of what was confirmed.
    pub fn is_settled(&self, suspect: &Suspect) -> bool {
        let same_state = |(_, state, tests): &(MinorityName, StateKey, BTreeSet<usize>)| {
            *state == suspect.rule.state && !tests.is_disjoint(&suspect.tests)
        };
        match suspect.further {
            true => self.reported.iter().all(|(name, ..)| *name != suspect.name),
            false => self.reported.iter().any(same_state),
        }
    }

    /// Records that the suspect was confirmed.
    pub fn mark_reported(&mut self, suspect: &Suspect) {
        self.reported.push((suspect.name.clone(), suspect.rule.state, suspect.tests.clone()));
    }
}

/// A hash of an event, which is the same for equal ones that widgets of one kind received.
fn content_of(event: &Event, done: &TestEvent<LayoutId>) -> u64 {
    let mut hasher = HashBuffer::default();
    match (&done.received, event) {
        (Some(received), Event::Widget { target, .. }) => {
            received.add_to(&mut hasher);
            [target.at.x, target.at.y].into_iter().for_each(|side| hasher.u64(side.cast_unsigned().into()));
        }
        _ => hasher.text(&format!("{event:?}")),
    }
    hasher.finish()
}

/// The hash of an input extended by one event. `before` is the hash of the previous events.
fn input_after(before: u64, event: &Event, done: &TestEvent<LayoutId>) -> u64 {
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
    use taproof_screen::determinism::DeviceDuration;
    use taproof_screen::{Gesture, Layout, Selector, Step, StepRole, frame_of, layout_from};

    const APP: &str = "org.ex";

    fn page(words: &str) -> Layout {
        layout_from(&format!("FrameLayout\n  Button#go \"Go\"\n  TextView#words \"{words}\"\n"))
    }

    /// A test that taps the button as often as there are words, and then sees these.
    fn test(start: &str, seen: &[&str]) -> Trace {
        tapped(Trace::start(frame_of(page(start))), seen)
    }

    /// The same after a pause, which makes it another test.
    fn later(millis: u64, seen: &[&str]) -> Trace {
        let mut trace = Trace::start(frame_of(page("start")));
        let event = Event::Wait(DeviceDuration::from_millis(millis));
        trace.push(Step { event, role: StepRole::Explored, after: frame_of(page("start")) });
        tapped(trace, seen)
    }

    fn tapped(mut trace: Trace, seen: &[&str]) -> Trace {
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
        assert!(!pool.is_settled(&found[0]));
        pool.mark_reported(&found[0]);
        assert!(pool.is_settled(&found[0]));
        assert!(look(&mut pool).is_empty(), "nothing new");
        pool.add(&test("start", &all[..45]), APP);
        assert_eq!(pool.tests.len(), 1, "the same was done before");
        all.push("done");
        pool.add(&test("start", &all), APP);
        assert_eq!((pool.tests.len(), pool.distinct_inputs), (2, 61));
        assert!(look(&mut pool).is_empty(), "it was found before");
    }

    #[test]
    fn what_was_confirmed_is_looked_at_in_further_tests_as_well() {
        let mut pool = TestPool::default();
        let mut all = vec!["done"; 60];
        all[40] = "failed";
        pool.add(&test("start", &all), APP);
        pool.add(&later(1, &all[..50]), APP);
        let found = look(&mut pool);
        assert_eq!(found.iter().map(|it| it.further).collect::<Vec<_>>(), [false, true]);
        assert_eq!(found[0].rule.violation.origin(), found[1].rule.violation.origin());
        assert!(!pool.is_settled(&found[0]) && pool.is_settled(&found[1]), "the first was not confirmed");
        pool.mark_reported(&found[0]);
        assert!(!pool.is_settled(&found[1]));
        for millis in [2, 3] {
            pool.add(&later(millis, &all), APP);
        }
        assert_eq!(look(&mut pool).len(), 1, "three are enough");
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
        assert!(pool.layouts.len() == 0 && pool.tests.is_empty(), "a checkpoint stays small");
        assert!(pool.wants(10_000));
        pool.add(&test("start", &["other"]), APP);
        assert_eq!((pool.layouts.len(), pool.distinct_inputs), (2, 1));
    }

    #[test]
    fn what_was_told_of_a_full_batch_is_known_until_the_next_one_begins() {
        let mut pool = full();
        let found = look(&mut pool);
        assert!(!found.is_empty());
        pool.mark_reported(&found[0]);
        assert!(pool.is_settled(&found[0]));
        let mut pool = full();
        pool.mark_reported(&found[0]);
        let found = look(&mut pool);
        assert!(pool.is_settled(&found[0]), "reported at an earlier look");
        assert!(pool.wants(10_000));
        assert!(!pool.is_settled(&found[0]), "other tests");
    }

    #[test]
    fn saving_changes_nothing() {
        let mut all = vec!["done"; 80];
        all[70] = "failed";
        let mut pool = TestPool::default();
        pool.add(&test("start", &all[..50]), APP);
        let saved = rmp_serde::to_vec(&pool).unwrap();
        let mut pool: TestPool = rmp_serde::from_slice(&saved).unwrap();
        pool.add(&test("start", &all), APP);
        assert_eq!(look(&mut pool).len(), 1);
    }
}
