//! The one door: everything that an engine does to a device passes here. It records, counts, looks at
//! budget and cancel, and runs the oracles that judge every screen.

use crate::determinism::{DeviceDuration, DeviceInstant, Rng};
use crate::device::{AppData, AppId, Device, DeviceError};
use crate::model::{
    AppHealth, DmfSpan, Event, Frame, Gesture, LayoutKey, Step, StepRole, Trace, Verdict, Violation,
};
use crate::oracle::{self, Comparison};
use crate::spec::DataModel;

use super::{Ledger, Moment, NotExecuted, Occurrence, Recogniser, Saved, ScreenKeys, SeenEvent, Setting};

/// How long an app that shows a progress bar is given before that is a finding (pbfdroid.md 3.2: ten polls
/// of a second).
const LOADING_PATIENCE: DeviceDuration = DeviceDuration(10_000);

/// Why an engine must leave its round. Straight-line code; `?` carries every stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Somebody asked for it.
    Cancelled,
    /// The budget is spent.
    BudgetSpent,
    /// The test cannot go on, because the app died or its screen broke a rule; the next one can begin.
    TestOver,
    /// The device failed. Only this is a failure.
    Device(DeviceError),
}

impl From<DeviceError> for Stop {
    fn from(error: DeviceError) -> Self {
        Stop::Device(error)
    }
}

/// A violation with its place.
#[derive(Clone, Debug)]
pub struct Reported {
    /// What is wrong.
    pub violation: Violation,
    /// How many steps of the test's trace show it.
    pub steps: usize,
    /// When it was seen.
    pub moment: Moment,
    /// What it was compared with, where it takes two traces to see it.
    pub comparison: Option<Comparison>,
}

/// A test, and what it violated.
#[derive(Clone, Debug)]
pub struct JudgedTest {
    /// What was done and seen.
    pub trace: Trace,
    /// What is wrong, in the order in which it was seen.
    pub reported: Vec<Reported>,
}

/// Looks on while rounds run.
pub trait RoundWatcher {
    /// A frame was recorded; the device still shows it.
    fn frame(&mut self, _device: &mut dyn Device, _ledger: &Ledger) -> Result<(), DeviceError> {
        Ok(())
    }
    /// The device refused an event and did nothing; the test ends there.
    fn refused(&mut self, _error: &DeviceError) {}
    /// From frame `frame` of the trace on, the app should hold these data.
    fn data(&mut self, _frame: usize, _data: &DataModel) {}
}

/// Looks at nothing.
pub struct NoWatcher;

impl RoundWatcher for NoWatcher {}

/// What outlives a round.
pub struct RoundDoor<'a> {
    /// The device that the campaign owns.
    pub device: &'a mut dyn Device,
    /// What does not change.
    pub setting: &'a Setting,
    /// What was counted so far.
    pub ledger: &'a mut Ledger,
    /// Looks on.
    pub watcher: &'a mut dyn RoundWatcher,
    /// Whether to stop; looked at between events. May wait while the campaign is paused.
    pub cancelled: &'a dyn Fn() -> bool,
}

/// One round of an engine.
pub struct RoundCtx<'a> {
    /// The round's chance; fork it by purpose.
    pub rng: Rng,
    door: RoundDoor<'a>,
    trace: Trace,
    /// When the trace's launch began.
    launched: DeviceInstant,
    keys: ScreenKeys,
    data: DataModel,
    reported: Vec<Reported>,
    drifted: bool,
    /// Judges what the engine does by the specification, where it does not do so itself.
    recogniser: Option<Recogniser>,
    /// Tests of this round that are over.
    over: Vec<JudgedTest>,
    /// Whether tests are kept that violated nothing.
    keeps_all: bool,
    /// The campaign's events when it began.
    began: u64,
}

impl<'a> RoundCtx<'a> {
    /// A round that has not started its test yet.
    pub fn new(door: RoundDoor<'a>, rng: Rng) -> Result<Self, DeviceError> {
        let trace = Trace::start(door.device.observe()?);
        Ok(RoundCtx {
            rng,
            began: door.ledger.events,
            launched: door.device.now(),
            door,
            trace,
            keys: ScreenKeys::default(),
            data: DataModel::new(),
            reported: Vec::new(),
            drifted: false,
            recogniser: None,
            over: Vec::new(),
            keeps_all: false,
        })
    }

