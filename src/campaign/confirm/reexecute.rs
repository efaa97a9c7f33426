//! Re-executes a recorded trace unit by unit: an explored event is located again by its selector; a run of a DMF is
//! executed with the texts that it drew, and judged again.

use std::ops::Range;

use taproof_engine::device::{Device, DeviceSource};
use taproof_engine::oracle::preservation::{Relation, is_control};
use taproof_engine::{
    CampaignStats, DetourEnd, InputSource, JudgedTest, Limits, Missing, NotExecuted, Replay, Reported,
    RoundCtx, RoundDoor, RoundWatcher, RunOutcome, RunPolicy, Stop, TestTarget, run_detour, run_dmf,
};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{DmfSpan, DrawnText, Event, FindingOrigin, Key, StepRole, Trace, event_sentence};
use taproof_spec::is_forbidden;

/// Number of times that a re-execution is repeated after the connection failed or an answer was garbled.
const DONE_ANEW: u32 = 4;

/// What minimising keeps or drops as a whole.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    /// One event outside of a DMF.
    Event {
        /// The event as it was recorded.
        event: Event,
        /// Why the event was sent.
        role: StepRole,
    },
    /// One completed run of a DMF.
    Dmf {
        /// Index of the DMF in the target.
        dmf: usize,
        /// Name of the DMF.
        name: String,
        /// The texts that the run drew.
        inputs: Vec<DrawnText>,
    },
    /// A neutral detour, with its control.
    Detour {
        /// Its events as they were recorded.
        events: Vec<Event>,
    },
}

/// What happened to a unit in a re-execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitDone {
    /// It ran to its end.
    Performed,
    /// It ran to its end, but a text that it drew no longer has its meaning, for instance because the text that it
    /// repeated is not there.
    OtherMeaning,
    /// The app refused the input.
    Refused,
    /// It was aborted after its first event.
    BrokeOff,
    /// It could not begin here.
    Skipped,
}

/// The result of a re-execution.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// The events that were performed and the screens that were seen.
    pub trace: Trace,
    /// What happened to each unit, in order. Shorter than the list of units if the re-execution ended early.
    pub done: Vec<UnitDone>,
    /// The violations that were seen, in order.
    pub reported: Vec<Reported>,
}

/// What all re-executions of a campaign have in common.
#[derive(Clone, Copy)]
pub struct Rig<'a> {
    /// What does not change during a campaign: the app, its DMFs and the oracles.
    pub target: &'a TestTarget,
    /// How DMFs are run.
    pub policy: RunPolicy,
    /// Whether explored events that would do what exploration must not do are skipped.
    pub guarded: bool,
    /// Returns whether the re-execution is to be cancelled.
    pub cancelled: &'a dyn Fn() -> bool,
}

/// The units of the first `steps` steps of a trace. A run of a DMF that was not completed becomes single events, since
/// it changed no data and was not judged.
pub fn units_of(trace: &Trace, steps: usize) -> Vec<Unit> {
    units_from(|at| trace.steps().get(at).map(|step| (&step.event, step.role)), &trace.spans, steps)
}

/// The steps of each of the units that [`units_of`] returns.
pub(crate) fn unit_steps(trace: &Trace, steps: usize) -> Vec<Range<usize>> {
    let step = |at: usize| trace.steps().get(at).map(|step| (&step.event, step.role));
    ranged_units(step, &trace.spans, steps).into_iter().map(|(_, steps)| steps).collect()
}

/// As [`units_of`], for steps that are given by a function.
pub(crate) fn units_from<'t>(
    step: impl Fn(usize) -> Option<(&'t Event, StepRole)>,
    spans: &[DmfSpan],
    steps: usize,
) -> Vec<Unit> {
    ranged_units(step, spans, steps).into_iter().map(|(unit, _)| unit).collect()
}

