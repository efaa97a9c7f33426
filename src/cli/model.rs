//! `taproof model`: shows what Fastbot2 has learned of an app, and merges several such models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{CommandEnd, Failure, Outcome, print_json, print_line};
use taproof_engine::fastbot2::{HyperEvent, ReuseModel};
use taproof_results::store::{read_model, write_model};
use taproof_screen::{Text, thousands};

/// Show and merge what Fastbot2 has learned
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    command: ModelCommand,
}

#[derive(clap::Subcommand)]
enum ModelCommand {
    /// Print what models hold: events, and the activities that they lead to
    Show {
        /// Model files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print one JSON object for each
        #[arg(long)]
        json: bool,
    },
    /// Add the counts of models of one app
    Merge {
        /// Model files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
}

pub fn run(options: &Options) -> Outcome {
    match &options.command {
        ModelCommand::Show { files, json } => {
            for file in files {
                show(file, &read_model(file)?, *json)?;
            }
        }
        ModelCommand::Merge { files, output } => merge(files, output)?,
    }
    Ok(CommandEnd::Fine)
}

fn show(file: &Path, model: &ReuseModel, as_json: bool) -> Result<(), Failure> {
    if as_json {
        let events: Vec<_> = model.events().map(|(event, counts)| event_json(event, counts)).collect();
        print_json(&json!({ "package": model.package, "versions": model.versions, "events": events }))?;
        return Ok(());
    }
    let versions = if model.versions.is_empty() { "unknown".to_owned() } else { model.versions.join(", ") };
    print_line(&format!("{}: {}, versions {versions}", file.display(), model.package))?;
    print_line(&format!(
        "{} events, {} activities, {} transitions",
        thousands(model.events().len() as u64),
        model.activities().len(),
        thousands(model.transitions())
    ))?;
    for (event, counts) in model.events() {
        let targets: Vec<String> =
            counts.iter().map(|(activity, count)| format!("{activity} {count}")).collect();
        print_line(&format!("  {} -> {}", event.caption(), targets.join(", ")))?;
    }
    Ok(())
}

fn event_json(event: &HyperEvent, leads_to: &BTreeMap<Text, u32>) -> Value {
    let counts: Map<String, Value> =
        leads_to.iter().map(|(activity, count)| (activity.to_string(), json!(count))).collect();
    json!({
        "activity": &*event.activity,
        "resource_id": &*event.resource_id,
        "class": &*event.class,
        "static_text": &*event.static_text,
        "kind": event.kind.word(),
        "leads_to": counts,
    })
}

fn merge(files: &[PathBuf], output: &Path) -> Result<(), Failure> {
    let mut merged: Option<ReuseModel> = None;
    for file in files {
        let model = read_model(file)?;
        match &mut merged {
            None => merged = Some(model),
            Some(merged) => merged.merge(&model).map_err(|error| {
                Failure::BadInput(anyhow::Error::from(error).context(file.display().to_string()))
            })?,
        }
    }
    let Some(model) = merged else { return Ok(()) };
    write_model(output, &model)?;
    print_line(&format!(
        "{} models of {} with {} events in {}",
        files.len(),
        model.package,
        thousands(model.events().len() as u64),
        output.display()
    ))?;
    Ok(())
}
