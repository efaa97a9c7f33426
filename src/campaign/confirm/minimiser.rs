//! Looks for the shortest and simplest trace that shows a violation: units are dropped, DMFs are taken apart where the
//! violation is not about them, what only takes time becomes a pause, and texts become simple ones.

use super::Confirmer;
use super::confirm_ctx::ConfirmCtx;
use super::investigate::{Shown, Sought};
use super::minimise::{minimise, shorten};
use super::other_rows::on_other_rows;
use super::pauses::with_pauses;
use super::reexecute::{keeps_guards, unit_steps};
use super::simplify::{added_at_once, simple_texts, without_renames};
use super::trace_hints::promising;
use crate::{Finding, Rig, Unit};
use taproof_engine::{Stop, Task};
use taproof_screen::{OracleKind, StepRole, Trace};

/// Number of re-executed events that minimising one witness may take.
const MINIMISE_EVENTS: u64 = 10_000;

/// The outcome of minimising a trace.
pub(crate) struct Minimised {
    pub(crate) shown: Shown,
    /// Whether all candidates were tried, as opposed to the budget for re-executions being spent.
    pub(crate) finished: bool,
}

/// A search for a shorter trace.
struct Minimiser<'m, 'c, 'x> {
    confirmer: &'m mut Confirmer<'c>,
    ctx: &'m mut ConfirmCtx<'x>,
    sought: Sought<'m>,
    /// The finding whose minimal trace it is, if it is reported already.
    finding: Option<&'m mut Finding>,
    /// The shortest so far.
    best: Shown,
    /// Whether explored events keep to what exploration may do.
    guarded: bool,
    /// How many events may still be re-executed.
    left: u64,
    finished: bool,
}

impl Confirmer<'_> {
    /// Looks for a shorter trace. Where re-executions are limited, and if it has to stop, the shortest one so far is
    /// reported as that of `finding`.
    pub(crate) fn minimise(
        &mut self,
        whole: Shown,
        sought: Sought<'_>,
        finding: Option<&mut Finding>,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Minimised, Stop> {
        let guarded = keeps_guards(whole.trace(), self.rig.target);
        let mut search = Minimiser {
            confirmer: self,
            ctx,
            sought,
            finding,
            best: whole,
            guarded,
            left: MINIMISE_EVENTS,
            finished: true,
        };
        let result = search.search();
        if let (Err(_), Some(finding)) = (&result, search.finding) {
            search.best.shorten(finding);
            search.ctx.report(finding);
        }
        result.map(|()| Minimised { shown: search.best, finished: search.finished })
    }
}

