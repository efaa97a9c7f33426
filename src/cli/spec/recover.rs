//! `taproof spec recover FOLDER`: takes what people made out of a workspace whose results cannot be read.

use std::path::{Path, PathBuf};

use crate::cli::{CommandEnd, Outcome, message, print_line};
use taproof_results::store::recover;
use taproof_screen::counted;

/// Take specifications, recordings and test rules out of a workspace of an earlier Taproof
///
/// The workspace stays as it is. Specifications and traces that only its campaigns know are taken out, too, in a folder for
/// each campaign.
#[derive(clap::Args)]
pub struct Options {
    /// The folder of the workspace
    folder: PathBuf,
    /// The workspace folder to write; by default one with -recovered after its name
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

pub fn run(options: &Options) -> Outcome {
    let to = options.to.clone().unwrap_or_else(|| beside(&options.folder));
    let recovered = recover(&options.folder, &to)?;
    for problem in &recovered.unread {
        message(&format!("cannot be read: {problem}"));
    }
    for path in &recovered.left {
        message(&format!("is there already, with another content, and stays: {}", path.display()));
    }
    for path in &recovered.written {
        print_line(&path.display().to_string())?;
    }
    let files = counted(recovered.written.len(), "file");
    message(&format!("wrote {files}; --workspace {} uses them", to.display()));
    Ok(CommandEnd::Fine)
}

fn beside(folder: &Path) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!("{name}-recovered"))
}
