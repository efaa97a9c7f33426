//! Drafts of recordings, which are stored until the recordings are saved, and the names under which they were saved.

use super::propose::typed_before;
use super::steps::{performed, recorded};
use super::{RecordPhase, RecordState};
use crate::state::StudioState;
use taproof_campaign::Target;
use taproof_results::store::UnsavedRecording;

impl StudioState {
    /// Restores the recordings of earlier sessions, given with the newest last. The newest is shown; undo brings back
    /// the older ones.
    pub fn restore_recordings(&mut self, copies: Vec<(String, UnsavedRecording)>) {
        let known = copies.last().map(|newest| self.known_of(&newest.1.app));
        if let (Some(number), Some(known)) = (self.record.restore(copies), known) {
            self.record.known = known;
            self.record.renew();
            self.notify(match number {
                1 => "The recording that was not saved is back.",
                _ => "The recordings that were not saved are back. Undo goes to the older ones.",
            });
        }
    }
}

impl RecordState {
    /// Called when the DMF has been written under this name. Since `Keep` requested it, the person may have changed
    /// this recording, which then stays unsaved, or may have begun another one.
    pub fn was_kept(&mut self, name: String) {
        self.revision += 1;
        if self.keeping.is_some() {
            return self.take_name(name);
        }
        let asked = self.aside.iter_mut().rfind(|record| record.keeping.is_some());
        if asked.map(|asked| asked.take_name(name)).is_some() {
            // A saved recording need not be brought back.
            self.aside.retain_done(RecordState::unsaved);
        }
    }

    fn take_name(&mut self, name: String) {
        self.kept = (self.keeping.take().as_ref() == Some(&self.recording)).then(|| name.clone());
        self.saved = Some(name);
    }

    /// The name under which this recording was last saved.
    pub fn saved_as(&self) -> Option<&str> {
        self.saved.as_deref()
    }

    /// Whether the recording has steps that are not saved.
    pub fn unsaved(&self) -> bool {
        self.kept.is_none() && !self.recording.steps.is_empty()
    }

    /// The recordings to be stored as drafts, each with its number of changes: this one, and those that undo or redo
    /// brings back.
    pub fn unsaved_ones(&self) -> impl Iterator<Item = (&RecordState, u64)> {
        let all = self.aside.iter().chain(std::iter::once(self));
        all.filter(|record| record.unsaved() && !record.discarded).map(|record| (record, record.revision))
    }

    /// The name of its draft in the workspace.
    pub fn draft_word(&self) -> &str {
        &self.draft_word
    }

    /// The contents of its draft.
    pub fn copy(&self) -> UnsavedRecording {
        UnsavedRecording {
            app: self.target.app.clone(),
            build: self.target.build.clone(),
            initialiser: self.initialiser.clone(),
            seconds: self.seconds,
            lead: self.lead.iter().map(|done| recorded(done)).collect(),
            recording: self.recording.map(|done| recorded(done)),
        }
    }

    /// Restores recordings of earlier sessions. Returns their number if the newest becomes the current recording. If
    /// something is recorded already, they can only be brought back by undo.
    pub(super) fn restore(&mut self, copies: Vec<(String, UnsavedRecording)>) -> Option<usize> {
        let mut older: Vec<RecordState> = copies
            .into_iter()
            .filter(|(_, copy)| !copy.recording.steps.is_empty())
            .map(RecordState::of_copy)
            .collect();
        let number = older.len();
        let newest = if self.phase == RecordPhase::Idle { older.pop() } else { None };
        self.aside.put_below(older);
        let newest = newest?;
        let (aside, revision) = (std::mem::take(&mut self.aside), self.revision);
        *self = RecordState { aside, revision, wants_phone: true, ..newest };
        self.end();
        Some(number)
    }

    fn of_copy((draft_word, copy): (String, UnsavedRecording)) -> RecordState {
        let lead: Vec<_> = copy.lead.iter().map(performed).collect();
        RecordState {
            target: Target::bundled(copy.app, copy.build),
            initialiser: copy.initialiser,
            seconds: copy.seconds,
            typed_before: typed_before(&lead),
            lead,
            recording: copy.recording.map(performed),
            draft_word,
            ..RecordState::default()
        }
    }

    /// A number that grows with every change.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}