    /// The engine knows no DMFs: those that occur in what it does are recognised and judged.
    #[must_use]
    pub fn recognising(self) -> Self {
        RoundCtx { recogniser: Some(Recogniser::default()), ..self }
    }

    /// Somebody looks at all tests, not only at those that violated something.
    #[must_use]
    pub fn keeping_all(self) -> Self {
        RoundCtx { keeps_all: true, ..self }
    }

    /// Starts a test: clears the app's data, launches it, forgets the model.
    pub fn start(&mut self) -> Result<(), Stop> {
        self.may_go_on()?;
        self.launched = self.door.device.now();
        self.door.device.launch(&AppId(self.door.setting.app.clone()), AppData::Clear)?;
        let frame = self.door.device.observe()?;
        self.data = DataModel::new();
        self.drifted = false;
        self.recogniser = self.recogniser.is_some().then(Recogniser::default);
        self.begin_test(Trace::start(frame.clone()), &frame);
        self.cover_code()?;
        self.door.watcher.frame(self.door.device, self.door.ledger)?;
        self.door.watcher.data(0, &self.data);
        self.judge_screen()
    }

    fn begin_test(&mut self, trace: Trace, seen: &Frame) {
        let before = std::mem::replace(&mut self.trace, trace);
        if self.keeps_all || !self.reported.is_empty() {
            self.over.push(JudgedTest { trace: before, reported: std::mem::take(&mut self.reported) });
        }
        self.door.ledger.test_begins();
        self.keys = self.door.ledger.see(seen, None, &self.door.setting.app);
    }

    /// The event with a text that the device can type, for who wants to type something and not just this.
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

    /// Performs an event, records it and judges the screen after it.
    pub fn perform(&mut self, event: Event, role: StepRole) -> Result<(), Stop> {
        let at = self.trace.len();
        self.act(event, role)?;
        self.judge_screen()?;
        self.recognise(at);
        Ok(())
    }

    /// Looks for runs of DMFs that end with event number `at`.
    fn recognise(&mut self, at: usize) {
        let Some(recogniser) = &mut self.recogniser else { return };
        let Some(seen) = SeenEvent::new(&self.trace, at, self.trace.len()) else { return };
        let setting = self.door.setting;
        for occurrence in recogniser.saw(setting, &mut self.data, seen) {
            self.occurred(occurrence);
        }
    }

    /// A run of a DMF was recognised: it counts as one of ours.
    fn occurred(&mut self, occurrence: Occurrence) {
        let Occurrence { dmf: index, first_step, inputs, verdict, .. } = occurrence;
        let Some(dmf) = self.door.setting.dmfs().get(index) else { return };
        let (name, end_step) = (dmf.dmf.name.clone(), self.trace.len());
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
        match self.door.device.perform(&event) {
            // Exploring goes on without what this device cannot let happen.
            Err(error @ DeviceError::Unsupported { .. })
                if role == StepRole::Explored && matches!(event, Event::System(_)) =>
            {
                self.door.ledger.count_event(&event);
                self.door.watcher.refused(&error);
                return Ok(());
            }
            // What nobody did cannot be judged.
            Err(error @ (DeviceError::CannotType { .. } | DeviceError::Unsupported { .. })) => {
                self.door.watcher.refused(&error);
                return Err(Stop::TestOver);
            }
            // Nor can what nobody saw.
            Err(error @ DeviceError::NoLayout { .. }) => {
                self.door.ledger.count_event(&event);
                self.door.watcher.refused(&error);
                return Err(Stop::TestOver);
            }
            done => done?,
        }
        let after = self.door.device.observe()?;
        self.door.ledger.count_event(&event);
        self.keys = self.door.ledger.see(&after, Some(&event), &self.door.setting.app);
        self.cover_code()?;
        self.trace.push(Step { event, role, after });
        self.door.watcher.frame(self.door.device, self.door.ledger)?;
        Ok(())
    }

