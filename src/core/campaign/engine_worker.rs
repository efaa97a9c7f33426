//! One engine of a campaign on a thread of its own, so that several run side by side. What must arrive comes over a
//! bounded lane, what is only counted through a slot that overwrites. The only thread of this module.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Receiver;

use super::{
    CampaignPlan, CampaignReport, CampaignSink, CampaignWarning, Checkpoint, DeviceSource, Finding,
    Resumption, RunCounts, run_from,
};
use crate::engine::{EngineStats, Ledger, StateGraph};
use crate::worker::{self, CancelToken, Lane, Latest, PanicReport, Worker};

/// News that may wait for who listens.
const MAX_WAITING: usize = 16;

/// What an engine tells that must arrive.
pub enum Update {
    /// It has a device and begins.
    Started,
    /// It found something.
    Finding(Arc<Finding>),
    /// Something that people should know.
    Warning(CampaignWarning),
    /// Where it stands, as it was asked.
    Checkpoint(Box<Checkpoint>),
    /// It is over.
    Ended(Box<CampaignReport>),
    /// A mistake of ours ended it.
    Broken(PanicReport),
}

/// The handle of an engine's thread. Dropping it cancels and waits.
pub struct EngineWorker {
    token: CancelToken,
    updates: Receiver<Update>,
    counts: Latest<RunCounts>,
    stats: Latest<EngineStats>,
    graph: Latest<Arc<StateGraph>>,
    /// Somebody wants to know where it stands.
    asked: Arc<AtomicBool>,
    /// Somebody wants to see the states.
    asked_graph: Arc<AtomicBool>,
    thread: Worker,
}

struct Sink<W: Fn(), L: Fn()> {
    updates: Lane<Update, W>,
    counts: Latest<RunCounts>,
    stats: Latest<EngineStats>,
    graph: Latest<Arc<StateGraph>>,
    asked: Arc<AtomicBool>,
    asked_graph: Arc<AtomicBool>,
    wake_later: L,
}

impl<W: Fn(), L: Fn()> CampaignSink for Sink<W, L> {
    fn started(&mut self) {
        self.updates.tell(Update::Started);
    }
    fn progress(&mut self, ledger: &Ledger) {
        // Nobody has looked at the last ones: newer ones would be for nobody, and rounds can be short.
        if !self.counts.waits() {
            self.counts.publish(RunCounts::of(ledger));
            (self.wake_later)();
        }
        // Copied here, not where it is shown: it grows with the app.
        if self.asked_graph.swap(false, Ordering::Relaxed) {
            self.graph.publish(Arc::new(ledger.graph.clone()));
            (self.wake_later)();
        }
    }
    fn engine_says(&mut self, stats: EngineStats) {
        self.stats.publish(stats);
    }
    fn wants_checkpoint(&mut self) -> bool {
        self.asked.swap(false, Ordering::Relaxed)
    }
    fn checkpoint(&mut self, checkpoint: Checkpoint) {
        self.updates.tell(Update::Checkpoint(Box::new(checkpoint)));
    }
    fn finding(&mut self, finding: Arc<Finding>) {
        self.updates.tell(Update::Finding(finding));
    }
    fn warning(&mut self, warning: CampaignWarning) {
        self.updates.tell(Update::Warning(warning));
    }
    fn ended(&mut self, report: &CampaignReport) {
        self.graph.publish(Arc::new(report.ledger.graph.clone()));
        self.updates.tell(Update::Ended(Box::new(report.clone())));
    }
}

impl EngineWorker {
    /// Starts the engine at this place of a plan that was checked, or lets it go on from a checkpoint. `wake` is called when something must be heard,
    /// `wake_later` when something was counted.
    pub fn start(
        plan: Arc<CampaignPlan>,
        place: usize,
        from: Option<Resumption>,
        mut source: impl DeviceSource + Send + 'static,
        wake: impl Fn() + Send + Clone + 'static,
        wake_later: impl Fn() + Send + 'static,
    ) -> std::io::Result<EngineWorker> {
        let (token, counts, stats) = (CancelToken::new(), Latest::new(), Latest::new());
        let (graph, asked, asked_graph) = (Latest::new(), Arc::default(), Arc::default());
        let (lane, updates) = Lane::new(MAX_WAITING, &token, wake);
        let on_panic = lane.on_panic(Update::Broken);
        let mut sink = Sink {
            updates: lane,
            counts: counts.clone(),
            stats: stats.clone(),
            graph: graph.clone(),
            asked: Arc::clone(&asked),
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
        Ok(EngineWorker { token, updates, counts, stats, graph, asked, asked_graph, thread })
    }

    /// What it told, in order.
    pub fn updates(&self) -> &Receiver<Update> {
        &self.updates
    }

    /// Looks at what it counted, if that is news.
    pub fn look<R>(&self, look: impl FnOnce(&RunCounts) -> R) -> Option<R> {
        self.counts.look(look)
    }

    /// What the engine says of itself, if that is news.
    pub fn stats(&self) -> Option<EngineStats> {
        self.stats.take()
    }

    /// The states as they were when they were asked for, if they have come; at its end they come unasked.
    pub fn graph(&self) -> Option<Arc<StateGraph>> {
        self.graph.take()
    }

    /// Asks for the states.
    pub fn ask_graph(&self) {
        self.asked_graph.store(true, Ordering::Relaxed);
    }

    /// Asks where it stands; it tells after its current round.
    pub fn ask_checkpoint(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// Asks it to wait.
    pub fn pause(&self) {
        self.token.pause();
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.token.resume();
    }

    /// Asks it to stop.
    pub fn cancel(&self) {
        self.token.cancel();
    }

    /// Lets go of what it tells.
    pub fn retire(self) -> Worker {
        self.thread
    }

    /// Nobody waits for it: the program may end in the middle of what it does.
    pub fn leave(self) {
        self.thread.leave();
    }
}
