//! `taproof demo`: a campaign on the bundled file manager, and its finding told step by step.

use std::path::PathBuf;

use super::campaign::{CHECKPOINT_EVERY, checked, open_workspace, run_stored, spec_sources};
use super::{Done, Outcome, app_named, say, workspace_path};
use taproof_core::campaign::{CampaignPlan, FindingCount};
use taproof_core::engine::{EngineConfig, PbfdroidConfig};
use taproof_results::report::finding_lines;
use taproof_results::store::StoredPlan;

/// The app whose published bug the demo finds.
const APP: &str = "files";
/// Enough events for its findings, few enough for a few seconds.
const EVENTS: u64 = 10_000;

/// Run the demo campaign in the terminal
#[derive(clap::Args, Default)]
pub struct Options {
    /// The folder for results
    #[arg(long, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
}

pub fn run(options: &Options) -> Outcome {
    let app = app_named(APP)?;
    let manifest = app.manifest();
    let stored = checked(StoredPlan {
        plan: CampaignPlan::new(manifest.package, EngineConfig::Pbfdroid(PbfdroidConfig::default()), EVENTS),
        specs: spec_sources(app, &[])?,
        traces: Vec::new(),
    })?;
    let mut workspace = open_workspace(&workspace_path(options.workspace.as_ref()))?;
    say(&format!(
        "Fuzzing {} ({}, modelled on {}) with {} functions and {EVENTS} events.",
        manifest.label,
        manifest.package,
        manifest.modelled_on,
        stored.plan.spec.dmfs.len()
    ))?;
    let finished = run_stored(&mut workspace, &stored, CHECKPOINT_EVERY)?;
    let findings = &finished.findings;
    say(&format!(
        "{} events in {:.1} s, {} finding(s).",
        finished.summary.events,
        finished.summary.seconds,
        findings.len()
    ))?;
    if let Some(found) = told(findings) {
        say("")?;
        finding_lines(&found.finding, found.count).iter().try_for_each(|line| say(line))?;
        say("")?;
        say("All findings:")?;
    }
    for found in findings {
        let bugs = found.finding.attribution.words();
        let steps = found.finding.minimal.trace.len();
        say(&format!("  {} ({steps} steps; {bugs})", found.finding.title))?;
    }
    say("")?;
    say(&format!(
        "Results: campaign {} in {}. `taproof replay FINDING` runs one again.",
        finished.campaign,
        workspace.root().join("results.sqlite").display()
    ))?;
    Ok(if findings.is_empty() { Done::Found } else { Done::Fine })
}

/// The finding to tell: of those that are put down to the same bug as the first, the one with the fewest steps.
fn told(findings: &[FindingCount]) -> Option<&FindingCount> {
    let bugs = &findings.first()?.finding.attribution;
    let same = findings.iter().filter(|found| found.finding.attribution == *bugs);
    same.min_by_key(|found| found.finding.minimal.trace.len())
}
