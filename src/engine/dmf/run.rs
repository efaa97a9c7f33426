//! One run of one DMF (`pbfdroid/paper.md`, sections 4.4 and 4.5): the full engine, its baselines and every
//! re-execution run DMFs through here.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::oracle;
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{
    DmfSpan, DrawnText, Event, Key, Layout, Reason, StepRole, Verdict, Violation, WidgetIdx,
};
use taproof_spec::{
    Action, Bindings, CheckOutcome, CompiledDmf, Dmf, DmfStep, FreshText, ImpactOp, Input, Relation, Scene,
};

use super::off_screen::{is_looked_for, keyboard_covers};
use super::progress::{DmfProgress, DmfScreen, HeldRun, InputSource};
use super::refusal::seems_refused;
use super::step::{StepAct, step_act};
use crate::round::LOOKS;
use crate::round::scroll_search::{SCROLL_LIMIT, ScrollSearch, scroll_lists};
use crate::{NotExecuted, RoundCtx, Stop};

/// How long a step waits for its widget.
const ELEMENT_WAIT: DeviceDuration = DeviceDuration(5000);

/// How long a patient run waits before it judges once more.
const UPDATE_WAIT: DeviceDuration = DeviceDuration(10_000);

/// What happens to a test after a violation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AfterViolation {
    /// The test ends, unless the DMF changes no data: then data model and app still agree, and the test continues.
    #[default]
    EndTest,
    /// The test continues with the predicted data model; later violations are marked "after drift".
    Continue,
    /// The test continues; the data model is changed to what the screen showed.
    Resynchronise,
}

/// How DMFs are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunPolicy {
    /// Number of swipes that searching for one widget may take.
    pub scroll_limit: u32,
    /// Whether the DMF's lead-in, from a fresh start to its precondition, is performed first (baseline A).
    pub lead_in: bool,
    /// What happens after a violation.
    pub after_violation: AfterViolation,
    /// Whether a postcondition that fails is judged once more after a while, which tells a late update from a wrong one.
    pub patient: bool,
}

