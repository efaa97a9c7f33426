//! Questions for a file or folder, with their purposes.

use super::{FilePurpose, FileQuestion};
use std::path::PathBuf;

use crate::shell::ChooserCommand;

/// A command about the question for a file.
#[derive(Clone, Debug, PartialEq)]
pub enum FileCommand {
    /// Asks with the file chooser.
    Ask(Box<FileQuestion>),
    /// The person chose this path.
    Chosen(FilePurpose, PathBuf),
    /// Closes the question without an answer.
    Cancel,
    /// A command for the file chooser.
    Chooser(ChooserCommand),
}
