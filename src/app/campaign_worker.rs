//! A campaign on a thread of its own. What must arrive comes over a bounded channel, what is only counted
//! through a slot that overwrites.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::{Receiver, RecvTimeoutError};

use crate::campaign::{
    CampaignPlan, CampaignReport, CampaignSink, CampaignWarning, CoverageSample, DeviceSource, EndReason,
    Finding, run, summarise,
};
use crate::engine::Ledger;
use crate::state::{CampaignPhase, CampaignState};
use crate::worker::{self, CancelToken, Lane, Latest, PanicReport, Worker};

use super::jobs::{Job, Jobs};
use super::now;

/// News that may wait for the window.
const MAX_WAITING: usize = 16;

enum Update {
    Started,
    Finding(Arc<Finding>),
    Warning(CampaignWarning),
    Ended(Box<CampaignReport>),
    Broken(PanicReport),
}

/// The handle of a campaign's thread. Dropping it cancels and waits.
pub(super) struct CampaignWorker {
    token: CancelToken,
    updates: Receiver<Update>,
    counts: Latest<Ledger>,
    /// When it last began to work, and the seconds of work before that.
    working: (Option<Instant>, f64),
    over: bool,
    thread: Worker,
}

struct Sink<W: Fn(), L: Fn()> {
    updates: Lane<Update, W>,
    counts: Latest<Ledger>,
    wake_later: L,
}

impl<W: Fn(), L: Fn()> CampaignSink for Sink<W, L> {
    fn started(&mut self) {
        self.updates.tell(Update::Started);
    }
    fn progress(&mut self, ledger: &Ledger) {
        self.counts.publish(ledger.clone());
        (self.wake_later)();
    }
    fn finding(&mut self, finding: Arc<Finding>) {
        self.updates.tell(Update::Finding(finding));
    }
    fn warning(&mut self, warning: CampaignWarning) {
        self.updates.tell(Update::Warning(warning));
    }
    fn ended(&mut self, report: &CampaignReport) {
        self.updates.tell(Update::Ended(Box::new(report.clone())));
    }
}

impl CampaignWorker {
    /// Starts a campaign whose plan was checked.
    pub(super) fn start(
        plan: Arc<CampaignPlan>,
        mut source: impl DeviceSource + Send + 'static,
        wake: impl Fn() + Send + Clone + 'static,
        wake_later: impl Fn() + Send + 'static,
    ) -> std::io::Result<CampaignWorker> {
        let (token, counts) = (CancelToken::new(), Latest::new());
        let (lane, updates) = Lane::new(MAX_WAITING, &token, wake);
        let on_panic = lane.on_panic(Update::Broken);
        let mut sink = Sink { updates: lane, counts: counts.clone(), wake_later };
        let cancel = token.clone();
        let work = move || drop(run(&plan, &mut source, &cancel, &mut sink));
        let thread = worker::spawn("campaign", &token, work, on_panic)?;
        let working = (Some(now()), 0.0);
        Ok(CampaignWorker { token, updates, counts, working, over: false, thread })
    }

    /// Takes what the campaign told. Findings go to the disk first; the window shows them when they are there.
    pub(super) fn drain(&mut self, campaign: &mut CampaignState, jobs: Option<&Jobs>, most: usize) {
        if self.counts.look(|ledger| campaign.take_counts(ledger)).is_some() {
            ask(jobs, Job::Sample(campaign.id, sample(campaign)));
        }
        campaign.seconds = self.seconds();
        let updates: Vec<Update> = self.updates.try_iter().take(most).collect();
        for update in updates {
            self.take(update, campaign, jobs);
        }
    }

