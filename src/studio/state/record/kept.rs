//! What is kept of recordings: on the disk until they are saved, and under which name they were.

use std::sync::Arc;

use super::propose::typed_before;
use super::{RecordPhase, RecordState, Recording};
use crate::mirror::Performed;
use crate::state::StudioState;
use crate::state::settings::BuildChoice;
use taproof_core::model::Initialiser;

/// A recording that is kept until it is saved.
#[derive(Clone, Debug, Default)]
pub struct RecordingCopy {
    /// The word that it is kept under.
    pub word: String,
    /// Package of the app.
    pub app: String,
    /// Which of its bugs were on.
    pub build: BuildChoice,
    /// What was done first on the phone that it was recorded on.
    pub initialiser: Option<Arc<Initialiser>>,
    /// How long the person worked on it.
    pub seconds: f64,
    /// What was done before it.
    pub lead: Vec<Arc<Performed>>,
    /// Its steps and what the person said.
    pub recording: Recording,
}

impl StudioState {
    /// Takes up the recordings that earlier windows left, the newest last. Undo goes to the older ones.
    pub fn restore_recordings(&mut self, copies: Vec<RecordingCopy>) {
        let known = copies.last().map(|newest| self.known_of(&newest.app));
        if let (Some(number), Some(known)) = (self.record.restore(copies), known) {
            self.record.known = known;
            self.record.renew();
            self.tell(match number {
                1 => "The recording that was not saved is back.",
                _ => "The recordings that were not saved are back. Undo goes to the older ones.",
            });
        }
    }
}

impl RecordState {
    /// The DMF is on the disk under this name. `Keep` asked for it; until now people may have been asked, and
    /// gone on: to a change of the same recording, which is not kept with it, or to another recording.
    pub fn was_kept(&mut self, name: String) {
        self.revision += 1;
        if self.keeping.is_some() {
            return self.take_name(name);
        }
        let mut others = self.aside.iter_mut().chain(&mut self.undone);
        if let Some(asked) = others.rfind(|record| record.keeping.is_some()) {
            asked.take_name(name);
            // A saved one is not lost.
            self.aside.retain(RecordState::unsaved);
        }
    }

    fn take_name(&mut self, name: String) {
        self.kept = (self.keeping.take().as_ref() == Some(&self.recording)).then(|| name.clone());
        self.saved = Some(name);
    }

    /// The name that this very recording was kept under last.
    pub fn saved_as(&self) -> Option<&str> {
        self.saved.as_deref()
    }

    /// Whether there is something to lose.
    pub fn unsaved(&self) -> bool {
        self.kept.is_none() && !self.recording.steps.is_empty()
    }

    /// The recordings that are kept until they are saved, with the number of changes of each: this one, and those
    /// that undo or redo brings back.
    pub fn unsaved_ones(&self) -> impl Iterator<Item = (&RecordState, u64)> {
        let all = self.aside.iter().chain(&self.undone).chain(std::iter::once(self));
        all.filter(|record| record.unsaved() && !record.discarded).map(|record| (record, record.revision))
    }

    /// What it is kept as.
    pub fn draft_word(&self) -> &str {
        &self.draft_word
    }

    /// What is kept of it.
    pub fn copy(&self) -> RecordingCopy {
        RecordingCopy {
            word: self.draft_word.clone(),
            app: self.app.clone(),
            build: self.build.clone(),
            initialiser: self.initialiser.clone(),
            seconds: self.seconds,
            lead: self.lead.clone(),
            recording: self.recording.clone(),
        }
    }

    /// Takes up what earlier windows left, and says how many; where something is recorded here already undo goes
    /// to them.
    pub(super) fn restore(&mut self, copies: Vec<RecordingCopy>) -> Option<usize> {
        let mut older: Vec<RecordState> = copies
            .into_iter()
            .filter(|copy| !copy.recording.steps.is_empty())
            .map(RecordState::of_copy)
            .collect();
        let number = older.len();
        let newest = if self.phase == RecordPhase::Idle { older.pop() } else { None };
        older.append(&mut self.aside);
        self.aside = older;
        let newest = newest?;
        let (aside, revision) = (std::mem::take(&mut self.aside), self.revision);
        *self = RecordState { aside, revision, wants_phone: true, ..newest };
        self.end();
        Some(number)
    }

    fn of_copy(copy: RecordingCopy) -> RecordState {
        RecordState {
            app: copy.app,
            build: copy.build,
            initialiser: copy.initialiser,
            seconds: copy.seconds,
            typed_before: typed_before(&copy.lead),
            lead: copy.lead,
            recording: copy.recording,
            draft_word: copy.word,
            ..RecordState::default()
        }
    }

    /// Says whether something changed since it was asked last.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}
