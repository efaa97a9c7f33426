//! `taproof-lab witnesses`: how a person sees the bugs of an app from a blueprint.

use taproof::cli::command::{CommandEnd, Failure, Outcome, print_line};
use taproof_blueprint::{Generated, shipped_names, witnesses};
use taproof_phone::Apps;

/// Print a script for each bug of a generated app that shows it
#[derive(clap::Args)]
pub struct Options {
    /// The app, by name or package, such as blueprint:7:medium
    #[arg(value_name = "APP")]
    app: String,
}

/// Prints what a person does to see each bug, and with how many events.
pub fn run(options: &Options, _apps: &Apps) -> Outcome {
    let name = &options.app;
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
