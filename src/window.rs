//! Opens the window, where this build has one.

use std::path::PathBuf;

use taproof_phone::Apps;

#[cfg(feature = "window")]
use crate::workspace_path::workspace_path;

#[cfg(feature = "window")]
pub use taproof_studio::app::StartError;

/// What the window shows at first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    /// The app on the live phone, by name or package; that of last time if `None`.
    pub app: Option<String>,
    /// A recorded walk instead of the live phone.
    pub walk: Option<PathBuf>,
}

/// Opens the studio with these apps on its bundled phone, as the program does that is started without arguments, and returns
/// when it is closed. Results go to the folder in `TAPROOF_WORKSPACE`, else to `.taproof` in the current folder.
///
/// # Errors
///
/// There is no display, or it cannot be used.
#[cfg(feature = "window")]
pub fn run_studio_with(apps: Apps) -> Result<(), StartError> {
    open_window(apps, Shown::default(), workspace_path(None))
}

#[cfg(feature = "window")]
pub(crate) fn open_window(apps: Apps, shown: Shown, workspace: PathBuf) -> Result<(), StartError> {
    use taproof_studio::app::{StudioOptions, run_studio};
    let Shown { app, walk } = shown;
    let options = StudioOptions { app, walk, workspace, devices: true, apps };
    run_studio(options, crate::folders::preferences_folder())
}

#[cfg(not(feature = "window"))]
pub(crate) fn open_window(_apps: Apps, _shown: Shown, _workspace: PathBuf) -> Result<(), &'static str> {
    Err("this build has no window (feature `window`)")
}

/// Whether the window was open before it failed: then nothing takes its place.
#[cfg(feature = "window")]
pub(crate) fn was_open(error: &StartError) -> bool {
    matches!(error, StartError::Stopped(_))
}

#[cfg(not(feature = "window"))]
pub(crate) fn was_open(_error: &&'static str) -> bool {
    false
}
