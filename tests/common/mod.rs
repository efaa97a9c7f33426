//! What several tests need.

use std::path::PathBuf;

/// The folder of test data: `TAPROOF_DATA`, else `../shared/data` beside the repository. `None`, after
/// saying so, where neither is there.
pub fn data() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = std::env::var_os("TAPROOF_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no data");
    None
}
