//! File dialogs of the platform. They open on the main thread, which the platform wants.

use std::path::PathBuf;
use std::time::Duration;

use super::now;

/// A dialog that is gone this soon was never there: no dialog service answers.
const NO_SERVICE: Duration = Duration::from_millis(50);

/// What came of asking.
pub(super) enum Chosen {
    /// This folder.
    Folder(PathBuf),
    /// The person changed their mind.
    Nothing,
    /// There is nothing on this desktop that can ask.
    NoService,
}

/// Asks for the folder of a recorded walk.
pub(super) fn choose_walk() -> Chosen {
    let asked = now();
    match rfd::FileDialog::new().set_title("Open a recorded walk").pick_folder() {
        Some(folder) => Chosen::Folder(folder),
        None if asked.elapsed() < NO_SERVICE => Chosen::NoService,
        None => Chosen::Nothing,
    }
}
