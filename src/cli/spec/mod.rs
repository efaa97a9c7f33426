//! `taproof spec`: check, format, draft, recover, repair and try specification files.

mod blocks;
mod check;
mod draft;
mod fmt;
mod import;
mod recover;
mod repair;
mod try_dmf;
mod version;

use clap::Subcommand;

use super::Outcome;
use taproof_phone::Apps;

/// Check, format, draft, repair and try specification files
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    command: SpecCommand,
}

#[derive(Subcommand)]
enum SpecCommand {
    /// Print the block list, with what follows from the DMFs
    Blocks(blocks::Options),
    /// Print the version of a specification
    Version(version::Options),
    /// Read specification files and say what is wrong with them
    Check(check::Options),
    /// Draft a DMF from a recorded walk
    Draft(draft::Options),
    /// Print a specification file in PBFDroid's canonical form, or write it
    Fmt(fmt::Options),
    /// Record what a Maestro flow does, or read properties of Kea
    Import(import::Options),
    Recover(recover::Options),
    /// Mend the specification of an app for its new version
    Repair(repair::Options),
    /// Run DMFs several times on the bundled phone or a device and say what happened
    Try(try_dmf::Options),
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    match &options.command {
        SpecCommand::Blocks(options) => blocks::run(options),
        SpecCommand::Version(options) => version::run(options),
        SpecCommand::Check(options) => check::run(options),
        SpecCommand::Draft(options) => draft::run(options),
        SpecCommand::Fmt(options) => fmt::run(options),
        SpecCommand::Import(options) => import::run(options, apps),
        SpecCommand::Recover(options) => recover::run(options),
        SpecCommand::Repair(options) => repair::run(options, apps),
        SpecCommand::Try(options) => try_dmf::run(options, apps),
    }
}
