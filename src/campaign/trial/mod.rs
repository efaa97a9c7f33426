//! Trials (*Try it*): one DMF is run several times on cleared data, and each run is reported. Uses no threads; on the
//! bundled phone the same plan always yields the same report.

mod reach;
mod report;
mod watcher;
mod words;

use std::sync::Arc;

pub use report::{NeverFails, TrialEnd, TrialOutcome, TrialPlan, TrialReport, TrialRun, TrialSink};
pub use words::{step_words, trial_data_words};

use self::reach::{reach, reach_by_lead_up};
use self::watcher::TrialWatcher;
use self::words::{advice, verdict};
use super::InitialisedDevices;
use taproof_engine::device::{Device, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_engine::{
    CampaignStats, InputSource, JudgedTest, Limits, NotExecuted, RoundCtx, RoundDoor, RunOutcome, RunPolicy,
    Stop, TestTarget, run_dmf_bound,
};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{Event, Layout, Trace, Verdict};
use taproof_spec::repair::Walk;
use taproof_spec::{
    Bindings, Breaking, CheckOutcome, DataModel, Dmf, EndedRun, Input, NamedSelector, PLAIN_CLASSES, Scene,
    Spec, break_postconditions,
};

/// Number of times that a run is repeated with other texts when the app refuses one.
const REFUSALS: u64 = 4;

/// Runs the DMF of the plan; everything happens on the caller's thread.
pub fn try_dmf(
    plan: &TrialPlan,
    source: &mut dyn DeviceSource,
    cancel: &CancelToken,
    sink: &mut dyn TrialSink,
) -> TrialReport {
    let mut report = TrialReport {
        plan: plan.clone(),
        runs: Vec::new(),
        sound: None,
        verdict: String::new(),
        advice: Vec::new(),
        never_fail: Vec::new(),
        end: TrialEnd::Done,
    };
    let trial = Trial::new(plan, cancel);
    let source = &mut InitialisedDevices::new(source, &plan.app, plan.initialiser.as_ref());
    if let Err(stop) = trial.all(source, sink, &mut report) {
        report.end = match stop {
            Stop::Device(error) => TrialEnd::DeviceFailed(error),
            Stop::Cancelled | Stop::BudgetSpent | Stop::TestOver => TrialEnd::Cancelled,
        };
    }
    report.verdict = verdict(&report);
    report.advice = advice(&report);
    report.never_fail = report.unbroken();
    report
}

/// What all runs of a trial share.
struct Trial<'p> {
    plan: &'p TrialPlan,
    target: TestTarget,
    policy: RunPolicy,
    cancel: &'p CancelToken,
}

impl<'p> Trial<'p> {
    fn new(plan: &'p TrialPlan, cancel: &'p CancelToken) -> Self {
        let mut spec = Spec::clone(&plan.spec);
        // Only the DMF under trial draws texts of all classes. Those that lead to it type plain texts, which no app
        // refuses.
        for (_, dmf) in spec.dmfs.iter_mut().enumerate().filter(|(index, _)| *index != plan.dmf) {
            for step in dmf.steps.iter_mut().chain(&mut dmf.lead_in) {
                if let Input::Fresh(fresh) = &mut step.input {
                    fresh.classes = PLAIN_CLASSES.to_vec();
                }
            }
        }
        // A copy of the DMF without its steps is appended, to reach its precondition without running it.
        if let Some(dmf) = spec.dmfs.get(plan.dmf).cloned() {
            let widgets = dmf.widgets.into_iter();
            let widgets = widgets.map(|widget| NamedSelector { layout: usize::MAX, ..widget });
            spec.dmfs.push(Dmf {
                widgets: widgets.collect(),
                steps: Vec::new(),
                impacts: Vec::new(),
                postconditions: Vec::new(),
                refusal: None,
                ..dmf
            });
        }
        let policy = RunPolicy::default();
        let target = TestTarget::new(&plan.app, &spec, true).beginning_with(plan.initialiser.as_ref());
        Trial { plan, target, policy, cancel }
    }

