//! The postconditions of a run once more, after a neutral detour: a property must hold with any of these in between.

use super::run::judge_shown;
use crate::oracle::preservation::Relation;
use crate::{HeldRun, RoundCtx, Stop};
use taproof_screen::{Verdict, Violation};
use taproof_spec::{CheckOutcome, Scene};

/// Judges the run that ended where a detour began, on the screen after the detour. `None` if no run ended there, if its
/// postconditions did not hold on both sides of the detour's control, or if they hold.
///
/// # Errors
///
/// As [`RoundCtx::perform`]: lists are scrolled for what is not shown.
pub(crate) fn broken_by_detour(
    ctx: &mut RoundCtx<'_>,
    first: usize,
    relation: &Relation,
) -> Result<Option<Violation>, Stop> {
    let run = ctx.held_run().filter(|run| run.end_step == first && relation.leads_back()).cloned();
    let Some(run) = run.filter(|run| holds_on(ctx, run, first) && holds_on(ctx, run, first + 1)) else {
        return Ok(None);
    };
    Ok(match judge_shown(ctx, run.dmf, run.progress)? {
        Verdict::Violated(violation) => Some(after(relation, violation)),
        Verdict::Holds | Verdict::Inconclusive(_) => None,
    })
}

fn holds_on(ctx: &RoundCtx<'_>, run: &HeldRun, frame: usize) -> bool {
    let (target, frame) = (ctx.target(), ctx.trace().frame(frame));
    let (Some(dmf), Some(frame)) = (target.dmfs().get(run.dmf), frame) else { return false };
    let (data, app, bindings) = (ctx.data(), &target.app, &run.progress.bindings);
    let outcomes = dmf.check_postconditions(&Scene { layout: &frame.layout, data, app, bindings });
    outcomes.iter().all(|outcome| *outcome == CheckOutcome::Holds)
}

/// The violation as one that the detour shows.
fn after(relation: &Relation, mut violation: Violation) -> Violation {
    violation.title = format!("{} ({})", violation.title, relation.title.to_lowercase());
    for failure in &mut violation.failures {
        failure.key = format!("{} after {}", failure.key, relation.name);
    }
    violation
}
