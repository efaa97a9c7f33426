//! Handles what concerns findings: lists them, opens them, marks them as seen, minimises them, moves the replay's cursor,
//! and exports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::export::commands;
use super::exporter::{Export, ExportNews, Stored};
use super::judge::Judging;
use super::minimiser::MinimiserNews;
use super::opener::OpenerNews;
use super::{
    CorrectionChange, ExportCommand, ExportId, ExportSubject, Exporting, HistoryCommand, HistoryRead,
    Minimising, Opening, ReplayCommand, ReplayState, Ticket, with_steps,
};
use crate::background::{BackgroundJob, JobId};
use crate::command::Command;
use crate::disk::Job;
use crate::effect::Effect;
use crate::event::Event;
use crate::phone::{Judgement, TestsToBegin, TraceSource, lend, may_begin};
use crate::state::{FindingKey, Message, News, Place, StudioState};
use taproof_campaign::{Correction, Finding, FindingState, JudgedBug};
use taproof_engine::Task;
use taproof_results::report::FindingTrace;

/// Decoded pictures on either side of the replay's cursor that stay in memory.
const PICTURES_KEPT: usize = 4;

/// Executes a command of a panel about the findings.
pub(crate) fn run_history(state: &mut StudioState, command: HistoryCommand) -> Vec<Effect> {
    let history = &mut state.history;
    match command {
        HistoryCommand::Open(key) => return open_finding(state, key),
        HistoryCommand::CancelOpening => {
            history.opening = None;
            return vec![Effect::Leave(JobId::Open)];
        }
        HistoryCommand::Close => {
            history.opening = None;
            state.replay = None;
        }
        HistoryCommand::Filter(filter) => {
            return history
                .set_filter(*filter)
                .map(|it| BackgroundJob::Screens(it).into())
                .into_iter()
                .collect();
        }
        HistoryCommand::Sort(order) => history.sort(order),
        HistoryCommand::Choose(key, how) => history.choose(key, how),
        HistoryCommand::ChooseNext(lines) => history.choose_next(lines),
        HistoryCommand::Copy(keys) => return vec![Effect::Disk(Job::Ticket(keys, None))],
        HistoryCommand::NewIssue(key) => {
            let pattern = state.settings.issue_link.clone();
            return vec![Effect::Disk(Job::Ticket(vec![key], Some(pattern)))];
        }
        HistoryCommand::Judge(said) => {
            history.judged.push(said.clone());
            return by_app(said).map(|(app, said)| correct(app, CorrectionChange::Say(said))).collect();
        }
        HistoryCommand::TakeBack => {
            let last = history.judged.pop().unwrap_or_default();
            return by_app(last).map(|(app, said)| correct(app, CorrectionChange::TakeBack(said))).collect();
        }
        HistoryCommand::ListNew => history.list_new(),
        HistoryCommand::Unfold(key, unfolded) => history.unfold(key, unfolded),
        HistoryCommand::UnfoldSection(section, unfolded) => history.unfold_section(section, unfolded),
        HistoryCommand::Minimise(key) => return minimise_finding(state, key),
        HistoryCommand::StopMinimising => return vec![Effect::Cancel(JobId::Minimise)],
        HistoryCommand::See(key, seen) => {
            if history.see(&key, seen) {
                return vec![Effect::Disk(Job::See(key, seen))];
            }
        }
    }
    Vec::new()
}

/// What was said of bugs, by app.
fn by_app(said: Vec<(String, JudgedBug)>) -> impl Iterator<Item = (String, Vec<Correction>)> {
    let mut of: BTreeMap<String, Vec<Correction>> = BTreeMap::new();
    said.into_iter().for_each(|(app, said)| of.entry(app).or_default().push(Correction::Judged(said)));
    of.into_iter()
}

fn correct(app: String, change: CorrectionChange) -> Effect {
    Effect::Disk(Job::Correct(app, change))
}

