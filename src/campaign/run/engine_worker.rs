//! One engine of a campaign on a thread of its own, so that several can run at the same time. Events that must not be
//! lost are sent over a bounded channel; statistics go through a slot in which a new value overwrites the old one. This
//! is the only file of the module that starts a thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Receiver;

use crate::{
    CampaignPlan, CampaignReport, CampaignSink, CampaignWarning, Finding, LoggedEvent, Resumption, RunCounts,
    SavedCheckpoint, run_from,
};
use taproof_engine::device::{DeviceSource, StuckStep};
use taproof_engine::worker::{self, CancelToken, Lane, Latest, PanicReport, Worker};
use taproof_engine::{CampaignStats, EngineStats, StateGraph};
use taproof_screen::Frame;

/// Number of updates that may wait for the receiver.
const MAX_WAITING: usize = 16;

/// An update of an engine that must not be lost.
pub enum Update {
    /// The engine has a device and begins.
    Started,
    /// The engine found something, or more is known of what it found.
    Finding(Arc<Finding>),
    /// A problem that people should know of.
    Warning(CampaignWarning),
    /// The state after the current round, as requested by [`EngineWorker::ask_checkpoint`].
    Checkpoint(Box<SavedCheckpoint>),
    /// A step could not be performed.
    Stuck(Box<StuckStep>),
    /// Events that the engine performed, in words.
    Events(Vec<LoggedEvent>),
    /// The engine has ended.
    Ended(Box<CampaignReport>),
    /// The engine's thread panicked, which is a bug of this program.
    Broken(PanicReport),
}

/// The handle of an engine's thread. Dropping it cancels the engine and waits for the thread.
pub struct EngineWorker {
    token: CancelToken,
    updates: Receiver<Update>,
    slots: EngineSlots,
    thread: Worker,
}

/// What an engine publishes of which only the newest counts, and whether it is asked for some of it.
#[derive(Clone, Default)]
pub struct EngineSlots {
    /// What was counted so far.
    pub counts: Latest<RunCounts>,
    /// How often the origin of each finding was violated so far, by the finding's id.
    pub violated: Latest<Vec<(String, u64)>>,
    /// The engine's statistics.
    pub stats: Latest<EngineStats>,
    /// The graph of states. It arrives when it is requested, and when the engine ends.
    pub graph: Latest<Arc<StateGraph>>,
    /// The screen that a test on a device behind adb showed last.
    pub frame: Latest<Frame>,
    asked: Arc<AtomicBool>,
    asked_counts: Arc<AtomicBool>,
    asked_graph: Arc<AtomicBool>,
}

/// Number of events of the bundled phone that are passed on together.
const EVENTS_AT_ONCE: usize = 1000;

struct Sink<W: Fn(), L: Fn()> {
    updates: Lane<Update, W>,
    slots: EngineSlots,
    /// Not the bundled phone, whose screens change far more often than anybody can look.
    behind_adb: bool,
    wake_later: L,
}

