//! Hashes of sources, by which an answer is known to be older than what it is about.

use std::path::{Path, PathBuf};

use taproof::cli::command::{Failure, read_file};
use taproof_screen::determinism::HashBuffer;

/// The project's folder.
pub(super) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");

/// A hash of the Rust files in these folders below `src`, without their tests.
///
/// # Errors
///
/// [`Failure`] if one cannot be read.
pub(super) fn hash(folders: &[&str]) -> Result<String, Failure> {
    let mut files = Vec::new();
    for folder in folders {
        collect(&Path::new(ROOT).join("src").join(folder), &mut files)?;
    }
    files.sort();
    let mut hasher = HashBuffer::default();
    for file in files {
        let text = read_file(&file)?;
        hasher.text(&String::from_utf8_lossy(&text));
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let broken = |error| Failure::Broken(anyhow::anyhow!("{error}: {}", folder.display()));
    for entry in std::fs::read_dir(folder).map_err(broken)? {
        let path = entry.map_err(broken)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            collect(&path, files)?;
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            files.push(path);
        }
    }
    Ok(())
}
