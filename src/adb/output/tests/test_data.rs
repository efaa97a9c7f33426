//! The files that the tests read: of real devices, and of the bundled phone.

use std::path::PathBuf;

/// The folder of test data, if it exists.
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("TAPROOF_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    folder.is_dir().then_some(folder)
}

/// The folder of the Android 4.4 device. Prints a note if it does not exist.
pub(in crate::output) fn android44() -> Option<PathBuf> {
    let folder = data().map(|folder| folder.join("android44")).filter(|folder| folder.is_dir());
    if folder.is_none() {
        println!("skipped: no data");
    }
    folder
}

/// A file of the Android 4.4 device as bytes; `None` without test data.
pub(in crate::output) fn bytes(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(android44()?.join(name)).unwrap())
}

/// A file of the Android 4.4 device as text; `None` without test data.
pub(in crate::output) fn text(name: &str) -> Option<String> {
    Some(String::from_utf8(bytes(name)?).unwrap())
}

/// The folders with the output of the bundled phone, imitating a current device and one with Android 4.4.
pub(in crate::output) fn bundled_phones() -> [PathBuf; 2] {
    let recorded = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bundled-phone");
    ["android-14", "android-4.4"].map(|like| recorded.join(like))
}
