//! Confirms and minimises a finding on a separate thread, from where its campaign left off.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use crate::state::FindingKey;
use crate::wall_clock::now;
use taproof_core::campaign::{Finding, FindingState};
use taproof_core::engine::{CampaignStats, Stop, Task};
use taproof_core::worker::{self, CancelToken, Lane, Latest, Worker};
use taproof_results::store::Workspace;
use taproof_session::{Pursuit, PursuitSink, TestPhones, pursue_finding};

/// Maximum number of updates that wait for the window.
const MAX_WAITING: usize = 16;
/// Time between two reports of progress.
const PROGRESS: Duration = Duration::from_millis(100);

/// What is known of the finding that is being minimised.
pub(crate) enum MinimiserNews {
    /// Number of events that were performed again, and what they are for.
    Progress(u64, Task),
    /// More is known of the finding, and the workspace has it.
    Stored(Arc<Finding>),
    /// It is over: what is known of the finding, and whether there is nothing left to do, or why it failed.
    Ended(Result<(FindingState, bool), String>),
    /// The thread was not started; the reason.
    NotStarted(String),
}

/// Handle of the thread. Dropping it ends the work and waits for the thread.
pub(crate) struct MinimiseWorker {
    updates: Receiver<MinimiserNews>,
    progress: Latest<(u64, Task)>,
    thread: Worker,
}

struct Sink<W> {
    lane: Lane<MinimiserNews, W>,
    progress: Latest<(u64, Task)>,
    wake: W,
    /// When progress was last reported.
    reported: Instant,
}

impl<W: Fn()> PursuitSink for Sink<W> {
    fn wants_progress(&mut self) -> bool {
        self.reported.elapsed() >= PROGRESS
    }

    fn progress(&mut self, stats: &CampaignStats) {
        self.reported = now();
        self.progress.publish((stats.reexecuted, stats.task));
        (self.wake)();
    }

    fn stored(&mut self, finding: &Arc<Finding>) {
        self.lane.send(MinimiserNews::Stored(Arc::clone(finding)));
    }
}

impl MinimiseWorker {
    pub fn start(
        key: FindingKey,
        workspace: PathBuf,
        phones: TestPhones,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<MinimiseWorker> {
        let (token, progress) = (CancelToken::new(), Latest::new());
        let (lane, updates) = Lane::new(MAX_WAITING, &token, wake.clone());
        let on_panic = lane.on_panic(|report| {
            let why = format!("a mistake of Taproof’s own ended it: {}", report.message);
            MinimiserNews::Ended(Err(why))
        });
        let mut sink = Sink { lane, progress: progress.clone(), wake, reported: now() };
        let cancel = token.clone();
        let work = move || {
            let ended = minimise(&key, workspace, &phones, &cancel, &mut sink);
            sink.lane.send(MinimiserNews::Ended(ended.map_err(|error| format!("{error:#}"))));
        };
        let thread = worker::spawn("minimise", &token, work, on_panic)?;
        Ok(MinimiseWorker { updates, progress, thread })
    }

    /// Takes what the thread has reported, and returns whether it is over.
    pub fn news(&self) -> (Vec<MinimiserNews>, bool) {
        let progress = self.progress.take().map(|(events, task)| MinimiserNews::Progress(events, task));
        let news: Vec<MinimiserNews> = progress.into_iter().chain(self.updates.try_iter()).collect();
        let over = news.iter().any(|news| matches!(news, MinimiserNews::Ended(_)));
        (news, over)
    }

    /// Ends the work after the current event.
    pub fn cancel(&self) {
        self.thread.cancel();
    }

    /// Returns the thread and discards its further updates.
    pub fn retire(self) -> Worker {
        self.thread
    }
}

fn minimise(
    key: &FindingKey,
    workspace: PathBuf,
    phones: &TestPhones,
    cancel: &CancelToken,
    sink: &mut dyn PursuitSink,
) -> anyhow::Result<(FindingState, bool)> {
    let mut workspace = Workspace::open(&workspace)?;
    let stored = workspace.load_finding_of(key.campaign, &key.name)?;
    let plan = stored.plan.plan;
    plan.check(&phones.apps().facts(&plan.app))?;
    let cancel = cancel.clone();
    let unwanted = Arc::new(move || cancel.asked_to_stop());
    let pursuit = Pursuit { campaign: key.campaign, plan: &plan, limit: None, unwanted };
    let pursued = pursue_finding(phones, &mut workspace, stored.finding, &pursuit, sink)?;
    let state = FindingState::of(&pursued.finding);
    match pursued.end {
        Err(Stop::Device(error)) => Err(error.into()),
        Ok(()) => Ok((state, true)),
        Err(Stop::Cancelled | Stop::BudgetSpent | Stop::TestOver) => Ok((state, false)),
    }
}
