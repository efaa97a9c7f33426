//! [`RoundCtx`], through which an engine does everything to a device. It records, counts, checks the budget and
//! cancellation, and runs the oracles that judge every screen.

mod careful;
mod kept_data;
mod look_again;
mod replay;
mod rules;
pub(crate) mod scroll_search;

use std::sync::Arc;

use crate::device::{AppData, AppId, Device, DeviceError, PngBytes, returns_to_app};
use crate::oracle::preservation::Relation;
use crate::oracle::{self, Comparison};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant, Rng};
use taproof_screen::{
    AppHealth, DmfSpan, Event, Frame, Gesture, Layout, LayoutKey, Step, StepRole, Trace, Verdict, Violation,
    WidgetIdx,
};
use taproof_spec::{Block, DataModel, LogErrors};

use super::original_names::original_names;
use super::{
    CampaignStats, HeldRun, Moment, NotExecuted, Occurrence, Recogniser, ScreenKeys, SeenEvent,
    StateSnapshot, Task, TestTarget,
};
use kept_data::take_shown_data;
use rules::RulesInTest;

pub(crate) use look_again::LOOKS;

pub use careful::Careful;
pub use replay::{Missing, Replay, Replayed};
pub use scroll_search::{ScrollSearch, scroll_lists};

/// How long a progress bar may be shown before this is reported (`src/engine/pbfdroid/paper.md`, section 4.7).
const LOADING_PATIENCE: DeviceDuration = DeviceDuration(10_000);

/// Why an engine must leave its round. Engines pass it on with `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The campaign was cancelled.
    Cancelled,
    /// The budget is spent.
    BudgetSpent,
    /// The test cannot continue, because the app died or its screen violated an oracle; the next test can begin.
    TestOver,
    /// The device failed. The only variant that is a failure.
    Device(DeviceError),
}

impl From<DeviceError> for Stop {
    fn from(error: DeviceError) -> Self {
        Stop::Device(error)
    }
}

/// A violation with its position in the test.
#[derive(Clone, Debug)]
pub struct Reported {
    /// What was observed, and what should have been.
    pub violation: Violation,
    /// Number of steps of the test's trace that show it.
    pub steps: usize,
    /// When it was seen.
    pub moment: Moment,
    /// The trace that it was compared with; `None` if it can be seen in one trace alone.
    pub comparison: Option<Comparison>,
    /// The screen that showed it, if the watcher of the round took a picture.
    pub picture: Option<Arc<PngBytes>>,
}

/// A test and its violations.
#[derive(Clone, Debug)]
pub struct JudgedTest {
    /// The events that were performed and the screens that were seen.
    pub trace: Trace,
    /// The violations that the trace shows, in the order in which they were seen.
    pub reported: Vec<Reported>,
}

/// Observes rounds while they run, for example to store frames. All methods do nothing by default.
pub trait RoundWatcher {
    /// A frame was recorded; the device still shows it.
    fn frame(&mut self, _device: &mut dyn Device, _stats: &CampaignStats) -> Result<(), DeviceError> {
        Ok(())
    }
    /// This is what the device showed after a launch or an event.
    fn seen(&mut self, _frame: &Frame) {}
    /// The last event of the trace was performed; not called for events that begin a test.
    fn performed(&mut self, _trace: &Trace, _stats: &CampaignStats) {}
    /// The device refused an event and did nothing; the test ends there.
    fn refused(&mut self, _error: &DeviceError) {}
    /// A step could not be performed, for this reason, on what the device still shows.
    fn stuck(&mut self, _device: &mut dyn Device, _step: String, _why: String, _layout: &Arc<Layout>) {}
    /// The step of this number of a function was found on this screen, with the widget that it is done to. The number of
    /// steps stands for the screen after the last one.
    fn found_step(&mut self, _dmf: usize, _step: usize, _layout: &Arc<Layout>, _target: Option<WidgetIdx>) {}
    /// A rule of the tester, or what the app itself would have in its place, was given up in this test, for this reason.
    fn gave_up_rule(&mut self, _why: &str) {}
    /// A violation was seen at the end of this trace, which the device still shows. Returns the picture to keep with it.
    fn violated(
        &mut self,
        _device: &mut dyn Device,
        _trace: &Trace,
        _reported: &Reported,
    ) -> Option<Arc<PngBytes>> {
        None
    }
    /// From this frame of the trace on, the app should hold these data.
    fn data(&mut self, _frame: usize, _data: &DataModel) {}
}

