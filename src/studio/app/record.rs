//! The recording: what panels ask of it, where the phone is put for it, its timer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::mirror::{Expected, Performed, Seen};
use crate::state::{
    Around, Command, DocumentCommand, LiveTrace, Place, RecordCommand, RecordPhase, RecordState, StandAt,
    TrialCommand,
};

use super::Studio;
use super::jobs::Job;
use super::spec_jobs::SpecJob;

/// Seconds between two times that the recording is kept.
const REST: f64 = 1.0;

/// The recordings as they were kept last.
#[derive(Default)]
pub(super) struct KeptRecordings {
    /// How many changes there were.
    revision: u64,
    /// When that was.
    at: f64,
    /// The changes of each, by the word that it is kept under.
    words: BTreeMap<String, u64>,
}

impl KeptRecordings {
    /// What is left to do on the disk.
    fn jobs(&mut self, record: &RecordState, now: f64) -> Vec<SpecJob> {
        (self.revision, self.at) = (record.revision(), now);
        let before = std::mem::take(&mut self.words);
        let mut jobs = Vec::new();
        for (unsaved, revision) in record.unsaved_ones() {
            let word = unsaved.draft_word().to_owned();
            if before.get(&word) != Some(&revision) {
                jobs.push(SpecJob::KeepRecording(Box::new(unsaved.copy())));
            }
            self.words.insert(word, revision);
        }
        let gone = before.into_keys().filter(|word| !self.words.contains_key(word));
        jobs.extend(gone.map(SpecJob::ForgetRecording));
        jobs
    }
}

impl Studio {
    /// Does what a panel asked for.
    pub(super) fn run_record(&mut self, command: RecordCommand) {
        if command == RecordCommand::Try {
            if let Some(start) = self.state.trial_of_recording() {
                self.run_trial(start);
            }
            return;
        }
        let keeps = command == RecordCommand::Keep;
        if matches!(command, RecordCommand::Begin | RecordCommand::Discard | RecordCommand::Take(_)) {
            // What was tried was another recording.
            self.run_trial(TrialCommand::Close);
        }
        let state = &mut self.state;
        let begins = matches!(command, RecordCommand::Begin | RecordCommand::Take(_));
        let recorded = Some(&state.record.app).filter(|app| !begins && !app.is_empty());
        let known = state.known_of(recorded.unwrap_or(&state.settings.app));
        let mirror = &state.mirror;
        let around = Around {
            walked: &mirror.walked,
            stands: mirror.shown.as_ref().map_or(0, |shown| shown.place.step),
            layout: mirror.layout(),
            app: &state.settings.app,
            known: &known,
        };
        let replaces =
            matches!(command, RecordCommand::Begin | RecordCommand::Take(_) | RecordCommand::Discard);
        let unsaved = replaces && state.record.unsaved();
        let stand = state.record.run(command, &around);
        self.tell_put_aside(unsaved);
        match stand {
            Some(StandAt::Place(place)) => self.commands.push(Command::Stand(place)),
            Some(StandAt::Redo(events)) => self.redo(&events),
            None => {}
        }
        if let Some(dmf) = keeps.then(|| self.state.record.kept_dmf()).flatten() {
            self.state.proposals.kept(&self.state.record);
            let before = self.state.record.saved_as().map(str::to_owned);
            self.commands.push(Command::Document(DocumentCommand::Keep(None, Box::new(dmf), before)));
        }
    }

    /// An unsaved recording is not lost where another takes its place.
    pub(super) fn tell_put_aside(&mut self, unsaved: bool) {
        if unsaved {
            self.state.tell("The recording that was not saved is put aside. Undo brings it back.");
        }
    }

    /// Does the events of a recording again on a fresh phone.
    fn redo(&mut self, events: &[Arc<Performed>]) {
        let expected = |seen: &Seen| Expected::of(&seen.frame.layout, seen.png.clone());
        let trace = LiveTrace {
            title: "the recording".to_owned(),
            app: self.state.record.app.clone(),
            build: self.state.record.build().clone(),
            initialiser: self.state.record.initialiser.clone(),
            start: None,
            events: events.iter().map(|done| (done.event.clone(), expected(&done.after))).collect(),
        };
        self.lead(&trace, events.len());
    }

    /// The phone was started anew.
    pub(super) fn phone_began(&mut self, order: u64) {
        let origin = self.origins.get(&order).cloned().unwrap_or_else(|| self.way_origin(None));
        if self.state.record.phone_began(origin) {
            self.state.tell("The phone was started anew, so the recording ended. Its steps are kept.");
        }
    }

    /// Keeps the recording as it grows, at most once a second, and those that were put aside. What is saved or
    /// given up is kept no more.
    pub(super) fn keep_recording(&mut self, at_once: bool) {
        if std::mem::take(&mut self.state.record.wants_phone) {
            let (settings, record) = (&self.state.settings, &self.state.record);
            let (app, build) = (record.app.clone(), record.build().clone());
            if (&app, &build) != (&settings.app, &settings.build) {
                self.use_app(app, build);
            }
        }
        let (kept, record) = (&mut self.kept_recordings, &self.state.record);
        let now = self.ctx.input(|input| input.time);
        if record.revision() == kept.revision {
            return;
        }
        let left = REST - (now - kept.at);
        if left > 0.0 && !at_once {
            self.ctx.request_repaint_after(Duration::from_secs_f64(left));
            return;
        }
        let jobs = kept.jobs(record, now);
        jobs.into_iter().for_each(|job| self.ask(Job::Spec(job)));
    }

    /// The timer of the recording goes on while it is looked at.
    pub(super) fn tick_record(&mut self) {
        let (settings, record) = (&self.state.settings, &mut self.state.record);
        let runs =
            settings.place == Place::Record && record.phase != RecordPhase::Idle && record.kept.is_none();
        let now = self.ctx.input(|input| input.time);
        let last = self.panels.last_second.replace(now).filter(|_| runs);
        if let Some(last) = last {
            record.tick(now - last);
        }
        if runs {
            // When the next second is full.
            let left = 1.0 - record.seconds.fract();
            self.ctx.request_repaint_after(Duration::from_secs_f64(left.clamp(0.05, 1.0)));
        } else {
            self.panels.last_second = None;
        }
    }
}
