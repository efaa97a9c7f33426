//! Handles what concerns the recording: the panels' commands, what happened on the phone, and the clock.

use std::sync::Arc;
use std::time::Duration;

use super::{Around, Known, NO_PHONE, ProposalCommand, RecordCommand, RecordPhase, StandAt, WayCut};
use crate::background::BackgroundJob;
use crate::command::{DocumentCommand, TrialCommand};
use crate::effect::Effect;
use crate::mirror::{Expected, MirrorFact, Performed, Seen};
use crate::phone::{LiveTrace, WayOrigin, lead, stand, use_app};
use crate::specs::{run_document, run_trial};
use crate::state::{Place, StudioState};
use std::collections::BTreeSet;

/// Minimum number of seconds between two writes of the recordings.
const REST: f64 = 1.0;

/// Executes a command of a panel about the recording.
pub(crate) fn run_record(state: &mut StudioState, command: RecordCommand) -> Vec<Effect> {
    if command == RecordCommand::Try {
        let start = state.trial_of_recording();
        return start.map(|start| run_trial(state, start)).unwrap_or_default();
    }
    if command == RecordCommand::End && state.mirror.busy() {
        state.record.ending = true;
        return Vec::new();
    }
    let keeps = command == RecordCommand::Keep;
    let turns = matches!(command, RecordCommand::Undo | RecordCommand::Redo);
    let begins = matches!(command, RecordCommand::Begin | RecordCommand::Take(_));
    if command == RecordCommand::Begin && state.mirror.gone {
        state.notify_failure(NO_PHONE);
        return Vec::new();
    }
    let replaces = begins || command == RecordCommand::Discard;
    let mut effects = Vec::new();
    if replaces {
        // The trial was of another recording.
        effects.extend(run_trial(state, TrialCommand::Close));
    }
    let recorded = Some(&state.record.target.app).filter(|app| !begins && !app.is_empty());
    let known = state.known_of(recorded.unwrap_or(&state.settings.target.app));
    let mirror = &state.mirror;
    let around = Around {
        walked: &mirror.walked,
        stands: mirror.stands(),
        layout: mirror.layout(),
        app: &state.settings.target.app,
        known: &known,
    };
    let unsaved = replaces && state.record.unsaved();
    let place = state.record.run(command, &around);
    notify_put_aside(state, unsaved);
    match place {
        Some(_) if turns && state.mirror.shown.as_ref().is_some_and(|shown| !shown.anew) => state.notify_failure(
            "The phone stays where it is: bring it by hand to where the recording ends now. It can go back by itself once \
             the app has begun with cleared data.",
        ),
        Some(StandAt::Place(place)) => effects.push(stand(place)),
        Some(StandAt::Redo(events)) => effects.extend(redo(state, &events)),
        None => {}
    }
    if let Some(dmf) = keeps.then(|| state.record.kept_dmf()).flatten() {
        state.proposals.kept(&state.record);
        let before = state.record.saved_as().map(str::to_owned);
        effects.extend(run_document(state, DocumentCommand::Keep(Box::new(dmf), before)));
    }
    effects
}

/// Notifies the person that an unsaved recording was replaced and can be brought back.
pub(super) fn notify_put_aside(state: &mut StudioState, unsaved: bool) {
    if unsaved {
        state.notify("The recording that was not saved is put aside. Undo brings it back.");
    }
}

/// Performs the events of a recording again on a fresh phone.
fn redo(state: &mut StudioState, events: &[Arc<Performed>]) -> Vec<Effect> {
    let expected = |seen: &Seen| Expected::of(&seen.frame.layout, seen.png.clone());
    let trace = LiveTrace {
        title: "the recording".to_owned(),
        target: state.record.target.clone(),
        initialiser: state.record.initialiser.clone(),
        start: None,
        events: events.iter().map(|done| (done.event.clone(), expected(&done.after))).collect(),
    };
    lead(state, trace, events.len())
}

/// Takes a fact that the mirror reported, before the phone does. If the phone is started anew, a running recording ends.
pub(crate) fn take_fact(state: &mut StudioState, fact: &MirrorFact) {
    match fact {
        MirrorFact::Performed(performed) => state.record.take(performed),
        MirrorFact::Began { order, .. } => {
            let usual = || WayOrigin { target: state.settings.target.clone(), initialiser: None };
            let origin = state.mirror.origin_of(*order).cloned().unwrap_or_else(usual);
            if state.record.phone_began(origin) {
                state.notify("The phone was started anew, so the recording ended. Its steps are kept.");
            }
        }
        MirrorFact::Diverged(..) => {}
    }
}