    /// Waits for its end, so that it is written down as what it is, but not longer than until then. To be
    /// cancelled before. What was shown of one that does not end is on the disk; the next start takes it for
    /// interrupted.
    pub(super) fn finish(mut self, campaign: &mut CampaignState, jobs: Option<&Jobs>, end: Instant) {
        while !self.over {
            match self.updates.recv_deadline(end) {
                Ok(update) => self.take(update, campaign, jobs),
                Err(RecvTimeoutError::Timeout) => return self.thread.leave(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn take(&mut self, update: Update, campaign: &mut CampaignState, jobs: Option<&Jobs>) {
        match update {
            Update::Started => campaign.phase = CampaignPhase::Running,
            Update::Finding(finding) => {
                if !ask(jobs, Job::Commit(campaign.id, finding)) {
                    self.token.cancel();
                }
            }
            Update::Warning(warning) => campaign.warnings.push(warning.to_string()),
            Update::Ended(report) => {
                campaign.take_counts(&report.ledger);
                let counts = report.findings.iter();
                campaign.counts = counts.map(|found| (found.finding.id.clone(), found.count)).collect();
                campaign.fingerprint = Some(report.ledger.fingerprint());
                campaign.phase = CampaignPhase::Ended(report.end.clone());
                let summary = Box::new(summarise(&campaign.plan, &report, campaign.seconds));
                ask(jobs, Job::End(campaign.id, summary, campaign.end_sentence().unwrap_or_default()));
                self.over = true;
            }
            // The database takes it for interrupted at the next start.
            Update::Broken(report) => {
                campaign.phase = CampaignPhase::Ended(EndReason::Bug(report));
                self.over = true;
            }
        }
    }

    fn seconds(&self) -> f64 {
        self.working.1 + self.working.0.map_or(0.0, |since| since.elapsed().as_secs_f64())
    }

    /// Asks it to wait.
    pub(super) fn pause(&mut self) {
        self.working = (None, self.seconds());
        self.token.pause();
    }

    /// Lets it go on.
    pub(super) fn resume(&mut self) {
        self.working = (Some(now()), self.seconds());
        self.token.resume();
    }

    /// Asks it to stop.
    pub(super) fn cancel(&self) {
        self.token.cancel();
    }

    /// Whether it has told its end.
    pub(super) fn over(&self) -> bool {
        self.over
    }

    /// Lets go of what it tells.
    pub(super) fn retire(self) -> Worker {
        self.thread
    }
}

/// Whether the disk takes it.
fn ask(jobs: Option<&Jobs>, job: Job) -> bool {
    jobs.is_some_and(|jobs| jobs.ask(job))
}

fn sample(campaign: &CampaignState) -> CoverageSample {
    CoverageSample {
        events: campaign.events,
        tests: campaign.tests,
        states: campaign.states as u64,
        activities: campaign.activities as u64,
        findings: campaign.findings.len() as u64,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crossbeam_channel::{Sender, bounded};

    use super::*;
    use crate::campaign::{Budget, Build, ConfirmPlan};
    use crate::device::{Device, DeviceError};
    use crate::engine::{EngineConfig, PbfdroidConfig};
    use crate::spec::Spec;
    use crate::state::CampaignId;

    /// Gives no device until the other end of its channel is gone.
    struct Stuck(Sender<()>, Receiver<()>);

    impl DeviceSource for Stuck {
        fn fresh(&mut self, _: &[String]) -> Result<Box<dyn Device>, DeviceError> {
            self.0.send(()).unwrap();
            assert!(self.1.recv().is_err());
            Err(DeviceError::Unsupported { serial: "it".to_owned(), what: "work".to_owned() })
        }
        fn switchable_bugs(&self) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn a_closing_window_does_not_wait_for_ever() {
        let ((asked, was_asked), (held, stuck)) = (bounded(1), bounded(0));
        let plan = Arc::new(CampaignPlan {
            app: "org.taproof.notes".to_owned(),
            build: Build::Faulty,
            engines: vec![EngineConfig::Pbfdroid(PbfdroidConfig::default())],
            spec: Arc::new(Spec::default()),
            seed: 1,
            budget: Budget { max_events: 9, max_device_millis: None },
            confirm: ConfirmPlan::default(),
        });
        let worker = CampaignWorker::start(Arc::clone(&plan), Stuck(asked, stuck), || (), || ()).unwrap();
        let words = ("Notes".to_owned(), "notes".to_owned());
        let mut campaign = CampaignState::new(CampaignId(1), words.0, words.1, plan, 9);
        was_asked.recv().unwrap();
        worker.cancel();
        worker.finish(&mut campaign, None, now() + Duration::from_millis(20));
        assert!(campaign.alive(), "it has not said that it ended");
        drop(held);
    }
}
