//! `taproof spec version FILE...`: prints the version by which campaigns identify their specification.

use std::path::PathBuf;

use crate::cli::{CommandEnd, Failure, Outcome, print_line, read_text};
use taproof_spec::format::{DmfFile, spec_version};

/// Print the version of a specification: the same for every layout of its files
#[derive(clap::Args)]
pub struct Options {
    /// The files of one specification: DMFs and block lists
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub fn run(options: &Options) -> Outcome {
    let read = |path: &PathBuf| {
        let text = read_text(path)?;
        DmfFile::parse(&text).map_err(|error| {
            Failure::BadInput(anyhow::Error::from(error).context(path.display().to_string()))
        })
    };
    let files = options.files.iter().map(read).collect::<Result<Vec<DmfFile>, Failure>>()?;
    print_line(&spec_version(&files))?;
    Ok(CommandEnd::Fine)
}
