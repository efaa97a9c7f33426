//! Questions for files: asked with the platform's dialog, or in the window where there is none.

use crate::state::{Command, DocumentCommand, FileChooser, FileCommand, FilePurpose};

use super::Studio;
use super::dialogs::{Chosen, choose};

impl Studio {
    /// Asks for a file, or takes the answer.
    pub(super) fn run_file(&mut self, command: FileCommand) {
        match command {
            FileCommand::Ask(question) => match choose(&question) {
                Chosen::Path(path) => self.chosen(question.purpose, path),
                Chosen::Nothing => {}
                Chosen::NoService => {
                    self.state.chooser = Some(FileChooser { question: *question, path: String::new() });
                }
            },
            FileCommand::Edit(path) => {
                if let Some(chooser) = &mut self.state.chooser {
                    chooser.path = path;
                }
            }
            FileCommand::Chosen(purpose, path) => {
                self.state.chooser = None;
                self.chosen(purpose, path);
            }
            FileCommand::Cancel => self.state.chooser = None,
        }
    }

    fn chosen(&mut self, purpose: FilePurpose, path: std::path::PathBuf) {
        match purpose {
            FilePurpose::SaveTrace(saved) => self.save_trace(path, saved),
            FilePurpose::OpenTrace => self.open_trace_file(path),
            FilePurpose::OpenWalk => self.commands.push(Command::OpenWalk(path)),
            FilePurpose::OpenSpec => self.run_document(DocumentCommand::Open(path)),
            FilePurpose::SaveSpec(id) => self.run_document(DocumentCommand::SaveAs(id, path)),
            FilePurpose::ExportBlocks(id) => self.run_document(DocumentCommand::ExportBlocks(id, path)),
        }
    }
}
