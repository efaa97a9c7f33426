//! A flow of Maestro becomes the recording: it is played beside the window on a phone of its own.

use std::path::PathBuf;

use super::handle::notify_put_aside;
use super::steps::performed;
use super::{Choices, Cut};
use crate::background::{BackgroundJob, Reporter};
use crate::command::Command;
use crate::effect::Effect;
use crate::phone::begin_tests;
use crate::state::{Place, RecordView, StudioState};
use taproof_campaign::Target;
use taproof_engine::device::{AppData, DeviceSource};
use taproof_screen::RecordedStep;
use taproof_session::TestPhones;
use taproof_session::maestro::{Flow, PlayOptions, play, read_flow_file};
use taproof_spec::PickedCondition;

/// A flow that is to become the recording.
pub(crate) struct FlowToImport {
    path: PathBuf,
    target: Target,
    /// Whether the app keeps its data.
    keeps: bool,
    /// The command of the host before the test.
    command: Option<String>,
}

/// A flow that was played.
pub(crate) struct ImportedFlow {
    title: String,
    target: Target,
    /// The first steps, such as those of `onFlowStart`.
    lead: Vec<RecordedStep>,
    steps: Vec<RecordedStep>,
    conditions: Vec<PickedCondition>,
    /// What is to be said of it: where it stopped, and what was left out.
    said: Vec<String>,
}

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

/// Plays a flow.
///
/// # Errors
///
/// Why it cannot be read, or what fails with the phone.
pub(crate) fn play_flow(
    order: FlowToImport,
    phones: &TestPhones,
    reporter: &Reporter,
) -> Result<Box<ImportedFlow>, String> {
    let FlowToImport { path, target, keeps, command } = order;
    let flow = Flow::read(&path, &read_flow_file).map_err(|problem| problem.to_string())?;
    let phones = phones.on((&target.app, &target.build), &target.device_choice(), 0);
    let mut phones = phones.running_before_tests(command);
    let unwanted = reporter.unwanted();
    let options = PlayOptions {
        app: target.app.clone(),
        data: if keeps { AppData::ResetAround } else { AppData::Clear },
        variables: Default::default(),
        unwanted: &*unwanted,
    };
    let mut device = phones.fresh().map_err(|error| error.to_string())?;
    let played = play(&flow, &mut *device, &options).map_err(|error| error.to_string())?;
    let saved = played.saved(flow.title(), (&target.app, &target.build), false);
    let mut lead: Vec<RecordedStep> = saved.trace().iter().flat_map(|trace| trace.recorded_steps()).collect();
    let steps = lead.split_off(played.lead_steps().min(lead.len()));
    let other = flow.app().filter(|app| *app != target.app);
    let other = other.map(|other| format!("It names {other}, and was played on {}", target.app));
    let stopped = played.stopped.as_ref().map(|why| format!("It stopped there: {why}"));
    let said = stopped.into_iter().chain(other).chain(played.notes.clone()).collect();
    let conditions = played.conditions();
    Ok(Box::new(ImportedFlow { title: flow.title(), target, lead, steps, conditions, said }))
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
        true => state.notify(format!("{} is the recording now: {} steps", flow.title, flow.steps.len())),
        false => {
            state.notify_failure(format!("{} is the recording now. {}", flow.title, flow.said.join(". ")))
        }
    }
    Vec::new()
}
