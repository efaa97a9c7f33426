//! `taproof apps`: the bundled apps and their catalogued bugs.

use serde_json::{Value, json};

use super::{CommandEnd, Failure, Outcome, app_named, print_json, print_line};
use taproof_blueprint::{Generated, shipped_names, witnesses};
use taproof_phone::{Apps, Bug, BundledApp};

/// List the bundled apps and their catalogued bugs
#[derive(clap::Args)]
pub struct Options {
    /// Only this app, by name or package; also one that is generated from a seed, such as blueprint:7:medium
    #[arg(long, value_name = "APP")]
    app: Option<String>,
    /// Print a script for each bug of a generated app that shows it; needs --app
    #[arg(long, requires = "app", conflicts_with = "json")]
    witnesses: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    if let Some(name) = options.app.as_deref().filter(|_| options.witnesses) {
        return print_witnesses(name);
    }
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

/// Prints what a person does to see each bug, and with how many events.
fn print_witnesses(name: &str) -> Outcome {
    let witnesses = witnesses(name).ok_or_else(|| {
        Failure::BadInput(anyhow::anyhow!(
            "{name:?} is not made from a blueprint; those that are: {}, {}",
            shipped_names().collect::<Vec<_>>().join(", "),
            Generated::NAMES
        ))
    })?;
    for (fault, witness) in witnesses {
        let script = witness.map_or("no script found, so it does not count".to_owned(), |witness| {
            let acts: Vec<String> = witness.acts.iter().map(ToString::to_string).collect();
            format!("{:>3} events: {}", witness.events.len(), acts.join(", "))
        });
        print_line(&format!("{:<46} {script}", fault.id))?;
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
