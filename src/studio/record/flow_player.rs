//! Plays a flow of Maestro beside the window, on a phone of its own.

use std::path::PathBuf;

use taproof_campaign::Target;
use taproof_engine::device::{AppData, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_screen::RecordedStep;
use taproof_session::TestPhones;
use taproof_session::maestro::{Flow, PlayOptions, play, read_flow_file};
use taproof_spec::PickedCondition;

/// A flow that is to become the recording.
pub(crate) struct FlowToImport {
    pub path: PathBuf,
    pub target: Target,
    /// Whether the app keeps its data.
    pub keeps: bool,
    /// The command of the host before the test.
    pub command: Option<String>,
}

/// A flow that was played.
pub(crate) struct ImportedFlow {
    pub title: String,
    pub target: Target,
    /// The first steps, such as those of `onFlowStart`.
    pub lead: Vec<RecordedStep>,
    pub steps: Vec<RecordedStep>,
    pub conditions: Vec<PickedCondition>,
    /// What is to be said of it: where it stopped, and what was left out.
    pub said: Vec<String>,
}

/// Plays a flow.
///
/// # Errors
///
/// Why it cannot be read, or what fails with the phone.
pub(crate) fn play_flow(
    order: FlowToImport,
    phones: &TestPhones,
    cancel: &CancelToken,
) -> Result<Box<ImportedFlow>, String> {
    let FlowToImport { path, target, keeps, command } = order;
    let flow = Flow::read(&path, &read_flow_file).map_err(|problem| problem.to_string())?;
    let phones = phones.on((&target.app, &target.build), &target.device_choice(), 0);
    let mut phones = phones.running_before_tests(command);
    let unwanted = cancel.unwanted();
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
