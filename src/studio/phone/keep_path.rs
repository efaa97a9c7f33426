//! Saves the phone's path as a trace or a regression test, and opens saved traces.

use std::path::PathBuf;
use std::sync::Arc;

use super::{KeepCommand, TakeOver, TestDraft, TraceSource, opened_trace, saved_way};
use crate::command::{Command, FileKind, FilePurpose, FileQuestion, RecordCommand};
use crate::effect::Effect;
use crate::state::StudioState;
use taproof_campaign::SavedTrace;

const NO_FRESH_START: &str =
    "This way cannot be kept: it did not begin with a fresh app on the bundled phone.";

/// Executes a command of a panel about saving the path.
pub(crate) fn run_keep(state: &mut StudioState, command: KeepCommand) -> Vec<Effect> {
    match command {
        KeepCommand::Trace => match saved_way(&state.mirror.walked, state.mirror.stands()) {
            Some(saved) => return vec![ask_where(saved, "Keep as a trace", "trace.json")],
            None => state.notify_failure(NO_FRESH_START),
        },
        KeepCommand::Graph => match saved_way(&state.mirror.walked, state.mirror.stands()) {
            Some(saved) => {
                let (purpose, title) = (FilePurpose::SaveGraph(Arc::new(saved)), "Save the transition graph");
                let question = FileQuestion::of(purpose, FileKind::Save, title, &["dot"]);
                return vec![Effect::ask(question.named("transitions.dot"))];
            }
            None => state.notify_failure(NO_FRESH_START),
        },
        KeepCommand::Test => {
            // If the phone branched off a trace, the test is about the branch.
            let branch = state.takeover.as_ref().filter(|taken| taken.branched());
            let from = branch.map_or(0, |taken| taken.prefix);
            let draft = TestDraft::of_way(&state.mirror.walked, from, state.mirror.stands());
            if draft.is_none() {
                state.notify_failure(NO_FRESH_START);
            }
            state.keep = draft;
        }
        KeepCommand::Function(from) => {
            return vec![Effect::then(Command::Record(RecordCommand::Take(from)))];
        }
        KeepCommand::Demand(place, demanded) => {
            let demands = state.keep.as_mut().map(|draft| &mut draft.demands);
            if let Some(demand) = demands.and_then(|demands| demands.get_mut(place)) {
                demand.1 = demanded;
            }
        }
        KeepCommand::Pick(picking) => {
            if let Some(draft) = &mut state.keep {
                draft.picking = picking;
            }
        }
        KeepCommand::Picked(idx) => {
            let layout = state.mirror.layout().cloned();
            if let (Some(draft), Some(layout)) = (&mut state.keep, layout) {
                draft.demand_shown(&layout, idx);
            }
        }
        KeepCommand::Save => {
            // The draft stays until it is written, since the file dialog may be cancelled.
            if let Some(saved) = state.keep.as_ref().map(TestDraft::finished) {
                return vec![ask_where(saved, "Keep as a regression test", "test.json")];
            }
        }
        KeepCommand::Cancel => state.keep = None,
        KeepCommand::Open => {
            let (purpose, title) = (FilePurpose::OpenTrace, "Open a kept trace");
            return vec![Effect::ask(FileQuestion::of(purpose, FileKind::Open, title, &["json"]))];
        }
    }
    Vec::new()
}

fn ask_where(saved: SavedTrace, title: &str, name: &str) -> Effect {
    let purpose = FilePurpose::SaveTrace(Arc::new(saved));
    Effect::ask(FileQuestion::of(purpose, FileKind::Save, title, &["json"]).named(name))
}

/// Called when a trace has been written to a file.
pub(crate) fn trace_saved(state: &mut StudioState, path: PathBuf, saved: &SavedTrace) {
    // A draft that was changed meanwhile, or another test, is not the one that was written.
    state.keep.take_if(|draft| draft.finished() == *saved);
    state.notify(format!("Kept. Do it again with: taproof replay --trace {}", path.display()));
}

/// Leads the phone to the start of a trace that was read from a file.
pub(crate) fn trace_opened(saved: &SavedTrace) -> Effect {
    let source = TraceSource::Given(opened_trace(saved));
    Effect::then(Command::TakeOver(TakeOver::At(source, 0)))
}