/// Ends the recording that was to end, once the phone has done what was asked of it before.
pub(crate) fn end_if_done(state: &mut StudioState) -> Vec<Effect> {
    let ends = state.record.ending && !state.mirror.busy();
    if ends { run_record(state, RecordCommand::End) } else { Vec::new() }
}

/// Puts the app of a restored recording on the phone, once a device with that app is there.
pub(crate) fn bring_phone(state: &mut StudioState) -> Vec<Effect> {
    let Some(target) = state.place_of_recording().filter(|_| state.record.wants_phone) else {
        return Vec::new();
    };
    state.record.target = target.clone();
    state.record.wants_phone = false;
    if target == state.settings.target { Vec::new() } else { use_app(state, target) }
}

/// Advances the recording's timer while the recording is shown, writes changed recordings, and has the phone's path
/// searched for functions if more was performed by hand.
pub(crate) fn tick(state: &mut StudioState, now: f64) -> Vec<Effect> {
    state.record.prefer(state.settings.preferred_selector);
    let mut effects = leave_saved(state);
    effects.extend(advance_timer(state, now));
    effects.extend(keep_recordings(state, now, false));
    if let Some(mut way) = state.proposals.ask(&state.mirror, &state.record) {
        way.nouns = state.nouns_of(&state.settings.target.app);
        effects.push(BackgroundJob::Propose(Box::new(way)).into());
    }
    effects
}

/// Puts a saved recording away once another app is on the phone: nothing of it is left to do.
fn leave_saved(state: &mut StudioState) -> Vec<Effect> {
    let leaves = state.record.kept.is_some() && state.parked_recording().is_some();
    if leaves { run_record(state, RecordCommand::Discard) } else { Vec::new() }
}

fn advance_timer(state: &mut StudioState, now: f64) -> Vec<Effect> {
    let StudioState { record, record_clock: clock, settings, .. } = state;
    let runs = settings.place == Place::Record && record.phase != RecordPhase::Idle && record.kept.is_none();
    if !runs {
        clock.advanced = None;
        return Vec::new();
    }
    if let Some(last) = clock.advanced.replace(now) {
        record.tick(now - last);
    }
    // Draw again when the next full second has passed.
    let left = 1.0 - record.seconds.fract();
    vec![Effect::RepaintAfter(Duration::from_secs_f64(left.clamp(0.05, 1.0)))]
}

/// Writes the current recording and those put aside, at most once per [`REST`] unless `at_once`. Saved or discarded ones
/// are removed.
pub(crate) fn keep_recordings(state: &mut StudioState, now: f64, at_once: bool) -> Vec<Effect> {
    let (clock, record) = (&mut state.record_clock, &state.record);
    if record.revision() == clock.revision {
        return Vec::new();
    }
    let left = REST - (now - clock.at);
    if left > 0.0 && !at_once {
        return vec![Effect::RepaintAfter(Duration::from_secs_f64(left))];
    }
    clock.jobs(record, now).into_iter().map(Effect::from).collect()
}

/// Executes a command of a panel about proposals.
pub(crate) fn run_proposal(state: &mut StudioState, command: ProposalCommand) -> Vec<Effect> {
    let mut effects = Vec::new();
    if let ProposalCommand::Accept(key) = &command {
        effects.extend(run_trial(state, TrialCommand::Close));
        let known = state.known_of(&state.settings.target.app);
        match state.proposals.cut_of(key, &state.mirror) {
            Some(cut) => {
                let unsaved = state.record.unsaved();
                state.record.accept(cut, known);
                notify_put_aside(state, unsaved);
            }
            None => state.notify_failure("The phone has forgotten these steps. Do them once more."),
        }
    }
    state.proposals.run(command);
    effects
}

/// Takes the functions found on the phone's path, or why it cannot be searched.
pub(crate) fn take_proposals(state: &mut StudioState, found: Result<WayCut, String>) {
    match found {
        Ok(cut) => state.proposals.take(cut, &state.mirror),
        Err(problem) => {
            state.proposals.searching = false;
            state.notify_failure(format!("What you did cannot be proposed: {problem}"));
        }
    }
}

impl StudioState {
    /// Collects what an app's specifications contain.
    pub fn known_of(&self, app: &str) -> Known {
        let own = self.documents.own(app);
        let functions = own.map(|document| document.spec.dmfs.clone()).unwrap_or_default();
        Known { nouns: self.nouns_of(app), functions }
    }

    /// The data types in an app's specifications.
    pub fn nouns_of(&self, app: &str) -> Vec<String> {
        let dmfs = self.documents.of_app(app).flat_map(|document| &document.spec.dmfs);
        let nouns: BTreeSet<&String> = dmfs.map(|dmf| &dmf.data_type).collect();
        nouns.into_iter().cloned().collect()
    }
}
