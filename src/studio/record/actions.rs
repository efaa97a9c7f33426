//! Actions on the recording.

use std::sync::Arc;

use super::{RecordCommand, RecordEdit, RecordPhase};
use crate::command::{ActionInfo, CampaignCommand, Command, DocumentCommand, Group, Order, TrialCommand};
use crate::specs::of_document;
use crate::state::{Place, RecordView, StudioState};

const OF_ANOTHER_APP: &str = "The recording is of another app. Show that app first.";

/// Why nothing can be recorded while the phone is away or something else uses it.
pub(crate) const NO_PHONE: &str =
    "There is no phone to record on now. Wait until it is back, or choose another app.";

/// The actions on the recording, as rows of the table of actions.
pub const RECORD: &[ActionInfo] =
    &[
        Group::RECORD.action("record", "Record a function, or end the recording", "Ctrl+R, R", |state| {
            match state.record.phase {
                _ if state.settings.record_view != RecordView::Recording => Err("Show the recording first."),
                RecordPhase::Recording => Ok(Command::Record(RecordCommand::End)),
                RecordPhase::Idle | RecordPhase::Review if state.mirror.is_walk() => {
                    Err("A recorded session is shown. Go back to the live phone first.")
                }
                RecordPhase::Idle | RecordPhase::Review if state.mirror.gone => Err(NO_PHONE),
                RecordPhase::Idle | RecordPhase::Review => Ok(Command::Record(RecordCommand::Begin)),
            }
        }),
        Group::RECORD.action("record-try", "Try the recorded function", "T", try_order),
        Group::RECORD.action("record-save", "Save the recorded function", "S", |state| {
            let record = &state.record;
            if record.phase != RecordPhase::Review || state.settings.record_view != RecordView::Recording {
                return Err("Record a function first.");
            }
            if state.parked_recording().is_some() {
                return Err(OF_ANOTHER_APP);
            }
            if !record.refusals().is_empty() {
                return Err("Something is still wrong with it; it is named below the steps.");
            }
            Ok(Command::Record(RecordCommand::Keep))
        }),
        Group::RECORD.action("record-first", "Do the recorded steps first in every test", "", |state| {
            match state.settings.record_view {
                RecordView::Recording => state.can_do_first().map(|()| CampaignCommand::DoFirst.into()),
                RecordView::Specification => Err("Show the recording first."),
            }
        }),
        Group::RECORD.action("record-delete-step", "Delete the chosen step", "Delete", |state| {
            let record = &state.record;
            let shown = record.shown.filter(|step| *step < record.recording.steps.len());
            match shown {
                _ if state.settings.record_view != RecordView::Recording => Err("Show the recording first."),
                Some(step) => Ok(Command::Record(RecordCommand::Edit(RecordEdit::Delete(step)))),
                None => Err("Choose a step first."),
            }
        }),
        Group::RECORD.action("record-stop-picking", "Pick nothing", "Escape", |state| {
            match state.record.picking {
                Some(_) => Ok(Command::Record(RecordCommand::Unpick)),
                None => Err("Nothing is being picked."),
            }
        }),
        Group::RECORD.action("record-undo", "Undo", "Ctrl+Z", |state| match state.settings.record_view {
            RecordView::Recording => turn(RecordCommand::Undo, state.record.can_turn(true)),
            RecordView::Specification => of_document(state, DocumentCommand::Undo),
        }),
        Group::RECORD.action("record-redo", "Redo", "Ctrl+Shift+Z, Ctrl+Y", |state| {
            match state.settings.record_view {
                RecordView::Recording => turn(RecordCommand::Redo, state.record.can_turn(false)),
                RecordView::Specification => of_document(state, DocumentCommand::Redo),
            }
        }),
    ];

fn turn(command: RecordCommand, can: bool) -> Order {
    if can { Ok(Command::Record(command)) } else { Err("There is nothing to undo or redo.") }
}

/// Called in every pass, so it must be cheap: the DMF to try is only made by [`StudioState::trial_of_recording`].
fn try_order(state: &StudioState) -> Order {
    let record = &state.record;
    if record.phase != RecordPhase::Review || state.settings.record_view != RecordView::Recording {
        return Err("Record a function first.");
    }
    if state.parked_recording().is_some() {
        return Err(OF_ANOTHER_APP);
    }
    match record.draft {
        Some(Ok(_)) => Ok(Command::Record(RecordCommand::Try)),
        _ => Err("Something is still wrong with it; it is named below the steps."),
    }
}

impl StudioState {
    /// Whether what is typed in the place Record is meant for the phone: a recording goes on, or a field has the phone's
    /// focus.
    pub fn types_into_phone(&self) -> bool {
        let recording = self.record.phase == RecordPhase::Recording;
        self.settings.place == Place::Record && (recording || self.mirror.takes_text())
    }

    /// The command that tries the recorded function. Its specification contains the other functions of the app, which
    /// may be needed to create the objects that it starts with. `None` if no DMF can be made.
    pub fn trial_of_recording(&self) -> Option<TrialCommand> {
        let record = &self.record;
        let (Some(Ok(draft)), Some(dmf)) = (&record.draft, record.kept_dmf()) else { return None };
        let own = self.documents.own(&record.target.app).map(|document| Arc::clone(&document.spec));
        let (mut spec, _) = self.documents.among_shipped(&record.target.app, &own.unwrap_or_default());
        spec.dmfs.retain(|other| other.name != dmf.name && Some(other.name.as_str()) != record.saved_as());
        let known = draft.objects.iter().filter(|object| object.known);
        let held = known.map(|object| (dmf.data_type.clone(), object.text.clone())).collect();
        let first = self.campaigns.form.initialiser(&record.target.app).ok().flatten();
        let index = spec.dmfs.len();
        spec.dmfs.push(dmf);
        Some(TrialCommand::Start {
            spec: Arc::new(spec),
            dmf: index,
            target: record.target.clone(),
            lead_up: record.lead_up(first.as_deref()),
            held,
        })
    }
}
