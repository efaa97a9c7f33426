//! Undo and redo of a recording: its changes one by one, and before the first of them the recording that it took
//! the place of.

use super::{Around, InsertAt, RecordPhase, RecordState, Recording, StandAt};

/// Recordings that undo brings back; the oldest goes first.
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

    /// Undo and redo. While it is recorded the phone goes along.
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

    /// What was is kept for undo.
    pub(super) fn note(&mut self, before: &Recording) {
        self.history.note(before);
        self.undone.clear();
    }

    /// The recordings that one in the place of this one brings back by undo; a saved one is not lost.
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

    /// Goes back to the recording that this one took the place of, or takes its place again.
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

    /// Whether there is a change to take back.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo() || !self.aside.is_empty()
    }

    /// Whether there is a change to make again.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo() || !self.undone.is_empty()
    }
}
