//! Recorded steps as those that are done first in every test.

use std::sync::Arc;

use super::RecordState;
use crate::mirror::Performed;
use crate::state::StudioState;
use taproof_core::campaign::{initial_steps, joined_steps};
use taproof_core::model::{Event, InitialStep, Initialiser, Layout};

impl RecordState {
    /// All that was done from the fresh start to the last recorded step: nothing less leads there again.
    pub fn initial_steps(&self) -> Vec<InitialStep> {
        let done = self.lead.iter().chain(self.recording.events(usize::MAX));
        let first = self.initialiser.as_ref().map(|first| first.steps.clone()).unwrap_or_default();
        first.into_iter().chain(initial_steps(done.map(seen))).collect()
    }

    /// What was done before the recording, without what is done first in every test anyway.
    pub fn lead_up(&self, first: Option<&Initialiser>) -> Vec<Event> {
        let first = first.filter(|_| self.initialiser.is_none());
        let first = first.map_or(&[][..], |first| &first.steps);
        let done = joined_steps(self.lead.iter().map(seen));
        let same =
            |((done, _), step): (&(InitialStep, usize), &InitialStep)| done.sentence() == step.sentence();
        let begins_so = done.len() >= first.len() && done.iter().zip(first).all(same);
        let last = first.len().checked_sub(1).filter(|_| begins_so).and_then(|last| done.get(last));
        let known = last.map_or(0, |(_, end)| *end);
        self.lead.iter().skip(known).map(|done| done.event.clone()).collect()
    }
}

fn seen(done: &Arc<Performed>) -> (&Event, &Arc<Layout>, &Arc<Layout>) {
    (&done.event, &done.before.frame.layout, &done.after.frame.layout)
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
