//! A campaign on a thread of its own. What must arrive comes over a bounded channel, what is only counted
//! through a slot that overwrites.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::campaign::{
    CampaignPlan, CampaignReport, CampaignSink, CampaignWarning, CoverageSample, DeviceSource, EndReason,
    Finding, run, summarise,
};
use crate::engine::Ledger;
use crate::state::{CampaignPhase, CampaignState};
use crate::worker::{self, CancelToken, Latest, PanicReport};

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
    updates: Option<Receiver<Update>>,
    counts: Latest<Ledger>,
    thread: Option<JoinHandle<()>>,
    /// When it last began to work, and the seconds of work before that.
    working: (Option<Instant>, f64),
    over: bool,
}

struct Sink<W: Fn(), L: Fn()> {
    updates: Sender<Update>,
    counts: Latest<Ledger>,
    token: CancelToken,
    wake: W,
    wake_later: L,
}

impl<W: Fn(), L: Fn()> Sink<W, L> {
    fn tell(&self, update: Update) {
        // The window is gone: nobody will look at what would still be found.
        if self.updates.send(update).is_err() {
            self.token.cancel();
        }
        (self.wake)();
    }
}

impl<W: Fn(), L: Fn()> CampaignSink for Sink<W, L> {
    fn started(&mut self) {
        self.tell(Update::Started);
    }
    fn progress(&mut self, ledger: &Ledger) {
        self.counts.publish(ledger.clone());
        (self.wake_later)();
    }
    fn finding(&mut self, finding: Arc<Finding>) {
        self.tell(Update::Finding(finding));
    }
    fn warning(&mut self, warning: CampaignWarning) {
        self.tell(Update::Warning(warning));
    }
    fn ended(&mut self, report: &CampaignReport) {
        self.tell(Update::Ended(Box::new(report.clone())));
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
        let (sender, updates) = bounded(MAX_WAITING);
        let (token, counts) = (CancelToken::new(), Latest::new());
        let mut sink = Sink {
            updates: sender.clone(),
            counts: counts.clone(),
            token: token.clone(),
            wake: wake.clone(),
            wake_later,
        };
        let on_panic = move |report: PanicReport| {
            if sender.send(Update::Broken(report)).is_ok() {
                wake();
            }
        };
        let cancel = token.clone();
        let work = move || drop(run(&plan, &mut source, &cancel, &mut sink));
        let thread = worker::spawn("campaign", work, on_panic)?;
        let working = (Some(now()), 0.0);
        Ok(CampaignWorker {
            token,
            updates: Some(updates),
            counts,
            thread: Some(thread),
            working,
            over: false,
        })
    }

    /// Takes what the campaign told. Findings go to the disk first; the window shows them when they are there.
    pub(super) fn drain(&mut self, campaign: &mut CampaignState, jobs: Option<&Jobs>, most: usize) {
        if self.counts.look(|ledger| campaign.take_counts(ledger)).is_some() {
            ask(jobs, Job::Sample(campaign.id, sample(campaign)));
        }
        campaign.seconds = self.seconds();
        let updates: Vec<Update> =
            self.updates.iter().flat_map(|updates| updates.try_iter()).take(most).collect();
        for update in updates {
            self.take(update, campaign, jobs);
        }
    }

    /// Waits for its end, so that it is written down as what it is. To be cancelled before.
    pub(super) fn finish(mut self, campaign: &mut CampaignState, jobs: Option<&Jobs>) {
        while !self.over {
            let Some(Ok(update)) = self.updates.as_ref().map(Receiver::recv) else { return };
            self.take(update, campaign, jobs);
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

impl Drop for CampaignWorker {
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