    /// Saves the state of the app, to be gone back to in this round or a later one. Where the device has no
    /// snapshots, or no room for one more, it is the way here that is saved.
    pub fn save(&mut self) -> Result<Saved, Stop> {
        let snapshot = match self.door.device.info().snapshots.then(|| self.door.device.save_snapshot()) {
            Some(Err(DeviceError::Unsupported { .. })) | None => None,
            Some(saved) => Some(saved?),
        };
        Ok(Saved {
            snapshot,
            launched: self.launched,
            trace: self.trace.clone(),
            keys: self.keys,
            data: self.data.clone(),
            drifted: self.drifted,
            recogniser: self.recogniser.clone(),
        })
    }

    /// Goes back to a saved state; this begins a test. Without a snapshot, or with one that the device cannot go back
    /// to, its events are performed again, and count. False if that led elsewhere: the app is then where it led.
    pub fn restore(&mut self, saved: &Saved) -> Result<bool, Stop> {
        let Some(snapshot) = saved.snapshot else { return self.walk_again(saved) };
        self.may_go_on()?;
        match self.door.device.restore_snapshot(snapshot) {
            Err(DeviceError::NoSnapshot { .. } | DeviceError::NotRestored { .. }) => {
                return self.walk_again(saved);
            }
            restored => restored?,
        }
        let frame = self.door.device.observe()?;
        self.door.ledger.clock_set(frame.at);
        self.launched = saved.launched;
        self.begin_test(saved.trace.clone(), &frame);
        self.data = saved.data.clone();
        self.drifted = saved.drifted;
        self.recogniser.clone_from(&saved.recogniser);
        self.door.watcher.frame(self.door.device, self.door.ledger)?;
        self.door.watcher.data(self.trace.len(), &self.data);
        Ok(self.keys == saved.keys)
    }

    fn walk_again(&mut self, saved: &Saved) -> Result<bool, Stop> {
        self.start()?;
        for step in saved.trace.steps() {
            let event = step.event.aimed(&self.frame().layout);
            self.act(event, step.role)?;
        }
        self.trace.spans.clone_from(&saved.trace.spans);
        self.data = saved.data.clone();
        self.drifted = saved.drifted;
        self.recogniser.clone_from(&saved.recogniser);
        self.door.watcher.data(self.trace.len(), &self.data);
        Ok(self.keys.structure == saved.keys.structure)
    }

    /// A saved state is not needed any more.
    pub fn forget(&mut self, saved: Saved) {
        if let Some(snapshot) = saved.snapshot {
            self.door.device.drop_snapshot(snapshot);
        }
    }

    fn cover_code(&mut self) -> Result<(), Stop> {
        let executed = self.door.device.take_coverage()?;
        self.door.ledger.cover_code(executed, self.door.device.code_points());
        Ok(())
    }

    /// Nobody asked to stop: looked at by an engine that thinks for long between two events.
    pub fn still_wanted(&self) -> Result<(), Stop> {
        if (self.door.cancelled)() { Err(Stop::Cancelled) } else { Ok(()) }
    }

    fn may_go_on(&self) -> Result<(), Stop> {
        self.still_wanted()?;
        if self.door.ledger.spent() { Err(Stop::BudgetSpent) } else { Ok(()) }
    }

    fn judge_screen(&mut self) -> Result<(), Stop> {
        if let Some(violation) = oracle::judge_health(self.frame()) {
            return self.end_with(violation);
        }
        if !self.app_in_front() {
            return Ok(());
        }
        let app = &self.door.setting.app;
        if oracle::is_loading(&self.frame().layout, app) {
            self.act(Event::Wait(LOADING_PATIENCE), StepRole::Appended)?;
            if let Some(violation) = oracle::judge_health(self.frame()) {
                return self.end_with(violation);
            }
            if self.app_in_front() && oracle::is_loading(&self.frame().layout, app) {
                let violation = oracle::still_loading(&self.frame().layout, app);
                return self.end_with(violation);
            }
        }
        let layout = &self.trace.last().layout;
        let invariants = &self.door.setting.spec.invariants;
        let broken =
            invariants.iter().find_map(|rule| oracle::judge_invariant(rule, layout, &self.data, app));
        match broken {
            Some(violation) => self.end_with(violation),
            None => Ok(()),
        }
    }

    fn end_with(&mut self, violation: Violation) -> Result<(), Stop> {
        self.report(violation, false);
        Err(Stop::TestOver)
    }