/// Reads a finding from the disk and shows it, so that exactly what is stored is shown.
pub(crate) fn open_finding(state: &mut StudioState, key: FindingKey) -> Vec<Effect> {
    // What is said by keys is said of what one sees.
    state.history.choose_shown(&key);
    let title = state.history.get(&key).map_or_else(|| key.name.clone(), |row| row.title.clone());
    state.history.opening = Some(Opening { key: key.clone(), title, read: None, problem: None });
    state.settings.place = Place::Replay;
    vec![BackgroundJob::Open(key).into()]
}

/// Lists the findings that were read.
pub(crate) fn take_history(state: &mut StudioState, read: Result<HistoryRead, String>) -> Vec<Effect> {
    state.history.answered(read).map(read_again).into_iter().collect()
}

/// Has the findings of the workspace read, or read again after they have been.
pub(crate) fn ask_history(state: &mut StudioState) -> Option<Effect> {
    state.history.ask().map(read_again)
}

fn read_again(known: BTreeSet<i64>) -> Effect {
    Effect::Disk(Job::History(known))
}

/// Takes how far the finding that is being opened has come, or the finding.
pub(crate) fn take_opener(state: &mut StudioState, news: OpenerNews) -> Vec<Effect> {
    match news {
        OpenerNews::Progress(key, done, steps) => {
            let opening = state.history.opening.as_mut().filter(|opening| opening.key == key);
            opening.into_iter().for_each(|opening| opening.read = Some((done, steps)));
        }
        OpenerNews::Loaded(replay) => return opened(state, *replay),
        OpenerNews::NotLoaded(key, problem) => state.not_opened(&key, problem),
    }
    Vec::new()
}

/// Shows a finding that was loaded, unless another one was opened since.
fn opened(state: &mut StudioState, replay: ReplayState) -> Vec<Effect> {
    let key = replay.source.key.clone();
    let unseen = state.opened(replay);
    unseen.then_some(Effect::Disk(Job::See(key, true))).into_iter().collect()
}

/// Plays the replay, has the pictures around its cursor decoded, and has a re-execution judged that is over.
pub(crate) fn tick(state: &mut StudioState, now: f64) -> Vec<Effect> {
    state.history.keep_still(state.settings.place == Place::Replay);
    state.exports.iter_mut().for_each(|export| export.tick(now));
    let judging = judge_reexecution(state);
    let Some(replay) = &mut state.replay else { return Vec::new() };
    let mut effects = play(replay, now);
    effects.extend(judging);
    effects.extend(wanted_pictures(replay));
    effects
}

fn play(replay: &mut ReplayState, now: f64) -> Vec<Effect> {
    if !replay.playing {
        replay.played = None;
        return Vec::new();
    }
    let step = Duration::from_millis(replay.speed.step_millis());
    let last = *replay.played.get_or_insert(now);
    if now - last >= step.as_secs_f64() {
        replay.played = Some(now);
        replay.run(ReplayCommand::Tick);
    }
    vec![Effect::RepaintAfter(step)]
}

/// Requests the pictures around the cursor, each only once.
fn wanted_pictures(replay: &mut ReplayState) -> Vec<Effect> {
    let wanted = replay.wanted_frames();
    // Each picture takes megabytes, so those far from the cursor are dropped and decoded again on demand.
    let near = |(way, frame): &(FindingTrace, usize)| {
        wanted.iter().any(|(of, at)| of == way && at.abs_diff(*frame) <= PICTURES_KEPT)
    };
    replay.pictures.retain(|place, _| near(place));
    let mut effects = Vec::new();
    for (way, frame) in wanted {
        let png = way.of(&replay.finding).screenshots.get(frame).cloned().flatten();
        if let (Some(png), false) = (png, replay.pictures.contains_key(&(way, frame))) {
            replay.pictures.insert((way, frame), None);
            let finding = replay.source.key.clone();
            effects.push(Effect::Disk(Job::Decode { finding, place: (way, frame), png }));
        }
    }
    effects
}

