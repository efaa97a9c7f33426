//! Whether what a detour lost changes without it: a row that arrives in the background, a tip that is another one each
//! time that the page is shown.

use super::confirm::Confirmer;
use super::confirm_ctx::ConfirmCtx;
use super::investigate::Shown;
use super::{Rerun, Unit};
use crate::engine::Stop;
use crate::model::{Event, FindingOrigin, OracleKind, StepRole, Trace};
use crate::oracle::preservation::{changes_each_time, changes_while_waiting, last_detour};

/// How often the trace of a detour is executed to confirm what it lost: with the detour, with a pause in its place, and
/// with the detour twice.
pub(super) const DETOUR_RUNS: u64 = 3;

impl Confirmer<'_> {
    /// Whether a detour's loss that was shown is none: it comes as well after a pause that is as long as the detour, or
    /// the same place is different again after each further detour.
    pub(super) fn comes_by_itself(
        &mut self,
        shown: &Shown,
        origin: &FindingOrigin,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<bool, Stop> {
        let (trace, app) = (shown.trace(), &self.rig.target.app);
        if origin.oracle != OracleKind::Preservation {
            return Ok(false);
        }
        let (Some(units), Some((detour, before))) =
            (with_pause(shown.units(), trace), shown.units().split_last())
        else {
            return Ok(false);
        };
        let waited = ctx.run(self.rig, &units, None, &[])?;
        if waited.complete(&units) && changes_while_waiting(trace, &waited.trace, &origin.checks, app) {
            return Ok(true);
        }
        let twice = [before, &[detour.clone(), detour.clone()]].concat();
        let Rerun { trace: again, .. } = ctx.run(self.rig, &twice, None, &[])?;
        Ok(changes_each_time(trace, &again, &origin.checks, app))
    }
}

/// The units with pauses instead of the detour at the end, which was gone in this trace.
fn with_pause(units: &[Unit], trace: &Trace) -> Option<Vec<Unit>> {
    let (Unit::Detour { events }, before) = units.split_last()? else { return None };
    let (control, first) = (events.first()?, last_detour(trace)?);
    let took = trace.last().at.since(trace.frame(first + 1)?.at);
    let pause = |event: Event| Unit::Event { event, role: StepRole::Explored };
    Some(before.iter().cloned().chain([control.clone(), Event::Wait(took)].map(pause)).collect())
}
