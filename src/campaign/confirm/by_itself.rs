//! Whether what a detour lost changes without it: a row that arrives in the background, a tip that is another one each
//! time that the page is shown.

use super::Confirmer;
use super::confirm_ctx::ConfirmCtx;
use super::investigate::Shown;
use crate::{Rerun, Unit};
use taproof_engine::Stop;
use taproof_engine::oracle::preservation::{changes_each_time, changes_while_waiting, last_detour};
use taproof_screen::{Event, FindingOrigin, OracleKind, StepRole, Trace};

/// How often the trace of a detour is executed to confirm what it lost: with the detour, with a pause in its place, and
/// with the detour twice.
pub(crate) const DETOUR_RUNS: u64 = 3;

/// So many times as long as the detour is waited in its place: what changes by itself every few seconds does so at least
/// once meanwhile.
const PAUSES: usize = 4;

/// What a re-execution shows in which a pause took the place of what a violation is put down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// Nothing of what the violation is about.
    Kept,
    /// The same as the violation, which then comes by itself.
    Changed,
    /// It could not be executed to its end, or shows something else.
    Unclear,
}

impl Confirmer<'_> {
    /// Whether a detour's loss that was shown comes by itself: it comes as well in a pause, or the same place is different
    /// again after each further detour. `None` if there was no detour.
    pub(crate) fn comes_by_itself(
        &mut self,
        shown: &Shown,
        origin: &FindingOrigin,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Option<Control>, Stop> {
        let Some(paused) = self.paused(shown.units(), shown.trace(), origin, ctx)? else { return Ok(None) };
        let Some((detour, before)) = shown.units().split_last().filter(|_| paused != Control::Changed) else {
            return Ok(Some(paused));
        };
        let twice = [before, &[detour.clone(), detour.clone()]].concat();
        let Rerun { trace: again, .. } = ctx.run(self.rig, &twice, None, &[])?;
        let other = changes_each_time(shown.trace(), &again, &origin.checks, &self.rig.target.app);
        Ok(Some(if other { Control::Changed } else { paused }))
    }

    /// Executes the units with a pause in place of the detour at the end, which lost something in this trace. `None` if
    /// there is no detour.
    pub(crate) fn paused(
        &mut self,
        units: &[Unit],
        trace: &Trace,
        origin: &FindingOrigin,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Option<Control>, Stop> {
        let is_loss = origin.oracle == OracleKind::Preservation;
        let Some(units) = with_pause(units, trace).filter(|_| is_loss) else { return Ok(None) };
        let waited = ctx.run(self.rig, &units, None, &[])?;
        let changes = changes_while_waiting(trace, &waited.trace, &origin.checks, &self.rig.target.app);
        Ok(Some(match changes.filter(|_| waited.complete(&units)) {
            None => Control::Unclear,
            Some(true) => Control::Changed,
            Some(false) => Control::Kept,
        }))
    }
}

/// The units with pauses instead of the detour at the end, which was gone in this trace.
fn with_pause(units: &[Unit], trace: &Trace) -> Option<Vec<Unit>> {
    let (Unit::Detour { events }, before) = units.split_last()? else { return None };
    let (control, first) = (events.first()?, last_detour(trace)?);
    let took = trace.last().at.since(trace.frame(first + 1)?.at);
    let pauses = std::iter::repeat_n(Event::Wait(took), PAUSES);
    let paused = std::iter::once(control.clone()).chain(pauses);
    let paused = paused.map(|event| Unit::Event { event, role: StepRole::Explored });
    Some(before.iter().cloned().chain(paused).collect())
}
