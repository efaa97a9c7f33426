//! Actions on the shown specification. Undo and redo are actions of the place Record.

use super::{DocumentCommand, DocumentId};
use crate::command::{ActionInfo, Command, Group, Order};
use crate::state::{RecordView, StudioState};

/// The actions on specifications, as rows of the table of actions.
pub const SPECIFICATION: &[ActionInfo] = &[
    Group::RECORD.action("spec-save", "Save the specification", "Ctrl+S", |state| {
        of_document(state, DocumentCommand::Save)
    }),
    Group::RECORD.action("spec-save-as", "Save the specification as", "Ctrl+Shift+S", |state| {
        of_document(state, DocumentCommand::AskSaveAs)
    }),
    Group::RECORD.action("spec-close", "Close the specification", "Ctrl+W", |state| {
        of_document(state, DocumentCommand::Close)
    }),
];

/// Returns a command about the shown specification, or why there is none.
pub fn of_document(state: &StudioState, command: fn(DocumentId) -> DocumentCommand) -> Order {
    if state.settings.record_view != RecordView::Specification {
        return Err("Go to Specification first.");
    }
    let document = state.documents.shown(&state.settings.target.app).ok_or("No specification is open.")?;
    Ok(Command::Document(command(document.id)))
}
