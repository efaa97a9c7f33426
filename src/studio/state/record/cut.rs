//! A stretch of a way that becomes the recording, as if it had been recorded.

use std::sync::Arc;

use super::{Choices, Known, RecordState};
use crate::mirror::Performed;
use crate::state::BuildChoice;
use taproof_core::model::Initialiser;

/// Such a stretch.
#[derive(Clone, Debug)]
pub struct Cut {
    /// Package of the app.
    pub app: String,
    /// Which of its bugs were on.
    pub build: BuildChoice,
    /// What was done first on the phone that it was done on.
    pub initialiser: Option<Arc<Initialiser>>,
    /// What was done from the fresh start to its first step.
    pub lead: Vec<Arc<Performed>>,
    /// Its steps.
    pub steps: Vec<Arc<Performed>>,
    /// What is said of it.
    pub choices: Choices,
}

impl RecordState {
    /// Makes it the recording, to be looked at.
    pub fn accept(&mut self, cut: Cut, known: Known) {
        self.take_cut(cut);
        self.known = known;
        self.renew();
    }

    pub(super) fn take_cut(&mut self, cut: Cut) {
        self.start(cut.app, cut.build, cut.lead);
        self.initialiser = cut.initialiser;
        for performed in &cut.steps {
            let end = self.recording.steps.len();
            self.recording.put(end, performed);
        }
        self.recording.choices = cut.choices;
        self.end();
    }
}
