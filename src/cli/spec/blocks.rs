//! `taproof spec blocks FILE...`: prints or writes the block list, including what is derived from the DMFs.

use std::path::PathBuf;

use crate::cli::{CommandEnd, Failure, Outcome, message, print_data, read_text};
use taproof_results::store::{SpecSource, read_specs, replace_file};
use taproof_spec::format::{block_list, blocks_name};

/// Print the block list of a specification, the derived entries too, or write it beside the DMFs
#[derive(clap::Args)]
pub struct Options {
    /// The files of one specification: DMFs and block lists
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the block list beside the first file instead of printing it
    #[arg(short, long)]
    write: bool,
}

pub fn run(options: &Options) -> Outcome {
    let read = |path: &PathBuf| Ok(SpecSource::file(path.display().to_string(), read_text(path)?));
    let sources = options.files.iter().map(read).collect::<Result<Vec<SpecSource>, Failure>>()?;
    let spec = read_specs(&sources)
        .map_err(|(name, error)| Failure::BadInput(anyhow::Error::from(error).context(name)))?;
    let text = block_list(&spec);
    match options.files.first().filter(|_| options.write) {
        Some(first) => {
            let name = first.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let path = first.with_file_name(blocks_name(&name));
            replace_file(&path, text.as_bytes())?;
            message(&format!("wrote {}", path.display()));
        }
        None => print_data(&text)?,
    }
    Ok(CommandEnd::Fine)
}
