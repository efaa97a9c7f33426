//! Leads the live phone along a trace, and keeps it at the position of the replay's cursor.

use std::sync::Arc;
use std::time::Duration;

use super::lending::is_free;
use super::{Lead, LiveTrace, Reexecution, TakeOver, TestsToBegin, TraceSource, kept, may_begin};
use crate::command::Command;
use crate::effect::Effect;
use crate::mirror::{MirrorCommand, PathPosition};
use crate::state::StudioState;
use taproof_phone::BugSet;

/// Executes a command about taking over a trace.
pub(crate) fn run_take_over(state: &mut StudioState, command: TakeOver) -> Vec<Effect> {
    match command {
        TakeOver::At(source, events) => return take_over(state, source, events),
        TakeOver::Follow(follows) => {
            if let Some(taken) = &mut state.takeover {
                taken.follows = follows;
            }
            // Makes the phone follow to the cursor's current position.
            state.mirror.cursor = None;
        }
        TakeOver::Reexecute(source, pace_millis) => return open_trace(state, source, 0, Some(pace_millis)),
        TakeOver::Run(running) => {
            if let Some(reexecution) = reexecution(state) {
                reexecution.running = running && reexecution.done < reexecution.total;
            }
        }
        TakeOver::Stop => return vec![Effect::StopRedoing],
        TakeOver::Newest => {
            let shown = state.mirror.shown.as_ref();
            return shown.map(|shown| stand(shown.newest())).into_iter().collect();
        }
        TakeOver::Leave => state.takeover = None,
    }
    Vec::new()
}

/// Moves the phone to a position of its path.
pub(crate) fn stand(place: PathPosition) -> Effect {
    Effect::Mirror(MirrorCommand::Stand(place))
}

fn reexecution(state: &mut StudioState) -> Option<&mut Reexecution> {
    state.takeover.as_mut()?.reexecution.as_mut()
}

fn take_over(state: &mut StudioState, source: TraceSource, events: usize) -> Vec<Effect> {
    if let TraceSource::Path(path) = source
        && path == state.mirror.walked.path
    {
        // The trace is on the phone's own path, so nothing needs to be opened.
        return vec![stand(PathPosition { path, step: events })];
    }
    let taken = state.takeover.as_mut().filter(|taken| taken.source == source);
    if let Some(taken) = taken
        && let Some(place) = taken.place(events)
    {
        taken.reexecution = None;
        taken.follows = !taken.branched();
        return vec![stand(place)];
    }
    open_trace(state, source, events, None)
}

/// Takes over a trace on a fresh phone, after its first `events` events.
fn open_trace(
    state: &mut StudioState,
    source: TraceSource,
    events: usize,
    pace_millis: Option<u64>,
) -> Vec<Effect> {
    let Some(trace) = live_trace(state, &source) else {
        state.notify_failure("That trace is gone. Open it again and take it over then.");
        return Vec::new();
    };
    let again = match pace_millis {
        Some(millis) => TakeOver::Reexecute(source.clone(), millis),
        None => TakeOver::At(source.clone(), events),
    };
    let lead = lead_along(state, trace, events, Command::TakeOver(again));
    let lead = lead.map(|lead| Lead { source: Some(source), pace_millis, ..lead });
    lead.map(|lead| Effect::Lead(Box::new(lead))).into_iter().collect()
}

/// Leads a fresh phone along the first `events` events of a trace.
pub(crate) fn lead(state: &mut StudioState, trace: LiveTrace, events: usize) -> Vec<Effect> {
    let trace = Arc::new(trace);
    let again = TakeOver::At(TraceSource::Given(Arc::clone(&trace)), events);
    let lead = lead_along(state, trace, events, Command::TakeOver(again));
    lead.map(|lead| Effect::Lead(Box::new(lead))).into_iter().collect()
}

/// Restarts the shown app as tests do: with cleared data and the initial steps.
pub(crate) fn begin_anew(state: &mut StudioState) -> Vec<Effect> {
    let target = state.settings.target.clone();
    match state.campaigns.form.initialiser(&target.app) {
        Ok(initialiser) => {
            let title = "a fresh start".to_owned();
            let trace = LiveTrace { title, target, initialiser, start: None, events: Vec::new() };
            let lead = lead_along(state, Arc::new(trace), 0, Command::BeginAnew);
            lead.map(|lead| Effect::Lead(Box::new(lead))).into_iter().collect()
        }
        Err(problem) => {
            state.notify_failure(problem);
            Vec::new()
        }
    }
}

