//! Reads the campaigns of earlier sessions from the workspace: lists them, loads their curves for comparison, and
//! resumes them. Runs on the disk thread.

use std::sync::Arc;

use super::{EarlierCampaign, EngineRunState, KeptCurves, Resumed, Sample, thin};
use crate::phone::DevicesInUse;
use taproof_phone::Apps;
use taproof_results::store::{RunningCampaign, StoreError, StoredPlan, Workspace};
use taproof_session::shipped_with;

/// Returns all campaigns, the newest first.
pub(crate) fn earlier(workspace: &Workspace) -> Result<Vec<EarlierCampaign>, StoreError> {
    let rows = workspace.campaigns()?.into_iter();
    let campaign = |row: taproof_results::store::CampaignRow| EarlierCampaign {
        row: row.id,
        app: row.app,
        build: row.build,
        engines: row.engine.replace(',', ", "),
        seed: row.seed,
        events: row.events,
        findings: row.findings,
        end: row.end,
    };
    Ok(rows.map(campaign).collect())
}

/// Returns the progress curves of a campaign's engines.
pub(crate) fn curves(workspace: &Workspace, row: i64) -> Result<KeptCurves, StoreError> {
    let plan = StoredPlan::from_json(&workspace.campaign(row)?.plan)?.plan;
    let samples = workspace.samples(row)?;
    let of = |place: usize| {
        let of = samples.iter().filter(|sample| sample.run as usize == place);
        let mut curve = of.map(Sample::from).collect();
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
    row: i64,
    in_use: &DevicesInUse,
) -> Result<(RunningCampaign, Resumed), String> {
    let failed = |error: StoreError| error.to_string();
    let stored = StoredPlan::from_json(&workspace.campaign(row).map_err(failed)?.plan).map_err(failed)?;
    stored.plan.check(&apps.facts()).map_err(|error| error.to_string())?;
    if let Some(problem) = stored.plan.device.serials().iter().find_map(|serial| in_use.problem(serial)) {
        return Err(problem);
    }
    let resumed = workspace.resume_campaign(row, |app| shipped_with(apps, app)).map_err(failed)?;
    let curves = curves(workspace, row).map_err(failed)?;
    let names: Vec<&str> = stored.specs.iter().map(|source| source.name.as_str()).collect();
    let spec = if names.is_empty() { "no specification".to_owned() } else { names.join(", ") };
    let plan = Arc::new(stored.plan);
    Ok((resumed.running, Resumed { row, plan, spec, from: resumed.from, curves }))
}
