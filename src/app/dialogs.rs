//! File dialogs of the platform. They open on the main thread, which the platform wants.

use std::path::PathBuf;
use std::time::Duration;

use crate::state::{FileKind, FileQuestion};

use super::now;

/// A dialog that is gone this soon was never there: no dialog service answers.
const NO_SERVICE: Duration = Duration::from_millis(50);

/// What came of asking.
pub(super) enum Chosen {
    /// This file or folder.
    Path(PathBuf),
    /// The person changed their mind.
    Nothing,
    /// There is nothing on this desktop that can ask.
    NoService,
}

/// Asks with the platform's dialog.
pub(super) fn choose(question: &FileQuestion) -> Chosen {
    let asked = now();
    let mut dialog = rfd::FileDialog::new().set_title(question.title.as_str());
    if !question.name.is_empty() {
        dialog = dialog.set_file_name(question.name.as_str());
    }
    if !question.extensions.is_empty() {
        dialog = dialog.add_filter(question.extensions.join(", "), &question.extensions);
    }
    let path = match question.kind {
        FileKind::Open => dialog.pick_file(),
        FileKind::Save => dialog.save_file(),
        FileKind::Folder => dialog.pick_folder(),
    };
    match path {
        Some(path) => Chosen::Path(path),
        None if asked.elapsed() < NO_SERVICE => Chosen::NoService,
        None => Chosen::Nothing,
    }
}
