//! ODIN's oracle, applied to the tests of other engines. A suspect is confirmed on fresh devices before it is reported,
//! as ODIN does it (`engine/odin/paper.md`, section 12).

use super::confirm::{Confirmer, ViolatedTest};
use super::{DeviceSource, Finding, Rerun, Unit};
use crate::engine::{CampaignStats, Reported, Stop};
use crate::model::{Event, StepRole, Verdict};
use crate::oracle::may_belief::Suspect;
use crate::oracle::{Comparison, ComparisonRule};

impl Confirmer<'_> {
    /// Executes the suspect's witness, its reference, and a pause in place of the last event. Returns whether it is a
    /// finding: the first two show the same outcomes as before, and the pause does not cause the deviating one.
    pub(super) fn look_at_minority(
        &mut self,
        suspect: &Suspect,
        stats: &CampaignStats,
        source: &mut dyn DeviceSource,
        findings: &mut Vec<Finding>,
    ) -> Result<bool, Stop> {
        let rule = &suspect.rule;
        let Some(witness) = self.walk(&suspect.witness, source)? else { return Ok(false) };
        let Some(reference) = self.walk(&suspect.reference, source)? else { return Ok(false) };
        let Verdict::Violated(violation) = rule.judge(&witness.trace, &reference.trace) else {
            return Ok(false);
        };
        let Some((_, before)) = suspect.witness.split_last() else { return Ok(false) };
        let acted = witness.trace.steps().iter().rposition(|step| step.role != StepRole::Appended);
        let Some(acted) = acted.and_then(|step| witness.trace.frame(step)) else { return Ok(false) };
        let mut pause = before.to_vec();
        pause.push(Event::Wait(witness.trace.last().at.since(acted.at)));
        if let Some(waited) = self.walk(&pause, source)?
            && rule.comes_by_itself(&witness.trace, waited.trace.last())
        {
            return Ok(false);
        }
        let comparison =
            Comparison { reference: reference.trace, rule: ComparisonRule::Minority(Box::new(rule.clone())) };
        let steps = witness.trace.len();
        let reported = [Reported { violation, steps, moment: stats.moment(), comparison: Some(comparison) }];
        let test = ViolatedTest { trace: &witness.trace, reported: &reported, events: stats.events };
        self.look_at(&test, source, findings)?;
        Ok(true)
    }

    /// Performs events on a fresh device. Returns `None` if one of them cannot be performed.
    fn walk(&self, events: &[Event], source: &mut dyn DeviceSource) -> Result<Option<Rerun>, Stop> {
        let unit = |event: &Event| Unit::Event { event: event.clone(), role: StepRole::Explored };
        let units: Vec<Unit> = events.iter().map(unit).collect();
        let rerun = self.run(&units, None, &[], source)?;
        Ok(rerun.complete(&units).then_some(rerun))
    }
}
