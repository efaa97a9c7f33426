//! One run of one DMF (pbfdroid.md 3.4 and 3.5 with "ours"): the full engine, its baselines and every
//! re-execution run DMFs through here.

use serde::{Deserialize, Serialize};

use crate::determinism::DeviceDuration;
use crate::model::{DmfSpan, Event, Layout, Reason, StepRole, Verdict, Widget, WidgetIdx};
use crate::oracle;
use crate::spec::{
    Bindings, CheckOutcome, CompiledDmf, Condition, DmfStep, ImpactOp, Input, Relation, Scene,
};

use super::dmf_progress::{DmfProgress, DmfScreen, InputSource};
use super::dmf_step::{Search, StepAct, scroll_lists, step_act};
use super::{NotExecuted, RoundCtx, Stop};

/// How long a step waits for its widget before it gives up.
const ELEMENT_WAIT: DeviceDuration = DeviceDuration(5000);

/// What happens to a test after a violation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AfterViolation {
    /// It ends, unless the DMF changes no data: then model and app still agree, and it goes on.
    #[default]
    EndTest,
    /// It goes on; the model keeps what it predicted, later violations are marked "after drift".
    Continue,
    /// It goes on; the model takes over what the screen showed.
    Resynchronise,
}

/// How DMFs are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunPolicy {
    /// Swipes that looking for one thing may take.
    pub scroll_limit: u32,
    /// Whether the DMF's own way from a fresh start comes first (baseline A).
    pub lead_in: bool,
    /// What happens after a violation.
    pub after_violation: AfterViolation,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunOutcome {
    /// It did not come to its end: no violation, and the data are as before.
    NotExecuted {
        /// The step, from 0; the number of steps stands for the screen after the last one.
        step: usize,
        /// Why.
        reason: NotExecuted,
    },
    /// It came to its end and was judged.
    Finished(Verdict),
}

/// Runs a DMF of the setting. Its steps join the trace as a span, its verdict is counted, a violation is
/// reported.
pub fn run_dmf(
    ctx: &mut RoundCtx<'_>,
    index: usize,
    inputs: InputSource<'_>,
    policy: RunPolicy,
) -> Result<RunOutcome, Stop> {
    run_dmf_bound(ctx, index, inputs, policy).map(|(outcome, _)| outcome)
}

/// The same, and tells what the run has read and drawn.
pub fn run_dmf_bound(
    ctx: &mut RoundCtx<'_>,
    index: usize,
    inputs: InputSource<'_>,
    policy: RunPolicy,
) -> Result<(RunOutcome, Bindings), Stop> {
    let Some(dmf) = ctx.setting().dmfs().get(index) else {
        let outcome = RunOutcome::NotExecuted { step: 0, reason: NotExecuted::NotReady };
        return Ok((outcome, Bindings::NONE));
    };
    let first_step = ctx.trace().len();
    let mut run = Run { ctx, dmf, index, policy, inputs, progress: DmfProgress::default() };
    let result = run.execute();
    let (ctx, DmfProgress { used: inputs, bindings, .. }) = (run.ctx, run.progress);
    let end_step = ctx.trace().len();
    if end_step > first_step {
        let (name, completed) = (dmf.dmf.name.clone(), result.is_ok());
        ctx.record_span(DmfSpan { dmf: index, name, first_step, end_step, inputs, completed });
    }
    match result {
        Ok(verdict) => {
            ctx.count_run(index, &verdict);
            if let Verdict::Violated(violation) = &verdict {
                let drifts =
                    !dmf.dmf.impacts.is_empty() && policy.after_violation != AfterViolation::Resynchronise;
                ctx.report(violation.clone(), drifts);
            }
            Ok((RunOutcome::Finished(verdict), bindings))
        }
        Err(Halt::NotExecuted(step, reason)) => {
            ctx.count_not_executed(index, step, &reason);
            Ok((RunOutcome::NotExecuted { step, reason }, bindings))
        }
        Err(Halt::Stop(stop)) => Err(stop),
    }
}

/// Goes the way from a fresh start to where a DMF may start, as ordinary events that are no part of its run; whether
/// it may start there. What cannot be done ends the way.
pub(super) fn go_lead_in(
    ctx: &mut RoundCtx<'_>,
    index: usize,
    inputs: InputSource<'_>,
    policy: RunPolicy,
) -> Result<bool, Stop> {
    let Some(dmf) = ctx.setting().dmfs().get(index) else { return Ok(false) };
    let mut run = Run { ctx, dmf, index, policy, inputs, progress: DmfProgress::default() };
    for step in &dmf.dmf.lead_in {
        match run.step(0, None, step) {
            Ok(()) => {}
            Err(Halt::NotExecuted(..)) => return Ok(false),
            Err(Halt::Stop(stop)) => return Err(stop),
        }
    }
    Ok(run.ctx.ready(index))
}

