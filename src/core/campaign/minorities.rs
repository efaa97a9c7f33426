//! ODIN's oracle on the tests of engines that do not know it: what stands out among them is seen on fresh devices
//! before it is told, as ODIN's own suspects are (odin.md 8).

use super::confirm::{Confirmer, ViolatedTest};
use super::{DeviceSource, Finding, Rerun, Unit};
use crate::engine::{Ledger, Reported, Stop};
use crate::model::{Event, StepRole, Verdict};
use crate::oracle::may_belief::Suspect;
use crate::oracle::{Comparison, ComparisonRule};

impl Confirmer<'_> {
    /// Runs what stands out, what is believed, and a pause instead of the event. Whether it is a finding: the first
    /// two do what they did, and the pause does not bring it about.
    pub(super) fn look_at_minority(
        &mut self,
        suspect: &Suspect,
        ledger: &Ledger,
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
        let reported = [Reported { violation, steps, moment: ledger.moment(), comparison: Some(comparison) }];
        let test = ViolatedTest { trace: &witness.trace, reported: &reported, events: ledger.events };
        self.look_at(&test, source, findings)?;
        Ok(true)
    }

    /// Performs events on a fresh device, if all of them can be.
    fn walk(&self, events: &[Event], source: &mut dyn DeviceSource) -> Result<Option<Rerun>, Stop> {
        let unit = |event: &Event| Unit::Event { event: event.clone(), role: StepRole::Explored };
        let units: Vec<Unit> = events.iter().map(unit).collect();
        let rerun = self.run(&units, None, &[], source)?;
        Ok(rerun.complete(&units).then_some(rerun))
    }
}