impl<W: Fn(), L: Fn()> CampaignSink for Sink<W, L> {
    fn started(&mut self) {
        self.updates.send(Update::Started);
    }
    fn wants_progress(&mut self) -> bool {
        self.slots.asked_counts.swap(false, Ordering::Relaxed)
    }
    fn progress(&mut self, stats: &CampaignStats) {
        // While the previous counts are unread, newer ones need not be copied: rounds can be short.
        if !self.slots.counts.waits() {
            self.slots.counts.publish(RunCounts::of(stats));
            (self.wake_later)();
        }
        // Copied on this thread and only on request, since the graph grows with the app.
        if self.slots.asked_graph.swap(false, Ordering::Relaxed) {
            self.slots.graph.publish(Arc::new(stats.graph.clone()));
            (self.wake_later)();
        }
    }
    fn seen(&mut self, frame: &Frame) {
        if self.behind_adb && !self.slots.frame.waits() {
            self.slots.frame.publish(frame.clone());
            (self.wake_later)();
        }
    }
    fn engine_says(&mut self, stats: EngineStats) {
        self.slots.stats.publish(stats);
    }
    fn wants_checkpoint(&mut self) -> bool {
        self.slots.asked.swap(false, Ordering::Relaxed)
    }
    fn checkpoint(&mut self, checkpoint: SavedCheckpoint) {
        self.updates.send(Update::Checkpoint(Box::new(checkpoint)));
    }
    fn finding(&mut self, finding: Arc<Finding>) {
        self.updates.send(Update::Finding(finding));
    }
    fn warning(&mut self, warning: CampaignWarning) {
        self.updates.send(Update::Warning(warning));
    }
    fn violated(&mut self, counts: Vec<(String, u64)>) {
        self.slots.violated.publish(counts);
        (self.wake_later)();
    }
    fn wants_stuck_steps(&self) -> bool {
        true
    }
    fn stuck(&mut self, step: StuckStep) {
        self.updates.send(Update::Stuck(Box::new(step)));
    }
    fn events_at_once(&self) -> Option<usize> {
        // Who watches a slow device wants to see each.
        Some(if self.behind_adb { 1 } else { EVENTS_AT_ONCE })
    }
    fn events(&mut self, events: Vec<LoggedEvent>) {
        self.updates.send(Update::Events(events));
    }
    fn ended(&mut self, report: &CampaignReport) {
        self.slots.graph.publish(Arc::new(report.stats.graph.clone()));
        self.updates.send(Update::Ended(Box::new(report.clone())));
    }
}

impl EngineWorker {
    /// Starts the engine at the index `place` of a plan that was checked, or resumes it from a checkpoint. `wake` is
    /// called when an update was sent, `wake_later` when counts or the graph were published.
    ///
    /// # Errors
    ///
    /// Fails if the operating system cannot start a thread.
    pub fn start(
        plan: Arc<CampaignPlan>,
        place: usize,
        from: Option<Resumption>,
        mut source: impl DeviceSource + Send + 'static,
        wake: impl Fn() + Send + Clone + 'static,
        wake_later: impl Fn() + Send + 'static,
    ) -> std::io::Result<EngineWorker> {
        let (token, slots) = (CancelToken::new(), EngineSlots::default());
        let (lane, updates) = Lane::new(MAX_WAITING, &token, wake);
        let on_panic = lane.on_panic(Update::Broken);
        let mut sink =
            Sink { updates: lane, slots: slots.clone(), behind_adb: !plan.device.is_bundled(), wake_later };
        let cancel = token.clone();
        let name = plan.engines.get(place).map_or("engine", |engine| engine.name());
        let work = move || {
            if let Some(engine) = plan.engines.get(place) {
                run_from(&plan, engine, from, &mut source, &cancel, &mut sink);
            }
        };
        let thread = worker::spawn(name, &token, work, on_panic)?;
        Ok(EngineWorker { token, updates, slots, thread })
    }

    /// The updates of the engine, in order.
    pub fn updates(&self) -> &Receiver<Update> {
        &self.updates
    }

    /// What the engine has published.
    pub fn slots(&self) -> &EngineSlots {
        &self.slots
    }

    /// Requests the counts after the next event. Without a request they arrive only now and then, since an event of the
    /// bundled phone takes microseconds.
    pub fn ask_counts(&self) {
        self.slots.asked_counts.store(true, Ordering::Relaxed);
    }

    /// Requests the graph of states.
    pub fn ask_graph(&self) {
        self.slots.asked_graph.store(true, Ordering::Relaxed);
    }

    /// Requests a checkpoint, which arrives as [`Update::Checkpoint`] after the current round.
    pub fn ask_checkpoint(&self) {
        self.slots.asked.store(true, Ordering::Relaxed);
    }

    /// Asks the engine to pause.
    pub fn pause(&self) {
        self.token.pause();
    }

    /// Resumes a paused engine.
    pub fn resume(&self) {
        self.token.resume();
    }

    /// Asks the engine to stop; does not wait for it.
    pub fn cancel(&self) {
        self.token.cancel();
    }

    /// Drops the receivers of updates and returns the thread, so that somebody else can wait for it.
    pub fn retire(self) -> Worker {
        self.thread
    }

    /// Detaches the thread: the program may exit while it is still running.
    pub fn leave(self) {
        self.thread.leave();
    }
}