struct Run<'r, 'a> {
    ctx: &'r mut RoundCtx<'a>,
    dmf: &'a CompiledDmf,
    index: usize,
    policy: RunPolicy,
    inputs: InputSource<'r>,
    progress: DmfProgress,
}

enum Halt {
    Stop(Stop),
    NotExecuted(usize, NotExecuted),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stop(stop)
    }
}

impl Run<'_, '_> {
    fn execute(&mut self) -> Result<Verdict, Halt> {
        if self.policy.lead_in {
            self.lead_in()?;
        }
        let steps = &self.dmf.dmf.steps;
        for (number, step) in steps.iter().enumerate() {
            match self.step(number, Some(number), step) {
                Err(Halt::NotExecuted(_, reason)) if !step.required && reason.leaves_out_step() => {}
                other => other?,
            }
        }
        let end = steps.len();
        if self.refused() {
            return Err(Halt::NotExecuted(end, NotExecuted::Refused));
        }
        self.find(Some(end), None).map_err(|halt| at_step(halt, end))?;
        let (dmf, bindings) = (&self.dmf.dmf, &self.progress.bindings);
        if !dmf.impacts.is_empty() {
            self.ctx.change_data(|data| data.apply_impacts(dmf, bindings));
        }
        self.judge()
    }

    /// The way from a fresh start to the precondition. What it types are objects that the test made, so
    /// they join the model.
    fn lead_in(&mut self) -> Result<(), Halt> {
        let dmf = &self.dmf.dmf;
        for step in &dmf.lead_in {
            let before = self.progress.used.len();
            self.step(0, None, step)?;
            if let (Input::Fresh(fresh), Some(made)) = (&step.input, self.progress.used.get(before)) {
                let data_type = fresh.data_type.as_ref().unwrap_or(&dmf.data_type);
                self.ctx.change_data(|data| data.apply(data_type, &ImpactOp::Add, &made.text));
            }
        }
        if !self.ctx.ready(self.index) {
            return Err(Halt::NotExecuted(0, NotExecuted::NotReady));
        }
        self.ctx.count_ready(self.index);
        Ok(())
    }

