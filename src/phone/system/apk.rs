//! The APKs of bundled apps: one names the app in its first entry; the app's code is part of this program.

use taproof_screen::format::{ApkError, file_of_apk};

/// The entry of an APK that contains the package of a bundled app.
pub const APK_ENTRY: &str = "assets/taproof-app";

/// Returns the package that an APK names.
///
/// # Errors
///
/// If the file is no APK of a bundled app; what is wrong with it.
pub(crate) fn package_of(bytes: &[u8]) -> Result<String, &'static str> {
    const FOREIGN: &str = "it is an app for a real phone; the bundled phone runs the bundled apps only";
    if !bytes.starts_with(b"PK\x03\x04") {
        return Err("it is no APK");
    }
    let named = file_of_apk(bytes, APK_ENTRY).map_err(|ApkError(problem)| problem)?.ok_or(FOREIGN)?;
    String::from_utf8(named).map_err(|_| FOREIGN)
}
