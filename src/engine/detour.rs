//! Neutral detours as engines go them and re-executions go them again (`oracle/preservation`).

use std::sync::Arc;

use super::dmf::broken_by_detour;
use super::{RoundCtx, Stop};
use crate::oracle::is_loading;
use crate::oracle::preservation::{Relation, Screen, judge_detour};
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{AppHealth, Event, Key, Layout, StepRole, Text, Trace, same_page};

/// Number of times that a detour may go back or wait at its end. What is left to do then never ends, such as an app that
/// asks at each Back.
const MOST_AT_END: usize = 6;
/// How long a screen that loads after a detour is waited for at a time.
const LOADING_WAIT: DeviceDuration = DeviceDuration(1000);

/// How long what a detour has lost is waited for: longer than the control, which a detour begins with.
const LATE: DeviceDuration = DeviceDuration(3000);

/// How far a detour went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetourEnd {
    /// It was gone to its end and judged.
    Judged,
    /// It broke off: a widget was not there, or did something else.
    BrokeOff,
    /// The device cannot perform the events of this relation.
    Refused,
}

/// Performs the events of a detour, its control first, and reports what it lost. If a run of a DMF ended where it began,
/// the postconditions must still hold.
///
/// # Errors
///
/// As [`RoundCtx::perform`].
pub fn run_detour(ctx: &mut RoundCtx<'_>, events: &[Event]) -> Result<DetourEnd, Stop> {
    let Some(relation) = events.get(1..).and_then(Relation::of_way) else { return Ok(DetourEnd::BrokeOff) };
    let (first, mut began) = (ctx.trace().len(), Began::now(ctx));
    for (gone, event) in events.iter().enumerate() {
        let screen = began.screen(ctx, gone.saturating_sub(1));
        // The control and waits at the end are no part of the way.
        let waits = matches!(event, Event::Wait(_));
        let goes_on = |event: &Event| waits || relation.goes_on(event, screen);
        let found = event.found_again(screen.layout).filter(goes_on);
        let Some(event) = found else { return Ok(DetourEnd::BrokeOff) };
        let (leads_on, refusable) = (!ends_detour(&event), gone == 1 && of_the_system(&event));
        match ctx.perform(event, StepRole::Detour) {
            Err(Stop::TestOver) if refusable && was_refused(ctx, first + gone) => {
                return Ok(DetourEnd::Refused);
            }
            done => done?,
        }
        if leads_on {
            began.opened = Arc::clone(&ctx.frame().layout);
        }
    }
    let gone = events.len() - 1;
    // A detour that is gone again has done some of it already.
    let done = events.iter().rev().take_while(|event| ends_detour(event)).count();
    for _ in done..MOST_AT_END {
        match still_to_do(relation, began.screen(ctx, gone)) {
            Some(event) => ctx.perform(event, StepRole::Detour)?,
            None => break,
        }
    }
    let screen = began.screen(ctx, gone);
    if still_to_do(relation, screen).is_some() || !relation.counts(screen) {
        return Ok(DetourEnd::BrokeOff);
    }
    await_late(ctx, events)?;
    judge(ctx, first, relation)?;
    Ok(DetourEnd::Judged)
}

/// Waits for what the detour has lost, which may only come late. An app that was left is waited for as long as on its
/// return. A detour that is gone again may have waited already.
fn await_late(ctx: &mut RoundCtx<'_>, events: &[Event]) -> Result<(), Stop> {
    let waited = matches!(events.last(), Some(Event::Wait(span)) if *span > LOADING_WAIT);
    if waited || judge_detour(ctx.trace(), &ctx.target().app).is_empty() {
        return Ok(());
    }
    let left = ctx.frame().health != AppHealth::Running;
    let span = if left { ctx.stats().arrivals.patience() } else { LATE };
    ctx.perform(Event::Wait(span), StepRole::Detour)
}

fn ends_detour(event: &Event) -> bool {
    matches!(event, Event::Key(Key::Back) | Event::Wait(_))
}

fn of_the_system(event: &Event) -> bool {
    matches!(event, Event::System(_) | Event::Rotate)
}

/// Whether the device did not perform an event in a trace that had so many steps before it.
fn was_refused(ctx: &RoundCtx<'_>, steps: usize) -> bool {
    ctx.trace().len() == steps && ctx.frame().health == AppHealth::Running
}

/// Reports what the detour that began after so many steps lost.
fn judge(ctx: &mut RoundCtx<'_>, first: usize, relation: &Relation) -> Result<(), Stop> {
    let (lost, end) = (judge_detour(ctx.trace(), &ctx.target().app), ctx.trace().len());
    match broken_by_detour(ctx, first, relation)? {
        // The property says it in the tester's words.
        Some(violation) => ctx.report(violation, true),
        // Where lists were scrolled, the last screen is not the one that was judged.
        None if ctx.trace().len() > end => {}
        None => lost.into_iter().for_each(|violation| ctx.report(violation, false)),
    }
    Ok(())
}

/// The activities below the one that the trace ends on, the lowest first: an activity that was there before is gone back
/// to.
pub(super) fn activities_below(trace: &Trace) -> Vec<Text> {
    let mut below: Vec<&Text> = Vec::new();
    for (before, step) in trace.framed_steps() {
        let (before, after) = (before.layout.activity(), step.after.layout.activity());
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

/// The pages of the activity that is in front after so many steps, up to its page then, each opened from the one before it,
/// as far as the last steps tell: a page that was there before is gone back to.
pub(super) fn pages_to(trace: &Trace, steps: usize) -> Vec<Arc<Layout>> {
    const LOOKED_AT: usize = 16;
    let frames = (0..=steps).rev().take(LOOKED_AT).filter_map(|at| trace.frame(at));
    let screens: Vec<&Arc<Layout>> = frames.map(|frame| &frame.layout).collect();
    let activity = |layout: &Layout| screens.first().is_some_and(|last| last.activity() == layout.activity());
    let here = screens.iter().take_while(|screen| activity(screen)).count();
    let mut pages: Vec<Arc<Layout>> = Vec::new();
    for screen in screens[..here].iter().rev() {
        let known = pages.iter().position(|known| same_page(known, screen));
        pages.truncate(known.unwrap_or(pages.len()));
        pages.push(Arc::clone(screen));
    }
    pages
}

/// Where a detour began, and what it led to before it went back.
struct Began {
    from: Arc<Layout>,
    opened: Arc<Layout>,
    below: Vec<Text>,
    pages_below: Vec<Arc<Layout>>,
}

impl Began {
    fn now(ctx: &RoundCtx<'_>) -> Began {
        let from = Arc::clone(&ctx.frame().layout);
        let mut pages_below = pages_to(ctx.trace(), ctx.trace().len());
        pages_below.pop();
        Began { opened: Arc::clone(&from), from, below: activities_below(ctx.trace()), pages_below }
    }

    fn screen<'s>(&'s self, ctx: &'s RoundCtx<'_>, gone: usize) -> Screen<'s> {
        Screen {
            layout: &ctx.frame().layout,
            from: &self.from,
            opened: &self.opened,
            below: &self.below,
            pages_below: &self.pages_below,
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
    use taproof_screen::{Step, frame_of, layout_from};

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
