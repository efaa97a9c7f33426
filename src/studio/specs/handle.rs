//! Handles what concerns specifications: the panels' commands, what the disk thread has done for them, and the clock.

use std::sync::Arc;
use std::time::Duration;

use super::disk_tasks::SpecDone;
use super::trial_worker::TrialNews;
use super::{DiskTask, DmfTime, DocumentCommand, Documents, SpecDocument, TrialCommand, TrialState};
use crate::background::{BackgroundJob, JobId};
use crate::command::Command;
use crate::disk::Job;
use crate::effect::Effect;
use crate::phone::{begin_tests, bundled, sentence};
use crate::state::{Place, RecordView, StudioState};
use taproof_phone::Apps;

/// Seconds without a change after which a draft is written.
const REST: f64 = 0.7;
/// Longest pause in seconds between two inputs that still counts as work on a DMF.
const LONGEST_PAUSE: f64 = 60.0;
/// Seconds of work after which the times are written again.
const KEEP_TIMES: f64 = 10.0;

/// Timers for drafts and for the seconds spent on DMFs. All times are in seconds of the window's clock.
#[derive(Default)]
pub(crate) struct DocumentClock {
    /// The number of edits so far, and when it last changed. The time is `None` if the drafts are written.
    revisions: u64,
    changed: Option<f64>,
    /// When the last input arrived.
    touched: Option<f64>,
    /// Seconds of work that are not written yet.
    unkept: f64,
    /// Whether the window may close without a question.
    leaving: bool,
}

impl Documents {
    /// Closes the window without further questions.
    pub(super) fn close_window(&mut self) -> Effect {
        self.clock.leaving = true;
        Effect::CloseWindow
    }
}

/// Opens the bundled specifications.
pub(crate) fn open_shipped(state: &mut StudioState, apps: &Apps) {
    for (mut entry, sources) in bundled::entries(apps) {
        let id = state.documents.next_id();
        let sources = sources.into_iter().map(|source| (source.name, None, source.text)).collect();
        match SpecDocument::read(id, &entry.label, sources) {
            Ok(mut document) => {
                entry.dmfs = document.spec.dmfs.len();
                document.app.clone_from(&entry.package);
                document.shipped = true;
                state.documents.list.push(document);
            }
            Err((name, error)) => state.notify_failure(format!("{name} cannot be read: {error}")),
        }
        state.apps.push(entry);
    }
}

/// Executes a command of a panel about specifications.
pub(crate) fn run_document(state: &mut StudioState, command: DocumentCommand) -> Vec<Effect> {
    // A recording belongs to the app that it was made in, whatever app the phone shows now.
    let package = match &command {
        DocumentCommand::Keep(..) => &state.record.target.app,
        DocumentCommand::Accept(app, _) => app,
        _ => &state.settings.target.app,
    };
    let app = state.app(package).cloned();
    if matches!(command, DocumentCommand::New) {
        state.settings.place = Place::Record;
        state.settings.record_view = RecordView::Specification;
    }
    let keeps = matches!(command, DocumentCommand::Keep(..) | DocumentCommand::Accept(..));
    let effects = state.documents.run(command, app.as_ref());
    let own = app.filter(|_| keeps).and_then(|app| state.documents.own(&app.package));
    if let Some((app, id)) = own.map(|document| (document.app.clone(), document.id)) {
        // The next campaign is likely to use the specification that was just saved.
        state.campaigns.form.choose_app(&app);
        state.campaigns.form.choose_document(id);
    }
    effects
}

/// Takes what the disk thread has done for specifications.
pub(crate) fn take_done(state: &mut StudioState, done: SpecDone) -> Vec<Effect> {
    let documents = &mut state.documents;
    match done {
        SpecDone::Nothing => {}
        SpecDone::Found(found) => {
            documents.recent = found.recent;
            documents.times = found.times;
            let shown = documents.shown;
            found.own.into_iter().for_each(|files| documents.found(files));
            documents.shown = shown;
            let drafts = found.drafts.into_iter();
            let effects = drafts.flat_map(|(word, text)| documents.restored(word, text)).collect();
            documents.problem = found.problem;
            state.restore_recordings(found.recordings);
            return effects;
        }
        SpecDone::Specs(specs) => {
            let effects = specs.into_iter().flat_map(|files| documents.opened(files)).collect();
            if documents.problem.is_none() {
                state.settings.place = Place::Record;
            }
            state.settings.record_view = RecordView::Specification;
            return effects;
        }
        SpecDone::Trace(path) => return vec![Effect::Disk(Job::OpenTrace(path))],
        SpecDone::Walk(folder) => return vec![Effect::then(Command::OpenWalk(folder))],
        SpecDone::Written(id, files) => return documents.written(id, &files),
        SpecDone::Changed(id, path) => documents.changed_on_disk(id, path),
        SpecDone::Exported(path) => state.notify(format!("Written: {}", path.display())),
        SpecDone::Failed(problem) => {
            documents.failed(problem.clone());
            state.notify_failure(problem);
        }
    }
    Vec::new()
}

