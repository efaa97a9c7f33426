//! Reads the campaigns of earlier sessions from the workspace: lists them, opens them, loads their curves for comparison,
//! and resumes them. Runs on the disk thread.

use std::sync::Arc;

use super::{CampaignState, EngineRunState, KeptCurves, StartingCampaign, thin};
use crate::phone::DevicesInUse;
use crate::state::CampaignId;
use taproof_campaign::Finding;
use taproof_phone::Apps;
use taproof_results::store::{RunningCampaign, StoreError, StoredCampaign, StoredPlan, Workspace};
use taproof_session::shipped_with;

/// Reads a campaign with its results, and its findings.
pub(crate) fn open(
    workspace: &Workspace,
    id: CampaignId,
    row: i64,
) -> Result<(CampaignState, Vec<Arc<Finding>>), StoreError> {
    let earlier = workspace.campaign(row)?;
    let StoredCampaign { plan, outcome, .. } = workspace.load_campaign(row)?;
    let mut campaign = kept(workspace, id, row, plan)?;
    campaign.became_earlier(earlier, workspace.engine_summaries(row)?);
    outcome.summary.into_iter().for_each(|summary| campaign.take_summary(summary));
    Ok((campaign, outcome.findings))
}

/// What the window shows of a campaign of the workspace, with the curves of its engines.
fn kept(
    workspace: &Workspace,
    id: CampaignId,
    row: i64,
    stored: StoredPlan,
) -> Result<CampaignState, StoreError> {
    let names: Vec<&str> = stored.specs.iter().map(|source| source.name.as_str()).collect();
    let spec = if names.is_empty() { "no specification".to_owned() } else { names.join(", ") };
    let mut campaign = CampaignState::new(id, stored.plan.app.clone(), spec, Arc::new(stored.plan));
    campaign.row = Some(row);
    for (run, (_, samples)) in campaign.runs.iter_mut().zip(curves(workspace, row)?.runs) {
        run.seconds = samples.last().map_or(0.0, |last| last.millis as f64 / 1000.0);
        run.samples = samples;
    }
    Ok(campaign)
}

/// Returns the progress curves of a campaign's engines.
pub(crate) fn curves(workspace: &Workspace, row: i64) -> Result<KeptCurves, StoreError> {
    let plan = workspace.plan(row)?.plan;
    let samples = workspace.samples(row)?;
    let of = |place: usize| {
        let of = samples.iter().filter(|sample| sample.run as usize == place);
        let mut curve = of.copied().collect();
        thin(&mut curve);
        curve
    };
    let engines = plan.engines.iter().enumerate();
    let run = |(place, engine)| (EngineRunState::new(engine, 0).label, of(place));
    Ok(KeptCurves { row, runs: engines.map(run).collect() })
}

/// Prepares an interrupted campaign to be resumed.
///
/// # Errors
///
/// If its specifications cannot be read, its plan is not valid any more, one of its devices is in use, or its
/// checkpoints cannot be read.
pub(crate) fn resume(
    apps: &Apps,
    workspace: &mut Workspace,
    (id, row): (CampaignId, i64),
    in_use: &DevicesInUse,
) -> Result<(RunningCampaign, StartingCampaign), String> {
    let failed = |error: StoreError| error.to_string();
    let stored = workspace.plan(row).map_err(failed)?;
    stored.plan.check(&apps.facts(&stored.plan.app)).map_err(|error| error.to_string())?;
    if let Some(problem) = stored.plan.device.serials().iter().find_map(|serial| in_use.problem(serial)) {
        return Err(problem);
    }
    let resumed = workspace.resume_campaign(row, |app| shipped_with(apps, app)).map_err(failed)?;
    let campaign = kept(workspace, id, row, stored).map_err(failed)?;
    Ok((resumed.running, StartingCampaign { campaign, from: resumed.from, command: None, stored: None }))
}
