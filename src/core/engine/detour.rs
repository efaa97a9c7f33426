//! Neutral detours as engines go them and re-executions go them again (`oracle/preservation`).

use std::sync::Arc;

use super::{RoundCtx, Stop};
use crate::determinism::DeviceDuration;
use crate::model::{Event, Layout, StepRole};
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
    let from = Arc::clone(&ctx.frame().layout);
    for (gone, event) in events.iter().enumerate() {
        // The control is no part of the way.
        let screen = screen_of(ctx, &from, gone.saturating_sub(1));
        match event.found_again(screen.layout).filter(|event| relation.goes_on(event, screen)) {
            Some(event) => ctx.perform(event, StepRole::Detour)?,
            None => return Ok(false),
        }
    }
    for _ in 0..MOST_AFTER {
        match still_to_do(relation, screen_of(ctx, &from, events.len() - 1)) {
            Some(event) => ctx.perform(event, StepRole::Detour)?,
            None => break,
        }
    }
    for violation in judge_detour(ctx.trace(), &ctx.target().app) {
        ctx.report(violation, false);
    }
    Ok(true)
}

fn screen_of<'c>(ctx: &'c RoundCtx<'_>, from: &'c Layout, gone: usize) -> Screen<'c> {
    Screen { layout: &ctx.frame().layout, from, gone, app: &ctx.target().app }
}

fn still_to_do(relation: &Relation, screen: Screen<'_>) -> Option<Event> {
    let loads = || is_loading(screen.layout, screen.app);
    relation.ends(screen).or_else(|| loads().then_some(Event::Wait(LOADING_WAIT)))
}