/// Writes drafts after a pause without changes.
pub(crate) fn tick(documents: &mut Documents, now: f64) -> Vec<Effect> {
    let revisions = documents.revisions();
    let clock = &mut documents.clock;
    if revisions != clock.revisions {
        clock.revisions = revisions;
        clock.changed = Some(now);
    }
    let Some(changed) = clock.changed else { return Vec::new() };
    let left = REST - (now - changed);
    if left > 0.0 {
        return vec![Effect::RepaintAfter(Duration::from_secs_f64(left))];
    }
    clock.changed = None;
    documents.drafts()
}

/// Attributes the time between two inputs to the shown DMF or to the recording.
pub(crate) fn count_seconds(state: &mut StudioState, now: f64) -> Vec<Effect> {
    let StudioState { documents, settings, .. } = state;
    let spent = documents.clock.touched.replace(now).map_or(0.0, |touched| now - touched);
    if spent > LONGEST_PAUSE || settings.place != Place::Record {
        return Vec::new();
    }
    match settings.record_view {
        RecordView::Recording if !state.record.is_idle() => documents.recording += spent,
        RecordView::Recording => return Vec::new(),
        RecordView::Specification => {
            let shown = documents.shown(&settings.target.app).filter(|document| !document.shipped);
            let id = shown.map(|document| document.id);
            let Some(document) = id.and_then(|id| documents.get_mut(id)) else { return Vec::new() };
            let Some(name) = document.dmf().map(|dmf| dmf.name.clone()) else { return Vec::new() };
            let time: &mut DmfTime = document.times.entry(name).or_default();
            time.editing += spent;
            documents.clock.unkept += spent;
        }
    }
    if documents.clock.unkept > KEEP_TIMES { keep_times(documents) } else { Vec::new() }
}

/// Writes the seconds spent on DMFs, if there are new ones.
pub(crate) fn keep_times(documents: &mut Documents) -> Vec<Effect> {
    let unkept = std::mem::take(&mut documents.clock.unkept) > 0.0;
    unkept.then(|| DiskTask::KeepTimes(documents.all_times()).into()).into_iter().collect()
}

/// Asks before a window with unsaved changes is closed.
pub(crate) fn guard_the_end(documents: &mut Documents) -> Vec<Effect> {
    if documents.clock.leaving || documents.unsaved() == 0 {
        return Vec::new();
    }
    let mut effects = vec![Effect::KeepOpen];
    effects.extend(documents.run(DocumentCommand::Quit, None));
    effects
}

/// Closes the window if that was requested from outside. There may be nobody to ask about unsaved changes: their drafts
/// are kept.
pub(crate) fn close_unasked(documents: &mut Documents) -> Vec<Effect> {
    if documents.clock.leaving { Vec::new() } else { vec![documents.close_window()] }
}

/// Executes a command about *Try it*.
pub(crate) fn run_trial(state: &mut StudioState, command: TrialCommand) -> Vec<Effect> {
    match &command {
        TrialCommand::Cancel => vec![Effect::Cancel(JobId::Try)],
        TrialCommand::Close => {
            state.trial = TrialState::default();
            vec![Effect::Leave(JobId::Try)]
        }
        TrialCommand::Start { .. } | TrialCommand::Again | TrialCommand::OnSound => {
            let Some(mut plan) = state.trial.plan_for(&command) else { return Vec::new() };
            let then = Command::Trial(command.clone());
            let begun = begin_tests(state, (&plan.app, &plan.device), ("tried", "trial"), then);
            let Some((first, mut effects)) = begun else { return Vec::new() };
            plan.initialiser = first;
            let plan = Arc::new(plan);
            state.trial.begin(Arc::clone(&plan));
            let command = state.campaigns.form.command_before(&plan.app);
            effects.push(BackgroundJob::Try(plan, command).into());
            effects
        }
    }
}

/// Takes what the trial reported.
pub(crate) fn take_trial(trial: &mut TrialState, news: TrialNews) {
    match news {
        TrialNews::Ran(run) => trial.take_run(*run),
        TrialNews::Ended(report) => trial.take_report(*report),
        TrialNews::Failed(problem) => trial.fail(sentence(&problem)),
    }
}