impl Minimiser<'_, '_, '_> {
    fn search(&mut self) -> Result<(), Stop> {
        let units = self.best.units().to_vec();
        let hints = promising(&units, self.best.trace());
        let units = minimise(units, &hints, &mut |units, left| self.tries(units, left))?;
        let units = self.pause(units)?;
        let units = self.replace(units)?;
        if !is_about_functions(self.sought.origin.oracle) {
            self.take_apart(&units)?;
        }
        let units = self.best.units().to_vec();
        simple_texts(units, &mut |units, left| self.tries(units, left)).map(|_| ())
    }

    /// Replaces units by pauses, and drops what is not needed with these.
    fn pause(&mut self, minimal: Vec<Unit>) -> Result<Vec<Unit>, Stop> {
        let trace = self.best.trace().clone();
        let units = with_pauses(minimal.clone(), &trace, &mut |units, left| self.tries(units, left))?;
        self.drop_more(units, &minimal)
    }

    /// Replaces units by fewer, and drops what is not needed with these.
    fn replace(&mut self, minimal: Vec<Unit>) -> Result<Vec<Unit>, Stop> {
        let spec = &self.confirmer.rig.target.spec;
        let units = without_renames(minimal.clone(), &mut |units, left| self.tries(units, left))?;
        let units = added_at_once(units, spec, &mut |units, left| self.tries(units, left))?;
        self.drop_more(units, &minimal)
    }

    /// Drops what is not needed of units that replaced others.
    fn drop_more(&mut self, units: Vec<Unit>, replaced: &[Unit]) -> Result<Vec<Unit>, Stop> {
        match units == replaced {
            true => Ok(units),
            false => self.shorten(units),
        }
    }

    fn shorten(&mut self, units: Vec<Unit>) -> Result<Vec<Unit>, Stop> {
        shorten(units, &mut |units, left| self.tries(units, left))
    }

    /// Drops steps of DMFs that the violation does not need, and objects that it does not need with another row. The DMFs
    /// stay whole if that makes nothing shorter.
    fn take_apart(&mut self, units: &[Unit]) -> Result<(), Stop> {
        let whole = self.best.clone();
        let events = taken_apart(units, whole.trace());
        if events.len() > units.len()
            && let Some(events) = self.tries(&events, 0)?
        {
            self.shorten(events)?;
        }
        self.touch_other_rows()?;
        if self.best.trace().len() >= whole.trace().len() {
            self.best = whole;
        }
        Ok(())
    }

    /// Touches another row than that of an object which was added, and drops what is not needed with it.
    fn touch_other_rows(&mut self) -> Result<(), Stop> {
        let candidates = on_other_rows(self.best.units(), self.best.trace());
        for (place, candidate) in candidates.iter().enumerate() {
            if let Some(units) = self.tries(candidate, candidates.len() - place - 1)? {
                return self.shorten(units).map(|_| ());
            }
        }
        Ok(())
    }

    /// Executes a candidate. Returns the units of it that ran, if it shows the violation.
    fn tries(&mut self, units: &[Unit], candidates: usize) -> Result<Option<Vec<Unit>>, Stop> {
        let steps = self.best.trace().len();
        // The re-executions of the minimal trace come after this one.
        let reserve = self.ctx.reserve() + self.confirmer.steps_to_complete(self.sought.origin.oracle, steps);
        if self.ctx.left() < reserve {
            self.finished = false;
        }
        if self.left == 0 || !self.finished {
            return Ok(None);
        }
        self.ctx.begin(Task::Minimising { steps, left: candidates });
        let rig = Rig { guarded: self.guarded, ..self.confirmer.rig };
        let (needed, events) = self.confirmer.needed(rig, units, self.sought, self.ctx)?;
        self.left = self.left.saturating_sub(events);
        let Some(shown) = needed else { return Ok(None) };
        self.best = shown;
        if let Some(finding) = self.finding.as_deref_mut().filter(|_| self.ctx.limited()) {
            self.best.shorten(finding);
            self.ctx.report(finding);
        }
        Ok(Some(self.best.units().to_vec()))
    }
}

/// Whether the oracle judges what functions do, so that they must be run as a whole.
fn is_about_functions(oracle: OracleKind) -> bool {
    match oracle {
        OracleKind::Crash | OracleKind::NotResponding | OracleKind::LogError | OracleKind::Loading => false,
        OracleKind::Property
        | OracleKind::Invariant
        | OracleKind::IndependentView
        | OracleKind::MayBelief
        | OracleKind::Preservation
        | OracleKind::Agreement => true,
    }
}

/// The units with each DMF as the events that it consisted of in the trace.
fn taken_apart(units: &[Unit], trace: &Trace) -> Vec<Unit> {
    let ranges = unit_steps(trace, trace.len());
    if ranges.len() != units.len() {
        return units.to_vec();
    }
    let parts = units.iter().zip(ranges).flat_map(|(unit, range)| match unit {
        Unit::Dmf { .. } => {
            let steps = trace.steps().get(range).unwrap_or_default().iter();
            let own = steps.filter(|step| !step.role.is_appended());
            own.map(|step| Unit::Event { event: step.event.clone(), role: StepRole::SpecStep }).collect()
        }
        Unit::Event { .. } | Unit::Detour { .. } => vec![unit.clone()],
    });
    parts.collect()
}
