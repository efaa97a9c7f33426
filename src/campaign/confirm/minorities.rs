//! ODIN's oracle, applied to the tests of other engines. A suspect is confirmed on fresh devices before it is reported,
//! as ODIN does it (`engine/odin/paper.md`, section 12).

use std::sync::Arc;

use super::Confirmer;
use super::by_itself::Control;
use super::confirm_ctx::ConfirmCtx;
use super::confirm_pair::{Pair, PairRun};
use crate::Unit;
use taproof_engine::oracle::may_belief::{LATER, Suspect};
use taproof_engine::oracle::{Comparison, ComparisonRule};
use taproof_engine::{JudgedTest, Reported, Stop, Task};
use taproof_screen::{Event, Frame, Step, StepRole, Text, Trace, Verdict, Violation, Widget, WidgetIdx};
use taproof_spec::typed_text;

impl Confirmer<'_> {
    /// Executes the suspect's witness, its reference, both again with their last events later, and a pause in place of
    /// the last event. Returns whether it is a finding: the first two show the same outcomes as before, and neither
    /// does time decide between them nor the pause cause the deviating one.
    pub(crate) fn look_at_minority(
        &mut self,
        suspect: &Suspect,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<bool, Stop> {
        let unit = |event: &Event| Unit::Event { event: event.clone(), role: StepRole::Explored };
        let pair = Pair {
            witness: suspect.witness.iter().map(unit).collect(),
            reference: suspect.reference.iter().map(unit).collect(),
        };
        // Both, the control, and both again with their last events later.
        if ctx.left() < (2 * pair.len() + pair.witness.len()) as u64 {
            return Ok(false);
        }
        let rule = ComparisonRule::Minority(Box::new(suspect.rule.clone()));
        ctx.begin(Task::Confirming { run: 1, of: 1 });
        let run = self.run_pair(&pair, &rule, &[], ctx)?;
        let whole = run.witness.complete(&pair.witness) && run.reference.complete(&pair.reference);
        let Verdict::Violated(violation) = run.verdict.clone() else { return Ok(false) };
        // A field that still holds what was typed into it is no deviation.
        if !whole || suspect.rule.is_believed(&with_emptied_fields(&run.witness.trace)) {
            return Ok(false);
        }
        if self.control(&pair, &run, (&rule, &violation.origin()), ctx)? == Control::Changed
            || self.follows_from_time(suspect, &pair, ctx)?
        {
            return Ok(false);
        }
        self.report_pair(run, violation, rule, ctx)?;
        Ok(true)
    }

    /// Reports what two traces show that no round has seen, and has it investigated.
    pub(super) fn report_pair(
        &mut self,
        run: PairRun,
        violation: Violation,
        rule: ComparisonRule,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<(), Stop> {
        let comparison = Comparison { reference: run.reference.trace, rule };
        let steps = run.witness.trace.len();
        let moment = ctx.stats.moment();
        let reported = Reported { violation, steps, moment, comparison: Some(comparison), picture: None };
        let trace = run.witness.trace;
        if self.is_new(&reported.violation.origin()) {
            ctx.report(&self.seen(&trace, &reported));
        }
        self.look_at(&JudgedTest { trace, reported: vec![reported] }, ctx)
    }

    /// Whether time decides between the two outcomes: with their last events later, one shows the other's.
    fn follows_from_time(
        &mut self,
        suspect: &Suspect,
        pair: &Pair,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<bool, Stop> {
        let mut later = |units: &[Unit]| -> Result<Option<Trace>, Stop> {
            let Some((last, before)) = units.split_last() else { return Ok(None) };
            let wait = Unit::Event { event: Event::Wait(LATER), role: StepRole::Explored };
            let units = [before, &[wait, last.clone()]].concat();
            let rerun = ctx.run(self.rig, &units, None, &[])?;
            Ok(rerun.complete(&units).then_some(rerun.trace))
        };
        let (waited, believed) = (later(&pair.witness)?, later(&pair.reference)?);
        Ok(suspect.rule.follows_from_time(waited.as_ref(), believed.as_ref()))
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
