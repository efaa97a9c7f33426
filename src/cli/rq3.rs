//! `taproof rq3`: full fuzzing against the two baselines of the PBFDroid paper (RQ3), as a Markdown table.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::campaign::{CHECKPOINT_EVERY, checked, open_workspace, run_stored, spec_sources};
use super::{Done, Outcome, say, workspace_path};
use crate::campaign::{Budget, Build, CampaignPlan, ConfirmPlan, Oracles};
use crate::device::embedded::apps::{APPS, BundledApp};
use crate::engine::{EngineConfig, Mode, PbfdroidConfig};
use crate::model::thousands;
use crate::store::{StoredPlan, Workspace};

/// Compare full fuzzing with the paper's baselines on all bundled apps
#[derive(clap::Args)]
pub struct Options {
    /// Events of full fuzzing for an app, and of a baseline for each of its DMFs
    #[arg(long, default_value_t = 40_000)]
    events: u64,
    /// The seed of all chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object instead of a Markdown table
    #[arg(long)]
    json: bool,
}

const MODES: [(Mode, &str); 3] = [(Mode::Full, "full"), (Mode::A, "baseline A"), (Mode::B, "baseline B")];

/// What one mode found in one app.
struct Cell {
    events: u64,
    bugs: BTreeSet<String>,
}

pub fn run(options: &Options) -> Outcome {
    let mut workspace = open_workspace(&workspace_path(options.workspace.as_ref()))?;
    let mut rows: Vec<(&BundledApp, Vec<Cell>)> = Vec::new();
    for app in APPS {
        let mut cells = Vec::new();
        for (mode, name) in MODES {
            eprintln!("{}: {name}", app.short_name());
            cells.push(cell(&mut workspace, app, mode, options)?);
        }
        rows.push((app, cells));
    }
    if options.json {
        say(&as_json(&rows).to_string());
    } else {
        print(&rows);
    }
    Ok(Done::Fine)
}

fn cell(
    workspace: &mut Workspace,
    app: &BundledApp,
    mode: Mode,
    options: &Options,
) -> Result<Cell, super::Failure> {
    let stored = checked(StoredPlan {
        plan: CampaignPlan {
            app: app.manifest().package.to_owned(),
            build: Build::Faulty,
            engines: vec![EngineConfig::Pbfdroid(PbfdroidConfig { mode, ..PbfdroidConfig::default() })],
            spec: Default::default(),
            given: Vec::new(),
            seed: options.seed,
            budget: Budget { max_events: options.events, max_device_millis: None },
            oracles: Oracles::default(),
            confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        },
        specs: spec_sources(app, &[])?,
        traces: Vec::new(),
    })?;
    let finished = run_stored(workspace, &stored, CHECKPOINT_EVERY)?;
    let findings = &finished.summary.findings;
    let bugs = findings.iter().flat_map(|finding| finding.attributed_bugs.iter().cloned()).collect();
    Ok(Cell { events: finished.summary.events, bugs })
}

fn print(rows: &[(&BundledApp, Vec<Cell>)]) {
    say("| app | full | baseline A | baseline B | only full finds |");
    say("| --- | --- | --- | --- | --- |");
    let mut sums = [0; MODES.len()];
    for (app, cells) in rows {
        let counts: Vec<String> = cells
            .iter()
            .map(|cell| {
                let bugs = if cell.bugs.len() == 1 { "bug" } else { "bugs" };
                format!("{} {bugs} in {} events", cell.bugs.len(), thousands(cell.events))
            })
            .collect();
        for (sum, cell) in sums.iter_mut().zip(cells) {
            *sum += cell.bugs.len();
        }
        say(&format!(
            "| {} | {} | {} |",
            app.manifest().label,
            counts.join(" | "),
            only_full(cells).join(", ")
        ));
    }
    let sums: Vec<String> = sums.iter().map(|sum| format!("**{sum} bugs**")).collect();
    say(&format!("| all | {} | |", sums.join(" | ")));
}

fn only_full(cells: &[Cell]) -> Vec<String> {
    let Some((full, baselines)) = cells.split_first() else { return Vec::new() };
    let elsewhere = |bug: &&String| baselines.iter().any(|cell| cell.bugs.contains(*bug));
    full.bugs.iter().filter(|bug| !elsewhere(bug)).cloned().collect()
}

fn as_json(rows: &[(&BundledApp, Vec<Cell>)]) -> Value {
    let apps: Vec<Value> = rows
        .iter()
        .map(|(app, cells)| {
            let modes: Vec<Value> = MODES
                .iter()
                .zip(cells)
                .map(|((mode, _), cell)| json!({ "mode": mode.word(), "events": cell.events, "bugs": cell.bugs }))
                .collect();
            json!({ "app": app.short_name(), "modes": modes })
        })
        .collect();
    json!({ "apps": apps })
}
