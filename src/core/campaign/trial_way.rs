//! How a trial gets to where its DMF may start, from cleared data.

use super::trial::Trial;
use crate::engine::{InputSource, RoundCtx, RunOutcome, RunPolicy, Stop, run_dmf};
use crate::model::{Event, StepRole, Verdict};
use crate::spec::{Bindings, CheckOutcome, Condition, DmfKind, ImpactOp, Scene, condition_sentence};

/// Objects that later runs find beside their own: a widget named by its place among rows shows then.
const COMPANY: usize = 3;

/// Leads the app to where the DMF may start; tells how, or else the preconditions that do not hold.
/// A DMF that needs objects gets them from other DMFs of its specification; every run gets another number of
/// them.
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
    // A lead-in begins on fresh data: beside other objects it may lead elsewhere.
    let alone = makers.is_empty() || has_lead_in(trial);
    let mut company = if alone { 0 } else { (number - 1) % COMPANY };
    loop {
        ctx.start()?;
        let made = match make(trial, ctx, &makers, company) {
            // What breaks while company is made is not what is tried: it goes without.
            Err(Stop::TestOver) => false,
            made => made?,
        };
        if made {
            // A precondition may hold on the first screen although the function needs more.
            if lead_in(trial, ctx)? {
                return Ok(Some("by its lead-in"));
            }
            if ctx.ready(trial.plan.dmf) {
                return Ok(Some(if company > 0 {
                    "other DMFs made objects"
                } else {
                    "from the first screen"
                }));
            }
            if company == 0 && made_by_others(trial, ctx, &makers)? {
                return Ok(Some("other DMFs made objects"));
            }
        }
        if company == 0 {
            return Ok(None);
        }
        company = 0;
    }
}

/// Leads the app to where it stood when the recording began.
pub(super) fn reach_by_lead_up(
    trial: &Trial<'_>,
    ctx: &mut RoundCtx<'_>,
) -> Result<Result<&'static str, Vec<String>>, Stop> {
    lead_up(trial, ctx)?;
    Ok(if ctx.ready(trial.plan.dmf) { Ok("as before the recording") } else { Err(missing(trial, ctx)) })
}

/// The DMFs that make an object of the same type, those whose job it is first, and of these those that need no way
/// of their own, which may make objects too.
fn makers(trial: &Trial<'_>) -> Vec<usize> {
    let dmfs = &trial.plan.spec.dmfs;
    let Some(tried) = dmfs.get(trial.plan.dmf) else { return Vec::new() };
    let makes = |index: &usize| {
        let dmf = &dmfs[*index];
        dmf.data_type == tried.data_type
            && dmf.weight > 0
            && dmf.impacts.iter().any(|impact| matches!(impact.op, ImpactOp::Add | ImpactOp::AddNoDuplicate))
            && !dmf.impacts.iter().any(|impact| impact.op == ImpactOp::Delete)
    };
    let mut makers: Vec<usize> = (0..dmfs.len()).filter(makes).collect();
    makers.sort_by_key(|index| (dmfs[*index].kind != DmfKind::Create, !dmfs[*index].lead_in.is_empty()));
    makers
}

/// Makes so many objects, each followed by a restart of the app; false if one could not be made.
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

/// Lets one maker after the other run until the DMF may start.
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

/// Runs a DMF with its lead-in; whether it held.
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
    // The way to the DMF stands behind the specification's own.
    lead(trial, ctx, trial.plan.spec.dmfs.len(), "lead-in")?;
    Ok(ctx.ready(trial.plan.dmf))
}

/// Does again what was done before the recording; what cannot be done is left out.
fn lead_up(trial: &Trial<'_>, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
    ctx.start()?;
    for event in &trial.plan.lead_up {
        if let Some(event) = event.found_again(&ctx.frame().layout) {
            ctx.perform(event, StepRole::Explored)?;
        }
    }
    ctx.change_data(|data| {
        for (data_type, object) in &trial.plan.held {
            data.apply(data_type, &ImpactOp::AddNoDuplicate, object);
        }
    });
    Ok(())
}

/// The preconditions that do not hold where the app stands.
fn missing(trial: &Trial<'_>, ctx: &RoundCtx<'_>) -> Vec<String> {
    let Some(dmf) = trial.setting.dmfs().get(trial.plan.dmf) else {
        return vec!["the specification has no such DMF".to_owned()];
    };
    let (layout, app) = (&ctx.frame().layout, &trial.plan.app);
    let scene = Scene { layout, data: ctx.data(), app, bindings: &Bindings::NONE };
    let conditions = dmf.dmf.preconditions.iter().zip(dmf.check_preconditions(&scene));
    let failing = conditions.filter(|(_, outcome)| *outcome != CheckOutcome::Holds);
    let sentence = |(condition, _): (&Condition, CheckOutcome)| {
        let named = condition.widget.as_deref().and_then(|name| dmf.dmf.widget(name));
        condition_sentence(condition, named.map(|named| &named.selector))
    };
    failing.map(sentence).collect()
}