    /// One step; `layout` is the number of the layout before it, whose texts are remembered first.
    fn step(&mut self, number: usize, layout: Option<usize>, step: &DmfStep) -> Result<(), Halt> {
        let target = self.find(layout, Some(step)).map_err(|halt| at_step(halt, number))?;
        let text = self.progress.input(self.dmf, step, self.ctx.data(), &mut self.inputs);
        let text = text.map_err(|reason| Halt::NotExecuted(number, reason))?;
        let screen = &self.ctx.frame().layout;
        match step_act(step.action, target, text, screen) {
            Ok(StepAct::Nothing) => Ok(()),
            Ok(StepAct::Send(event)) => Ok(self.ctx.perform(event, StepRole::SpecStep)?),
            Ok(StepAct::ScrollTo(text)) => {
                let shows = |ctx: &RoundCtx<'_>| {
                    ctx.frame().layout.widgets().iter().any(|widget| *widget.text == *text)
                };
                let (limit, role) = (self.policy.scroll_limit, StepRole::SpecStep);
                if shows(self.ctx) || scroll_lists(self.ctx, limit, role, shows)? == Search::Found {
                    return Ok(());
                }
                Err(Halt::NotExecuted(number, NotExecuted::TargetMissing))
            }
            Err(reason) => Err(Halt::NotExecuted(number, reason)),
        }
    }

    /// Remembers the texts of a layout and finds the step's target on it; waits once for what is missing.
    fn find(&mut self, layout: Option<usize>, step: Option<&DmfStep>) -> Result<Option<WidgetIdx>, Halt> {
        if let Ok(target) = self.look(layout, step) {
            return Ok(target);
        }
        if self.refused() {
            return Err(Halt::NotExecuted(0, NotExecuted::Refused));
        }
        self.ctx.perform(Event::Wait(ELEMENT_WAIT), StepRole::SpecStep)?;
        self.look(layout, step).map_err(|reason| Halt::NotExecuted(0, reason))
    }

    fn look(
        &mut self,
        layout: Option<usize>,
        step: Option<&DmfStep>,
    ) -> Result<Option<WidgetIdx>, NotExecuted> {
        let on = screen(self.ctx);
        self.progress.look(self.dmf, layout, step, on, &mut self.inputs)
    }

    fn scene(&self) -> Scene<'_> {
        self.progress.scene(screen(self.ctx))
    }

    fn refused(&self) -> bool {
        self.progress.refused(self.dmf, screen(self.ctx))
    }

    /// Judges the last screen. What is not shown is first looked for in the lists, where the condition
    /// lets it: an object outside the visible part of a list is neither proof nor disproof.
    fn judge(&mut self) -> Result<Verdict, Halt> {
        let mut outcomes = self.dmf.check_postconditions(&self.scene());
        let conditions = &self.dmf.dmf.postconditions;
        let failing = outcomes.iter().zip(conditions).enumerate().filter(|(_, (outcome, condition))| {
            matches!(outcome, CheckOutcome::Fails(_)) && is_looked_for(condition)
        });
        let looked_for: Vec<usize> = failing.map(|(index, _)| index).collect();
        if !looked_for.is_empty() {
            self.look_in_lists(&looked_for, &mut outcomes)?;
        }
        if self.policy.after_violation == AfterViolation::Resynchronise {
            self.resynchronise(&outcomes);
        }
        Ok(oracle::verdict(self.dmf, self.index, &self.ctx.frame().layout, outcomes))
    }

    fn look_in_lists(&mut self, looked_for: &[usize], outcomes: &mut [CheckOutcome]) -> Result<(), Stop> {
        let (dmf, progress, limit) = (self.dmf, &self.progress, self.policy.scroll_limit);
        let mut missing = looked_for.to_vec();
        let steps_before = self.ctx.trace().len();
        let search = scroll_lists(self.ctx, limit, StepRole::Appended, |ctx| {
            let now = dmf.check_postconditions(&progress.scene(screen(ctx)));
            missing.retain(|index| !matches!(now.get(*index), Some(CheckOutcome::Holds)));
            missing.is_empty()
        })?;
        for index in looked_for.iter().filter(|index| !missing.contains(index)) {
            outcomes[*index] = CheckOutcome::Holds;
        }
        let unseen = if search == Search::GaveUp {
            Some(format!("the lists were not seen to their end in {limit} swipes"))
        } else if keyboard_covers(&self.ctx.frame().layout) {
            Some("the keyboard may cover it".to_owned())
        } else {
            None
        };
        for index in missing {
            if let Some(why) = &unseen {
                outcomes[index] = CheckOutcome::NotJudged(Reason::OffScreen(why.clone()));
            }
        }
        if self.ctx.trace().len() > steps_before {
            let now = dmf.check_postconditions(&self.scene());
            point_at_last_screen(outcomes, now);
        }
        Ok(())
    }

    /// Takes over what the screen showed: an object that is not shown is gone, one shown too often is held.
    fn resynchronise(&mut self, outcomes: &[CheckOutcome]) {
        let data_type = &self.dmf.dmf.data_type;
        for (outcome, condition) in outcomes.iter().zip(&self.dmf.dmf.postconditions) {
            let CheckOutcome::Fails(failed) = outcome else { continue };
            match (&condition.relation, &failed.missing, failed.offending.first()) {
                (Relation::In | Relation::SameIn, Some(text), _) => {
                    self.ctx.change_data(|data| data.apply(data_type, &ImpactOp::Delete, text));
                }
                (Relation::NotIn, _, Some(idx)) => {
                    let text = self.ctx.frame().layout.widget(*idx).text.clone();
                    self.ctx.change_data(|data| data.apply(data_type, &ImpactOp::AddNoDuplicate, &text));
                }
                _ => {}
            }
        }
    }
}

/// What a DMF sees of the test.
fn screen<'c>(ctx: &'c RoundCtx<'_>) -> DmfScreen<'c> {
    DmfScreen { layout: &ctx.frame().layout, data: ctx.data(), app: &ctx.setting().app }
}

/// Whether what is not shown may lie behind the keyboard. Dumps do not tell whether it is open; while a field
/// has the focus it mostly is, and on a screen that lies on its side it leaves next to no room.
pub(super) fn keyboard_covers(layout: &Layout) -> bool {
    layout.rotation().sideways() && layout.widgets().iter().any(Widget::is_focused_field)
}

/// Whether a condition that fails is first looked for in the lists.
pub(super) fn is_looked_for(condition: &Condition) -> bool {
    condition.scroll && matches!(condition.relation, Relation::In | Relation::SameIn)
}

fn at_step(halt: Halt, number: usize) -> Halt {
    match halt {
        Halt::NotExecuted(_, reason) => Halt::NotExecuted(number, reason),
        Halt::Stop(_) => halt,
    }
}

/// Evidence points at widgets of the trace's last layout; after scrolling that is another one.
fn point_at_last_screen(outcomes: &mut [CheckOutcome], now: Vec<CheckOutcome>) {
    for (outcome, now) in outcomes.iter_mut().zip(now) {
        if let CheckOutcome::Fails(failed) = outcome {
            match now {
                CheckOutcome::Fails(_) => *outcome = now,
                CheckOutcome::Holds | CheckOutcome::NotJudged(_) => failed.offending.clear(),
            }
        }
    }
}
