//! Confirms and minimises a finding on a separate thread, from where its campaign left off.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use super::{FindingKey, Minimising, with_steps};
use crate::shell::Place;
use taproof_core::campaign::{Finding, FindingState};
use taproof_core::engine::{CampaignStats, Stop, Task};
use taproof_core::worker::{self, CancelToken, Lane, Latest, PanicReport, Worker};
use taproof_phone::Apps;
use taproof_results::store::Workspace;
use taproof_session::{Pursuit, PursuitSink, pursue_finding};

use crate::app::jobs::Job;
use crate::app::{Studio, now};

/// Maximum number of updates that wait for the window.
const MAX_WAITING: usize = 16;
/// Time between two reports of progress.
const PROGRESS: Duration = Duration::from_millis(100);

enum Update {
    /// More is known of the finding, and the workspace has it.
    Stored(Arc<Finding>),
    /// It is over: what is known of the finding, and whether there is nothing left to do, or why it failed.
    Ended(Result<(FindingState, bool), String>),
    Broken(PanicReport),
}

/// Handle of the thread. Dropping it ends the work and waits for the thread.
pub(crate) struct MinimiseWorker {
    updates: Receiver<Update>,
    progress: Latest<(u64, Task)>,
    thread: Worker,
}

struct Sink<W> {
    lane: Lane<Update, W>,
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
        self.lane.send(Update::Stored(Arc::clone(finding)));
    }
}

impl MinimiseWorker {
    fn start(
        key: FindingKey,
        workspace: PathBuf,
        apps: Apps,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<MinimiseWorker> {
        let (token, progress) = (CancelToken::new(), Latest::new());
        let (lane, updates) = Lane::new(MAX_WAITING, &token, wake.clone());
        let on_panic = lane.on_panic(Update::Broken);
        let mut sink = Sink { lane, progress: progress.clone(), wake, reported: now() };
        let cancel = token.clone();
        let work = move || {
            let ended = minimise(&key, workspace, &apps, &cancel, &mut sink);
            sink.lane.send(Update::Ended(ended.map_err(|error| format!("{error:#}"))));
        };
        let thread = worker::spawn("minimise", &token, work, on_panic)?;
        Ok(MinimiseWorker { updates, progress, thread })
    }
}

fn minimise(
    key: &FindingKey,
    workspace: PathBuf,
    apps: &Apps,
    cancel: &CancelToken,
    sink: &mut dyn PursuitSink,
) -> anyhow::Result<(FindingState, bool)> {
    let mut workspace = Workspace::open(&workspace)?;
    let stored = workspace.load_finding_of(key.campaign, &key.name)?;
    let plan = stored.plan.plan;
    plan.check(&apps.facts())?;
    let cancel = cancel.clone();
    let unwanted = Arc::new(move || cancel.asked_to_stop());
    let pursuit = Pursuit { campaign: key.campaign, plan: &plan, limit: None, unwanted };
    let pursued = pursue_finding(apps, &mut workspace, stored.finding, &pursuit, sink)?;
    let state = FindingState::of(&pursued.finding);
    match pursued.end {
        Err(Stop::Device(error)) => Err(error.into()),
        Ok(()) => Ok((state, true)),
        Err(Stop::Cancelled | Stop::BudgetSpent | Stop::TestOver) => Ok((state, false)),
    }
}

impl Studio {
    /// Confirms and minimises the finding that is open in Replay.
    pub(crate) fn minimise_finding(&mut self, key: FindingKey) {
        let Some(replay) = self.state.replay.as_ref().filter(|replay| replay.source.key == key) else {
            return;
        };
        let (number, device) = (replay.source.number, replay.source.plan.device.clone());
        if let Some(minimising) = &self.state.minimising {
            let text = format!(
                "Finding {} is being minimised. Stop it or wait until it is over.",
                minimising.number
            );
            return self.state.notify_failure(text);
        }
        if !self.lend(&device, "minimisation") {
            return;
        }
        match MinimiseWorker::start(key.clone(), self.workspace.clone(), self.apps.clone(), self.wake()) {
            Ok(worker) => {
                self.minimiser = Some(worker);
                self.state.minimising =
                    Some(Minimising { key, number, device, events: 0, task: Task::default() });
            }
            Err(error) => self.state.notify_failure(format!("The finding cannot be minimised: {error}")),
        }
    }

    /// Ends the work after the current event.
    pub(crate) fn stop_minimising(&self) {
        if let Some(worker) = &self.minimiser {
            worker.thread.cancel();
        }
    }

    /// Takes what the thread reported.
    pub(crate) fn drain_minimiser(&mut self) {
        let Some(worker) = &self.minimiser else { return };
        if let (Some((events, task)), Some(minimising)) =
            (worker.progress.take(), self.state.minimising.as_mut())
        {
            (minimising.events, minimising.task) = (events, task);
        }
        let updates: Vec<Update> = worker.updates.try_iter().collect();
        for update in updates {
            match update {
                Update::Stored(finding) => self.take_stored(finding),
                Update::Ended(ended) => self.minimised(ended),
                Update::Broken(report) => {
                    self.minimised(Err(format!(
                        "a mistake of Taproof\u{2019}s own ended it: {}",
                        report.message
                    )));
                }
            }
        }
    }

    /// Lists the finding as it is known now, in Replay and in its campaign if that is in the window.
    fn take_stored(&mut self, finding: Arc<Finding>) {
        self.ask(Job::History);
        let Some(minimising) = &self.state.minimising else { return };
        let campaign = Some(minimising.key.campaign);
        if let Some(campaign) = self.state.campaigns.list.iter_mut().find(|known| known.row == campaign) {
            campaign.take_finding(finding);
        }
    }

    fn minimised(&mut self, ended: Result<(FindingState, bool), String>) {
        if let Some(worker) = self.minimiser.take() {
            self.leaving.add(worker.thread);
        }
        let Some(Minimising { key, number, .. }) = self.state.minimising.take() else { return };
        match ended {
            Ok((state, true)) => self.state.notify(format!("Finding {number}: {}.", with_steps(state))),
            Ok((state, false)) => {
                self.state.notify(format!("Stopped. Finding {number}: {}.", with_steps(state)));
            }
            Err(problem) => {
                self.state.notify_failure(format!("Finding {number} was not minimised: {problem}."));
            }
        }
        self.ask(Job::History);
        // Whoever has waited for it wants to see it.
        let open = self.state.replay.as_ref().is_some_and(|replay| replay.source.key == key);
        if open && self.state.settings.place == Place::Replay {
            self.open_finding(key);
        }
    }
}
