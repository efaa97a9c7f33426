//! Where the desktop keeps what belongs to the user and not to a project. On Linux these are the folders of the XDG
//! base directories, elsewhere those of the system.

use std::path::PathBuf;

/// The folder of the window's preferences; `None` where the user has no home.
pub(crate) fn preferences_folder() -> Option<PathBuf> {
    of_user("APPDATA", "config", "XDG_CONFIG_HOME", ".config")
}

/// The folder of the log; `None` where the user has no home.
pub(crate) fn log_folder() -> Option<PathBuf> {
    // Only Linux has a folder for states.
    of_user("LOCALAPPDATA", "data", "XDG_STATE_HOME", ".local/state")
}

/// Our folder in the one that a variable names, on Windows and elsewhere; without it, in one of the home folder.
fn of_user(windows: &str, part: &str, xdg: &str, in_home: &str) -> Option<PathBuf> {
    let full = |path: PathBuf| Some(path).filter(|path| path.is_absolute());
    let named = |variable: &str| std::env::var_os(variable).and_then(|path| full(path.into()));
    let home = |folder: &str| Some(std::env::home_dir().and_then(full)?.join(folder));
    if cfg!(windows) {
        Some(named(windows)?.join("Taproof").join(part))
    } else if cfg!(target_os = "macos") {
        home("Library/Application Support/Taproof")
    } else {
        Some(named(xdg).or_else(|| home(in_home))?.join("taproof"))
    }
}
