//! Questions for a file or folder, and what the answer is for.

use std::path::PathBuf;
use std::sync::Arc;

use crate::campaign::SavedTrace;

/// What the answer is for.
#[derive(Clone, Debug, PartialEq)]
pub enum FilePurpose {
    /// A recorded walk is opened.
    OpenWalk,
    /// A trace is kept in it.
    SaveTrace(Arc<SavedTrace>),
    /// A kept trace is opened.
    OpenTrace,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A file that is there.
    Open,
    /// A file to be written.
    Save,
    /// A folder that is there.
    Folder,
}

/// A question for a file or folder.
#[derive(Clone, Debug, PartialEq)]
pub struct FileQuestion {
    /// What the answer is for.
    pub purpose: FilePurpose,
    /// What is asked for.
    pub kind: FileKind,
    /// The question, as the dialog's title.
    pub title: String,
    /// The name that a saved file gets if nobody types another.
    pub name: String,
    /// What the files' names end with, without the dot; empty: anything.
    pub extensions: Vec<&'static str>,
}

/// The question that is open in the window, where the platform has no dialogs.
#[derive(Clone, Debug, PartialEq)]
pub struct FileChooser {
    /// What is asked.
    pub question: FileQuestion,
    /// The path, as typed.
    pub path: String,
}

/// Asks and answers.
#[derive(Clone, Debug, PartialEq)]
pub enum FileCommand {
    /// Asks, with the platform's dialog where there is one.
    Ask(Box<FileQuestion>),
    /// The path typed in the window's own chooser.
    Edit(String),
    /// The answer.
    Chosen(FilePurpose, PathBuf),
    /// No answer.
    Cancel,
}

impl FileQuestion {
    /// Asks for the folder of a recorded walk.
    pub fn walk() -> Self {
        FileQuestion {
            purpose: FilePurpose::OpenWalk,
            kind: FileKind::Folder,
            title: "Open a recorded walk".to_owned(),
            name: String::new(),
            extensions: Vec::new(),
        }
    }
}
