//! Where the desktop keeps what belongs to the user and not to a project. On Linux these are the folders of the XDG
//! base directories, elsewhere those of the system.

use std::path::PathBuf;

use directories::ProjectDirs;

/// The folder of the window's preferences; `None` where the user has no home.
#[cfg(feature = "window")]
pub(crate) fn preferences_folder() -> Option<PathBuf> {
    Some(of_user()?.config_dir().to_owned())
}

/// The folder of the log; `None` where the user has no home.
pub(crate) fn log_folder() -> Option<PathBuf> {
    let folders = of_user()?;
    // Only Linux has a folder for states.
    Some(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).to_owned())
}

fn of_user() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "Taproof")
}
