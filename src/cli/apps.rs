//! `taproof apps`: the bundled apps and their catalogued bugs.

use serde_json::{Value, json};

use super::{CommandEnd, Outcome, app_named, print_json, print_line};
use taproof_phone::{Apps, Bug, BundledApp};

/// List the bundled apps and their catalogued bugs
#[derive(clap::Args)]
pub struct Options {
    /// Only this app, by name or package
    #[arg(long, value_name = "APP")]
    app: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let shown = match &options.app {
        Some(name) => vec![*app_named(apps, name)?],
        None => apps.all().iter().chain(apps.made()).copied().collect(),
    };
    if options.json {
        let apps: Vec<Value> = shown.iter().map(app_json).collect();
        print_json(&json!({ "apps": apps }))?;
        return Ok(CommandEnd::Fine);
    }
    for app in &shown {
        let manifest = app.manifest();
        print_line(&format!(
            "{:<8} {} ({}), modelled on {}",
            app.short_name(),
            manifest.label,
            manifest.package,
            manifest.modelled_on
        ))?;
        for bug in manifest.bugs {
            print_line(&format!("    {:<30} {:<5} {}", bug.id, letters(bug), bug.title))?;
            if !bug.masked_by.is_empty() {
                print_line(&format!("    {:<30} {:<5} masked by {}", "", "", bug.masked_by.join(", ")))?;
            }
        }
    }
    Ok(CommandEnd::Fine)
}

fn letters(bug: &Bug) -> String {
    bug.oracles.iter().map(|oracle| oracle.letter()).collect::<Vec<_>>().join(",")
}

fn app_json(app: &BundledApp) -> Value {
    let manifest = app.manifest();
    let bugs: Vec<Value> = manifest
        .bugs
        .iter()
        .map(|bug| {
            json!({
                "id": bug.id,
                "title": bug.title,
                "paper": bug.paper,
                "needs": bug.needs,
                "consequence": bug.consequence,
                "oracles": bug.oracles.iter().map(|oracle| oracle.letter()).collect::<Vec<_>>(),
                "masked_by": bug.masked_by,
            })
        })
        .collect();
    json!({
        "name": app.short_name(),
        "package": manifest.package,
        "label": manifest.label,
        "modelled_on": manifest.modelled_on,
        "activities": manifest.activities,
        "bugs": bugs,
    })
}
