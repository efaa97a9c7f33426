//! Re-executes a finding and judges whether it appears again.

use taproof_campaign::{
    CampaignPlan, Confirmation, Finding, RetraceOutcome, Retraced, SavedTrace, retrace, retrace_pair,
};
use taproof_engine::Stop;
use taproof_engine::device::DeviceSource;

/// How often a finding that may be a race is re-executed.
const RACE_TIMES: u32 = 8;

/// What the re-executions of a finding have shown.
pub struct ReplayedFinding {
    /// The first re-execution in which the finding appeared, or else the last one.
    pub retraced: Retraced,
    /// Number of re-executions.
    pub times: u32,
    /// Number of re-executions in which the finding appeared.
    pub hits: u32,
}

impl ReplayedFinding {
    /// Whether the finding appeared; `None` if that could not be judged.
    pub fn reproduced(&self) -> Option<bool> {
        // What a finding's trace expects is that the finding does not appear.
        match self.retraced.outcome() {
            RetraceOutcome::Failed => Some(true),
            RetraceOutcome::Passed => Some(false),
            RetraceOutcome::Unjudged => None,
        }
    }
}

/// Re-executes the minimal trace of a finding, each time on a fresh phone, and judges whether the finding appears. Without
/// `times` it is done once, or, if the finding may be a race, until it appears.
///
/// # Errors
///
/// [`Stop::Cancelled`] if `cancelled` returns true, [`Stop::Device`] if the phone fails.
pub fn replay_finding(
    (plan, finding): (&CampaignPlan, &Finding),
    times: Option<u32>,
    phones: &mut dyn DeviceSource,
    cancelled: &dyn Fn() -> bool,
) -> Result<ReplayedFinding, Stop> {
    let mut again = || match &finding.reference {
        None => retrace(&SavedTrace::of_finding(plan, finding), phones, cancelled),
        Some(reference) => retrace_pair(plan, finding, reference, phones, cancelled),
    };
    let most = times.unwrap_or_else(|| times_of(finding));
    let hit = |retraced: &Retraced| u32::from(retraced.outcome() == RetraceOutcome::Failed);
    let first = again()?;
    let mut replayed = ReplayedFinding { hits: hit(&first), retraced: first, times: 1 };
    while replayed.times < most && (times.is_some() || replayed.hits == 0) {
        let next = again()?;
        let appeared = replayed.hits > 0;
        replayed.times += 1;
        replayed.hits += hit(&next);
        if !appeared {
            replayed.retraced = next;
        }
    }
    Ok(replayed)
}

/// How often a finding is re-executed before it counts as not reproduced: several times if it may be a race.
fn times_of(finding: &Finding) -> u32 {
    match finding.confirmation {
        Confirmation::Reproduced { .. } => 1,
        Confirmation::Untried | Confirmation::Flaky { .. } => RACE_TIMES,
    }
}
