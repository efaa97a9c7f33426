//! Undo and redo of a recording: first its own changes one by one, then the recordings that it replaced.

use super::{Around, InsertAt, RecordPhase, RecordState, Recording, StandAt};

/// Maximum number of replaced recordings that undo brings back. Beyond it the oldest is dropped.
const MAX_ASIDE: usize = 20;

impl RecordState {
    /// Makes a change that can be undone.
    pub(super) fn change(&mut self, make: impl FnOnce(&mut Recording)) {
        let before = self.recording.clone();
        make(&mut self.recording);
        if before != self.recording {
            self.note(&before);
            self.kept = None;
            self.shown = self.shown.filter(|shown| *shown <= self.recording.steps.len());
        }
    }

    /// Undoes (`back`) or redoes a change. Returns where the phone must be moved, which is only needed while recording.
    pub(super) fn turn(&mut self, back: bool, around: &Around<'_>) -> Option<StandAt> {
        let steps = self.recording.steps.len();
        let turned = if back {
            self.history.undo(&mut self.recording)
        } else {
            self.history.redo(&mut self.recording)
        };
        if !turned {
            self.turn_recording(back);
            return None;
        }
        self.kept = None;
        self.insert_at = InsertAt::End;
        let now = self.recording.steps.len();
        self.shown = self.shown.filter(|shown| *shown <= now);
        if self.phase == RecordPhase::Idle && now > 0 {
            self.phase = RecordPhase::Review;
        }
        (self.phase == RecordPhase::Recording && now != steps).then(|| self.stand_before(now, around))?
    }

    /// Stores the state before a change for undo.
    pub(super) fn note(&mut self, before: &Recording) {
        self.history.note(before);
        self.undone.clear();
    }

    /// The recordings that undo brings back from a new one in place of this one. A saved one is left out.
    pub(super) fn set_aside(mut self) -> Vec<RecordState> {
        let mut aside = std::mem::take(&mut self.aside);
        if self.unsaved() {
            self.undone.clear();
            aside.push(self);
        }
        let too_many = aside.len().saturating_sub(MAX_ASIDE);
        aside.drain(..too_many);
        aside
    }

    /// Swaps this recording for the one that it replaced (`back`), or for the one that replaced it.
    fn turn_recording(&mut self, back: bool) {
        let Some(mut other) = (if back { self.aside.pop() } else { self.undone.pop() }) else { return };
        other.aside = std::mem::take(&mut self.aside);
        other.undone = std::mem::take(&mut self.undone);
        let now = std::mem::replace(self, other);
        self.revision = now.revision;
        self.redoing = now.redoing;
        self.discarded = false;
        self.last_type.clone_from(&now.last_type);
        let stack = if back { &mut self.undone } else { &mut self.aside };
        stack.push(now);
        self.end();
    }

    /// Whether there is a change to undo.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo() || !self.aside.is_empty()
    }

    /// Whether there is a change to redo.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo() || !self.undone.is_empty()
    }
}
