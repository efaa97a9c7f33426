//! Files of which the workspace has one for each app, named by its package.

use std::path::{Path, PathBuf};

use crate::store::{StoreError, replace_file};

/// The path of an app's file in a folder of the workspace. Ensures that a package name cannot lead out of the folder.
pub(crate) fn path_of(workspace: &Path, folder: &str, app: &str) -> Result<PathBuf, StoreError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    match app.starts_with('.') || app.is_empty() || !app.chars().all(plain) {
        true => Err(StoreError::NoPackage { name: app.to_owned() }),
        false => Ok(workspace.join(folder).join(format!("{app}.json"))),
    }
}

/// The packages that have a file in the folder, with its path, ordered by package.
pub(crate) fn all_in(workspace: &Path, folder: &str) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(workspace.join(folder)).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let named = paths.into_iter().filter_map(|path| {
        let json = path.extension().is_some_and(|extension| extension == "json");
        let app = path.file_stem().filter(|_| json)?.to_str()?.to_owned();
        Some((app, path))
    });
    named.collect()
}

/// Writes the file, and makes its folder if necessary.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<(), StoreError> {
    let failed = |error: std::io::Error| StoreError::Write { path: path.display().to_string(), error };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    replace_file(path, content)
}

/// Removes the file. Returns false if there was none.
pub(crate) fn remove(path: &Path) -> Result<bool, StoreError> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(StoreError::Write { path: path.display().to_string(), error }),
    }
}
