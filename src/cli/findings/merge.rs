//! `taproof merge`: joins workspaces.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::cli::fuzz::progress::{PROGRESS_EVERY, StatusLine};
use crate::cli::matrix::workspaces_of;
use crate::cli::{CommandEnd, Outcome, bad_input, message, print_json, print_line};
use taproof_phone::Apps;
use taproof_results::store::merge_workspaces;
use taproof_screen::{counted, thousands};

/// Join what campaigns on many machines did and found in one workspace
///
/// The same campaign is there once, and so is each screen. It makes no difference in which order workspaces are merged,
/// or how often. They stay as they are.
#[derive(clap::Args)]
pub struct Options {
    /// The folder of the workspace to write; what it holds stays
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// The folders of the workspaces to merge into it
    #[arg(value_name = "IN", required_unless_present = "matrix")]
    from: Vec<PathBuf>,
    /// Merge the workspaces of the cells of this matrix, too, as far as they have come
    #[arg(long, value_name = "FILE")]
    matrix: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let mut from = options.from.clone();
    if let Some(file) = &options.matrix {
        from.extend(workspaces_of(file, apps)?);
    }
    if from.is_empty() {
        return Err(bad_input("no cell of the matrix has begun: there is nothing to merge"));
    }
    let mut line = StatusLine::new(PROGRESS_EVERY);
    let merged = merge_workspaces(&options.out, &from, &mut |done, all| {
        let words = || format!("{} of {}", thousands(done as u64), counted(all, "campaign"));
        if line.is_drawn() {
            line.draw(&words());
        } else if line.is_due() {
            message(&words());
        }
    });
    line.clear();
    let merged = merged?;
    if options.json {
        print_json(&json!({
            "workspaces": from.len(),
            "campaigns": merged.campaigns,
            "findings": merged.findings,
            "steps": merged.steps,
            "models": merged.models,
        }))?;
        return Ok(CommandEnd::Fine);
    }
    print_line(&format!(
        "{} merged; {} has {} now, with {} and {} of their traces",
        counted(from.len(), "workspace"),
        shown(&options.out),
        counted(merged.campaigns, "campaign"),
        counted(merged.findings, "finding"),
        counted(merged.steps, "step"),
    ))?;
    Ok(CommandEnd::Fine)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