impl Default for RunPolicy {
    fn default() -> Self {
        RunPolicy {
            scroll_limit: SCROLL_LIMIT,
            lead_in: false,
            after_violation: AfterViolation::default(),
            patient: false,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunOutcome {
    /// The run was not completed: no violation, and the data are unchanged.
    NotExecuted {
        /// Index of the step; the number of steps stands for the screen after the last one.
        step: usize,
        /// Why the run stopped there.
        reason: NotExecuted,
    },
    /// The run was completed and judged.
    Finished(Verdict),
}

/// After so many events, a run that is aborted may have changed its object.
const MAY_CHANGE: usize = 2;

/// Runs a DMF of the target. The run is recorded as a span of the trace, its verdict is counted, and a violation is
/// reported.
///
/// # Errors
///
/// The [`Stop`] with which the test or the campaign ends in the middle of the run.
pub fn run_dmf(
    ctx: &mut RoundCtx<'_>,
    index: usize,
    inputs: InputSource<'_>,
    policy: RunPolicy,
) -> Result<RunOutcome, Stop> {
    run_dmf_bound(ctx, index, inputs, policy).map(|(outcome, _)| outcome)
}

/// As [`run_dmf`], but also returns the texts that the run read and drew.
pub fn run_dmf_bound(
    ctx: &mut RoundCtx<'_>,
    index: usize,
    inputs: InputSource<'_>,
    policy: RunPolicy,
) -> Result<(RunOutcome, Bindings), Stop> {
    let Some(dmf) = ctx.target().dmfs().get(index) else {
        let outcome = RunOutcome::NotExecuted { step: 0, reason: NotExecuted::NotReady };
        return Ok((outcome, Bindings::NONE));
    };
    let first_step = ctx.trace().len();
    let mut run = Run::new(ctx, (dmf, index), inputs, policy, DmfProgress::default());
    let result = run.execute();
    let (ctx, DmfProgress { used, bindings, .. }) = (run.ctx, run.progress);
    let end_step = ctx.trace().len();
    if end_step > first_step {
        let (name, inputs, completed) = (dmf.dmf.name.clone(), used.clone(), result.is_ok());
        ctx.record_span(DmfSpan { dmf: index, name, first_step, end_step, inputs, completed });
    }
    match result {
        Ok(verdict) => {
            ctx.count_run(index, &verdict);
            if verdict == Verdict::Holds {
                ctx.run_held(HeldRun::new(index, &used, &bindings, end_step));
            }
            if let Verdict::Violated(violation) = &verdict {
                let drifts =
                    !dmf.dmf.impacts.is_empty() && policy.after_violation != AfterViolation::Resynchronise;
                ctx.report(violation.clone(), drifts);
            }
            Ok((RunOutcome::Finished(verdict), bindings))
        }
        Err(Halt::NotExecuted(step, reason)) => {
            ctx.count_not_executed(index, step, &reason);
            if end_step - first_step >= MAY_CHANGE && reason != NotExecuted::Refused {
                doubt_objects(ctx, &dmf.dmf, &used);
            }
            Ok((RunOutcome::NotExecuted { step, reason }, bindings))
        }
        Err(Halt::Stop(stop)) => Err(stop),
    }
}

/// Doubts the objects of a run that was aborted, which it may have changed: a dialog that usually asks did not come, for
/// instance, so that its object is deleted already; and those that it may have made with the texts that it drew.
fn doubt_objects(ctx: &mut RoundCtx<'_>, dmf: &Dmf, used: &[DrawnText]) {
    if !dmf.impacts.is_empty() && !used.is_empty() {
        ctx.change_data(|data| used.iter().for_each(|drawn| data.doubt(&dmf.data_type, &drawn.text)));
    }
}

/// Performs the lead-in of a DMF, from a fresh start to where the DMF may start, as ordinary events that are not part
/// of its run. Returns whether the DMF may start there; also false if a step of the lead-in could not be performed.
pub(crate) fn go_lead_in(
    ctx: &mut RoundCtx<'_>,
    index: usize,
    inputs: InputSource<'_>,
    policy: RunPolicy,
) -> Result<bool, Stop> {
    let Some(dmf) = ctx.target().dmfs().get(index) else { return Ok(false) };
    let mut run = Run::new(ctx, (dmf, index), inputs, policy, DmfProgress::default());
    for step in &dmf.dmf.lead_in {
        match run.lead_step(step) {
            Ok(()) => {}
            Err(Halt::NotExecuted(..)) => return Ok(false),
            Err(Halt::Stop(stop)) => return Err(stop),
        }
    }
    Ok(run.ctx.ready(index))
}

/// Performs the steps of a DMF, but empties each field that it would type a new text into, as ordinary events that are not
/// a run of it. With `leave`, the app is left by Back after the first such field.
pub(crate) fn go_without_text(
    ctx: &mut RoundCtx<'_>,
    index: usize,
    inputs: InputSource<'_>,
    policy: RunPolicy,
    leave: bool,
) -> Result<(), Stop> {
    let Some(dmf) = ctx.target().dmfs().get(index) else { return Ok(()) };
    let mut run = Run::new(ctx, (dmf, index), inputs, policy, DmfProgress::default());
    for (number, step) in dmf.dmf.steps.iter().enumerate() {
        let typed = step.action == Action::Edit && matches!(step.input, Input::Fresh(_));
        let input = if typed { Input::Literal(String::new()) } else { step.input.clone() };
        match run.step(number, Some(number), &DmfStep { input, ..step.clone() }) {
            Ok(()) if leave && typed => {
                // The first one may only close the keyboard.
                run.ctx.perform(Event::Key(Key::Back), StepRole::SpecStep)?;
                return run.ctx.perform(Event::Key(Key::Back), StepRole::SpecStep);
            }
            Ok(()) => {}
            Err(Halt::NotExecuted(..)) => return Ok(()),
            Err(Halt::Stop(stop)) => return Err(stop),
        }
    }
    Ok(())
}

/// Judges a run once more on the screen that is shown, with the texts that it read and drew, and scrolls the lists for
/// what is not shown.
pub(super) fn judge_shown(
    ctx: &mut RoundCtx<'_>,
    index: usize,
    progress: DmfProgress,
) -> Result<Verdict, Stop> {
    let Some(dmf) = ctx.target().dmfs().get(index) else { return Ok(Verdict::Holds) };
    let inputs = InputSource::Replay { texts: &[], changed: &mut false };
    let policy = RunPolicy::default();
    Run::new(ctx, (dmf, index), inputs, policy, progress).judge()
}

struct Run<'r, 'a> {
    ctx: &'r mut RoundCtx<'a>,
    dmf: &'a CompiledDmf,
    index: usize,
    policy: RunPolicy,
    inputs: InputSource<'r>,
    progress: DmfProgress,
    /// The screen before the last step that performed an event.
    before: Option<Arc<Layout>>,
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

impl<'r, 'a> Run<'r, 'a> {
    fn new(
        ctx: &'r mut RoundCtx<'a>,
        (dmf, index): (&'a CompiledDmf, usize),
        inputs: InputSource<'r>,
        policy: RunPolicy,
        progress: DmfProgress,
    ) -> Self {
        Run { ctx, dmf, index, policy, inputs, progress, before: None }
    }

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
        if self.refused() || self.seems_refused() {
            return Err(Halt::NotExecuted(end, NotExecuted::Refused));
        }
        self.find(Some(end), None).map_err(|halt| at_step(halt, end))?;
        self.ctx.found_step(self.index, end, None);
        let (dmf, bindings) = (&self.dmf.dmf, &self.progress.bindings);
        if !dmf.impacts.is_empty() {
            self.ctx.change_data(|data| data.apply_impacts(dmf, bindings));
        }
        let verdict = self.judge_surely()?;
        if !self.policy.patient || !matches!(verdict, Verdict::Violated(_)) {
            return Ok(verdict);
        }
        self.ctx.perform(Event::Wait(UPDATE_WAIT), StepRole::Appended)?;
        Ok(self.judge_surely()?)
    }

    /// Judges the last screen, which is read again if that finds something wrong.
    fn judge_surely(&mut self) -> Result<Verdict, Stop> {
        let mut verdict = self.judge()?;
        for _ in 0..LOOKS {
            if matches!(verdict, Verdict::Violated(_)) && self.ctx.look_again()? {
                verdict = self.judge()?;
            }
        }
        Ok(verdict)
    }

    /// Performs the lead-in. The texts that it types are objects that the test created, so they are added to the data
    /// model.
    fn lead_in(&mut self) -> Result<(), Halt> {
        let dmf = &self.dmf.dmf;
        for step in &dmf.lead_in {
            let before = self.progress.used.len();
            self.lead_step(step)?;
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

    /// Performs a step of the lead-in, which types plain texts where the file says nothing else: it must not be refused.
    fn lead_step(&mut self, step: &DmfStep) -> Result<(), Halt> {
        match &step.input {
            Input::Fresh(fresh) if fresh.classes.is_empty() => {
                let plain = FreshText { data_type: fresh.data_type.clone(), ..FreshText::plain() };
                self.step(0, None, &DmfStep { input: Input::Fresh(plain), ..step.clone() })
            }
            _ => self.step(0, None, step),
        }
    }

    /// Performs one step. `layout` is the number of the layout before it, whose texts are read first.
    fn step(&mut self, number: usize, layout: Option<usize>, step: &DmfStep) -> Result<(), Halt> {
        let target = self.find(layout, Some(step)).map_err(|halt| at_step(halt, number))?;
        if layout.is_some() {
            self.ctx.found_step(self.index, number, target);
        }
        let text = self.progress.input(self.dmf, step, self.ctx.data(), &mut self.inputs);
        let text = text.map_err(|reason| Halt::NotExecuted(number, reason))?;
        let screen = &self.ctx.frame().layout;
        match step_act(step.action, target, text, screen) {
            Ok(StepAct::Nothing) => Ok(()),
            Ok(StepAct::Send(event)) => {
                self.before = Some(Arc::clone(screen));
                Ok(self.ctx.perform(event, StepRole::SpecStep)?)
            }
            Ok(StepAct::ScrollTo(text)) => {
                let shows = |ctx: &RoundCtx<'_>| {
                    ctx.frame().layout.widgets().iter().any(|widget| *widget.text == *text)
                };
                let (limit, role) = (self.policy.scroll_limit, StepRole::SpecStep);
                if shows(self.ctx) || scroll_lists(self.ctx, limit, role, shows)? == ScrollSearch::Found {
                    return Ok(());
                }
                Err(Halt::NotExecuted(number, NotExecuted::TargetMissing))
            }
            Err(reason) => Err(Halt::NotExecuted(number, reason)),
        }
    }

    /// Reads the texts of a layout and locates the step's target on it. Waits once for what is missing.
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

    /// Whether the app seems to refuse a new object or name, if the specification does not say how it does.
    fn seems_refused(&self) -> bool {
        let now = &self.ctx.frame().layout;
        let before = self.before.as_deref();
        before.is_some_and(|before| seems_refused(&self.dmf.dmf, (before, now), &self.progress.used))
    }

    /// Judges the last screen. If the condition allows it, what is not shown is first searched for in the lists, since
    /// an object outside the visible part of a list is neither proof nor disproof.
    fn judge(&mut self) -> Result<Verdict, Stop> {
        let mut outcomes = self.dmf.check_postconditions(&self.scene());
        let conditions = &self.dmf.dmf.postconditions;
        let failing = outcomes.iter().zip(conditions).enumerate().filter(|(_, (outcome, condition))| {
            matches!(outcome, CheckOutcome::Fails(_)) && is_looked_for(condition)
        });
        let looked_for: Vec<usize> = failing.map(|(index, _)| index).collect();
        if looked_for.is_empty() {
            self.resynchronise(&outcomes);
            return Ok(self.verdict(&self.ctx.frame().layout, outcomes));
        }
        let (first, at_first) = (Arc::clone(&self.ctx.frame().layout), outcomes.clone());
        self.look_in_lists(&looked_for, &mut outcomes)?;
        self.resynchronise(&outcomes);
        // The title names what is wrong as it was before lists were searched, wherever they stand now.
        let told = outcomes.iter().zip(at_first).map(|(now, first)| match now {
            CheckOutcome::Fails(_) => first,
            CheckOutcome::Holds | CheckOutcome::NotJudged(_) => now.clone(),
        });
        let told = self.verdict(&first, told.collect());
        Ok(match (self.verdict(&self.ctx.frame().layout, outcomes), told) {
            (Verdict::Violated(violation), Verdict::Violated(told)) => {
                Verdict::Violated(Violation { title: told.title, ..violation })
            }
            (verdict, _) => verdict,
        })
    }

    fn verdict(&self, layout: &Layout, outcomes: Vec<CheckOutcome>) -> Verdict {
        oracle::verdict(self.dmf, self.index, layout, outcomes)
    }

    fn look_in_lists(&mut self, looked_for: &[usize], outcomes: &mut [CheckOutcome]) -> Result<(), Stop> {
        let (dmf, progress, limit) = (self.dmf, &self.progress, self.policy.scroll_limit);
        let mut missing = looked_for.to_vec();
        // Why a condition could not be judged on some screen, such as because something may have covered what it names.
        let mut unjudged: BTreeMap<usize, Reason> = BTreeMap::new();
        let steps_before = self.ctx.trace().len();
        let search = scroll_lists(self.ctx, limit, StepRole::Appended, |ctx| {
            let now = dmf.check_postconditions(&progress.scene(screen(ctx)));
            missing.retain(|index| match now.get(*index) {
                Some(CheckOutcome::Holds) => false,
                Some(CheckOutcome::NotJudged(reason)) => {
                    unjudged.insert(*index, reason.clone());
                    true
                }
                Some(CheckOutcome::Fails(_)) | None => true,
            });
            missing.is_empty()
        })?;
        for index in looked_for.iter().filter(|index| !missing.contains(index)) {
            outcomes[*index] = CheckOutcome::Holds;
        }
        let unseen = if search == ScrollSearch::GaveUp {
            Some(format!("the lists were not seen to their end in {limit} swipes"))
        } else if keyboard_covers(&self.ctx.frame().layout) {
            Some("the keyboard may cover it".to_owned())
        } else {
            None
        };
        for index in missing {
            if let Some(reason) = unjudged.remove(&index) {
                outcomes[index] = CheckOutcome::NotJudged(reason);
            } else if let Some(why) = &unseen {
                outcomes[index] = CheckOutcome::NotJudged(Reason::OffScreen(why.clone()));
            }
        }
        if self.ctx.trace().len() > steps_before {
            let now = dmf.check_postconditions(&self.scene());
            point_at_last_screen(outcomes, now);
        }
        Ok(())
    }

    /// If the policy says so, changes the data model to what the screen showed: an object that is not shown is removed, one that is shown too
    /// often is added.
    fn resynchronise(&mut self, outcomes: &[CheckOutcome]) {
        if self.policy.after_violation != AfterViolation::Resynchronise {
            return;
        }
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
    DmfScreen { layout: &ctx.frame().layout, data: ctx.data(), app: &ctx.target().app }
}

fn at_step(halt: Halt, number: usize) -> Halt {
    match halt {
        Halt::NotExecuted(_, reason) => Halt::NotExecuted(number, reason),
        Halt::Stop(_) => halt,
    }
}

/// Replaces evidence by that of the last layout: widgets of the evidence belong to the layout before scrolling.
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
