//! Goes on with a finding of a workspace that its campaign could not confirm or minimise within its budget.

use std::sync::Arc;

use taproof_campaign::{CampaignPlan, CampaignSink, Finding, pursue};
use taproof_engine::device::DeviceSource;
use taproof_engine::worker::Unwanted;
use taproof_engine::{CampaignStats, Stop};
use taproof_results::store::{StoreError, Workspace, read_initialiser};

use super::TestPhones;

/// What shall be done with a finding.
pub struct Pursuit<'p> {
    /// The row of the finding's campaign.
    pub campaign: i64,
    /// The campaign's plan, checked.
    pub plan: &'p CampaignPlan,
    /// Maximum number of re-executed events, if there is one.
    pub limit: Option<u64>,
    /// Returns true once the pursuit shall end.
    pub unwanted: Unwanted,
}

/// Receives the progress of a pursuit.
pub trait PursuitSink {
    /// Whether somebody waits for [`PursuitSink::progress`]; asked after each event.
    fn wants_progress(&mut self) -> bool;
    /// What was counted so far.
    fn progress(&mut self, stats: &CampaignStats);
    /// More is known of the finding, and the workspace has it.
    fn stored(&mut self, _finding: &Arc<Finding>) {}
}

/// What is known of a finding at the end.
pub struct Pursued {
    /// The finding as it is stored now.
    pub finding: Arc<Finding>,
    /// Why the pursuit ended early, if it did.
    pub end: Result<(), Stop>,
}

/// A pursuit cannot begin, or its results cannot be stored.
#[derive(Debug, thiserror::Error)]
pub enum PursuitError {
    /// The campaign's plan does not have the engine of the finding.
    #[error("campaign {campaign} has no engine {engine:?}")]
    NoEngine {
        /// The row of the campaign.
        campaign: i64,
        /// The name of the engine.
        engine: String,
    },
    /// The campaign is running, or the workspace cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Confirms and minimises a finding from where its campaign left off. Whatever becomes known is stored at once.
///
/// # Errors
///
/// If the campaign is running or does not have the finding's engine, or the workspace cannot be written.
pub fn pursue_finding(
    phones: &TestPhones,
    workspace: &mut Workspace,
    finding: Finding,
    pursuit: &Pursuit<'_>,
    sink: &mut dyn PursuitSink,
) -> Result<Pursued, PursuitError> {
    let Pursuit { campaign, plan, limit, unwanted } = pursuit;
    if workspace.is_running(*campaign) {
        return Err(StoreError::Running { id: *campaign }.into());
    }
    let engine = plan.engines.iter().enumerate().find(|(_, engine)| engine.name() == finding.engine);
    let missing = || PursuitError::NoEngine { campaign: *campaign, engine: finding.engine.to_string() };
    let (place, engine) = engine.ok_or_else(missing)?;
    let latest = Arc::new(finding.clone());
    if finding.finished {
        return Ok(Pursued { finding: latest, end: Ok(()) });
    }
    let stored = read_initialiser(workspace.root(), &plan.app)?;
    let command = stored.and_then(|stored| stored.before_test);
    let mut phones = phones.of(plan, place).running_before_tests(command);
    phones.unwanted_when(Arc::clone(unwanted));
    let mut updates = Updates { workspace, campaign: *campaign, sink, latest, failed: None };
    let cancelled = || unwanted();
    let sink = (&cancelled as &dyn Fn() -> bool, &mut updates as &mut dyn CampaignSink);
    let end = pursue(plan, engine, finding, *limit, &mut phones, sink);
    match updates.failed {
        Some(error) => Err(error.into()),
        None => Ok(Pursued { finding: updates.latest, end }),
    }
}

/// Writes what becomes known of the finding to its row.
struct Updates<'w> {
    workspace: &'w mut Workspace,
    campaign: i64,
    sink: &'w mut dyn PursuitSink,
    latest: Arc<Finding>,
    /// Why an update could not be written.
    failed: Option<StoreError>,
}

impl CampaignSink for Updates<'_> {
    fn wants_progress(&mut self) -> bool {
        self.sink.wants_progress()
    }

    fn progress(&mut self, stats: &CampaignStats) {
        self.sink.progress(stats);
    }

    fn finding(&mut self, finding: Arc<Finding>) {
        match self.workspace.update_finding(self.campaign, &finding) {
            Ok(_) => self.sink.stored(&finding),
            Err(error) => drop(self.failed.get_or_insert(error)),
        }
        self.latest = finding;
    }
}
