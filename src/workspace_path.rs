//! Where results are written.

use std::path::PathBuf;

/// The folder for results: the given one, else `TAPROOF_WORKSPACE`, else `.taproof` in the current folder.
pub fn workspace_path(given: Option<&PathBuf>) -> PathBuf {
    given
        .cloned()
        .or_else(|| std::env::var_os("TAPROOF_WORKSPACE").map(PathBuf::from))
        .unwrap_or_else(|| PathBuf::from(".taproof"))
}
