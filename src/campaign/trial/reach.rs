//! How a trial reaches a state in which its DMF may start, from cleared data.

use super::Trial;
use taproof_engine::{InputSource, Missing, Replay, RoundCtx, RunOutcome, RunPolicy, Stop, run_dmf};
use taproof_screen::{Event, StepRole, Verdict};
use taproof_spec::{Bindings, CheckOutcome, Condition, DmfKind, ImpactOp, Scene, condition_sentence};

/// Runs find 0 to `COMPANY - 1` further objects in turn. This reveals a widget that is identified by its position among
/// rows.
const COMPANY: usize = 3;

/// Brings the app to a state in which the DMF may start. Returns how, or else the preconditions that do not hold.
/// Objects that the DMF needs are created by other DMFs of its specification; each run gets a different number of
/// further objects.
pub(super) fn reach(
    trial: &Trial<'_>,
    ctx: &mut RoundCtx<'_>,
    number: usize,
) -> Result<Result<&'static str, Vec<String>>, Stop> {
    if let Some(way) = reach_by_spec(trial, ctx, number)? {
        return Ok(Ok(way));
    }
    let without = missing(trial, ctx);
    match trial.has_lead_up() {
        true => reach_by_lead_up(trial, ctx),
        false => Ok(Err(without)),
    }
}

fn reach_by_spec(
    trial: &Trial<'_>,
    ctx: &mut RoundCtx<'_>,
    number: usize,
) -> Result<Option<&'static str>, Stop> {
    let makers = makers(trial);
    // A lead-in was recorded on cleared data; with further objects it may lead elsewhere.
    let alone = makers.is_empty() || has_lead_in(trial);
    let mut company = if alone { 0 } else { (number - 1) % COMPANY };
    loop {
        ctx.start()?;
        let made = match make(trial, ctx, &makers, company) {
            // A violation while further objects are created is not the subject of the trial: it continues without them.
            Err(Stop::TestOver) => false,
            made => made?,
        };
        if made {
            // The lead-in comes first: a precondition may hold on the first screen although the function needs more.
            if lead_in(trial, ctx)? {
                return Ok(Some("by its lead-in"));
            }
            if ctx.ready(trial.plan.dmf) {
                return Ok(Some(if company > 0 {
                    "other functions made objects"
                } else {
                    "from the first screen"
                }));
            }
            if company == 0 && made_by_others(trial, ctx, &makers)? {
                return Ok(Some("other functions made objects"));
            }
        }
        if company == 0 {
            return Ok(None);
        }
        company = 0;
    }
}

/// Brings the app to the state in which the recording began.
pub(super) fn reach_by_lead_up(
    trial: &Trial<'_>,
    ctx: &mut RoundCtx<'_>,
) -> Result<Result<&'static str, Vec<String>>, Stop> {
    lead_up(trial, ctx)?;
    if ctx.ready(trial.plan.dmf) {
        return Ok(Ok("as before the recording"));
    }
    let without = missing(trial, ctx);
    for maker in makers(trial).into_iter().filter(|maker| *maker != trial.plan.dmf) {
        let made = ctx.ready(maker) && lead(trial, ctx, maker, "object")?;
        if made && ctx.ready(trial.plan.dmf) {
            return Ok(Ok("other functions made objects"));
        }
    }
    Ok(Err(without))
}

/// The DMFs that create an object of the same type. Those of kind `Create` come first, and of equal ones those without
/// a lead-in.
fn makers(trial: &Trial<'_>) -> Vec<usize> {
    let dmfs = &trial.plan.spec.dmfs;
    let Some(tried) = dmfs.get(trial.plan.dmf) else { return Vec::new() };
    let makes = |index: &usize| {
        let dmf = &dmfs[*index];
        dmf.data_type == tried.data_type
            && dmf.runs()
            && dmf.impacts.iter().any(|impact| matches!(impact.op, ImpactOp::Add | ImpactOp::AddNoDuplicate))
            && !dmf.impacts.iter().any(|impact| impact.op == ImpactOp::Delete)
    };
    let mut makers: Vec<usize> = (0..dmfs.len()).filter(makes).collect();
    makers.sort_by_key(|index| (dmfs[*index].kind != DmfKind::Create, !dmfs[*index].lead_in.is_empty()));
    makers
}