/// What the phone that a trace needs is made from: a bundled one with the trace's build, or the device that it was
/// recorded on. Notifies the person and returns `None` if that is not available. If the person must be asked first whether
/// the app's data may be cleared, `again` is executed after the answer.
fn lead_along(state: &mut StudioState, trace: Arc<LiveTrace>, events: usize, again: Command) -> Option<Lead> {
    let trace = with_data_kept(state, trace);
    let target = &trace.target;
    let command = state.campaigns.form.command_before(&target.app);
    let bugs = match target.device.as_deref() {
        Some(serial) => {
            if !is_free(state, serial) {
                return None;
            }
            let device = state.devices.list.iter().find(|device| device.serial == serial);
            if !device.is_some_and(|device| device.ready) {
                let text = format!("{serial} is not here. Connect it, then take the trace over again.");
                state.notify_failure(text);
                return None;
            }
            let (device, first) = (target.device_choice(), trace.initialiser.as_deref());
            let tests = TestsToBegin { app: &target.app, device: &device, first, can_keep: true };
            if !may_begin(state, &tests, again) {
                return None;
            }
            BugSet::none()
        }
        None => match state.app(&target.app) {
            Some(app) => BugSet::of(app.switched_on(&target.build)),
            None => {
                state.notify_failure(format!("There is no app {} here to take over.", target.app));
                return None;
            }
        },
    };
    let step = events.min(trace.events.len());
    Some(Lead { trace, step, bugs, command, source: None, pace_millis: None })
}

/// The trace as it is performed on its device: if the data of its app are kept there, they are also kept where it began
/// with an empty app.
fn with_data_kept(state: &StudioState, trace: Arc<LiveTrace>) -> Arc<LiveTrace> {
    let keeps = trace.target.device.is_some() && state.campaigns.form.first_of(&trace.target.app).keep_data;
    if !keeps {
        return trace;
    }
    Arc::new(LiveTrace { initialiser: kept(trace.initialiser.clone(), true), ..LiveTrace::clone(&trace) })
}

fn live_trace(state: &StudioState, source: &TraceSource) -> Option<Arc<LiveTrace>> {
    let known = state.takeover.as_ref().filter(|taken| taken.source == *source);
    if let Some(taken) = known {
        return Some(Arc::clone(&taken.trace));
    }
    match source {
        TraceSource::Finding(key, way) => {
            let replay = state.replay.as_ref().filter(|replay| replay.source.key == *key)?;
            Some(Arc::new(replay.live_trace(*way)))
        }
        TraceSource::Path(path) => LiveTrace::of_way(state.mirror.way(*path)?).map(Arc::new),
        TraceSource::Given(trace) => Some(Arc::clone(trace)),
    }
}

/// Moves the phone to the position of the replay's cursor. Called once a frame, since the cursor is moved in several
/// ways and the path that is followed may begin later.
pub(crate) fn follow_cursor(state: &mut StudioState) -> Vec<Effect> {
    let Some(replay) = &state.replay else { return Vec::new() };
    let source = replay.trace_source();
    let cursor = Some((source.clone(), replay.step));
    if state.mirror.cursor == cursor {
        return Vec::new();
    }
    let followed = state.takeover.as_ref().filter(|taken| taken.follows && taken.source == source);
    let mut effects = Vec::new();
    if let Some(taken) = followed {
        // The shown step ends with the screen after its event.
        let wanted = taken.place((replay.step + 1).min(taken.trace.events.len()));
        // Not until the path has begun; the next frame tries again.
        let Some(place) = wanted else { return Vec::new() };
        effects.push(stand(place));
    }
    state.mirror.cursor = cursor;
    effects
}

/// Moves the phone to the next step of a re-execution, once that is due.
pub(crate) fn reexecute(state: &mut StudioState, now: f64) -> Vec<Effect> {
    let Some(taken) = &mut state.takeover else { return Vec::new() };
    let (Some(reexecution), Some(path)) = (&mut taken.reexecution, taken.path) else { return Vec::new() };
    let shown = state.mirror.shown.as_ref().map(|shown| shown.place);
    if let Some(place) = shown.filter(|place| place.path == path && place.step != reexecution.done) {
        reexecution.done = place.step;
        // Replay shows the step that the phone has done, so that both can be compared by eye.
        let replay = state.replay.as_mut().filter(|replay| replay.trace_source() == taken.source);
        if let Some((replay, step)) = replay.zip(place.step.checked_sub(1)) {
            replay.follow(step);
        }
    }
    reexecution.running &= reexecution.done < reexecution.total;
    if !reexecution.running || state.mirror.busy() {
        return Vec::new();
    }
    let pace = Duration::from_millis(reexecution.pace_millis);
    let since = *state.mirror.stepped.get_or_insert(now);
    if now - since < pace.as_secs_f64() {
        let left = pace.as_secs_f64() - (now - since);
        return vec![Effect::RepaintAfter(Duration::from_secs_f64(left))];
    }
    state.mirror.stepped = Some(now);
    vec![stand(PathPosition { path, step: reexecution.done + 1 })]
}
