//! Neutral detours as engines go them and re-executions go them again (`oracle/preservation`).

use std::sync::Arc;

use super::{RoundCtx, Stop};
use crate::determinism::DeviceDuration;
use crate::model::{Event, Key, Layout, StepRole, Text, Trace};
use crate::oracle::is_loading;
use crate::oracle::preservation::{Relation, Screen, judge_detour};

/// Number of events that may follow those of a detour until it is at its end.
const MOST_AFTER: usize = 5;
/// How long a screen that loads after a detour is waited for at a time.
const LOADING_WAIT: DeviceDuration = DeviceDuration(1000);

/// Performs the events of a detour, its control first, and reports what it lost. Returns whether it could be gone to its
/// end: a widget may not be there, or do something else.
///
/// # Errors
///
/// As [`RoundCtx::perform`].
pub fn run_detour(ctx: &mut RoundCtx<'_>, events: &[Event]) -> Result<bool, Stop> {
    let Some(relation) = events.get(1..).and_then(Relation::of_way) else { return Ok(false) };
    let mut began = Began::now(ctx);
    for (gone, event) in events.iter().enumerate() {
        // The control is no part of the way.
        let screen = began.screen(ctx, gone.saturating_sub(1));
        match event.found_again(screen.layout).filter(|event| relation.goes_on(event, screen)) {
            Some(event) => ctx.perform(event, StepRole::Detour)?,
            None => return Ok(false),
        }
        if *event != Event::Key(Key::Back) {
            began.opened = Arc::clone(&ctx.frame().layout);
        }
    }
    let gone = events.len() - 1;
    for _ in 0..MOST_AFTER {
        match still_to_do(relation, began.screen(ctx, gone)) {
            Some(event) => ctx.perform(event, StepRole::Detour)?,
            None => break,
        }
    }
    if !relation.counts(began.screen(ctx, gone)) {
        return Ok(false);
    }
    for violation in judge_detour(ctx.trace(), &ctx.target().app) {
        ctx.report(violation, false);
    }
    Ok(true)
}

/// The activities below the one that the trace ends on, the lowest first: an activity that was there before is gone back
/// to.
pub(super) fn activities_below(trace: &Trace) -> Vec<Text> {
    let mut below: Vec<&Text> = Vec::new();
    for (at, step) in trace.steps().iter().enumerate() {
        let Some(before) = trace.frame(at).map(|frame| frame.layout.activity()) else { continue };
        let after = step.after.layout.activity();
        if step.event == Event::Relaunch {
            below.clear();
        } else if after != before {
            match below.iter().position(|known| **known == *after) {
                Some(place) => below.truncate(place),
                None => below.push(before),
            }
        }
    }
    below.into_iter().cloned().collect()
}

/// Where a detour began, and what it led to before it went back.
struct Began {
    from: Arc<Layout>,
    opened: Arc<Layout>,
    below: Vec<Text>,
}

impl Began {
    fn now(ctx: &RoundCtx<'_>) -> Began {
        let from = Arc::clone(&ctx.frame().layout);
        Began { opened: Arc::clone(&from), from, below: activities_below(ctx.trace()) }
    }

    fn screen<'s>(&'s self, ctx: &'s RoundCtx<'_>, gone: usize) -> Screen<'s> {
        Screen {
            layout: &ctx.frame().layout,
            from: &self.from,
            opened: &self.opened,
            below: &self.below,
            gone,
            app: &ctx.target().app,
        }
    }
}

fn still_to_do(relation: &Relation, screen: Screen<'_>) -> Option<Event> {
    let loads = || is_loading(screen.layout, screen.app);
    relation.ends(screen).or_else(|| loads().then_some(Event::Wait(LOADING_WAIT)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Step, frame_of, layout_from};

    #[test]
    fn an_activity_that_was_there_before_is_gone_back_to() {
        let on = |activity: &str| frame_of(layout_from("TextView\n").with_activity(activity.into()));
        let below = |activities: &[&str], last: Event| {
            let mut trace = Trace::start(on(activities[0]));
            let (end, on_the_way) = activities[1..].split_last().unwrap();
            for activity in on_the_way {
                let event = Event::Key(Key::Back);
                trace.push(Step { event, role: StepRole::Explored, after: on(activity) });
            }
            trace.push(Step { event: last, role: StepRole::Explored, after: on(end) });
            activities_below(&trace).iter().map(|activity| activity.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(below(&["Main", "List", "Editor"], Event::Rotate), ["Main", "List"]);
        assert_eq!(below(&["Main", "List", "Editor", "List"], Event::Rotate), ["Main"]);
        assert_eq!(below(&["Main", "List", "Main"], Event::Rotate), Vec::<String>::new());
        assert_eq!(below(&["Main", "List", "Main"], Event::Relaunch), Vec::<String>::new());
        assert_eq!(below(&["Main", "Main", "List"], Event::Rotate), ["Main"]);
    }
}
