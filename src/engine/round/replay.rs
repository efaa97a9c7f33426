//! Does recorded events again, each to its widget wherever that is now. Whoever does a list of events again says here what
//! happens where a widget is gone.

use crate::{RoundCtx, Stop};
use taproof_screen::{Event, Layout, Step, StepRole};

/// What is done with an event whose widget is not on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The place is touched where the widget was.
    TouchThePlace,
    /// The event is left out.
    Skip,
    /// Neither the event nor what follows it is performed.
    Stop,
}

/// Events to do again, one after the other, whatever they lead to.
pub struct Replay<'r> {
    steps: Vec<(Event, StepRole)>,
    missing: Missing,
    unless: &'r dyn Fn(&Event, &Layout) -> bool,
}

/// What came of doing events again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// The places in the list of the events that were left out, or of the one that ended it.
    pub missing: Vec<usize>,
}

impl<'r> Replay<'r> {
    /// Does events again, all in the same role.
    pub fn new(events: impl IntoIterator<Item = Event>, role: StepRole) -> Self {
        Replay::of_all(events.into_iter().map(|event| (event, role)))
    }

    /// Does the steps of a trace again in their roles, but not the appended ones, which come by themselves.
    pub fn of(steps: &[Step]) -> Self {
        let chosen = steps.iter().filter(|step| !step.role.is_appended());
        Replay::of_all(chosen.map(|step| (step.event.clone(), step.role)))
    }

    /// Does events again, each in its role.
    pub fn of_all(steps: impl IntoIterator<Item = (Event, StepRole)>) -> Self {
        let steps = steps.into_iter().collect();
        Replay { steps, missing: Missing::TouchThePlace, unless: &|_, _| false }
    }

    /// Sets what is done with an event whose widget is gone; without this, its place is touched.
    #[must_use]
    pub fn if_missing(self, missing: Missing) -> Self {
        Replay { missing, ..self }
    }

    /// Takes the widget of an event for gone where this holds of the event and the screen.
    #[must_use]
    pub fn unless(self, unless: &'r dyn Fn(&Event, &Layout) -> bool) -> Self {
        Replay { unless, ..self }
    }

    /// Performs the events.
    ///
    /// # Errors
    ///
    /// As [`RoundCtx::perform`].
    pub fn run(self, ctx: &mut RoundCtx<'_>) -> Result<Replayed, Stop> {
        self.run_by(ctx, RoundCtx::perform)
    }

    /// As [`run`](Replay::run), for a caller that looks at the screens on the way or performs in its own manner.
    ///
    /// # Errors
    ///
    /// What `perform` returns, which ends the replay.
    pub fn run_by<'c>(
        self,
        ctx: &mut RoundCtx<'c>,
        mut perform: impl FnMut(&mut RoundCtx<'c>, Event, StepRole) -> Result<(), Stop>,
    ) -> Result<Replayed, Stop> {
        let mut replayed = Replayed::default();
        for (place, (event, role)) in self.steps.into_iter().enumerate() {
            let layout = &ctx.frame().layout;
            let found = match self.missing {
                Missing::TouchThePlace => Some(event.aimed(layout)),
                Missing::Skip | Missing::Stop => event.found_again(layout),
            };
            match found.filter(|event| !(self.unless)(event, layout)) {
                Some(event) => perform(ctx, event, role)?,
                None => replayed.missing.push(place),
            }
            if self.missing == Missing::Stop && !replayed.is_whole() {
                break;
            }
        }
        Ok(replayed)
    }
}

impl Replayed {
    /// Whether every event was performed.
    pub fn is_whole(&self) -> bool {
        self.missing.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_examples_tests::{UNLIMITED, context, screen, script};
    use crate::{CampaignStats, NoWatcher, TestTarget};
    use taproof_screen::{Gesture, WidgetIdx, event_on};
    use taproof_spec::Spec;

    /// Taps two buttons of the first screen, of which the second is gone then, and the button of the next screen. Returns
    /// how many taps were performed, and which were not.
    fn replayed(set: impl FnOnce(Replay<'_>) -> Replay<'_>) -> (usize, Vec<usize>) {
        let screens = ["add,save", "done", "done", "done"];
        let tap = |on: &str, idx| event_on(&screen(on), WidgetIdx(idx), Gesture::Tap).unwrap();
        let taps = [tap("add,save", 1), tap("add,save", 2), tap("done", 1)];
        let target = TestTarget::new("org.ex", &Spec::default(), true);
        let (mut device, mut stats) = (script(&screens), CampaignStats::new(&target, UNLIMITED));
        let mut watcher = NoWatcher;
        let mut ctx = context(&target, &mut device, &mut stats, &mut watcher);
        ctx.start().unwrap();
        let replayed = set(Replay::new(taps, StepRole::Explored)).run(&mut ctx).unwrap();
        (ctx.trace().len(), replayed.missing)
    }

    #[test]
    fn what_is_gone_is_touched_left_out_or_ends_the_replay() {
        assert_eq!(replayed(|taps| taps), (3, vec![]));
        assert_eq!(replayed(|taps| taps.if_missing(Missing::Skip)), (2, vec![1]));
        assert_eq!(replayed(|taps| taps.if_missing(Missing::Stop)), (1, vec![1]));
    }

    #[test]
    fn what_must_not_be_done_counts_as_gone() {
        let stopped =
            replayed(|taps| taps.if_missing(Missing::Stop).unless(&|_, layout| layout.widgets().len() > 2));
        assert_eq!(stopped, (0, vec![0]));
    }
}
