//! `taproof spec fmt FILE`: prints or writes the canonical form of a specification file.

use std::path::PathBuf;

use crate::cli::{CommandEnd, Failure, Outcome, message, print_data, read_text};
use taproof_core::format::DmfFile;
use taproof_results::store::replace_file;

/// Print a specification file in PBFDroid's canonical form, or write it
#[derive(clap::Args)]
pub struct Options {
    /// A DMF file or block list (keyviews)
    file: PathBuf,
    /// Write the file instead of printing it
    #[arg(short, long)]
    write: bool,
}

pub fn run(options: &Options) -> Outcome {
    let text = read_text(&options.file)?;
    let file = DmfFile::parse(&text).map_err(|error| {
        Failure::BadInput(anyhow::Error::from(error).context(options.file.display().to_string()))
    })?;
    let canonical = file.canonical();
    if !options.write {
        // No newline at the end: the output is the file, byte for byte.
        print_data(&canonical)?;
    } else if canonical == text {
        message(&format!("{} is canonical already", options.file.display()));
    } else {
        replace_file(&options.file, canonical.as_bytes())?;
        message(&format!("wrote {}", options.file.display()));
    }
    Ok(CommandEnd::Fine)
}
