//! The recording: what was done on the phone while it was on, and the DMF that it makes.

use std::sync::Arc;

use super::mirror::Walked;
use crate::mirror::Performed;

/// What panels ask of the recording.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordCommand {
    /// Records from here on.
    Begin,
    /// Records no more.
    End,
    /// Forgets the recording.
    Discard,
}

/// The recording.
#[derive(Default)]
pub struct RecordState {
    /// Whether what is done on the phone joins it.
    pub recording: bool,
    /// Its steps.
    pub steps: Vec<Arc<Performed>>,
    /// The step of the way at which it began.
    pub began: usize,
}

impl RecordState {
    /// Does what a panel asked for.
    pub fn run(&mut self, command: RecordCommand, walked: &Walked) {
        match command {
            RecordCommand::Begin => {
                *self = RecordState { recording: true, steps: Vec::new(), began: walked.steps.len() };
            }
            RecordCommand::End => self.recording = false,
            RecordCommand::Discard => *self = RecordState::default(),
        }
    }

    /// Something was done on the phone.
    pub fn take(&mut self, performed: &Arc<Performed>) {
        if self.recording && !performed.again {
            self.steps.truncate(performed.place.step.saturating_sub(self.began));
            self.steps.push(Arc::clone(performed));
        }
    }
}
