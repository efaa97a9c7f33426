//! Files are replaced completely or not at all.

pub(crate) mod app_files;
pub(crate) mod finding_json;
pub(crate) mod initialiser_file;
mod plan_json;
pub(crate) mod recording_file;
mod reuse_model_bytes;
mod reuse_model_file;
pub(crate) mod rules_file;
mod settings_file;
mod trace_file;

pub use initialiser_file::{
    StoredInitialiser, read_initialiser, read_initialisers, remove_initialiser, write_initialiser,
};
pub use plan_json::{NO_SCREENS, SpecSource, StoredPlan, TraceSource, read_specs};
pub use recording_file::{UnsavedRecording, open_recording};
pub use reuse_model_bytes::{ModelFileError, model_from_bytes, model_to_bytes};
pub(in crate::store) use reuse_model_file::model_paths;
pub use reuse_model_file::{grow_model, model_path, read_model, read_rule_files, write_model};
pub use rules_file::{own_rules_path, read_own_rules, read_rules, write_own_rules};
pub use settings_file::{DamagedSettings, SettingsFiles, set_settings_aside};
pub use trace_file::{open_trace, save_trace};

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::StoreError;

/// The content of a file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, StoreError> {
    std::fs::read(path).map_err(|error| read_error(path, error))
}

pub(crate) fn read_error(path: &Path, error: std::io::Error) -> StoreError {
    StoreError::Read { path: path.display().to_string(), error }
}

/// Writes a file next to the old one, makes sure that it has reached the disk, and renames it into place. So a kill or
/// a full disk leaves the old file as it was.
///
/// # Errors
///
/// [`StoreError::Write`] if the file cannot be written.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut file = Replacing::begin(path)?;
    file.write(bytes)?;
    file.finish()
}

/// A file that takes the place of the one at a path once it is whole. If it is dropped before, the old file stays.
pub(super) struct Replacing {
    path: PathBuf,
    beside: PathBuf,
    file: BufWriter<File>,
}

impl Replacing {
    pub(super) fn begin(path: &Path) -> Result<Replacing, StoreError> {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}.new", std::process::id()));
        let beside = path.with_file_name(name);
        let file = File::create(&beside).map_err(|error| cannot_write(path, error))?;
        Ok(Replacing { path: path.to_owned(), beside, file: BufWriter::new(file) })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.file.write_all(bytes).map_err(|error| cannot_write(&self.path, error))
    }

    pub(super) fn finish(mut self) -> Result<(), StoreError> {
        let mut whole = || -> io::Result<()> {
            self.file.flush()?;
            self.file.get_ref().sync_all()?;
            std::fs::rename(&self.beside, &self.path)
        };
        whole().map_err(|error| cannot_write(&self.path, error))
    }
}

impl Drop for Replacing {
    /// Removes what is incomplete. Where it is in place, nothing is there any more, and a failure does no harm.
    fn drop(&mut self) {
        if std::fs::remove_file(&self.beside).is_ok() {
            tracing::debug!(path = ?self.path, "an incomplete file was removed");
        }
    }
}

fn cannot_write(path: &Path, error: io::Error) -> StoreError {
    StoreError::Write { path: path.display().to_string(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spec.json");
        replace_file(&path, b"one").unwrap();
        replace_file(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        let nowhere = folder.path().join("no folder/spec.json");
        let error = replace_file(&nowhere, b"x").unwrap_err().to_string();
        assert!(error.contains("no folder/spec.json"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing half-written stays");
    }
}