    /// Reports a violation that the test's trace, as it stands, shows. `drifts`: model and app may
    /// disagree from here on.
    pub fn report(&mut self, violation: Violation, drifts: bool) {
        self.record(violation, drifts, None);
    }

    /// Reports a violation that the test's trace, as it stands, shows beside another one.
    pub fn report_with(&mut self, violation: Violation, comparison: Comparison) {
        self.record(violation, false, Some(comparison));
    }

    fn record(&mut self, mut violation: Violation, drifts: bool, comparison: Option<Comparison>) {
        violation.after_drift = self.drifted;
        self.drifted |= drifts;
        self.door.ledger.note_origin(&violation.origin());
        let moment = self.door.ledger.moment();
        self.reported.push(Reported { violation, steps: self.trace.len(), moment, comparison });
    }

    /// The round is over: its tests, as far as they are kept.
    pub fn finish(self) -> Vec<JudgedTest> {
        let mut tests = self.over;
        if self.keeps_all || !self.reported.is_empty() {
            tests.push(JudgedTest { trace: self.trace, reported: self.reported });
        }
        tests
    }

    /// The round is over: its last test, whether it violated something or not.
    pub fn last_test(self) -> JudgedTest {
        JudgedTest { trace: self.trace, reported: self.reported }
    }

    /// Events that this round performed so far.
    pub fn events_in_round(&self) -> u64 {
        self.door.ledger.events - self.began
    }

    /// The violations that this test reported so far.
    pub fn reported(&self) -> &[Reported] {
        &self.reported
    }

    /// What does not change.
    pub fn setting(&self) -> &'a Setting {
        self.door.setting
    }

    /// What was counted so far.
    pub fn ledger(&self) -> &Ledger {
        self.door.ledger
    }

    /// The test's trace so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What was seen last.
    pub fn frame(&self) -> &Frame {
        self.trace.last()
    }

    /// The key of the screen under which every pixel counts.
    pub fn exact_key(&self) -> LayoutKey {
        self.keys.exact
    }

    /// The key of the screen's structure.
    pub fn structure_key(&self) -> LayoutKey {
        self.keys.structure
    }

    /// What data the app should hold.
    pub fn data(&self) -> &DataModel {
        &self.data
    }

    /// Changes what data the app should hold.
    pub fn change_data<T>(&mut self, change: impl FnOnce(&mut DataModel) -> T) -> T {
        let result = change(&mut self.data);
        self.door.watcher.data(self.trace.len(), &self.data);
        result
    }

    fn app_in_front(&self) -> bool {
        self.frame().health == AppHealth::Running
    }

    /// Whether the DMF may start here.
    pub fn ready(&self, dmf: usize) -> bool {
        let setting = self.door.setting;
        setting
            .dmfs()
            .get(dmf)
            .is_some_and(|dmf| dmf.preconditions_hold(&self.trace.last().layout, &self.data, &setting.app))
    }

    /// Counts that the precondition of a DMF holds on this screen.
    pub fn count_ready(&mut self, dmf: usize) {
        let moment = self.door.ledger.moment();
        if let Some(counts) = self.door.ledger.property(dmf) {
            counts.precondition_held += 1;
            counts.first_ready.get_or_insert(moment);
        }
    }

    /// Records a run of a DMF that came to its end, and counts its verdict.
    pub(super) fn count_run(&mut self, dmf: usize, verdict: &Verdict) {
        let moment = self.door.ledger.moment();
        let word = match verdict {
            Verdict::Holds => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Inconclusive(_) => "inconclusive",
        };
        self.door.ledger.note(word);
        if let Some(counts) = self.door.ledger.property(dmf) {
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

    /// Counts a run of a DMF that did not come to its end.
    pub(super) fn count_not_executed(&mut self, dmf: usize, step: usize, reason: &NotExecuted) {
        self.door.ledger.note(reason.word());
        if let Some(counts) = self.door.ledger.property(dmf) {
            *counts.not_executed.entry((step, reason.clone())).or_default() += 1;
        }
    }

    /// Remembers which stretch of the trace was a run of a DMF.
    pub(super) fn record_span(&mut self, span: DmfSpan) {
        self.trace.spans.push(span);
    }
}
