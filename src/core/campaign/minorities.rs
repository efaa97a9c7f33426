//! ODIN's oracle, applied to the tests of other engines. A suspect is confirmed on fresh devices before it is reported,
//! as ODIN does it (`engine/odin/paper.md`, section 12).

use super::confirm::{Confirmer, ViolatedTest};
use super::confirm_ctx::ConfirmCtx;
use super::{Rerun, Unit};
use crate::engine::{Reported, Stop, Task};
use crate::model::{Event, StepRole, Verdict};
use crate::oracle::may_belief::Suspect;
use crate::oracle::{Comparison, ComparisonRule};

/// Number of walks that confirm a suspect.
const WALKS: u32 = 3;

impl Confirmer<'_> {
    /// Executes the suspect's witness, its reference, and a pause in place of the last event. Returns whether it is a
    /// finding: the first two show the same outcomes as before, and the pause does not cause the deviating one.
    pub(super) fn look_at_minority(
        &mut self,
        suspect: &Suspect,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<bool, Stop> {
        let rule = &suspect.rule;
        let walks = [&suspect.witness, &suspect.reference, &suspect.witness];
        if ctx.left() < walks.iter().map(|walk| walk.len() as u64).sum() {
            return Ok(false);
        }
        let Some(witness) = self.walk(1, &suspect.witness, ctx)? else { return Ok(false) };
        let Some(reference) = self.walk(2, &suspect.reference, ctx)? else { return Ok(false) };
        let Verdict::Violated(violation) = rule.judge(&witness.trace, &reference.trace) else {
            return Ok(false);
        };
        let Some((_, before)) = suspect.witness.split_last() else { return Ok(false) };
        let acted = witness.trace.steps().iter().rposition(|step| !step.role.is_appended());
        let Some(acted) = acted.and_then(|step| witness.trace.frame(step)) else { return Ok(false) };
        let mut pause = before.to_vec();
        pause.push(Event::Wait(witness.trace.last().at.since(acted.at)));
        if let Some(waited) = self.walk(WALKS, &pause, ctx)?
            && rule.comes_by_itself(&witness.trace, waited.trace.last())
        {
            return Ok(false);
        }
        let comparison =
            Comparison { reference: reference.trace, rule: ComparisonRule::Minority(Box::new(rule.clone())) };
        let steps = witness.trace.len();
        let moment = ctx.stats.moment();
        let reported = [Reported { violation, steps, moment, comparison: Some(comparison), picture: None }];
        let test = ViolatedTest { trace: &witness.trace, reported: &reported, events: ctx.stats.events };
        self.look_at(&test, ctx)?;
        Ok(true)
    }

    /// Performs events on a fresh device; `number` is that of the walk. Returns `None` if one of them cannot be
    /// performed.
    fn walk(&self, number: u32, events: &[Event], ctx: &mut ConfirmCtx<'_>) -> Result<Option<Rerun>, Stop> {
        ctx.begin(Task::Confirming { run: number, of: WALKS });
        let unit = |event: &Event| Unit::Event { event: event.clone(), role: StepRole::Explored };
        let units: Vec<Unit> = events.iter().map(unit).collect();
        let rerun = ctx.run(self.rig, &units, None, &[])?;
        Ok(rerun.complete(&units).then_some(rerun))
    }
}
