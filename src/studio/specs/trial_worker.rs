//! *Try it* on a separate thread with a phone of its own.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Receiver;

use crate::wall_clock::now;
use taproof_core::campaign::{TrialPlan, TrialReport, TrialRun, TrialSink, try_dmf};
use taproof_core::worker::{self, CancelToken, Lane, PanicReport, Worker};
use taproof_session::TestPhones;

/// Maximum number of updates that wait for the window.
const MAX_WAITING: usize = 16;

/// What is known of the trial.
pub(crate) enum TrialNews {
    /// The seconds since its start.
    Seconds(f64),
    /// A run is completed.
    Ran(Box<TrialRun>),
    /// All are completed.
    Ended(Box<TrialReport>),
    /// Its thread was not started; the reason.
    NotStarted(String),
    /// Its thread panicked.
    Broken(PanicReport),
}

/// Handle of the trial's thread. Dropping it cancels the trial and waits for the thread.
pub(crate) struct TrialWorker {
    updates: Receiver<TrialNews>,
    began: Instant,
    thread: Worker,
}

struct Sink<W>(Lane<TrialNews, W>);

impl<W: Fn()> TrialSink for Sink<W> {
    fn ran(&mut self, run: &TrialRun) {
        self.0.send(TrialNews::Ran(Box::new(run.clone())));
    }
}

impl TrialWorker {
    pub fn start(
        plan: Arc<TrialPlan>,
        (phones, command): (TestPhones, Option<String>),
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<TrialWorker> {
        let token = CancelToken::new();
        let (lane, updates) = Lane::new(MAX_WAITING, &token, wake);
        let on_panic = lane.on_panic(TrialNews::Broken);
        let mut sink = Sink(lane);
        let cancel = token.clone();
        let work = move || {
            let phones = phones.on((&plan.app, &plan.build), &plan.device, 0);
            let mut phones = phones.running_before_tests(command);
            let report = try_dmf(&plan, &mut phones, &cancel, &mut sink);
            sink.0.send(TrialNews::Ended(Box::new(report)));
        };
        let thread = worker::spawn("trial", &token, work, on_panic)?;
        Ok(TrialWorker { updates, began: now(), thread })
    }

    /// Takes at most `most` updates, and returns whether the trial is over.
    pub fn news(&self, most: usize) -> (Vec<TrialNews>, bool) {
        let mut news = vec![TrialNews::Seconds(self.began.elapsed().as_secs_f64())];
        for update in self.updates.try_iter().take(most) {
            let over = matches!(update, TrialNews::Ended(_) | TrialNews::Broken(_));
            news.push(update);
            if over {
                return (news, true);
            }
        }
        (news, false)
    }

    /// Cancels the trial; its report still comes.
    pub fn cancel(&self) {
        self.thread.cancel();
    }

    /// Returns the thread and discards its further updates.
    pub fn retire(self) -> Worker {
        self.thread
    }
}