    fn all(
        &self,
        source: &mut dyn DeviceSource,
        sink: &mut dyn TrialSink,
        report: &mut TrialReport,
    ) -> Result<(), Stop> {
        for number in 1..=self.plan.runs {
            sink.begins(number);
            let run = self.one(&mut *source.fresh()?, number)?;
            sink.ran(&run);
            keep(&mut report.runs, run);
        }
        let bugs = source.switchable_bugs();
        let failed = report.runs.iter().rev().find(|run| run.outcome != TrialOutcome::Held);
        if let (Some(failed), false) = (failed, bugs.is_empty()) {
            let run = self.one(&mut *source.fresh_without(&bugs)?, failed.number)?;
            report.sound = Some(run.outcome);
        }
        Ok(())
    }

    /// Whether the recording has a lead-up, by which the function was reached once already.
    fn has_lead_up(&self) -> bool {
        !self.plan.lead_up.is_empty() || !self.plan.held.is_empty()
    }

    /// One run. It is repeated with other texts if the app refuses one, and from the start of the recording if the
    /// precondition let the DMF begin too early.
    fn one(&self, device: &mut dyn Device, number: usize) -> Result<TrialRun, Stop> {
        let (mut refused, mut by_lead_up, mut attempt) = (Vec::new(), false, 0);
        loop {
            let mut run = self.attempt(device, number, attempt, by_lead_up)?;
            match run.outcome {
                TrialOutcome::NotExecuted { reason: NotExecuted::Refused, .. } if attempt < REFUSALS => {
                    refused.append(&mut run.texts);
                    attempt += 1;
                }
                TrialOutcome::NotExecuted { .. } if self.has_lead_up() && !by_lead_up => by_lead_up = true,
                _ => return Ok(TrialRun { refused, ..run }),
            }
        }
    }

    fn attempt(
        &self,
        device: &mut dyn Device,
        number: usize,
        attempt: u64,
        by_lead_up: bool,
    ) -> Result<TrialRun, Stop> {
        let chance = Rng::from_seed(self.plan.seed).fork_indexed("trial", number as u64);
        let chance = chance.fork_indexed("attempt", attempt);
        let cancelled = || self.cancel.cancelled();
        let mut watcher = TrialWatcher::of(self.plan.dmf);
        let limits = Limits { events: u64::MAX, device_time: DeviceDuration(u64::MAX) };
        let door = RoundDoor {
            device,
            target: &self.target,
            stats: &mut CampaignStats::new(&self.target, limits),
            watcher: &mut watcher,
            cancelled: &cancelled,
        };
        let mut ctx = RoundCtx::new(door, chance)?;
        let mut run = TrialRun {
            number,
            outcome: TrialOutcome::NotReached(Vec::new()),
            way: "",
            texts: Vec::new(),
            refused: Vec::new(),
            before: DataModel::new(),
            after: DataModel::new(),
            held_before: Vec::new(),
            broken: Vec::new(),
            stuck: None,
            walk: Walk::default(),
            first_step: 0,
            trace: None,
        };
        let ran = self.lead_and_run(&mut ctx, &mut run, by_lead_up);
        run.after = ctx.data().clone();
        run.walk.data = run.after.clone();
        run.walk.last = Some(Arc::clone(&ctx.frame().layout));
        run.walk.waited_on = waited_on(ctx.trace());
        let JudgedTest { trace, reported } = ctx.last_test();
        match ran {
            Ok(()) => {}
            Err(Stop::TestOver | Stop::BudgetSpent) => {
                let seen = reported.last().map_or("the app stopped", |last| last.violation.title.as_str());
                run.outcome = TrialOutcome::Died(seen.to_owned());
            }
            Err(stop @ (Stop::Cancelled | Stop::Device(_))) => return Err(stop),
        }
        let own = trace.spans.iter().rev().find(|span| span.dmf == self.plan.dmf);
        if let Some(span) = own.filter(|span| span.first_step >= run.first_step) {
            run.texts = span.texts();
        }
        run.trace = Some(Arc::new(trace));
        run.stuck = watcher.stuck.first;
        run.walk.steps = watcher.steps;
        Ok(run)
    }

