//! Files are replaced completely or not at all.

use std::io::Write;
use std::path::Path;

use super::StoreError;

/// Writes a file next to the old one, makes sure that it has reached the disk, and renames it into place. So a kill or
/// a full disk leaves the old file as it was.
///
/// # Errors
///
/// [`StoreError::Write`] if the file cannot be written.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let failed = |error: std::io::Error| StoreError::Write { path: path.display().to_string(), error };
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(name);
    let write = || {
        let mut file = std::fs::File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    };
    write().map_err(|error| {
        // The incomplete file is useless, and a failure to remove it does no harm.
        if std::fs::remove_file(&beside).is_err() {
            tracing::debug!(?beside, "a half-written file stays");
        }
        failed(error)
    })
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
