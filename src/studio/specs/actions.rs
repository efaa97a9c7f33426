//! Actions on the shown specification. Undo and redo are actions of the place Record.

use super::{DocumentCommand, DocumentId};
use crate::command::{ActionInfo, Command, Group, Order};
use crate::state::{Place, RecordView, StudioState};

/// The actions on specifications, as rows of the table of actions.
pub const SPECIFICATION: &[ActionInfo] = &[
    ActionInfo {
        id: "spec-save",
        label: "Save the specification",
        keys: "Ctrl+S",
        group: Group::In(Place::Record),
        order: |state| of_document(state, DocumentCommand::Save),
    },
    ActionInfo {
        id: "spec-save-as",
        label: "Save the specification as",
        keys: "Ctrl+Shift+S",
        group: Group::In(Place::Record),
        order: |state| of_document(state, DocumentCommand::AskSaveAs),
    },
    ActionInfo {
        id: "spec-close",
        label: "Close the specification",
        keys: "Ctrl+W",
        group: Group::In(Place::Record),
        order: |state| of_document(state, DocumentCommand::Close),
    },
];

/// Returns a command about the shown specification, or why there is none.
pub fn of_document(state: &StudioState, command: fn(DocumentId) -> DocumentCommand) -> Order {
    if state.settings.record_view != RecordView::Specification {
        return Err("Go to Specification first.");
    }
    let document = state.documents.shown(&state.settings.target.app).ok_or("No specification is open.")?;
    Ok(Command::Document(command(document.id)))
}
