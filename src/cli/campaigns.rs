//! `taproof campaigns`: the campaigns in the workspace.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::campaign::open_results;
use super::{CommandEnd, Outcome, print_json, print_line, workspace_path};
use taproof_core::model::thousands;
use taproof_results::store::CampaignRow;

/// List the campaigns of a workspace, the newest first
#[derive(clap::Args)]
pub struct Options {
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Outcome {
    let root = workspace_path(options.workspace.as_ref());
    let rows = open_results(&root)?.campaigns()?;
    if options.json {
        print_json(&json!({ "campaigns": rows.iter().map(as_json).collect::<Vec<_>>() }))?;
        return Ok(CommandEnd::Fine);
    }
    if rows.is_empty() {
        print_line(&format!("no campaigns in {}", root.display()))?;
        return Ok(CommandEnd::Fine);
    }
    let wide = |of: fn(&CampaignRow) -> &String| rows.iter().map(|row| of(row).len()).max().unwrap_or(0);
    let (app, build) = (wide(|row| &row.app).max(3), wide(|row| &row.build).max(5));
    print_line(&format!(
        "{:>4}  {:<app$}  {:<build$}  {:>10}  {:>11}  {:>8}  {:<12}  engines",
        "id", "app", "build", "seed", "events", "findings", "end"
    ))?;
    for row in &rows {
        print_line(&format!(
            "{:>4}  {:<app$}  {:<build$}  {:>10}  {:>11}  {:>8}  {:<12}  {}",
            row.id,
            row.app,
            row.build,
            row.seed,
            thousands(row.events),
            row.findings,
            ended(row),
            row.engine
        ))?;
    }
    Ok(CommandEnd::Fine)
}

/// How a campaign ended, as one word.
pub fn ended(row: &CampaignRow) -> &str {
    row.end.as_deref().unwrap_or("running")
}

/// A campaign as JSON.
pub fn as_json(row: &CampaignRow) -> Value {
    json!({
        "id": row.id,
        "app": row.app,
        "build": row.build,
        "engines": row.engine.split(',').collect::<Vec<_>>(),
        "seed": row.seed,
        "events": row.events,
        "findings": row.findings,
        "end": ended(row),
    })
}
