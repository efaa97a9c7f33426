//! `taproof spec`: check, format and draft specification files.

mod check;
mod draft;
mod fmt;

use clap::Subcommand;

use super::Outcome;

/// Check, format and draft specification files
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Read specification files and say what is wrong with them
    Check(check::Options),
    /// Draft a DMF from a recorded walk
    Draft(draft::Options),
    /// Print a specification file in PBFDroid's canonical form, or write it
    Fmt(fmt::Options),
}

pub fn run(options: &Options) -> Outcome {
    match &options.command {
        Command::Check(options) => check::run(options),
        Command::Draft(options) => draft::run(options),
        Command::Fmt(options) => fmt::run(options),
    }
}
