//! The specification files that are shipped with apps.

use taproof_phone::{Apps, BundledApp};
use taproof_results::store::SpecSource;

/// The specification files that are shipped with the app of this package or short name. A command uses them by default.
pub fn shipped_with(apps: &Apps, app: &str) -> Vec<SpecSource> {
    let files = apps.find(app).map_or(&[][..], BundledApp::spec_files);
    files.iter().map(|file| SpecSource::file(file.path, file.text)).collect()
}