/// The units, each with its steps.
fn ranged_units<'t>(
    step: impl Fn(usize) -> Option<(&'t Event, StepRole)>,
    spans: &[DmfSpan],
    steps: usize,
) -> Vec<(Unit, Range<usize>)> {
    let mut units = Vec::new();
    let mut at = 0;
    let whole: Vec<&DmfSpan> = spans.iter().filter(|span| span.completed && span.end_step <= steps).collect();
    while let Some((event, role)) = step(at).filter(|_| at < steps) {
        // Recognised runs may be parts of longer ones.
        let begun = whole.iter().filter(|span| span.first_step == at);
        if let Some(span) = begun.max_by_key(|span| span.end_step) {
            let unit = Unit::Dmf { dmf: span.dmf, name: span.name.clone(), inputs: span.inputs.clone() };
            units.push((unit, at..span.end_step));
            at = span.end_step;
            continue;
        }
        if let Some((events, end)) = detour_from(&step, at, steps) {
            units.push((Unit::Detour { events }, at..end));
            at = end;
            continue;
        }
        // Appended events are left out, since the re-execution appends them by itself.
        if !role.is_appended() {
            units.push((Unit::Event { event: event.clone(), role }, at..at + 1));
        }
        at += 1;
    }
    units
}

/// The events of the detour that begins with this step, and the index after it; `None` if none does, or it broke off.
fn detour_from<'t>(
    step: impl Fn(usize) -> Option<(&'t Event, StepRole)>,
    first: usize,
    steps: usize,
) -> Option<(Vec<Event>, usize)> {
    let event = |at: usize| step(at).filter(|(_, role)| *role == StepRole::Detour).map(|(event, _)| event);
    let control = event(first).filter(|event| is_control(event))?;
    let goes_on = |at: usize| event(at).filter(|event| !is_control(event)).cloned();
    let way: Vec<Event> = (first + 1..steps).map_while(goes_on).collect();
    Relation::of_way(&way)?;
    let end = first + 1 + way.len();
    Some((std::iter::once(control.clone()).chain(way).collect(), end))
}

/// Whether exploration did nothing in a trace that it must not do. Once other steps are dropped, its events may be
/// performed on other screens, where they would.
pub(crate) fn keeps_guards(trace: &Trace, target: &TestTarget) -> bool {
    let blocks = target.blocks_where(target.guards_data);
    let mut explored = trace.framed_steps().filter(|(_, step)| step.role == StepRole::Explored);
    explored.all(|(before, step)| !is_forbidden(blocks, &before.layout, &step.event))
}

/// Runs units on a device, from cleared data, until all are done or a violation of `sought` appears. Units that cannot
/// be executed where they are reached are skipped.
///
/// # Errors
///
/// [`Stop::Cancelled`] if `rig.cancelled` returns true, [`Stop::Device`] if the device fails.
pub fn reexecute(
    device: &mut dyn Device,
    rig: Rig<'_>,
    units: &[Unit],
    sought: Option<&FindingOrigin>,
    watcher: &mut dyn RoundWatcher,
) -> Result<Rerun, Stop> {
    let unlimited = Limits { events: u64::MAX, device_time: DeviceDuration(u64::MAX) };
    let mut stats = CampaignStats::new(rig.target, unlimited);
    let door = RoundDoor { device, target: rig.target, stats: &mut stats, watcher, cancelled: rig.cancelled };
    // Nothing is drawn, since every text is replayed, so the seed does not matter.
    let mut ctx = RoundCtx::new(door, Rng::from_seed(0))?;
    let mut done = Vec::with_capacity(units.len());
    let result = run_units(&mut ctx, rig, units, sought, &mut done);
    let JudgedTest { trace, reported } = ctx.last_test();
    match result {
        Ok(()) | Err(Stop::TestOver | Stop::BudgetSpent) => Ok(Rerun { trace, done, reported }),
        Err(stop @ (Stop::Cancelled | Stop::Device(_))) => Err(stop),
    }
}

fn run_units(
    ctx: &mut RoundCtx<'_>,
    rig: Rig<'_>,
    units: &[Unit],
    sought: Option<&FindingOrigin>,
    done: &mut Vec<UnitDone>,
) -> Result<(), Stop> {
    ctx.start()?;
    for unit in units {
        let mut outcome = UnitDone::Performed;
        let ran = run_unit(ctx, rig, unit, &mut outcome);
        done.push(outcome);
        ran?;
        if sought.is_some_and(|sought| appears(ctx.reported(), sought).is_some()) {
            return Ok(());
        }
    }
    Ok(())
}

