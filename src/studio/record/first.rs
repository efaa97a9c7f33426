//! Uses the recorded steps as initial steps of every test.

use super::{RecordState, recorded};
use crate::state::StudioState;
use taproof_campaign::{initial_steps, joined_steps};
use taproof_screen::{Event, Initialiser, RecordedStep};

impl RecordState {
    /// All steps from the fresh start to the last recorded one; fewer would not lead to the same state.
    pub fn initial_steps(&self) -> Vec<RecordedStep> {
        let done = self.lead.iter().chain(self.recording.events(usize::MAX));
        let done: Vec<RecordedStep> = done.map(|done| recorded(done)).collect();
        let first = self.initialiser.as_ref().map(|first| first.steps.clone()).unwrap_or_default();
        first.into_iter().chain(initial_steps(&done)).collect()
    }

    /// The events before the recording, without those that the initial steps of every test perform anyway.
    pub fn lead_up(&self, first: Option<&Initialiser>) -> Vec<Event> {
        let first = first.filter(|_| self.initialiser.is_none());
        let first = first.map_or(&[][..], |first| &first.steps);
        let lead: Vec<RecordedStep> = self.lead.iter().map(|done| recorded(done)).collect();
        let done = joined_steps(&lead);
        let same =
            |((done, _), step): (&(RecordedStep, usize), &RecordedStep)| done.sentence() == step.sentence();
        let begins_so = done.len() >= first.len() && done.iter().zip(first).all(same);
        let last = first.len().checked_sub(1).filter(|_| begins_so).and_then(|last| done.get(last));
        let known = last.map_or(0, |(_, end)| *end);
        self.lead.iter().skip(known).map(|done| done.event.clone()).collect()
    }
}

impl StudioState {
    /// Whether the recorded steps can become initial steps.
    ///
    /// # Errors
    ///
    /// Why not, as sentences.
    pub fn can_do_first(&self) -> Result<(), &'static str> {
        let record = &self.record;
        if record.recording.steps.is_empty() {
            return Err("Record the steps first, from the fresh start of the app on.");
        }
        if record.lines.iter().any(|line| line.torn) {
            return Err(
                "A step starts on another screen than the step before it leaves. Record it again first.",
            );
        }
        Ok(())
    }
}
