//! Neutral detours as engines go them and re-executions go them again (`oracle/preservation`).

use std::sync::Arc;

use super::dmf::broken_by_detour;
use super::{RoundCtx, Stop};
use crate::determinism::DeviceDuration;
use crate::model::{AppHealth, Event, Layout, StepRole};
use crate::oracle::is_loading;
use crate::oracle::preservation::{Relation, Screen, judge_detour};

/// Number of events that may follow those of a detour until it is at its end.
const MOST_AFTER: usize = 5;
/// How long a screen that loads after a detour is waited for at a time.
const LOADING_WAIT: DeviceDuration = DeviceDuration(1000);

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
    let (first, from) = (ctx.trace().len(), Arc::clone(&ctx.frame().layout));
    for (gone, event) in events.iter().enumerate() {
        // The control is no part of the way.
        let screen = screen_of(ctx, &from, gone.saturating_sub(1));
        match event.found_again(screen.layout).filter(|event| relation.goes_on(event, screen)) {
            Some(event) => {
                let is_first = gone == 1 && matches!(event, Event::System(_) | Event::Rotate);
                let done = ctx.perform(event, StepRole::Detour);
                let refused = ctx.trace().len() == first + gone && ctx.frame().health == AppHealth::Running;
                if is_first && refused && done == Err(Stop::TestOver) {
                    return Ok(DetourEnd::Refused);
                }
                done?;
            }
            None => return Ok(DetourEnd::BrokeOff),
        }
    }
    for _ in 0..MOST_AFTER {
        match still_to_do(relation, screen_of(ctx, &from, events.len() - 1)) {
            Some(event) => ctx.perform(event, StepRole::Detour)?,
            None => break,
        }
    }
    let (lost, end) = (judge_detour(ctx.trace(), &ctx.target().app), ctx.trace().len());
    match broken_by_detour(ctx, first, relation)? {
        // The property says it in the tester's words.
        Some(violation) => ctx.report(violation, true),
        // Where lists were scrolled, the last screen is not the one that was judged.
        None if ctx.trace().len() > end => {}
        None => lost.into_iter().for_each(|violation| ctx.report(violation, false)),
    }
    Ok(DetourEnd::Judged)
}

fn screen_of<'c>(ctx: &'c RoundCtx<'_>, from: &'c Layout, gone: usize) -> Screen<'c> {
    Screen { layout: &ctx.frame().layout, from, gone, app: &ctx.target().app }
}

fn still_to_do(relation: &Relation, screen: Screen<'_>) -> Option<Event> {
    let loads = || is_loading(screen.layout, screen.app);
    relation.ends(screen).or_else(|| loads().then_some(Event::Wait(LOADING_WAIT)))
}
