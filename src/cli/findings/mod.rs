//! `taproof findings`: lists what campaigns found, grouped by the bug that they show.

pub(crate) mod bug;
mod bug_list;
pub(crate) mod bugs;
pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod log;
pub(crate) mod merge;
pub(crate) mod minimise;
pub(crate) mod replay;
pub(crate) mod stuck;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{CommandEnd, Failure, Outcome, bad_input, print_json, print_line, workspace_path};
use crate::cli::fuzz::campaign::open_results;
use bug_list::BugOptions;
use taproof_engine::ENGINES;
use taproof_results::store::{BugOf, FindingRow, engines_of};
use taproof_screen::OracleKind;

/// List what campaigns found; findings of one bug stand together
#[derive(clap::Args)]
pub struct Options {
    /// Only this campaign, by its number; all if left out
    campaign: Option<i64>,
    /// Only what this engine found
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Only what this oracle says: property, invariant, crash, anr, loading, genie or odin
    #[arg(long, value_name = "NAME")]
    oracle: Option<String>,
    #[command(flatten)]
    bugs: BugOptions,
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Outcome {
    let engines: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
    known("engine", options.engine.as_deref(), &engines)?;
    known("oracle", options.oracle.as_deref(), &OracleKind::ALL.map(OracleKind::name))?;
    let root = workspace_path(options.workspace.as_ref());
    let workspace = open_results(&root)?;
    if options.bugs.asked() {
        return options.bugs.list(workspace, options.oracle.as_deref(), options.json);
    }
    if let Some(id) = options.campaign {
        workspace.campaign(id)?;
    }
    let mut rows = workspace.findings(options.campaign)?;
    let wanted = |asked: &Option<String>, has: &str| asked.as_deref().is_none_or(|asked| asked == has);
    rows.retain(|row| wanted(&options.engine, &row.engine) && wanted(&options.oracle, &row.oracle));
    let mut bugs: BTreeMap<i64, BTreeMap<String, BugOf>> = BTreeMap::new();
    for row in &rows {
        // What is damaged is said when it is opened.
        bugs.entry(row.campaign).or_insert_with(|| workspace.bugs_of(row.campaign).unwrap_or_default());
    }
    drop(workspace);
    let bug_of = |row: &FindingRow| bugs.get(&row.campaign)?.get(&row.name);
    let shown = |row: &FindingRow| {
        (row.campaign, bug_of(row).map_or_else(|| row.name.clone(), |bug| bug.shown.clone()))
    };
    let mut first: BTreeMap<(i64, String), i64> = BTreeMap::new();
    for row in &rows {
        first.entry(shown(row)).or_insert(row.id);
    }
    rows.sort_by_cached_key(|row| (row.campaign, first.get(&shown(row)).copied()));
    let groups: Vec<&[FindingRow]> = rows.chunk_by(|one, other| shown(one) == shown(other)).collect();
    if options.json {
        print_json(&json!({ "causes": groups.iter().map(|rows| group_json(rows)).collect::<Vec<_>>() }))?;
    } else if groups.is_empty() {
        print_line(&format!("no such findings in {}", root.display()))?;
    } else {
        print(&groups, bug_of)?;
    }
    Ok(CommandEnd::Fine)
}

fn finding_json(row: &FindingRow) -> Value {
    json!({
        "campaign": row.campaign,
        "id": row.id,
        "name": row.name,
        "engine": row.engine,
        "oracle": row.oracle,
        "title": row.title,
        "first_event": row.first_event,
        "steps": row.steps,
        "minimal_steps": row.minimal_steps,
        "hits": row.confirmed.0,
        "tries": row.confirmed.1,
        "finished": row.finished,
        "class": row.class,
    })
}

fn known(what: &str, asked: Option<&str>, known: &[&str]) -> Result<(), Failure> {
    match asked.filter(|asked| !known.contains(asked)) {
        None => Ok(()),
        Some(asked) => {
            let text = format!("no {what} is called {asked:?}; there are {}", known.join(", "));
            Err(bad_input(text))
        }
    }
}

/// The findings of a campaign that show the same bug, as JSON.
fn group_json(rows: &[FindingRow]) -> Value {
    let first = &rows[0];
    json!({
        "campaign": first.campaign,
        "app": first.app,
        "build": first.build,
        "seed": first.seed,
        "attributed_bugs": first.attribution.bugs(),
        "bug_candidates": first.attribution.alternatives(),
        "engines": engines_of(rows),
        "findings": rows.iter().map(finding_json).collect::<Vec<_>>(),
    })
}

/// Prints findings, those of a bug below its title.
fn print<'b>(
    groups: &[&[FindingRow]],
    bug_of: impl Fn(&FindingRow) -> Option<&'b BugOf>,
) -> Result<(), Failure> {
    let mut campaign = None;
    for rows in groups {
        let first = &rows[0];
        if campaign.replace(first.campaign) != Some(first.campaign) {
            let FindingRow { campaign, app, build, seed, .. } = first;
            print_line(&format!("campaign {campaign}: {app} ({build}), seed {seed}"))?;
        }
        let title = bug_of(first).map_or_else(|| first.title_words(), |bug| bug.title.clone());
        print_line(&format!("  {title}: {}", engines_of(*rows).join(", ")))?;
        if !first.attribution.is_none() {
            print_line(&format!("    catalogued as {}", first.attribution))?;
        }
        for row in *rows {
            print_line(&format!("    {:>4} {}  {}", row.id, row.name, row.title_words()))?;
            print_line(&format!(
                "         {}, event {}, {} steps (was {}), {}",
                row.engine,
                row.first_event,
                row.minimal_steps,
                row.steps,
                row.state()
            ))?;
        }
    }
    Ok(())
}
