//! Recorded steps as those that are done first in every test.

use super::RecordState;
use crate::campaign::initial_steps;
use crate::model::{Event, InitialStep, Initialiser, event_sentence};
use crate::state::StudioState;

impl RecordState {
    /// All that was done from the fresh start to the last recorded step: nothing less leads there again.
    pub fn initial_steps(&self) -> Vec<InitialStep> {
        let done = self.lead.iter().chain(self.recording.events(usize::MAX));
        let seen = done.map(|done| (&done.event, &done.before.frame.layout, &done.after.frame.layout));
        let own = initial_steps(seen);
        let first = self.initialiser.as_ref().map(|first| first.steps.clone()).unwrap_or_default();
        first.into_iter().chain(own).collect()
    }

    /// What was done before the recording, without what is done first in every test anyway.
    pub fn lead_up(&self, first: Option<&Initialiser>) -> Vec<Event> {
        let done = |step: &InitialStep, at: usize| {
            self.lead
                .get(at)
                .is_some_and(|done| event_sentence(&done.event, &done.before.frame.layout) == step.sentence())
        };
        let first = first.filter(|_| self.initialiser.is_none());
        let first = first.map_or(&[][..], |first| &first.steps);
        let known = first.iter().enumerate().all(|(at, step)| done(step, at));
        let rest = self.lead.iter().skip(if known { first.len() } else { 0 });
        rest.map(|done| done.event.clone()).collect()
    }
}

impl StudioState {
    /// Whether the recorded steps can be done first in every test, or why not.
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
