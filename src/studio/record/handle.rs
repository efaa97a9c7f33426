//! The recording: executes the panels' commands, moves the phone as they require, and runs the timer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::{Around, RecordCommand, RecordPhase, RecordState, StandAt};
use crate::command::Command;
use crate::mirror::{Expected, Performed, Seen};
use crate::phone::LiveTrace;
use crate::shell::Place;
use crate::specs::{DiskTask, DocumentCommand, TrialCommand};

use crate::app::Studio;
use crate::app::jobs::Job;

/// Minimum number of seconds between two writes of the recordings.
const REST: f64 = 1.0;

/// The recordings as they were last written.
#[derive(Default)]
pub(crate) struct KeptRecordings {
    /// The revision of all recordings at that time.
    revision: u64,
    /// When they were last written, in seconds of the window's clock.
    at: f64,
    /// The revision of each recording, by the word that names its draft.
    words: BTreeMap<String, u64>,
}

impl KeptRecordings {
    /// Returns the disk tasks that write changed recordings and remove those that are gone.
    fn jobs(&mut self, record: &RecordState, now: f64) -> Vec<DiskTask> {
        (self.revision, self.at) = (record.revision(), now);
        let before = std::mem::take(&mut self.words);
        let mut jobs = Vec::new();
        for (unsaved, revision) in record.unsaved_ones() {
            let word = unsaved.draft_word().to_owned();
            if before.get(&word) != Some(&revision) {
                jobs.push(DiskTask::KeepRecording(word.clone(), Box::new(unsaved.copy())));
            }
            self.words.insert(word, revision);
        }
        let gone = before.into_keys().filter(|word| !self.words.contains_key(word));
        jobs.extend(gone.map(DiskTask::ForgetRecording));
        jobs
    }
}

impl Studio {
    /// Executes a command of a panel about the recording.
    pub(crate) fn run_record(&mut self, command: RecordCommand) {
        if command == RecordCommand::Try {
            if let Some(start) = self.state.trial_of_recording() {
                self.run_trial(start);
            }
            return;
        }
        if command == RecordCommand::End && self.state.mirror.busy() {
            self.state.record.ending = true;
            return;
        }
        let keeps = command == RecordCommand::Keep;
        if matches!(command, RecordCommand::Begin | RecordCommand::Discard | RecordCommand::Take(_)) {
            // The trial was of another recording.
            self.run_trial(TrialCommand::Close);
        }
        let state = &mut self.state;
        let begins = matches!(command, RecordCommand::Begin | RecordCommand::Take(_));
        let recorded = Some(&state.record.target.app).filter(|app| !begins && !app.is_empty());
        let known = state.known_of(recorded.unwrap_or(&state.settings.target.app));
        let mirror = &state.mirror;
        let around = Around {
            walked: &mirror.walked,
            stands: mirror.shown.as_ref().map_or(0, |shown| shown.place.step),
            layout: mirror.layout(),
            app: &state.settings.target.app,
            known: &known,
        };
        let replaces =
            matches!(command, RecordCommand::Begin | RecordCommand::Take(_) | RecordCommand::Discard);
        let unsaved = replaces && state.record.unsaved();
        let stand = state.record.run(command, &around);
        self.notify_put_aside(unsaved);
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

    /// Notifies the person that an unsaved recording was replaced and can be brought back.
    pub(crate) fn notify_put_aside(&mut self, unsaved: bool) {
        if unsaved {
            self.state.notify("The recording that was not saved is put aside. Undo brings it back.");
        }
    }

    /// Performs the events of a recording again on a fresh phone.
    fn redo(&mut self, events: &[Arc<Performed>]) {
        let expected = |seen: &Seen| Expected::of(&seen.frame.layout, seen.png.clone());
        let trace = LiveTrace {
            title: "the recording".to_owned(),
            target: self.state.record.target.clone(),
            initialiser: self.state.record.initialiser.clone(),
            start: None,
            events: events.iter().map(|done| (done.event.clone(), expected(&done.after))).collect(),
        };
        self.lead(&trace, events.len());
    }

    /// The phone has been restarted by the order with this number; ends the recording if one was running.
    pub(crate) fn phone_began(&mut self, order: u64) {
        let origin = self.origins.get(&order).cloned().unwrap_or_else(|| self.way_origin(None));
        if self.state.record.phone_began(origin) {
            self.state.notify("The phone was started anew, so the recording ended. Its steps are kept.");
        }
    }

    /// Writes the current recording and those put aside, at most once per [`REST`] unless `at_once`. Saved or discarded
    /// ones are removed.
    pub(crate) fn keep_recording(&mut self, at_once: bool) {
        if self.state.record.wants_phone
            && let Some(target) = self.state.place_of_recording()
        {
            self.state.record.target = target.clone();
            self.state.record.wants_phone = false;
            if target != self.state.settings.target {
                self.use_app(target);
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
        jobs.into_iter().for_each(|job| self.ask(Job::Files(job)));
    }

    /// Advances the recording's timer while the recording is shown.
    pub(crate) fn tick_record(&mut self) {
        let (settings, record) = (&self.state.settings, &mut self.state.record);
        let runs =
            settings.place == Place::Record && record.phase != RecordPhase::Idle && record.kept.is_none();
        let now = self.ctx.input(|input| input.time);
        let last = self.panels.last_second.replace(now).filter(|_| runs);
        if let Some(last) = last {
            record.tick(now - last);
        }
        if runs {
            // Draw again when the next full second has passed.
            let left = 1.0 - record.seconds.fract();
            self.ctx.request_repaint_after(Duration::from_secs_f64(left.clamp(0.05, 1.0)));
        } else {
            self.panels.last_second = None;
        }
    }
}