/// Asks once whether the open finding came back, when its re-execution on the bundled phone is over. A device is not asked
/// to do the steps a second time.
fn judge_reexecution(state: &mut StudioState) -> Option<Effect> {
    let replay = state.replay.as_ref()?;
    let taken = state.takeover.as_mut().filter(|taken| taken.judgement.is_none())?;
    let over = taken.reexecution.is_some_and(|again| again.done >= again.total);
    let target = Some(&taken.trace.target).filter(|target| over && target.device.is_none())?;
    let TraceSource::Finding(key, way) = &taken.source else { return None };
    let finding = Some(replay).filter(|replay| replay.source.key == *key)?.judged_along(*way)?;
    let judging = Judging {
        order: taken.order,
        plan: Arc::clone(&replay.source.plan),
        finding,
        build: target.build.clone(),
        command: state.campaigns.form.command_before(&target.app),
    };
    taken.judgement = Some(Judgement::Pending);
    Some(BackgroundJob::Judge(Box::new(judging)).into())
}

/// Takes the judgement of a re-execution, unless another one has begun since.
pub(crate) fn take_judged(state: &mut StudioState, order: u64, judgement: Judgement) {
    if let Some(taken) = state.takeover.as_mut().filter(|taken| taken.order == order) {
        taken.judgement = Some(judgement);
    }
}

/// Confirms and minimises the finding that is open in Replay.
fn minimise_finding(state: &mut StudioState, key: FindingKey) -> Vec<Effect> {
    let replay = state.replay.as_ref().filter(|replay| replay.source.key == key);
    let Some(source) = replay.map(|replay| &replay.source) else { return Vec::new() };
    let (number, plan, device) = (source.number, Arc::clone(&source.plan), source.plan.device.clone());
    if let Some(minimising) = &state.minimising {
        let text =
            format!("Finding {} is being minimised. Stop it or wait until it is over.", minimising.number);
        state.notify_failure(text);
        return Vec::new();
    }
    let first = plan.initialiser.as_deref();
    let tests = TestsToBegin { app: &plan.app, device: &device, first, can_keep: false };
    if !may_begin(state, &tests, Command::History(HistoryCommand::Minimise(key.clone()))) {
        return Vec::new();
    }
    let Some(mut effects) = lend(state, &device, "minimisation") else { return Vec::new() };
    let task = Task::default();
    state.minimising = Some(Minimising { key: key.clone(), number, device, events: 0, task });
    effects.push(BackgroundJob::Minimise(key).into());
    effects
}

/// Takes what is known of the finding that is being minimised.
pub(crate) fn take_minimiser(state: &mut StudioState, news: MinimiserNews) -> Vec<Effect> {
    match news {
        MinimiserNews::Progress(events, task) => {
            if let Some(minimising) = &mut state.minimising {
                (minimising.events, minimising.task) = (events, task);
            }
            Vec::new()
        }
        MinimiserNews::Stored(finding) => stored(state, finding),
        MinimiserNews::Ended(ended) => minimised(state, ended),
    }
}

/// Lists the finding as it is known now, in Replay and in its campaign if that is in the window.
fn stored(state: &mut StudioState, finding: Arc<Finding>) -> Vec<Effect> {
    let campaign = state.minimising.as_ref().map(|minimising| Some(minimising.key.campaign));
    let shown = state.campaigns.list.iter().find(|known| Some(known.row) == campaign);
    let known = shown.map(|shown| Effect::Disk(Job::Known(shown.id, finding)));
    known.into_iter().chain(ask_history(state)).collect()
}

