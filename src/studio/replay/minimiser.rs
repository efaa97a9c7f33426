//! Confirms and minimises a finding beside the window, from where its campaign left off.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::reporter::{Reporter, Resources};
use crate::state::FindingKey;
use crate::wall_clock::now;
use taproof_campaign::{Finding, FindingState};
use taproof_engine::{CampaignStats, Stop, Task};
use taproof_results::store::Workspace;
use taproof_session::{Pursuit, PursuitSink, pursue_finding};

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
}

struct Sink<'r> {
    reporter: &'r Reporter<'r, MinimiserNews>,
    /// When progress was last reported.
    reported: Instant,
}

impl PursuitSink for Sink<'_> {
    fn wants_progress(&mut self) -> bool {
        self.reported.elapsed() >= PROGRESS
    }

    fn progress(&mut self, stats: &CampaignStats) {
        self.reported = now();
        (self.reporter.progress)(MinimiserNews::Progress(stats.reexecuted, stats.task));
    }

    fn stored(&mut self, finding: &Arc<Finding>) {
        (self.reporter.tell)(MinimiserNews::Stored(Arc::clone(finding)));
    }
}

/// Confirms and minimises a finding until nothing is left to do. Cancelling ends that after the current event.
pub(crate) fn minimise(
    key: &FindingKey,
    with: &Resources,
    reporter: &Reporter<'_, MinimiserNews>,
) -> MinimiserNews {
    MinimiserNews::Ended(minimised(key, with, reporter).map_err(|error| format!("{error:#}")))
}

fn minimised(
    key: &FindingKey,
    with: &Resources,
    reporter: &Reporter<'_, MinimiserNews>,
) -> anyhow::Result<(FindingState, bool)> {
    let mut workspace = Workspace::open(&with.workspace)?;
    let stored = workspace.load_finding_of(key.campaign, &key.name)?;
    let plan = stored.plan.plan;
    plan.check(&with.phones.apps().facts(&plan.app))?;
    let pursuit =
        Pursuit { campaign: key.campaign, plan: &plan, limit: None, unwanted: reporter.cancel.unwanted() };
    let mut sink = Sink { reporter, reported: now() };
    let pursued = pursue_finding(&with.phones, &mut workspace, stored.finding, &pursuit, &mut sink)?;
    let state = FindingState::of(&pursued.finding);
    match pursued.end {
        Err(Stop::Device(error)) => Err(error.into()),
        Ok(()) => Ok((state, true)),
        Err(Stop::Cancelled | Stop::BudgetSpent | Stop::TestOver) => Ok((state, false)),
    }
}
