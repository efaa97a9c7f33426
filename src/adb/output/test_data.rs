//! The files of real devices that the tests read.

use std::path::PathBuf;

/// The folder of test data, where it is there.
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("TAPROOF_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    folder.is_dir().then_some(folder)
}

/// The folder of the Android 4.4 device; says so where there is none.
pub(super) fn android44() -> Option<PathBuf> {
    let folder = data().map(|folder| folder.join("android44")).filter(|folder| folder.is_dir());
    if folder.is_none() {
        println!("skipped: no data");
    }
    folder
}

/// A file of the Android 4.4 device as bytes.
pub(super) fn bytes(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(android44()?.join(name)).unwrap())
}

/// A file of the Android 4.4 device as text.
pub(super) fn text(name: &str) -> Option<String> {
    Some(String::from_utf8(bytes(name)?).unwrap())
}
