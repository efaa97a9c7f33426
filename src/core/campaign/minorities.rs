//! ODIN's oracle, applied to the tests of other engines. A suspect is confirmed on fresh devices before it is reported,
//! as ODIN does it (`engine/odin/paper.md`, section 12).

use std::sync::Arc;

use super::confirm::{Confirmer, ViolatedTest};
use super::confirm_ctx::ConfirmCtx;
use super::{Rerun, Unit};
use crate::engine::{Reported, Stop, Task};
use crate::model::{Event, Frame, Step, StepRole, Text, Trace, Verdict, Widget, WidgetIdx};
use crate::oracle::may_belief::{LATER, Suspect};
use crate::oracle::{Comparison, ComparisonRule};
use crate::spec::typed_text;

/// Number of walks that confirm a suspect.
const WALKS: u32 = 5;

impl Confirmer<'_> {
    /// Executes the suspect's witness, its reference, both again with their last events later, and a pause in place of
    /// the last event. Returns whether it is a finding: the first two show the same outcomes as before, and neither
    /// does time decide between them nor the pause cause the deviating one.
    pub(super) fn look_at_minority(
        &mut self,
        suspect: &Suspect,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<bool, Stop> {
        let rule = &suspect.rule;
        let [witness_events, reference_events] =
            [&suspect.witness, &suspect.reference].map(|it| it.len() as u64);
        if ctx.left() < 3 * witness_events + 2 * reference_events {
            return Ok(false);
        }
        let Some(witness) = self.walk(1, &suspect.witness, ctx)? else { return Ok(false) };
        let Some(reference) = self.walk(2, &suspect.reference, ctx)? else { return Ok(false) };
        let Verdict::Violated(violation) = rule.judge(&witness.trace, &reference.trace) else {
            return Ok(false);
        };
        // A field that still holds what was typed into it is no deviation.
        if rule.is_believed(&with_emptied_fields(&witness.trace)) {
            return Ok(false);
        }
        let Some((_, before)) = suspect.witness.split_last() else { return Ok(false) };
        let acted = witness.trace.steps().iter().rposition(|step| !step.role.is_appended());
        let Some(acted) = acted.and_then(|step| witness.trace.frame(step)) else { return Ok(false) };
        let mut pause = before.to_vec();
        pause.push(Event::Wait(witness.trace.last().at.since(acted.at)));
        if let Some(waited) = self.walk(3, &pause, ctx)?
            && rule.comes_by_itself(&witness.trace, waited.trace.last())
        {
            return Ok(false);
        }
        let mut later = |number: u32, events: &[Event]| {
            let Some((last, before)) = events.split_last() else { return Ok(None) };
            let events = [before, &[Event::Wait(LATER), last.clone()]].concat();
            self.walk(number, &events, ctx)
        };
        let (waited, believed) = (later(4, &suspect.witness)?, later(5, &suspect.reference)?);
        let [waited, believed] = [&waited, &believed].map(|rerun| rerun.as_ref().map(|rerun| &rerun.trace));
        if rule.follows_from_time(waited, believed) {
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

/// The trace with a last screen whose fields are empty if they hold a text that was typed before.
fn with_emptied_fields(trace: &Trace) -> Trace {
    let Some((last, before)) = trace.steps().split_last() else { return trace.clone() };
    let typed: Vec<&str> = before.iter().filter_map(|step| typed_text(&step.event)).collect();
    let holds = |widget: &Widget| widget.is_text_field() && typed.contains(&&*widget.text);
    let layout = &last.after.layout;
    let fields: Vec<WidgetIdx> =
        layout.iter().filter(|(_, widget)| holds(widget)).map(|(idx, _)| idx).collect();
    let emptied = layout.with_changed(&fields, |field| field.text = Text::from(""));
    let mut trace = trace.until(before.len());
    let after = Frame { layout: Arc::new(emptied), ..last.after.clone() };
    trace.push(Step { after, ..last.clone() });
    trace
}
