//! Recorded traces as inputs: people and other engines reach states that random walks do not.

use super::{AppHealth, Event, EventKey, Odin, Outcome, PerformedStep, RoundCtx, Stop, TestPosition, keys};
use crate::Replay;
use taproof_screen::{CandidateAction, StepRole, Trace, touched_widget};

impl Odin {
    /// Plays a trace. Its transitions are added to the model on which walks are planned; its end is an input like that
    /// of a walk.
    pub(super) fn play_seed_trace(&mut self, ctx: &mut RoundCtx<'_>, trace: &Trace) -> Result<(), Stop> {
        let mut place = self.begin(ctx)?;
        let done = self.play(ctx, &mut place, trace);
        self.state.model.learn_test(place.performed);
        done
    }

    fn play(&mut self, ctx: &mut RoundCtx<'_>, place: &mut TestPosition, trace: &Trace) -> Result<(), Stop> {
        Replay::of(trace.steps()).run_by(ctx, |ctx, event, _| {
            match self.key_of(ctx, place, &event) {
                Some(key) => {
                    self.act(ctx, place, event, key)?;
                }
                // An event that the model does not know is performed, but no walk can repeat it.
                None => {
                    ctx.perform(event.clone(), StepRole::Explored)?;
                    self.arrive(ctx, place);
                    let after = place.at.map(Outcome::Shows);
                    place.performed.steps.push(PerformedStep { event, key: None, after });
                }
            }
            if matches!(ctx.frame().health, AppHealth::Crashed(_) | AppHealth::NotResponding(_)) {
                return Err(Stop::TestOver);
            }
            Ok(())
        })?;
        match place.at {
            Some(at) => self.manifest(ctx, place, at).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The key of an event on the current layout. `None` if the layout does not handle it.
    fn key_of(&self, ctx: &RoundCtx<'_>, place: &TestPosition, event: &Event) -> Option<EventKey> {
        let Event::Widget { gesture, .. } = event else {
            return keys().into_iter().find(|(_, known)| known == event).map(|(key, _)| key);
        };
        let touched = touched_widget(event, &ctx.frame().layout)?;
        let known = self.state.model.layout(place.at?);
        Some(known.event_at(touched, CandidateAction::of(gesture)?)?.key)
    }
}
