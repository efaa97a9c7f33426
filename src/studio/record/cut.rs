//! A part of a path that becomes the recording, as if it had been recorded.

use std::sync::Arc;

use super::{Choices, Known, RecordState, recorded};
use crate::mirror::Performed;
use taproof_campaign::Target;
use taproof_screen::Initialiser;

/// A part of a path with the choices for a recording.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The app, on the phone of the path.
    pub target: Target,
    /// The initial steps on that phone.
    pub initialiser: Option<Arc<Initialiser>>,
    /// The events from the fresh start to the first step.
    pub lead: Vec<Arc<Performed>>,
    /// The events of the part, in order.
    pub steps: Vec<Arc<Performed>>,
    /// The choices for the recording.
    pub choices: Choices,
}

impl RecordState {
    /// Makes the part the recording, to be reviewed.
    pub fn accept(&mut self, cut: Cut, known: Known) {
        self.take_cut(cut);
        self.known = known;
        self.renew();
    }

    pub(super) fn take_cut(&mut self, cut: Cut) {
        self.start(cut.target, cut.lead);
        self.initialiser = cut.initialiser;
        for performed in &cut.steps {
            let end = self.recording.steps.len();
            self.recording.put(end, Arc::clone(performed), recorded(performed));
        }
        self.recording.choices = cut.choices;
        self.end();
    }
}
