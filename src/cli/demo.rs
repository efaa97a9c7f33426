//! `taproof demo`: runs a campaign on the bundled file manager, and prints its finding step by step.

use std::path::PathBuf;

use super::campaign::{RunOptions, checked, open_workspace, run_stored};
use super::{CommandEnd, Outcome, app_named, print_line, workspace_path};
use taproof_core::campaign::{CampaignPlan, FindingCount};
use taproof_core::engine::{EngineConfig, PbfdroidConfig};
use taproof_phone::Apps;
use taproof_results::report::finding_lines;
use taproof_results::store::StoredPlan;
use taproof_session::shipped_with;

/// The app with the published bug that the demo finds.
const APP: &str = "files";
/// Number of events: enough for the findings, few enough for a few seconds.
const EVENTS: u64 = 10_000;

/// Run the demo campaign in the terminal
#[derive(clap::Args, Default)]
pub struct Options {
    /// The folder for results
    #[arg(long, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let app = app_named(apps, APP)?;
    let manifest = app.manifest();
    let engine = EngineConfig::Pbfdroid(PbfdroidConfig::default());
    let plan = CampaignPlan::new(manifest.package, engine, EVENTS);
    let specs = shipped_with(apps, APP);
    let stored = checked(apps, StoredPlan { plan, specs, traces: Vec::new() })?;
    let mut workspace = open_workspace(&workspace_path(options.workspace.as_ref()))?;
    print_line(&format!(
        "Fuzzing {} ({}, modelled on {}) with {} functions and {EVENTS} events.",
        manifest.label,
        manifest.package,
        manifest.modelled_on,
        stored.plan.spec.dmfs.len()
    ))?;
    let finished = run_stored(apps, &mut workspace, &stored, RunOptions::default())?;
    let findings = &finished.findings;
    print_line(&format!(
        "{} events in {:.1} s, {} finding(s).",
        finished.summary.events,
        finished.summary.seconds,
        findings.len()
    ))?;
    if let Some(found) = most_telling(findings) {
        print_line("")?;
        finding_lines(&found.finding, found.count).iter().try_for_each(|line| print_line(line))?;
        print_line("")?;
        print_line("All findings:")?;
    }
    for found in findings {
        let bugs = found.finding.attribution.words();
        let steps = found.finding.minimal.trace.len();
        print_line(&format!("  {} ({steps} steps; {bugs})", found.finding.title))?;
    }
    print_line("")?;
    print_line(&format!(
        "Results: campaign {} in {}. `taproof replay FINDING` runs one again.",
        finished.campaign,
        workspace.root().join("results.sqlite").display()
    ))?;
    Ok(match finished.ended_early() {
        true => CommandEnd::EndedEarly,
        false if findings.is_empty() => CommandEnd::Found,
        false => CommandEnd::Fine,
    })
}

/// The finding to print: of those that are attributed to the same bugs as the first, the one with the fewest steps.
fn most_telling(findings: &[FindingCount]) -> Option<&FindingCount> {
    let bugs = &findings.first()?.finding.attribution;
    let same = findings.iter().filter(|found| found.finding.attribution == *bugs);
    same.min_by_key(|found| found.finding.minimal.trace.len())
}