/// A watcher that ignores everything.
pub struct NoWatcher;

impl RoundWatcher for NoWatcher {}

/// What a round works with and what outlives it.
pub struct RoundDoor<'a> {
    /// The device that the campaign owns.
    pub device: &'a mut dyn Device,
    /// The app and its specification, which do not change during a campaign.
    pub target: &'a TestTarget,
    /// What was counted so far.
    pub stats: &'a mut CampaignStats,
    /// Notified of every frame, refusal and change of the data model.
    pub watcher: &'a mut dyn RoundWatcher,
    /// Returns whether to stop; called between events. Blocks while the campaign is paused.
    pub cancelled: &'a dyn Fn() -> bool,
}

/// One round of an engine.
pub struct RoundCtx<'a> {
    /// The round's random generator; fork it for each purpose.
    pub rng: Rng,
    door: RoundDoor<'a>,
    trace: Trace,
    /// The last layout that hides something, as the device shows it and as it is seen.
    unmasked: Option<(Arc<Layout>, Arc<Layout>)>,
    in_test: RulesInTest,
    /// Number of its first steps that belong to an earlier test.
    restored: usize,
    /// When the launch that the trace begins with was started.
    launched: DeviceInstant,
    keys: ScreenKeys,
    data: DataModel,
    reported: Vec<Reported>,
    drifted: bool,
    /// Whether exploration must not change the data that DMFs change.
    guards_data: bool,
    /// Whether runs of DMFs are recognised where exploration may change the data.
    recognises: bool,
    /// Recognises and judges runs of DMFs, for an engine that does not run DMFs itself.
    recogniser: Option<Recogniser>,
    /// The last run of a DMF whose postconditions held.
    held_run: Option<HeldRun>,
    /// The completed tests of this round.
    over: Vec<JudgedTest>,
    /// Whether tests without violations are stored as well.
    keeps_all: bool,
    /// Number of the campaign's events when the round began.
    began: u64,
    /// What other engines did in this campaign, and how many events are left to this one.
    part: Part,
}

/// What an engine has of a campaign that it shares with others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Number of events that the others performed.
    pub others_events: u64,
    /// Number of tests that the others performed.
    pub others_tests: u64,
    /// Number of events that the engine will have performed at the end; `None` if it has the whole budget.
    pub events: Option<u64>,
}

impl<'a> RoundCtx<'a> {
    /// A round that has not started a test yet.
    ///
    /// # Errors
    ///
    /// Fails if the device cannot observe its screen.
    pub fn new(door: RoundDoor<'a>, rng: Rng) -> Result<Self, DeviceError> {
        let trace = Trace::start(door.target.rules.seen(door.device.observe()?, &door.target.app));
        Ok(RoundCtx {
            rng,
            began: door.stats.events,
            launched: door.device.now(),
            guards_data: door.target.guards_data,
            door,
            trace,
            restored: 0,
            unmasked: None,
            in_test: RulesInTest::default(),
            keys: ScreenKeys::default(),
            data: DataModel::new(),
            reported: Vec::new(),
            drifted: false,
            recognises: false,
            recogniser: None,
            held_run: None,
            over: Vec::new(),
            keeps_all: false,
            part: Part::default(),
        })
    }

    /// Sets what the engine has of the campaign, for the rest of the round. For an engine that is made of several.
    pub fn take_part(&mut self, part: Part) {
        self.part = part;
    }

    /// Number of events that the engine performed in the campaign.
    pub fn events(&self) -> u64 {
        self.door.stats.events - self.part.others_events
    }

    /// Number of tests that the engine performed in the campaign.
    pub fn tests(&self) -> u64 {
        self.door.stats.tests - self.part.others_tests
    }

    /// Number of events that the engine may perform in the campaign.
    pub fn event_limit(&self) -> u64 {
        self.part.events.unwrap_or_else(|| self.door.stats.event_limit())
    }

    /// Recognises and judges the DMFs that occur in the events, unless the engine guards the data and runs DMFs itself.
    #[must_use]
    pub fn recognising(mut self) -> Self {
        self.recognises = true;
        self.guard_data(self.guards_data);
        self
    }

