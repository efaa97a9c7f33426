//! *Try it* on a separate thread with a phone of its own.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Receiver;

use super::{TrialCommand, TrialState};
use taproof_core::campaign::{TrialPlan, TrialReport, TrialRun, TrialSink, try_dmf};
use taproof_core::worker::{self, CancelToken, Lane, PanicReport, Worker};
use taproof_phone::Apps;
use taproof_session::Phones;

use crate::app::{Studio, now};

/// Maximum number of updates that wait for the window.
const MAX_WAITING: usize = 16;

enum Update {
    Ran(Box<TrialRun>),
    Ended(Box<TrialReport>),
    Broken(PanicReport),
}

/// Handle of the trial's thread. Dropping it cancels the trial and waits for the thread.
pub(crate) struct TrialWorker {
    updates: Receiver<Update>,
    began: Instant,
    thread: Worker,
}

struct Sink<W>(Lane<Update, W>);

impl<W: Fn()> TrialSink for Sink<W> {
    fn ran(&mut self, run: &TrialRun) {
        self.0.send(Update::Ran(Box::new(run.clone())));
    }
}

impl TrialWorker {
    fn start(
        plan: Arc<TrialPlan>,
        (apps, command): (Apps, Option<String>),
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<TrialWorker> {
        let token = CancelToken::new();
        let (lane, updates) = Lane::new(MAX_WAITING, &token, wake);
        let on_panic = lane.on_panic(Update::Broken);
        let mut sink = Sink(lane);
        let cancel = token.clone();
        let work = move || {
            let phones = Phones::on(&apps, (&plan.app, &plan.build), &plan.device, 0);
            let mut phones = phones.running_before_tests(command);
            let report = try_dmf(&plan, &mut phones, &cancel, &mut sink);
            sink.0.send(Update::Ended(Box::new(report)));
        };
        let thread = worker::spawn("trial", &token, work, on_panic)?;
        Ok(TrialWorker { updates, began: now(), thread })
    }

    /// Takes at most `most` updates. Returns `true` once the trial is over.
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

    /// Returns the thread and discards its further updates.
    fn retire(self) -> Worker {
        self.thread
    }
}

impl Studio {
    /// Executes a command about *Try it*.
    pub(crate) fn run_trial(&mut self, command: TrialCommand) {
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
                        return self.state.notify_failure(say);
                    }
                }
                let plan = Arc::new(plan);
                if !self.lend(&plan.device, "trial") {
                    return;
                }
                self.leave_trial();
                self.state.trial.begin(Arc::clone(&plan));
                let command = self.state.campaigns.form.command_before(&plan.app);
                match TrialWorker::start(plan, (self.apps.clone(), command), self.wake()) {
                    Ok(worker) => self.trial = Some(worker),
                    Err(error) => self.state.trial.fail(format!("It cannot start: {error}")),
                }
            }
        }
    }

    /// Takes what the trial reported.
    pub(crate) fn drain_trial(&mut self, most: usize) {
        if self.trial.as_ref().is_some_and(|worker| worker.drain(&mut self.state.trial, most)) {
            self.leave_trial();
        }
    }

    /// Abandons the running trial, if any, without waiting until it has stopped.
    fn leave_trial(&mut self) {
        if let Some(worker) = self.trial.take() {
            self.leaving.add(worker.retire());
        }
    }
}
