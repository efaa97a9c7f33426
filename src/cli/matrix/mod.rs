//! `taproof matrix`: campaigns for a fleet of machines, as numbered cells that a scheduler runs.
//!
//! A cell is one campaign with a workspace of its own. It can be run again at any time: what was interrupted goes on, and
//! what is done stays.

mod cell;
mod file;
mod lease;
mod numbers;
mod run;
mod status;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use self::cell::{Cell, cells_of};
use self::file::Matrix;
use super::{CommandEnd, Failure, Outcome, print_json, print_line};
use taproof_phone::Apps;
use taproof_results::store::Workspace;

/// Run campaigns as numbered cells, on many devices and machines, by a scheduler
///
/// Without a command, the cells of the matrix are listed.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(flatten)]
    list: ListArguments,
    #[command(subcommand)]
    command: Option<MatrixCommand>,
}

#[derive(clap::Args)]
struct ListArguments {
    #[command(flatten)]
    file: FileArgument,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The file of a matrix.
#[derive(clap::Args)]
pub struct FileArgument {
    /// The file of the matrix
    #[arg(value_name = "FILE", default_value = "matrix.toml")]
    file: PathBuf,
}

#[derive(clap::Subcommand)]
enum MatrixCommand {
    /// Run a cell, or go on with it; the number may come from the scheduler
    Run(run::RunArguments),
    /// Tell which cells are done, running, waiting, lost or failed
    Status(StatusArguments),
}

#[derive(clap::Args)]
struct StatusArguments {
    #[command(flatten)]
    file: FileArgument,
    /// Print only the numbers of the cells that are to be run (again), as `sbatch --array` takes them
    #[arg(long, conflicts_with = "json")]
    again: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    match &options.command {
        None => list(&options.list, apps),
        Some(MatrixCommand::Run(arguments)) => run::run(arguments, apps),
        Some(MatrixCommand::Status(arguments)) => {
            let matrix = Matrix::read(&arguments.file.file)?;
            status::print_status(&cells_of(&matrix, apps)?, &matrix.cells, arguments.again, arguments.json)
        }
    }
}

/// The folders of a matrix' cells that have a workspace, in the order of the cells.
pub fn workspaces_of(file: &Path, apps: &Apps) -> Result<Vec<PathBuf>, Failure> {
    let matrix = Matrix::read(file)?;
    let folders = cells_of(&matrix, apps)?.into_iter().map(|cell| matrix.cells.join(cell.name));
    Ok(folders.filter(|folder| Workspace::exists(folder)).collect())
}

fn list(arguments: &ListArguments, apps: &Apps) -> Outcome {
    let matrix = Matrix::read(&arguments.file.file)?;
    let cells = cells_of(&matrix, apps)?;
    if arguments.json {
        print_json(&json!({ "cells": cells.iter().map(cell_json).collect::<Vec<_>>() }))?;
        return Ok(CommandEnd::Fine);
    }
    for cell in &cells {
        print_line(&format!("{:>6}  {}", cell.number, cell.command()))?;
    }
    Ok(CommandEnd::Fine)
}

fn cell_json(cell: &Cell<'_>) -> Value {
    json!({
        "cell": cell.number,
        "name": cell.name,
        "device": cell.kind.map(|kind| &kind.kind),
        "command": cell.command(),
    })
}