    /// Sets whether exploration must not change the data that DMFs change, for the rest of the round. For an engine that
    /// is made of several; the others leave it as their settings say.
    pub fn guard_data(&mut self, guards_data: bool) {
        self.guards_data = guards_data;
        self.recogniser = (self.recognises && !guards_data).then(Recogniser::default);
    }

    /// What exploration must not do in this round.
    pub fn blocks(&self) -> &'a [Block] {
        self.door.target.blocks_where(self.guards_data)
    }

    /// What exploration avoids in this round if nobody wrote a block list.
    pub fn careful(&self) -> Option<Careful<'_>> {
        let words = self.door.target.words.as_ref().filter(|_| self.guards_data)?;
        Some(Careful { words, data: &self.data })
    }

    /// Stores all tests of the round, not only those with violations.
    #[must_use]
    pub fn keeping_all(self) -> Self {
        RoundCtx { keeps_all: true, ..self }
    }

    /// Starts a test: clears the app's data, launches it and empties the data model. If the plan keeps the data, the model
    /// holds what the first page shows.
    ///
    /// # Errors
    ///
    /// [`Stop::Cancelled`], [`Stop::BudgetSpent`], [`Stop::TestOver`] if the first screen violates an oracle, or
    /// [`Stop::Device`].
    pub fn start(&mut self) -> Result<(), Stop> {
        self.may_go_on()?;
        self.launched = self.door.device.now();
        self.door.device.launch(&AppId(self.door.target.app.clone()), AppData::Clear)?;
        let frame = self.observe(self.launched, true)?;
        let frame = self.uncovered(frame)?;
        self.data = DataModel::new();
        self.drifted = false;
        self.recogniser = self.recogniser.is_some().then(Recogniser::default);
        self.begin_test(Trace::start(frame.clone()), &frame);
        self.cover_code()?;
        self.door.stats.task = Task::Fuzzing;
        self.door.watcher.seen(&frame);
        self.door.watcher.frame(self.door.device, self.door.stats)?;
        self.door.watcher.data(0, &self.data);
        self.judge_screen()?;
        self.follow_rules(StepRole::Explored)?;
        if self.door.target.keeps_data { take_shown_data(self) } else { Ok(()) }
    }

    /// What the device shows after something that was begun at this time, without what is ignored. `returns`: whether the
    /// app is in front after that, whatever was before.
    fn observe(&mut self, began: DeviceInstant, returns: bool) -> Result<Frame, DeviceError> {
        let RoundDoor { device, target, stats, .. } = &mut self.door;
        let unmasked = &mut self.unmasked;
        let mut frame = stats.arrivals.look(&mut **device, &target.app, (began, returns), |device| {
            let shown = device.observe()?;
            let layout = Arc::clone(&shown.layout);
            if let Some((before, seen)) = unmasked
                && Arc::ptr_eq(before, &layout)
                && shown.health == AppHealth::Running
            {
                return Ok(Frame { layout: Arc::clone(seen), ..shown }.of_test(&target.app));
            }
            let seen = target.rules.seen(shown, &target.app);
            let masked = !Arc::ptr_eq(&layout, &seen.layout);
            *unmasked = masked.then(|| (layout, Arc::clone(&seen.layout)));
            Ok(seen)
        })?;
        if let AppHealth::Crashed(report) | AppHealth::NotResponding(report) = &mut frame.health
            && target.rules.mapping.is_some()
        {
            *report = Arc::new(original_names(&target.rules, report));
        }
        Ok(frame)
    }

    fn begin_test(&mut self, trace: Trace, seen: &Frame) {
        self.learn_agreements();
        self.restored = trace.len();
        let before = std::mem::replace(&mut self.trace, trace);
        self.held_run = None;
        self.in_test = RulesInTest::default();
        if self.keeps_all || !self.reported.is_empty() {
            self.over.push(JudgedTest { trace: before, reported: std::mem::take(&mut self.reported) });
        }
        self.door.stats.test_begins();
        self.keys = self.door.stats.see(seen, None, &self.door.target.app);
    }

    /// The event with its text changed to one that the device can type, for callers that do not depend on the exact
    /// text.
    pub fn typeable(&self, event: Event) -> Event {
        let typeable = self.door.device.typeable();
        match event {
            Event::Widget { target, gesture: Gesture::SetText(text) } => {
                Event::Widget { target, gesture: Gesture::SetText(typeable.fit(&text)) }
            }
            Event::Type(text) => Event::Type(typeable.fit(&text)),
            other => other,
        }
    }

    /// Whether a detour by this relation would do anything now: permissions can only be taken from an app that has some.
    ///
    /// # Errors
    ///
    /// [`Stop::Device`] if the device cannot tell.
    pub fn offers(&mut self, relation: &Relation) -> Result<bool, Stop> {
        Ok(!relation.takes_permissions() || self.door.device.holds_permissions()?)
    }

    /// Performs an event, records it and judges the screen after it. It refuses nothing: whoever chooses the event asks
    /// [`blocks`](RoundCtx::blocks) and [`careful`](RoundCtx::careful) before.
    ///
    /// # Errors
    ///
    /// [`Stop::Cancelled`], [`Stop::BudgetSpent`], [`Stop::TestOver`] if the test cannot continue, or [`Stop::Device`].
    pub fn perform(&mut self, event: Event, role: StepRole) -> Result<(), Stop> {
        let at = self.trace.len();
        self.act(event, role)?;
        self.judge_screen()?;
        self.follow_rules(role)?;
        self.recognise(at)
    }

    /// Looks for runs of DMFs that end with the event of this index.
    fn recognise(&mut self, at: usize) -> Result<(), Stop> {
        let Some(recogniser) = &mut self.recogniser else { return Ok(()) };
        let Some(seen) = SeenEvent::new(&self.trace, at, self.trace.len()) else { return Ok(()) };
        let target = self.door.target;
        let mut occurrences = recogniser.saw(target, &mut self.data, seen);
        for _ in 0..LOOKS {
            let violated = |it: &Occurrence| matches!(it.verdict, Verdict::Violated(_));
            if occurrences.iter().any(violated)
                && self.look_again()?
                && let Some(recogniser) = &mut self.recogniser
            {
                recogniser.judge_again(target, &self.data, &mut occurrences, &self.trace.last().layout);
            }
        }
        occurrences.into_iter().for_each(|occurrence| self.occurred(occurrence));
        Ok(())
    }

    /// Counts a recognised run of a DMF like a run of the engine.
    fn occurred(&mut self, occurrence: Occurrence) {
        let Occurrence { dmf: index, first_step, inputs, bindings, verdict } = occurrence;
        let Some(dmf) = self.door.target.dmfs().get(index) else { return };
        let (name, end_step) = (dmf.dmf.name.clone(), self.trace.len());
        if verdict == Verdict::Holds {
            self.held_run = Some(HeldRun::new(index, &inputs, &bindings, end_step));
        }
        self.record_span(DmfSpan { dmf: index, name, first_step, end_step, inputs, completed: true });
        self.count_ready(index);
        self.count_run(index, &verdict);
        let changes = !dmf.dmf.impacts.is_empty();
        if changes {
            self.door.watcher.data(self.trace.len(), &self.data);
        }
        if let Verdict::Violated(violation) = verdict {
            self.report(violation, changes);
        }
    }

    fn act(&mut self, event: Event, role: StepRole) -> Result<(), Stop> {
        self.may_go_on()?;
        let began = self.door.device.now();
        match self.door.device.perform(&event) {
            Err(error) if role == StepRole::Explored && is_skipped(&event, &error) => {
                self.door.stats.count_event(&event);
                self.door.watcher.refused(&error);
                return Ok(());
            }
            // The test ends, since an event that was not performed cannot be judged.
            Err(error @ (DeviceError::CannotType { .. } | DeviceError::Unsupported { .. })) => {
                self.door.watcher.refused(&error);
                return Err(Stop::TestOver);
            }
            // Nor can an event without a layout after it.
            Err(error @ DeviceError::NoLayout { .. }) => {
                self.door.stats.count_event(&event);
                self.door.watcher.refused(&error);
                return Err(Stop::TestOver);
            }
            done => done?,
        }
        let after = self.observe(began, returns_to_app(&event))?;
        self.door.stats.count_event(&event);
        self.keys = self.door.stats.see(&after, Some(&event), &self.door.target.app);
        self.cover_code()?;
        self.door.watcher.seen(&after);
        self.trace.push(Step { event, role, after });
        self.door.watcher.performed(&self.trace, self.door.stats);
        self.door.watcher.frame(self.door.device, self.door.stats)?;
        Ok(())
    }

    /// Saves the state of the app, for [`restore`](RoundCtx::restore) in this round or a later one. If the device has
    /// no snapshots, or no room for one more, only the trace that led here is saved.
    pub fn save(&mut self) -> Result<StateSnapshot, Stop> {
        let snapshot = match self.door.device.info().snapshots.then(|| self.door.device.save_snapshot()) {
            Some(Err(DeviceError::Unsupported { .. })) | None => None,
            Some(saved) => Some(saved?),
        };
        Ok(StateSnapshot {
            snapshot,
            launched: self.launched,
            trace: self.trace.clone(),
            keys: self.keys,
            data: self.data.clone(),
            drifted: self.drifted,
            recogniser: self.recogniser.clone(),
        })
    }

    /// Restores a saved state, which begins a test. Without a snapshot, or if the device cannot restore it, the events
    /// of its trace are performed again, and count. Returns whether the app now shows the saved screen; if not, it
    /// shows whatever the events led to.
    pub fn restore(&mut self, saved: &StateSnapshot) -> Result<bool, Stop> {
        let Some(snapshot) = saved.snapshot else { return self.walk_again(saved) };
        self.may_go_on()?;
        match self.door.device.restore_snapshot(snapshot) {
            Err(DeviceError::NoSnapshot { .. } | DeviceError::NotRestored { .. }) => {
                return self.walk_again(saved);
            }
            restored => restored?,
        }
        let frame = self.observe(self.door.device.now(), false)?;
        self.door.stats.clock_set(frame.at);
        self.launched = saved.launched;
        self.begin_test(saved.trace.clone(), &frame);
        self.data = saved.data.clone();
        self.drifted = saved.drifted;
        self.recogniser.clone_from(&saved.recogniser);
        self.door.watcher.frame(self.door.device, self.door.stats)?;
        self.door.watcher.data(self.trace.len(), &self.data);
        Ok(self.keys == saved.keys)
    }

    fn walk_again(&mut self, saved: &StateSnapshot) -> Result<bool, Stop> {
        self.start()?;
        let steps = saved.trace.steps().iter().map(|step| (step.event.clone(), step.role));
        Replay::of_all(steps).run_by(self, RoundCtx::act)?;
        self.trace.spans.clone_from(&saved.trace.spans);
        self.data = saved.data.clone();
        self.drifted = saved.drifted;
        self.recogniser.clone_from(&saved.recogniser);
        self.door.watcher.data(self.trace.len(), &self.data);
        Ok(self.keys.structure == saved.keys.structure)
    }

    /// Drops a saved state and its snapshot.
    pub fn forget(&mut self, saved: StateSnapshot) {
        if let Some(snapshot) = saved.snapshot {
            self.door.device.drop_snapshot(snapshot);
        }
    }

    fn cover_code(&mut self) -> Result<(), Stop> {
        let executed = self.door.device.take_coverage()?;
        self.door.stats.cover_code(executed, self.door.device.code_points());
        Ok(())
    }

    /// Fails with [`Stop::Cancelled`] if the campaign was cancelled. For engines that compute for a long time between
    /// two events.
    pub fn still_wanted(&self) -> Result<(), Stop> {
        if (self.door.cancelled)() { Err(Stop::Cancelled) } else { Ok(()) }
    }

    fn may_go_on(&self) -> Result<(), Stop> {
        self.still_wanted()?;
        if self.door.stats.spent() { Err(Stop::BudgetSpent) } else { Ok(()) }
    }

    fn judge_screen(&mut self) -> Result<(), Stop> {
        if let Some(violation) = oracle::judge_health(self.frame(), &self.trace) {
            return self.end_with(violation);
        }
        self.judge_log()?;
        if !self.app_in_front() {
            return Ok(());
        }
        let app = &self.door.target.app;
        if oracle::is_loading(&self.frame().layout, app) {
            self.act(Event::Wait(LOADING_PATIENCE), StepRole::Appended)?;
            if let Some(violation) = oracle::judge_health(self.frame(), &self.trace) {
                return self.end_with(violation);
            }
            if self.app_in_front() && oracle::is_loading(&self.frame().layout, app) {
                let violation = oracle::still_loading(&self.frame().layout, app);
                return self.end_with(violation);
            }
        }
        match self.wrong_again(Self::broken_rule)? {
            Some(violation) => self.end_with(violation),
            None => Ok(()),
        }
    }

    /// The invariant or the oracle of one's own that the screen violates.
    fn broken_rule(&self) -> Option<Violation> {
        let (frame, app) = (self.app_in_front().then(|| self.frame())?, &self.door.target.app);
        let invariants = &self.door.target.spec.invariants;
        let broken =
            invariants.iter().find_map(|rule| oracle::judge_invariant(rule, &frame.layout, &self.data, app));
        let judge =
            || self.door.target.oracles.iter().find_map(|own| oracle::judge_frame(&**own, frame, app));
        broken.or_else(judge)
    }

    /// Reports the errors that the app logged and that did not end it, each once in a test. The test goes on: an app may
    /// log one after every event.
    fn judge_log(&mut self) -> Result<(), Stop> {
        let rules = &self.door.target.rules;
        if rules.log_errors == LogErrors::Off {
            return Ok(());
        }
        for report in self.door.device.take_logged_errors()? {
            let violation = oracle::logged_error(&original_names(rules, &report), &self.trace);
            let origin = violation.origin();
            if self.reported.iter().all(|known| known.violation.origin() != origin) {
                self.report(violation, false);
            }
        }
        Ok(())
    }

    fn end_with(&mut self, violation: Violation) -> Result<(), Stop> {
        self.report(violation, false);
        Err(Stop::TestOver)
    }

    /// Reports a violation that the test's trace so far shows. `drifts`: whether data model and app may disagree from
    /// here on.
    pub fn report(&mut self, violation: Violation, drifts: bool) {
        self.record(violation, drifts, None);
    }

    /// Reports a violation that the test's trace so far shows in comparison with another trace.
    pub fn report_with(&mut self, violation: Violation, comparison: Comparison) {
        self.record(violation, false, Some(comparison));
    }

    fn record(&mut self, mut violation: Violation, drifts: bool, comparison: Option<Comparison>) {
        violation.after_drift = self.drifted;
        self.drifted |= drifts;
        self.door.stats.note_origin(&violation.origin());
        let moment = self.door.stats.moment();
        let mut reported = Reported { violation, steps: self.trace.len(), moment, comparison, picture: None };
        reported.picture = self.door.watcher.violated(self.door.device, &self.trace, &reported);
        self.reported.push(reported);
    }

    /// Learns from the test what the screens of the app agree on.
    fn learn_agreements(&mut self) {
        if let Some(agreements) = &mut self.door.stats.agreements {
            agreements.learn(&self.trace, self.restored, &self.door.target.app);
        }
    }

    /// Ends the round and returns its tests: those with a violation, or all if they are stored.
    pub fn finish(mut self) -> Vec<JudgedTest> {
        self.learn_agreements();
        let mut tests = self.over;
        if self.keeps_all || !self.reported.is_empty() {
            tests.push(JudgedTest { trace: self.trace, reported: self.reported });
        }
        tests
    }

    /// Ends the round and returns its last test, with or without violations.
    pub fn last_test(self) -> JudgedTest {
        JudgedTest { trace: self.trace, reported: self.reported }
    }

    /// Number of events that this round has performed so far.
    pub fn events_in_round(&self) -> u64 {
        self.door.stats.events - self.began
    }

    /// The violations reported in this test so far.
    pub fn reported(&self) -> &[Reported] {
        &self.reported
    }

    /// The violations reported in this round so far.
    pub(super) fn violations(&self) -> impl Iterator<Item = &Violation> {
        let over = self.over.iter().flat_map(|test| &test.reported);
        over.chain(&self.reported).map(|reported| &reported.violation)
    }

    /// The app and its specification, which do not change during a campaign.
    pub fn target(&self) -> &'a TestTarget {
        self.door.target
    }

    /// The statistics of the campaign so far.
    pub fn stats(&self) -> &CampaignStats {
        self.door.stats
    }

    /// The test's trace so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The last frame of the test's trace.
    pub fn frame(&self) -> &Frame {
        self.trace.last()
    }

    /// The key of the current screen under which every attribute counts.
    pub fn exact_key(&self) -> LayoutKey {
        self.keys.exact
    }

    /// The key of the current screen's structure.
    pub fn structure_key(&self) -> LayoutKey {
        self.keys.structure
    }

    /// The data that the app should hold.
    pub fn data(&self) -> &DataModel {
        &self.data
    }

    /// Changes the data that the app should hold.
    pub fn change_data<T>(&mut self, change: impl FnOnce(&mut DataModel) -> T) -> T {
        let result = change(&mut self.data);
        self.door.watcher.data(self.trace.len(), &self.data);
        result
    }

    fn app_in_front(&self) -> bool {
        self.frame().health == AppHealth::Running
    }

    /// Whether the DMF with this index may start on the current screen.
    pub fn ready(&self, dmf: usize) -> bool {
        let target = self.door.target;
        target
            .dmfs()
            .get(dmf)
            .is_some_and(|dmf| dmf.preconditions_hold(&self.trace.last().layout, &self.data, &target.app))
    }

    /// Counts that the precondition of a DMF holds on this screen.
    pub fn count_ready(&mut self, dmf: usize) {
        let moment = self.door.stats.moment();
        if let Some(counts) = self.door.stats.property(dmf) {
            counts.precondition_held += 1;
            counts.first_ready.get_or_insert(moment);
        }
    }

    /// The last run of a DMF whose postconditions held in this test.
    pub(super) fn held_run(&self) -> Option<&HeldRun> {
        self.held_run.as_ref()
    }

    /// Remembers that the postconditions of a run held.
    pub(super) fn run_held(&mut self, run: HeldRun) {
        self.held_run = Some(run);
    }

    /// Records a completed run of a DMF, and counts its verdict.
    pub(super) fn count_run(&mut self, dmf: usize, verdict: &Verdict) {
        let moment = self.door.stats.moment();
        let word = match verdict {
            Verdict::Holds => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Inconclusive(_) => "inconclusive",
        };
        self.door.stats.note(word);
        if let Some(counts) = self.door.stats.property(dmf) {
            counts.executed += 1;
            counts.first_executed.get_or_insert(moment);
            match verdict {
                Verdict::Holds => counts.held += 1,
                Verdict::Violated(_) => {
                    counts.violated += 1;
                    counts.first_violated.get_or_insert(moment);
                }
                Verdict::Inconclusive(_) => counts.inconclusive += 1,
            }
        }
    }

    /// Counts a run of a DMF that was not completed.
    pub(super) fn count_not_executed(&mut self, dmf: usize, step: usize, reason: &NotExecuted) {
        self.door.stats.note(reason.word());
        if let Some(dmf) = self.door.target.dmfs().get(dmf)
            && *reason != NotExecuted::NotReady
        {
            let words = format!("{}, step {}", dmf.dmf.name, step + 1);
            self.stuck_at(words, reason.to_string());
        }
        if let Some(counts) = self.door.stats.property(dmf) {
            *counts.not_executed.entry((step, reason.clone())).or_default() += 1;
        }
    }

    /// Says that a step of a DMF was found on the current screen.
    pub(super) fn found_step(&mut self, dmf: usize, step: usize, target: Option<WidgetIdx>) {
        let layout = Arc::clone(&self.trace.last().layout);
        self.door.watcher.found_step(dmf, step, &layout, target);
    }

    /// Says that a step cannot be performed on the current screen.
    pub fn stuck_at(&mut self, step: String, why: String) {
        let layout = Arc::clone(&self.trace.last().layout);
        self.door.watcher.stuck(self.door.device, step, why, &layout);
    }

    /// Records which part of the trace was a run of a DMF, and counts how long it took.
    pub(super) fn record_span(&mut self, span: DmfSpan) {
        let at = |step| self.trace.frame(step).map(|frame| frame.at);
        let took = at(span.end_step).zip(at(span.first_step)).map(|(end, begin)| end.since(begin));
        if let (Some(took), Some(counts)) = (took, self.door.stats.property(span.dmf)) {
            counts.device_time = DeviceDuration(counts.device_time.0 + took.0);
        }
        self.trace.spans.push(span);
    }
}

/// Whether exploration goes on after an event that was not performed: a system event or a key that the device does not
/// support, or a text that cannot be typed.
fn is_skipped(event: &Event, error: &DeviceError) -> bool {
    match error {
        DeviceError::Unsupported { .. } => {
            matches!(event, Event::System(_) | Event::OpenLink(_) | Event::Key(_))
        }
        DeviceError::CannotType { .. } => true,
        _ => false,
    }
}
