//! Undo and redo of a recording: its changes one by one, and before the first of them the recording that it took
//! the place of.

use super::{Around, RecordPhase, RecordState, Recording, StandAt, Taking};

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
        self.taking = Taking::Last;
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
        self.undone = None;
    }

    /// What is kept of a recording that another takes the place of. A saved one is not lost.
    pub(super) fn set_aside(self) -> Option<Box<RecordState>> {
        if self.unsaved() { Some(Box::new(self)) } else { self.replaced.filter(|_| self.kept.is_none()) }
    }

    /// Goes back to the recording that this one took the place of, or takes its place again.
    fn turn_recording(&mut self, back: bool) {
        let other = if back { self.replaced.take() } else { self.undone.take() };
        let Some(other) = other else { return };
        let now = std::mem::replace(self, *other);
        self.revision = now.revision;
        self.redoing = now.redoing;
        self.last_type.clone_from(&now.last_type);
        let place = if back { &mut self.undone } else { &mut self.replaced };
        *place = Some(Box::new(now));
        self.end();
    }

    /// Whether there is a change to take back.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo() || self.replaced.is_some()
    }

    /// Whether there is a change to make again.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo() || self.undone.is_some()
    }
}
