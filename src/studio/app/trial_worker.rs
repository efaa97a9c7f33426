//! *Try it* on a thread of its own, with its own phone.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Receiver;

use crate::state::{TrialCommand, TrialState};
use taproof_core::campaign::{TrialPlan, TrialReport, TrialRun, TrialSink, try_dmf};
use taproof_core::worker::{self, CancelToken, Lane, PanicReport, Worker};
use taproof_session::Phones;

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
    updates: Receiver<Update>,
    began: Instant,
    thread: Worker,
}

struct Sink<W>(Lane<Update, W>);

impl<W: Fn()> TrialSink for Sink<W> {
    fn ran(&mut self, run: &TrialRun) {
        self.0.tell(Update::Ran(Box::new(run.clone())));
    }
}

impl TrialWorker {
    fn start(plan: Arc<TrialPlan>, wake: impl Fn() + Send + Clone + 'static) -> std::io::Result<TrialWorker> {
        let token = CancelToken::new();
        let (lane, updates) = Lane::new(MAX_WAITING, &token, wake);
        let on_panic = lane.on_panic(Update::Broken);
        let mut sink = Sink(lane);
        let cancel = token.clone();
        let work = move || {
            let mut phones = Phones::on((&plan.app, &plan.build), &plan.device, 0);
            let report = try_dmf(&plan, &mut phones, &cancel, &mut sink);
            sink.0.tell(Update::Ended(Box::new(report)));
        };
        let thread = worker::spawn("trial", &token, work, on_panic)?;
        Ok(TrialWorker { updates, began: now(), thread })
    }

    /// Takes what it told; true once it is over.
    fn drain(&self, trial: &mut TrialState, most: usize) -> bool {
        trial.seconds = self.began.elapsed().as_secs_f64();
        for update in self.updates.try_iter().take(most) {
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

    /// Lets go of what it tells.
    fn retire(self) -> Worker {
        self.thread
    }
}

impl Studio {
    /// Does what a panel asked of *Try it*.
    pub(super) fn run_trial(&mut self, command: TrialCommand) {
        match &command {
            TrialCommand::Cancel => {
                if let Some(trial) = &self.trial {
                    trial.thread.cancel();
                }
            }
            TrialCommand::Close => {
                self.leave_trial();
                self.state.trial = TrialState::default();
            }
            TrialCommand::Start { .. } | TrialCommand::Again | TrialCommand::OnSound => {
                let Some(mut plan) = self.state.trial.plan_for(&command) else { return };
                match self.state.campaigns.form.initialiser(&plan.app) {
                    Ok(first) => plan.initialiser = first,
                    Err(problem) => {
                        let say = format!("Nothing was tried. What is waited for stands in Fuzz: {problem}");
                        return self.state.tell_failure(say);
                    }
                }
                let plan = Arc::new(plan);
                if !self.lend(&plan.device, "trial") {
                    return;
                }
                self.leave_trial();
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
            self.leave_trial();
        }
    }

    /// The trial that runs is of no interest any more; nobody waits until it has stopped.
    fn leave_trial(&mut self) {
        if let Some(worker) = self.trial.take() {
            self.leaving.add(worker.retire());
        }
    }
}
