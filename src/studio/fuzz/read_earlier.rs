//! Reads the campaigns of earlier sessions from the workspace: lists them, opens them, loads their curves for comparison,
//! and resumes them. Runs on the disk thread.

use std::sync::Arc;

use super::{BugCard, Coverage, EngineRunState, KeptCurves, OpenedCampaign, Resumed, thin};
use crate::phone::DevicesInUse;
use taproof_campaign::PropertySummary;
use taproof_phone::Apps;
use taproof_results::store::{RunningCampaign, StoreError, StoredCampaign, StoredPlan, Workspace};
use taproof_session::shipped_with;

/// Reads a campaign with its results, and puts its findings on cards.
pub(crate) fn open(workspace: &Workspace, row: i64) -> Result<OpenedCampaign, StoreError> {
    let earlier = workspace.campaign(row)?;
    let campaign = workspace.load_campaign(row)?;
    let cards = campaign.bugs().into_iter().map(BugCard::of).collect();
    let StoredCampaign { plan: stored, outcome, .. } = campaign;
    let spec = spec_words(&stored);
    let plan = Arc::new(stored.plan);
    let summary = outcome.summary.as_ref();
    let properties = summary.into_iter().flat_map(|summary| &summary.properties);
    let counts = summary.into_iter().flat_map(|summary| &summary.findings);
    let findings = outcome.findings;
    Ok(OpenedCampaign {
        earlier,
        spec,
        engines: workspace.engine_summaries(row)?,
        together: summary.map(Coverage::of),
        properties: properties.map(PropertySummary::counts).collect(),
        counts: counts.map(|finding| (finding.id.clone(), finding.count)).collect(),
        curves: curves(workspace, row)?,
        cards,
        findings,
        plan,
    })
}

fn spec_words(stored: &StoredPlan) -> String {
    let names: Vec<&str> = stored.specs.iter().map(|source| source.name.as_str()).collect();
    if names.is_empty() { "no specification".to_owned() } else { names.join(", ") }
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
    row: i64,
    in_use: &DevicesInUse,
) -> Result<(RunningCampaign, Resumed), String> {
    let failed = |error: StoreError| error.to_string();
    let stored = workspace.plan(row).map_err(failed)?;
    stored.plan.check(&apps.facts(&stored.plan.app)).map_err(|error| error.to_string())?;
    if let Some(problem) = stored.plan.device.serials().iter().find_map(|serial| in_use.problem(serial)) {
        return Err(problem);
    }
    let resumed = workspace.resume_campaign(row, |app| shipped_with(apps, app)).map_err(failed)?;
    let curves = curves(workspace, row).map_err(failed)?;
    let spec = spec_words(&stored);
    let plan = Arc::new(stored.plan);
    Ok((resumed.running, Resumed { row, plan, spec, from: resumed.from, curves }))
}
