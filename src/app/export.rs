//! Exports: the file is asked for, then built and written by the disk thread.

use std::path::PathBuf;

use crate::state::{ExportCommand, ExportSubject, FileCommand, FindingText, finding_text};

use super::Studio;
use super::jobs::{Job, Stored};

impl Studio {
    /// Asks where an export goes.
    pub(super) fn run_export(&mut self, command: ExportCommand) {
        self.run_file(FileCommand::Ask(Box::new(command.question())));
    }

    /// Builds and writes an export.
    pub(super) fn export_to(&mut self, command: ExportCommand, path: PathBuf) {
        let stored = match command.subject {
            ExportSubject::Finding(key) => Stored::Finding(key),
            ExportSubject::Campaign(id) => {
                let Some(row) = self.state.campaigns.get(id).and_then(|campaign| campaign.row) else {
                    return self.state.tell_failure(format!("Campaign {} has not been kept yet.", id.0));
                };
                Stored::Campaign(row)
            }
        };
        self.state.tell(format!("Writing {}\u{2026}", path.display()));
        self.ask(Job::Export { stored, kind: command.kind, path });
    }

    /// Puts a text about the open finding on the clipboard.
    pub(super) fn copy_finding(&mut self, text: FindingText) {
        if let Some(replay) = &self.state.replay {
            self.ctx.copy_text(finding_text(replay, text, &self.workspace.display().to_string()));
            self.state.tell(match text {
                FindingText::Reproduce => "Copied the commands that show it again.",
                FindingText::Summary => "Copied a summary for an issue tracker.",
            });
        }
    }
}
