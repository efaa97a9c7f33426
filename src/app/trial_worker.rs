//! *Try it* on a thread of its own, with its own phone.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::campaign::{BundledPhones, TrialPlan, TrialReport, TrialRun, TrialSink, try_dmf};
use crate::state::{TrialCommand, TrialState};
use crate::worker::{self, CancelToken, PanicReport};

use super::{Studio, now};

/// News that may wait for the window.
const MAX_WAITING: usize = 16;

enum Update {
    Ran(Box<TrialRun>),
    Ended(Box<TrialReport>),
    Broken(PanicReport),
}

/// The handle of the thread. Dropping it cancels and waits.
pub(super) struct TrialWorker {
    token: CancelToken,
    updates: Option<Receiver<Update>>,
    thread: Option<JoinHandle<()>>,
    began: Instant,
}

struct Sink<W: Fn()> {
    updates: Sender<Update>,
    token: CancelToken,
    wake: W,
}

impl<W: Fn()> Sink<W> {
    fn tell(&self, update: Update) {
        // The window is gone: nobody will look at what would still be found.
        if self.updates.send(update).is_err() {
            self.token.cancel();
        }
        (self.wake)();
    }
}

impl<W: Fn()> TrialSink for Sink<W> {
    fn ran(&mut self, run: &TrialRun) {
        self.tell(Update::Ran(Box::new(run.clone())));
    }
}

impl TrialWorker {
    fn start(plan: Arc<TrialPlan>, wake: impl Fn() + Send + Clone + 'static) -> std::io::Result<TrialWorker> {
        let (sender, updates) = bounded(MAX_WAITING);
        let token = CancelToken::new();
        let mut sink = Sink { updates: sender.clone(), token: token.clone(), wake: wake.clone() };
        let on_panic = move |report: PanicReport| {
            if sender.send(Update::Broken(report)).is_ok() {
                wake();
            }
        };
        let cancel = token.clone();
        let work = move || {
            let mut phones = BundledPhones::with(&plan.app, &plan.build);
            let report = try_dmf(&plan, &mut phones, &cancel, &mut sink);
            sink.tell(Update::Ended(Box::new(report)));
        };
        let thread = worker::spawn("trial", work, on_panic)?;
        Ok(TrialWorker { token, updates: Some(updates), thread: Some(thread), began: now() })
    }

    /// Takes what it told; true once it is over.
    fn drain(&self, trial: &mut TrialState, most: usize) -> bool {
        trial.seconds = self.began.elapsed().as_secs_f64();
        for update in self.updates.iter().flat_map(|updates| updates.try_iter().take(most)) {
            match update {
                Update::Ran(run) => trial.take_run(*run),
                Update::Ended(report) => {
                    trial.take_report(*report);
                    return true;
                }
                Update::Broken(report) => {
                    trial.fail(format!("A mistake of Taproof’s own ended it: {}", report.message));
                    return true;
                }
            }
        }
        false
    }

    /// Asks it to stop.
    pub(super) fn cancel(&self) {
        self.token.cancel();
    }
}

impl Drop for TrialWorker {
    fn drop(&mut self) {
        self.token.cancel();
        // A send that waits for room fails now and lets the thread end.
        self.updates = None;
        if let Some(thread) = self.thread.take() {
            // A panic was told already.
            drop(thread.join());
        }
    }
}

impl Studio {
    /// Does what a panel asked of *Try it*.
    pub(super) fn run_trial(&mut self, command: TrialCommand) {
        match &command {
            TrialCommand::Cancel => {
                if let Some(trial) = &self.trial {
                    trial.cancel();
                }
            }
            TrialCommand::Close => {
                self.trial = None;
                self.state.trial = TrialState::default();
            }
            TrialCommand::Start { .. } | TrialCommand::Again | TrialCommand::OnSound => {
                let Some(plan) = self.state.trial.plan_for(&command).map(Arc::new) else { return };
                self.state.trial.begin(Arc::clone(&plan));
                match TrialWorker::start(plan, self.wake()) {
                    Ok(worker) => self.trial = Some(worker),
                    Err(error) => self.state.trial.fail(format!("It cannot start: {error}")),
                }
            }
        }
    }

    /// Takes what the trial told.
    pub(super) fn drain_trial(&mut self, most: usize) {
        if self.trial.as_ref().is_some_and(|worker| worker.drain(&mut self.state.trial, most)) {
            self.trial = None;
        }
    }
}