fn minimised(state: &mut StudioState, ended: Result<(FindingState, bool), String>) -> Vec<Effect> {
    let Some(Minimising { key, number, .. }) = state.minimising.take() else { return Vec::new() };
    match ended {
        Ok((known, true)) => state.notify(format!("Finding {number}: {}.", with_steps(known))),
        Ok((known, false)) => {
            state.notify(format!("Stopped. Finding {number}: {}.", with_steps(known)));
        }
        Err(problem) => state.notify_failure(format!("Finding {number} was not minimised: {problem}.")),
    }
    let mut effects: Vec<Effect> = ask_history(state).into_iter().collect();
    // Whoever has waited for it wants to see it.
    let open = state.replay.as_ref().is_some_and(|replay| replay.source.key == key);
    if open && state.settings.place == Place::Replay {
        effects.extend(open_finding(state, key));
    }
    effects
}

/// Exports to a file that was chosen.
pub(crate) fn export_to(state: &mut StudioState, command: ExportCommand, path: PathBuf) -> Vec<Effect> {
    let stored = match command.subject {
        ExportSubject::Finding(key) => Stored::Finding(key),
        ExportSubject::Campaign(id) => {
            let Some(row) = state.campaigns.get(id).and_then(|campaign| campaign.row) else {
                state.notify_failure(format!("Campaign {} has not been kept yet.", id.0));
                return Vec::new();
            };
            Stored::Campaign(row)
        }
    };
    if state.exports.iter().any(|export| export.path == path) {
        state.notify_failure(format!("{} is being written already.", path.display()));
        return Vec::new();
    }
    let id = ExportId(state.exports.iter().map(|export| export.id.0).max().map_or(1, |last| last + 1));
    state.exports.push(Exporting::new(id, path.clone()));
    let export = Export { stored, kind: command.kind, screens_before: command.screens_before, path };
    vec![BackgroundJob::Export(id, Box::new(export)).into()]
}

/// Cancels the export with this id; no file will be written.
pub(crate) fn cancel_export(exports: &mut [Exporting], id: ExportId) -> Vec<Effect> {
    for export in exports.iter_mut().filter(|export| export.id == id) {
        export.cancelled = true;
    }
    vec![Effect::Cancel(JobId::Export(id))]
}

/// Takes the progress or the outcome of an export.
pub(crate) fn take_export(exports: &mut Vec<Exporting>, id: ExportId, news: ExportNews) -> Vec<Effect> {
    let Some(export) = exports.iter_mut().find(|export| export.id == id) else { return Vec::new() };
    let message = match news {
        ExportNews::Progress(done, all) => {
            export.take(done, all);
            return Vec::new();
        }
        ExportNews::Written => Effect::Then(Event::Message(Message {
            file: Some(export.path.clone()),
            ..Message::new(News::Done, format!("Exported to {}", export.path.display()))
        })),
        ExportNews::Cancelled => {
            Effect::notify(format!("The export was cancelled: {} was not written.", export.file))
        }
        ExportNews::Failed(problem) => Effect::failure(format!("Nothing was exported: {problem}")),
    };
    exports.retain(|export| export.id != id);
    vec![message]
}

/// Copies the commands that show the open finding again to the clipboard.
pub(crate) fn copy_commands(state: &mut StudioState) -> Vec<Effect> {
    let Some(replay) = &state.replay else { return Vec::new() };
    let copied = commands(replay, &state.workspace.display().to_string());
    state.notify("Copied the commands that show it again.");
    vec![Effect::Copy(copied)]
}

/// Copies a text for an issue tracker, and opens the tracker's page for a new issue if that was asked for.
pub(crate) fn take_ticket(ticket: Ticket) -> Vec<Effect> {
    let Ticket { text, link, pictures } = ticket;
    let beside = if pictures.is_some() { ", its pictures are in a folder" } else { "" };
    let words = match &link {
        Some(_) => format!("Opened the page for a new issue. The text is copied as well{beside}."),
        None => format!("Copied as Markdown{beside}."),
    };
    let message = Message { file: pictures, ..Message::new(News::Done, words) };
    let message = Effect::Then(Event::Message(message));
    let open = link.map(|link| Effect::OpenOutside(link.into()));
    [Effect::Copy(text), message].into_iter().chain(open).collect()
}