/// Runs one unit. A unit that ends the test counts as performed.
fn run_unit(ctx: &mut RoundCtx<'_>, rig: Rig<'_>, unit: &Unit, done: &mut UnitDone) -> Result<(), Stop> {
    match unit {
        Unit::Event { event, role } => match event.found_again(&ctx.frame().layout) {
            None => {
                *done = UnitDone::Skipped;
                let sentence = event_sentence(event, &ctx.frame().layout);
                ctx.stuck_at(sentence, "its widget is not there".to_owned());
            }
            Some(event)
                if rig.guarded
                    && *role == StepRole::Explored
                    && is_forbidden(ctx.blocks(), &ctx.frame().layout, &event) =>
            {
                *done = UnitDone::Skipped;
            }
            Some(event) => ctx.perform(event, *role)?,
        },
        Unit::Detour { events } => {
            let before = ctx.trace().len();
            let end = run_detour(ctx, events)?;
            if end == DetourEnd::BrokeOff {
                let gone = ctx.trace().len() - before;
                // A detour that broke off when it was recorded may look like one by another relation, by whose rules it
                // does not go on. Back would be for a window that is not there this time.
                let rest = events.iter().skip(gone).filter(|event| **event != Event::Key(Key::Back));
                let rest = Replay::new(rest.cloned(), StepRole::Detour);
                rest.if_missing(Missing::Stop).run(ctx)?;
            }
            match ctx.trace().len() - before {
                0 => *done = UnitDone::Skipped,
                // One that ended elsewhere is not judged, and what follows may depend on it.
                gone if end != DetourEnd::Judged && gone < events.len() => *done = UnitDone::BrokeOff,
                _ => {}
            }
        }
        Unit::Dmf { dmf, inputs, .. } => {
            if !rig.policy.lead_in && !ctx.ready(*dmf) {
                *done = UnitDone::Skipped;
                return Ok(());
            }
            let (before, mut changed) = (ctx.trace().len(), false);
            let inputs = InputSource::Replay { texts: inputs, changed: &mut changed };
            let ran = run_dmf(ctx, *dmf, inputs, rig.policy);
            if changed {
                *done = UnitDone::OtherMeaning;
            }
            match ran? {
                RunOutcome::Finished(_) => {}
                RunOutcome::NotExecuted { reason: NotExecuted::Refused, .. } => *done = UnitDone::Refused,
                RunOutcome::NotExecuted { .. } if ctx.trace().len() == before => *done = UnitDone::Skipped,
                RunOutcome::NotExecuted { .. } => *done = UnitDone::BrokeOff,
            }
        }
    }
    Ok(())
}

impl UnitDone {
    /// Whether it ran to its end, with or without the original meaning of its texts.
    pub fn ran(self) -> bool {
        matches!(self, UnitDone::Performed | UnitDone::OtherMeaning)
    }
}

/// Runs `work` on a fresh device, and again on another one if an answer was garbled or the connection broke, since an
/// incomplete re-execution proves nothing. Does not wait for a device that is gone.
pub(crate) fn on_fresh<T>(
    source: &mut dyn DeviceSource,
    bugs_off: &[String],
    mut work: impl FnMut(&mut dyn Device) -> Result<T, Stop>,
) -> Result<T, Stop> {
    for _ in 0..DONE_ANEW {
        match work(&mut *source.fresh_without(bugs_off)?) {
            Err(Stop::Device(error)) if source.lost(&error) => {}
            done => return done,
        }
    }
    work(&mut *source.fresh_without(bugs_off)?)
}

/// Returns the first violation of `origin`, or `None` if there is none.
pub fn appears<'r>(reported: &'r [Reported], origin: &FindingOrigin) -> Option<&'r Reported> {
    reported.iter().find(|reported| reported.violation.origin() == *origin)
}

impl Rerun {
    /// Takes a recorded trace for a re-execution.
    pub(crate) fn recorded(trace: &Trace) -> Rerun {
        Rerun { trace: trace.clone(), done: Vec::new(), reported: Vec::new() }
    }

    /// Whether every unit ran to its end, with the original meaning of its texts.
    pub fn complete(&self, units: &[Unit]) -> bool {
        self.done.len() == units.len() && self.done.iter().all(|done| *done == UnitDone::Performed)
    }

    /// The units that ran to their end with the original meaning of their texts.
    pub fn performed(&self, units: &[Unit]) -> Vec<Unit> {
        let done = units.iter().zip(&self.done);
        done.filter(|(_, done)| **done == UnitDone::Performed).map(|(unit, _)| unit.clone()).collect()
    }
}
