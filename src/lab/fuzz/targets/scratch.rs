//! A folder for one process's inputs that are read from files.

use std::path::{Path, PathBuf};

/// A folder of its own; it goes with this.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// A new folder. `None` where nothing can be written: then there is nothing to read either.
    pub fn new(name: &str) -> Option<Scratch> {
        let process = std::process::id();
        let path = std::env::temp_dir().join(format!("taproof-fuzz-{process}-{name}"));
        let made = std::fs::create_dir_all(&path);
        made.ok().map(|()| Scratch(path))
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Writes a file, with the folders above it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        let folder = path.parent().unwrap_or(&self.0);
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, bytes));
        // A disk that is full is no finding of the reader's.
        if let Err(error) = written {
            tracing::warn!(%error, ?path, "an input cannot be written");
        }
        path
    }

    /// Removes everything in it.
    pub fn empty(&self) {
        let removed = std::fs::remove_dir_all(&self.0).and_then(|()| std::fs::create_dir_all(&self.0));
        if let Err(error) = removed {
            tracing::warn!(%error, "the folder of inputs cannot be emptied");
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::debug!(%error, "the folder of inputs stays");
        }
    }
}
