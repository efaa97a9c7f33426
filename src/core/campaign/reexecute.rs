//! Running a recorded trace again, unit by unit: an explored event is found again by its selector, a DMF run
//! is run again with the texts that it drew, and judged again.

use super::DeviceSource;
use crate::determinism::{DeviceDuration, Rng};
use crate::device::Device;
use crate::engine::{
    InputSource, JudgedTest, Ledger, Limits, NotExecuted, Reported, RoundCtx, RoundDoor, RoundWatcher,
    RunOutcome, RunPolicy, Setting, Stop, run_dmf,
};
use crate::model::{DmfSpan, DrawnText, Event, FindingOrigin, StepRole, Trace};

/// How often a re-execution is done anew in a row.
const DONE_ANEW: u32 = 4;

/// What is kept or dropped as a whole.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    /// One event outside of a DMF.
    Event {
        /// What is done.
        event: Event,
        /// Why it was done.
        role: StepRole,
    },
    /// One finished run of a DMF.
    Dmf {
        /// Index in the setting.
        dmf: usize,
        /// Its name.
        name: String,
        /// The texts that it drew.
        inputs: Vec<DrawnText>,
    },
}

/// What became of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitDone {
    /// It ran to its end.
    Performed,
    /// It ran, but a text that it drew is not any more what it was drawn as: what it repeated is not there, say.
    OtherMeaning,
    /// The app refused what was typed.
    Refused,
    /// It broke off after its first event.
    BrokeOff,
    /// Nothing of it could be done here.
    Skipped,
}

/// A re-execution.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// What was done and seen.
    pub trace: Trace,
    /// What became of the units, in order; shorter than they are if it ended early.
    pub done: Vec<UnitDone>,
    /// The violations on the way.
    pub reported: Vec<Reported>,
}

/// What every re-execution of a campaign shares.
#[derive(Clone, Copy)]
pub struct Rig<'a> {
    /// What does not change.
    pub setting: &'a Setting,
    /// How DMFs are run.
    pub policy: RunPolicy,
    /// Whether to stop.
    pub cancelled: &'a dyn Fn() -> bool,
}

/// The units of a trace's first steps. A run of a DMF that did not come to its end is just events: it
/// changed no data and was not judged.
pub fn units_of(trace: &Trace, steps: usize) -> Vec<Unit> {
    units_from(|at| trace.steps().get(at).map(|step| (&step.event, step.role)), &trace.spans, steps)
}

/// The units of the first of these steps.
pub(super) fn units_from<'t>(
    step: impl Fn(usize) -> Option<(&'t Event, StepRole)>,
    spans: &[DmfSpan],
    steps: usize,
) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut at = 0;
    let whole: Vec<&DmfSpan> = spans.iter().filter(|span| span.completed && span.end_step <= steps).collect();
    while let Some((event, role)) = step(at).filter(|_| at < steps) {
        // Recognised runs may be parts of longer ones.
        let begun = whole.iter().filter(|span| span.first_step == at);
        if let Some(span) = begun.max_by_key(|span| span.end_step) {
            units.push(Unit::Dmf { dmf: span.dmf, name: span.name.clone(), inputs: span.inputs.clone() });
            at = span.end_step;
            continue;
        }
        // What the door or a judgement appended is appended again by itself.
        if role != StepRole::Appended {
            units.push(Unit::Event { event: event.clone(), role });
        }
        at += 1;
    }
    units
}

/// Runs the units on a device, from cleared data, until they end or the origin that is looked for appears.
/// Units that cannot be done where they stand are left out.
pub fn reexecute(
    device: &mut dyn Device,
    rig: Rig<'_>,
    units: &[Unit],
    sought: Option<&FindingOrigin>,
    watcher: &mut dyn RoundWatcher,
) -> Result<Rerun, Stop> {
    let unlimited = Limits { events: u64::MAX, device_time: DeviceDuration(u64::MAX) };
    let mut ledger = Ledger::new(rig.setting, unlimited);
    let door =
        RoundDoor { device, setting: rig.setting, ledger: &mut ledger, watcher, cancelled: rig.cancelled };
    // Nothing is drawn: every text was recorded.
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

/// Runs a unit. One that ends the test was performed.
fn run_unit(ctx: &mut RoundCtx<'_>, rig: Rig<'_>, unit: &Unit, done: &mut UnitDone) -> Result<(), Stop> {
    match unit {
        Unit::Event { event, role } => match event.found_again(&ctx.frame().layout) {
            None => *done = UnitDone::Skipped,
            Some(event) => ctx.perform(event, *role)?,
        },
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
    /// Whether it ran to its end, whatever its texts mean now.
    pub fn ran(self) -> bool {
        matches!(self, UnitDone::Performed | UnitDone::OtherMeaning)
    }
}

/// Does something on a fresh device, and does it anew where an answer was garbled or the connection was cut meanwhile: half
/// a re-execution says nothing. A device that is gone is not waited for.
pub(super) fn on_fresh<T>(
    source: &mut dyn DeviceSource,
    bugs_off: &[String],
    mut work: impl FnMut(&mut dyn Device) -> Result<T, Stop>,
) -> Result<T, Stop> {
    for _ in 0..DONE_ANEW {
        match work(&mut *source.fresh(bugs_off)?) {
            Err(Stop::Device(error)) if source.lost(&error) => {}
            done => return done,
        }
    }
    work(&mut *source.fresh(bugs_off)?)
}

/// The first violation of an origin.
pub fn appears<'r>(reported: &'r [Reported], origin: &FindingOrigin) -> Option<&'r Reported> {
    reported.iter().find(|reported| reported.violation.origin() == *origin)
}

impl Rerun {
    /// Whether every unit ran to its end, with texts that mean what they meant.
    pub fn complete(&self, units: &[Unit]) -> bool {
        self.done.len() == units.len() && self.done.iter().all(|done| *done == UnitDone::Performed)
    }

    /// Those units that ran to their end, with texts that mean what they meant.
    pub fn performed(&self, units: &[Unit]) -> Vec<Unit> {
        let done = units.iter().zip(&self.done);
        done.filter(|(_, done)| **done == UnitDone::Performed).map(|(unit, _)| unit.clone()).collect()
    }
}
