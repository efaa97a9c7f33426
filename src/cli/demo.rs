//! `taproof demo`: runs a campaign on the bundled file manager, and prints its bugs, one of them step by step.

use std::path::PathBuf;

use super::{CommandEnd, Outcome, app_named, print_line, workspace_path};
use crate::cli::fuzz::campaign::{RunOptions, checked, open_workspace, run_stored};
use taproof_campaign::{Bug, BugClass, CampaignPlan, FIRST_BUGS, counted_bugs, of_class};
use taproof_engine::{EngineConfig, PbfdroidConfig};
use taproof_phone::Apps;
use taproof_results::report::finding_lines;
use taproof_results::store::StoredPlan;
use taproof_screen::thousands;
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
    let finished = run_stored(apps, &mut workspace, &stored, RunOptions::default())?;
    let bugs = finished.bugs();
    let (events, seconds) = (thousands(finished.summary.events), finished.summary.seconds);
    print_line(&format!("{events} events in {seconds:.1} s, {}.", counted_bugs(&bugs)))?;
    finished.print_bugs(&bugs, options.workspace.as_ref(), ": `taproof findings` lists them")?;
    // The bug that was found first.
    let found = |bug: &Bug| bug.findings.iter().map(|finding| finding.first.event).min();
    let first = of_class(&bugs, BugClass::Bug).iter().take(FIRST_BUGS).enumerate();
    let told = first.min_by_key(|(_, bug)| found(bug));
    if let Some((place, Bug { shown, .. })) = told {
        print_line("")?;
        print_line(&format!("Bug {} step by step:", place + 1))?;
        let count = finished.findings.iter().find(|found| found.finding.id == shown.id);
        let lines = finding_lines(shown, count.map_or(1, |found| found.count));
        lines.iter().skip(1).try_for_each(|line| print_line(line))?;
    }
    print_line("")?;
    print_line(&format!(
        "Results: campaign {} in {}. `taproof replay FINDING` runs one again.",
        finished.campaign,
        workspace.root().join("results.sqlite").display()
    ))?;
    Ok(match finished.ended_early() {
        true => CommandEnd::EndedEarly,
        false if told.is_none() => CommandEnd::Found,
        false => CommandEnd::Fine,
    })
}