/// Creates `count` objects, and restarts the app after each. Returns false if one could not be created.
fn make(trial: &Trial<'_>, ctx: &mut RoundCtx<'_>, makers: &[usize], count: usize) -> Result<bool, Stop> {
    for place in 0..count {
        let mut made = false;
        for maker in makers {
            if run_maker(trial, ctx, *maker, place)? {
                made = true;
                break;
            }
        }
        if !made {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Runs one maker after the other until the DMF may start. Returns whether it may.
fn made_by_others(trial: &Trial<'_>, ctx: &mut RoundCtx<'_>, makers: &[usize]) -> Result<bool, Stop> {
    for (place, maker) in makers.iter().enumerate().filter(|(_, maker)| **maker != trial.plan.dmf) {
        let made = run_maker(trial, ctx, *maker, place)?;
        if made && (ctx.ready(trial.plan.dmf) || lead_in(trial, ctx)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn run_maker(trial: &Trial<'_>, ctx: &mut RoundCtx<'_>, maker: usize, place: usize) -> Result<bool, Stop> {
    let held = lead(trial, ctx, maker, &format!("object {place}"))?;
    ctx.perform(Event::Relaunch, StepRole::Explored)?;
    Ok(held)
}

/// Runs a DMF with its lead-in. Returns whether its postconditions held.
fn lead(trial: &Trial<'_>, ctx: &mut RoundCtx<'_>, dmf: usize, purpose: &str) -> Result<bool, Stop> {
    let mut texts = ctx.rng.fork(purpose);
    let policy = RunPolicy { lead_in: true, ..trial.policy };
    let outcome = run_dmf(ctx, dmf, InputSource::Draw(&mut texts), policy)?;
    Ok(outcome == RunOutcome::Finished(Verdict::Holds))
}

fn has_lead_in(trial: &Trial<'_>) -> bool {
    trial.plan.spec.dmfs.get(trial.plan.dmf).is_some_and(|dmf| !dmf.lead_in.is_empty())
}

fn lead_in(trial: &Trial<'_>, ctx: &mut RoundCtx<'_>) -> Result<bool, Stop> {
    if !has_lead_in(trial) {
        return Ok(false);
    }
    // The copy of the DMF without steps comes after the DMFs of the specification.
    lead(trial, ctx, trial.plan.spec.dmfs.len(), "lead-in")?;
    Ok(ctx.ready(trial.plan.dmf))
}

/// Performs the lead-up again, without the events that cannot be performed.
fn lead_up(trial: &Trial<'_>, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
    ctx.start()?;
    let lead_up = Replay::new(trial.plan.lead_up.iter().cloned(), StepRole::Explored);
    lead_up.if_missing(Missing::Skip).run(ctx)?;
    ctx.change_data(|data| {
        for (data_type, object) in &trial.plan.held {
            data.apply(data_type, &ImpactOp::AddNoDuplicate, object);
        }
    });
    Ok(())
}

/// The preconditions that do not hold on the current screen, as sentences.
fn missing(trial: &Trial<'_>, ctx: &RoundCtx<'_>) -> Vec<String> {
    let Some(dmf) = trial.target.dmfs().get(trial.plan.dmf) else {
        return vec!["the specification has no such function".to_owned()];
    };
    let (layout, app) = (&ctx.frame().layout, &trial.plan.app);
    let scene = Scene { layout, data: ctx.data(), app, bindings: &Bindings::NONE };
    let conditions = dmf.dmf.preconditions.iter().zip(dmf.check_preconditions(&scene));
    let failing = conditions.filter(|(_, outcome)| *outcome != CheckOutcome::Holds);
    let sentence =
        |(condition, _): (&Condition, CheckOutcome)| condition_sentence(condition, &dmf.dmf.widgets);
    failing.map(sentence).collect()
}
