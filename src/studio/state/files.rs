//! Questions for a file or folder, and what the answer is for.

use std::path::PathBuf;
use std::sync::Arc;

use super::export::ExportCommand;
use taproof_core::campaign::SavedTrace;

use super::documents::DocumentId;

use super::chooser::ChooserCommand;

/// What the answer is for.
#[derive(Clone, Debug, PartialEq)]
pub enum FilePurpose {
    /// A recorded walk is opened.
    OpenWalk,
    /// A trace is kept in it.
    SaveTrace(Arc<SavedTrace>),
    /// A finding or campaign is written into it.
    Export(ExportCommand),
    /// A kept trace is opened.
    OpenTrace,
    /// A specification is opened.
    OpenSpec,
    /// It is installed on the device with this serial.
    InstallApp(String),
    /// A document is written there from now on.
    SaveSpec(DocumentId),
    /// The block list of a document is written there.
    ExportBlocks(DocumentId),
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

/// Asks and answers.
#[derive(Clone, Debug, PartialEq)]
pub enum FileCommand {
    /// Asks, with the platform's dialog where there is one.
    Ask(Box<FileQuestion>),
    /// The answer.
    Chosen(FilePurpose, PathBuf),
    /// No answer.
    Cancel,
    /// Asks what the platform's dialog asks in the window instead.
    Here,
    /// The window's own chooser.
    Chooser(ChooserCommand),
}

/// The question that the platform's dialog asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Asking {
    /// What is asked.
    pub question: FileQuestion,
    /// Nothing has come of it for long: perhaps no dialog ever showed.
    pub slow: bool,
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

    /// Asks for a specification.
    pub fn specification() -> Self {
        FileQuestion {
            purpose: FilePurpose::OpenSpec,
            kind: FileKind::Open,
            title: "Open a specification".to_owned(),
            name: String::new(),
            extensions: vec!["json"],
        }
    }

    /// Asks for an app to install on a device.
    pub fn app(serial: String) -> Self {
        FileQuestion {
            kind: FileKind::Open,
            title: format!("Install an app on {serial}"),
            purpose: FilePurpose::InstallApp(serial),
            name: String::new(),
            extensions: vec!["apk"],
        }
    }

    /// Asks where a document is to be written.
    pub fn save_specification(id: DocumentId, name: String) -> Self {
        FileQuestion {
            purpose: FilePurpose::SaveSpec(id),
            kind: FileKind::Save,
            title: "Save the specification as".to_owned(),
            name,
            extensions: vec!["json"],
        }
    }

    /// Asks where a block list is to be written.
    pub fn export_blocks(id: DocumentId) -> Self {
        FileQuestion {
            purpose: FilePurpose::ExportBlocks(id),
            kind: FileKind::Save,
            title: "Save the block list as".to_owned(),
            name: "keyviews.json".to_owned(),
            extensions: vec!["json"],
        }
    }
}