    fn lead_and_run(&self, ctx: &mut RoundCtx<'_>, run: &mut TrialRun, by_lead_up: bool) -> Result<(), Stop> {
        let reached = if by_lead_up { reach_by_lead_up(self, ctx)? } else { reach(self, ctx, run.number)? };
        match reached {
            Ok(way) => run.way = way,
            Err(missing) => {
                run.outcome = TrialOutcome::NotReached(missing);
                return Ok(());
            }
        }
        run.first_step = ctx.trace().len();
        run.before = ctx.data().clone();
        run.walk.first = Some(Arc::clone(&ctx.frame().layout));
        let mut texts = ctx.rng.fork("texts");
        let inputs = InputSource::Draw(&mut texts);
        let (outcome, bindings) = run_dmf_bound(ctx, self.plan.dmf, inputs, self.policy)?;
        run.walk.bindings = bindings.clone();
        run.outcome = match outcome {
            RunOutcome::NotExecuted { step, reason } => TrialOutcome::NotExecuted { step, reason },
            RunOutcome::Finished(verdict) => {
                run.held_before = self.held_before(ctx, run.first_step, &bindings);
                run.broken = self.broken(ctx, run.first_step, &bindings);
                match verdict {
                    Verdict::Holds => TrialOutcome::Held,
                    Verdict::Violated(violation) => TrialOutcome::Broken(violation),
                    Verdict::Inconclusive(reason) => TrialOutcome::Unsure(reason),
                }
            }
        };
        Ok(())
    }

    /// Evaluates the postconditions on the screen before the first step, with the data that the app should hold after
    /// the last: an object that is still held may be shown.
    fn held_before(&self, ctx: &RoundCtx<'_>, first_step: usize, bindings: &Bindings) -> Vec<bool> {
        let (Some(dmf), Some(frame)) = (self.target.dmfs().get(self.plan.dmf), ctx.trace().frame(first_step))
        else {
            return Vec::new();
        };
        let scene = Scene { layout: &frame.layout, data: ctx.data(), app: &self.plan.app, bindings };
        dmf.check_postconditions(&scene).iter().map(|outcome| *outcome == CheckOutcome::Holds).collect()
    }

    /// Breaks the postconditions on purpose, on copies of what the test showed.
    fn broken(&self, ctx: &RoundCtx<'_>, first: usize, bindings: &Bindings) -> Vec<Breaking> {
        let Some(dmf) = self.target.dmfs().get(self.plan.dmf) else { return Vec::new() };
        let screens = ctx.trace().layouts();
        let app = &self.plan.app;
        break_postconditions(dmf, EndedRun { screens: &screens, first, data: ctx.data(), bindings, app })
    }
}

/// The screen before the last event of a trace, if that was a wait.
fn waited_on(trace: &Trace) -> Option<Arc<Layout>> {
    let waited = trace.steps().last().is_some_and(|step| matches!(step.event, Event::Wait(_)));
    let before = trace.frame(trace.len().checked_sub(1)?)?;
    waited.then(|| Arc::clone(&before.layout))
}

/// Adds a run. Keeps only the trace of the last run that failed or, if none failed, of the last run.
fn keep(runs: &mut Vec<TrialRun>, mut run: TrialRun) {
    let failed_before = runs.iter().any(|run| run.outcome != TrialOutcome::Held);
    if run.outcome == TrialOutcome::Held && failed_before {
        run.trace = None;
    } else {
        runs.iter_mut().for_each(|run| run.trace = None);
    }
    runs.push(run);
}
