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
    counts: Latest<RunCounts>,
    violated: Latest<Vec<(String, u64)>>,
    stats: Latest<EngineStats>,
    graph: Latest<Arc<StateGraph>>,
    frames: Latest<Frame>,
    /// Set when a checkpoint is requested.
    asked: Arc<AtomicBool>,
    /// Set when the counts are requested.
    asked_counts: Arc<AtomicBool>,
    /// Set when the graph of states is requested.
    asked_graph: Arc<AtomicBool>,
    thread: Worker,
}

struct Sink<W: Fn(), L: Fn()> {
    updates: Lane<Update, W>,
    counts: Latest<RunCounts>,
    violated: Latest<Vec<(String, u64)>>,
    stats: Latest<EngineStats>,
    graph: Latest<Arc<StateGraph>>,
    /// Where screens are shown. `None` on the bundled phone, whose screens change far more often than anybody can look.
    frames: Option<Latest<Frame>>,
    asked: Arc<AtomicBool>,
    asked_counts: Arc<AtomicBool>,
    asked_graph: Arc<AtomicBool>,
    wake_later: L,
}

impl<W: Fn(), L: Fn()> CampaignSink for Sink<W, L> {
    fn started(&mut self) {
        self.updates.send(Update::Started);
    }
    fn wants_progress(&mut self) -> bool {
        self.asked_counts.swap(false, Ordering::Relaxed)
    }
    fn progress(&mut self, stats: &CampaignStats) {
        // While the previous counts are unread, newer ones need not be copied: rounds can be short.
        if !self.counts.waits() {
            self.counts.publish(RunCounts::of(stats));
            (self.wake_later)();
        }
        // Copied on this thread and only on request, since the graph grows with the app.
        if self.asked_graph.swap(false, Ordering::Relaxed) {
            self.graph.publish(Arc::new(stats.graph.clone()));
            (self.wake_later)();
        }
    }
    fn seen(&mut self, frame: &Frame) {
        if let Some(frames) = self.frames.as_ref().filter(|frames| !frames.waits()) {
            frames.publish(frame.clone());
            (self.wake_later)();
        }
    }
    fn engine_says(&mut self, stats: EngineStats) {
        self.stats.publish(stats);
    }
    fn wants_checkpoint(&mut self) -> bool {
        self.asked.swap(false, Ordering::Relaxed)
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
        self.violated.publish(counts);
        (self.wake_later)();
    }
    fn wants_stuck_steps(&self) -> bool {
        true
    }
    fn stuck(&mut self, step: StuckStep) {
        self.updates.send(Update::Stuck(Box::new(step)));
    }
    fn wants_events(&self) -> bool {
        true
    }
    fn events(&mut self, events: Vec<LoggedEvent>) {
        self.updates.send(Update::Events(events));
    }
    fn ended(&mut self, report: &CampaignReport) {
        self.graph.publish(Arc::new(report.stats.graph.clone()));
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
        let (token, counts, stats) = (CancelToken::new(), Latest::new(), Latest::new());
        let (violated, graph, asked) = (Latest::new(), Latest::new(), Arc::default());
        let frames = Latest::new();
        let (asked_counts, asked_graph) = (Arc::default(), Arc::default());
        let (lane, updates) = Lane::new(MAX_WAITING, &token, wake);
        let on_panic = lane.on_panic(Update::Broken);
        let mut sink = Sink {
            updates: lane,
            counts: counts.clone(),
            violated: violated.clone(),
            stats: stats.clone(),
            graph: graph.clone(),
            frames: (!plan.device.is_bundled()).then(|| frames.clone()),
            asked: Arc::clone(&asked),
            asked_counts: Arc::clone(&asked_counts),
            asked_graph: Arc::clone(&asked_graph),
            wake_later,
        };
        let cancel = token.clone();
        let name = plan.engines.get(place).map_or("engine", |engine| engine.name());
        let work = move || {
            if let Some(engine) = plan.engines.get(place) {
                run_from(&plan, engine, from, &mut source, &cancel, &mut sink);
            }
        };
        let thread = worker::spawn(name, &token, work, on_panic)?;
        Ok(EngineWorker {
            token,
            updates,
            counts,
            violated,
            stats,
            graph,
            frames,
            asked,
            asked_counts,
            asked_graph,
            thread,
        })
    }

    /// The updates of the engine, in order.
    pub fn updates(&self) -> &Receiver<Update> {
        &self.updates
    }

    /// Calls `look` on the latest counts. Returns `None` if there are none since the last call.
    pub fn look<R>(&self, look: impl FnOnce(&RunCounts) -> R) -> Option<R> {
        self.counts.look(look)
    }

    /// Takes how often the origin of each finding was violated so far, by the finding's id; `None` if nothing was violated
    /// since the last call.
    pub fn violated(&self) -> Option<Vec<(String, u64)>> {
        self.violated.take()
    }

    /// Takes the engine's latest statistics; `None` if there are none since the last call.
    pub fn stats(&self) -> Option<EngineStats> {
        self.stats.take()
    }

    /// Takes the graph of states, once it has arrived after [`EngineWorker::ask_graph`]. It also arrives, unrequested,
    /// when the engine ends.
    pub fn graph(&self) -> Option<Arc<StateGraph>> {
        self.graph.take()
    }

    /// Takes the screen that a test on a device behind adb showed last; `None` if there is none since the last call.
    pub fn frame(&self) -> Option<Frame> {
        self.frames.take()
    }

    /// Requests the counts after the next event. Without a request they arrive only now and then, since an event of the
    /// bundled phone takes microseconds.
    pub fn ask_counts(&self) {
        self.asked_counts.store(true, Ordering::Relaxed);
    }

    /// Requests the graph of states.
    pub fn ask_graph(&self) {
        self.asked_graph.store(true, Ordering::Relaxed);
    }

    /// Requests a checkpoint, which arrives as [`Update::Checkpoint`] after the current round.
    pub fn ask_checkpoint(&self) {
        self.asked.store(true, Ordering::Relaxed);
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
