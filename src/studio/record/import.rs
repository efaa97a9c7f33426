//! A flow of Maestro becomes the recording: it is played beside the window on a phone of its own.

use std::path::PathBuf;

use super::handle::notify_put_aside;
use super::steps::performed;
use super::{Choices, Cut, FlowToImport, ImportedFlow};
use crate::background::BackgroundJob;
use crate::command::Command;
use crate::effect::Effect;
use crate::phone::begin_tests;
use crate::state::{Place, RecordView, StudioState};
use taproof_screen::{RecordedStep, counted};

/// Has a flow played on the app that is shown.
pub(crate) fn import_flow(state: &mut StudioState, path: PathBuf) -> Vec<Effect> {
    let target = state.settings.target.clone();
    let then = Command::ImportFlow(path.clone());
    let device = target.device_choice();
    let begun = begin_tests(state, (&target.app, &device), ("played", "play the flow"), then);
    let Some((first, mut effects)) = begun else { return Vec::new() };
    let command = state.campaigns.form.command_before(&target.app);
    state.notify(format!("Playing {}\u{2026}", path.display()));
    let keeps = first.is_some_and(|first| first.keep_data);
    effects.push(BackgroundJob::Import(Box::new(FlowToImport { path, target, keeps, command })).into());
    effects
}

/// Makes a flow the recording, or says why it cannot be.
pub(crate) fn take_imported(
    state: &mut StudioState,
    imported: Result<Box<ImportedFlow>, String>,
) -> Vec<Effect> {
    let flow = match imported {
        Ok(flow) if flow.steps.is_empty() => {
            let said = flow.said.first().map_or("it does nothing with the app", String::as_str);
            state.notify_failure(format!("{} was not recorded: {said}", flow.title));
            return Vec::new();
        }
        Ok(flow) => *flow,
        Err(why) => {
            state.notify_failure(format!("The flow was not recorded: {why}"));
            return Vec::new();
        }
    };
    let unsaved = state.record.unsaved();
    let known = state.known_of(&flow.target.app);
    let played = |steps: &[RecordedStep]| steps.iter().map(performed).collect();
    let cut = Cut {
        target: flow.target,
        initialiser: None,
        lead: played(&flow.lead),
        steps: played(&flow.steps),
        choices: Choices { conditions: flow.conditions, whole: true, ..Choices::default() },
    };
    state.record.accept(cut, known);
    state.settings.place = Place::Record;
    state.settings.record_view = RecordView::Recording;
    notify_put_aside(state, unsaved);
    match flow.said.is_empty() {
        true => state.notify(format!(
            "{} is the recording now: {}",
            flow.title,
            counted(flow.steps.len(), "step")
        )),
        false => {
            state.notify_failure(format!("{} is the recording now. {}", flow.title, flow.said.join(". ")))
        }
    }
    Vec::new()
}
