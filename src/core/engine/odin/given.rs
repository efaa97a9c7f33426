//! Recorded traces as inputs: what people or other engines did reaches states that no walk comes to by chance.

use super::{AppHealth, Event, EventKey, Odin, Place, RoundCtx, Stop, keys};
use crate::model::{CandidateAction, StepRole, Trace, touched_widget};

impl Odin {
    /// Plays a trace. Its moves enter the model that walks are planned on; its end is an input like that of a walk.
    pub(super) fn play_given(&mut self, ctx: &mut RoundCtx<'_>, trace: &Trace) -> Result<(), Stop> {
        let mut place = self.begin(ctx)?;
        for step in trace.steps().iter().filter(|step| step.role != StepRole::Appended) {
            let event = step.event.aimed(&ctx.frame().layout);
            match self.key_of(ctx, &place, &event) {
                Some(key) => {
                    self.act(ctx, &mut place, event, key)?;
                }
                // What is no event of the model leads on, but no walk can repeat it.
                None => {
                    ctx.perform(event, StepRole::Explored)?;
                    self.arrive(ctx, &mut place);
                }
            }
            if matches!(ctx.frame().health, AppHealth::Crashed(_) | AppHealth::NotResponding(_)) {
                return Err(Stop::TestOver);
            }
        }
        match place.at {
            Some(at) => self.manifest(ctx, place, at),
            None => Ok(()),
        }
    }

    /// The key of an event on the layout in front, if that handles it.
    fn key_of(&self, ctx: &RoundCtx<'_>, place: &Place, event: &Event) -> Option<EventKey> {
        let Event::Widget { gesture, .. } = event else {
            return keys().into_iter().find(|(_, known)| known == event).map(|(key, _)| key);
        };
        let touched = touched_widget(event, &ctx.frame().layout)?;
        let known = self.state.model.layout(place.at?);
        Some(known.event_at(touched, CandidateAction::of(gesture)?)?.key)
    }
}
