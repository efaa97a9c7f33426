//! Undo and redo of a recording: first its own changes one by one, then the recordings that it replaced.

use super::{Around, InsertAt, MAX_ASIDE, RecordPhase, RecordState, Recording, StandAt};
use crate::undo::UndoHistory;

impl RecordState {
    /// Makes a change that can be undone.
    pub(super) fn change(&mut self, make: impl FnOnce(&mut Recording)) {
        let before = self.recording.clone();
        make(&mut self.recording);
        if before != self.recording {
            self.note(before);
            self.kept = None;
            self.shown = self.shown.filter(|shown| *shown <= self.recording.steps.len());
        }
    }

    /// Undoes (`back`) or redoes a change. Returns where the phone must be moved, which is only needed while recording.
    pub(super) fn turn(&mut self, back: bool, around: &Around<'_>) -> Option<StandAt> {
        let steps = self.recording.steps.len();
        let Some(other) = self.history.turn(back) else {
            self.turn_recording(back);
            return None;
        };
        std::mem::swap(other, &mut self.recording);
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
    pub(super) fn note(&mut self, before: Recording) {
        self.history.push(before);
        self.aside.forget_undone();
    }

    /// The recordings that undo brings back from a new one in place of this one. A saved one is left out.
    pub(super) fn set_aside(mut self) -> UndoHistory<RecordState, MAX_ASIDE> {
        let mut aside = std::mem::take(&mut self.aside);
        aside.forget_undone();
        if self.unsaved() {
            aside.push(self);
        }
        aside
    }

    /// Swaps this recording for the one that it replaced (`back`), or for the one that replaced it.
    fn turn_recording(&mut self, back: bool) {
        let mut aside = std::mem::take(&mut self.aside);
        if let Some(other) = aside.turn(back) {
            std::mem::swap(other, self);
            self.revision = other.revision;
            self.redoing = other.redoing;
            self.discarded = false;
            self.last_type.clone_from(&other.last_type);
            self.end();
        }
        self.aside = aside;
    }

    /// Whether there is a change to undo (`back`) or redo.
    pub fn can_turn(&self, back: bool) -> bool {
        self.history.next(back).is_some() || self.aside.next(back).is_some()
    }
}
