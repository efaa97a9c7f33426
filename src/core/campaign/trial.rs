//! *Try it*: one DMF is run several times on fresh data, and what happened is told run by run. Pure of
//! threads; same plan and same bundled phone, same report.

use std::sync::Arc;

use super::trial_way::{reach, reach_by_lead_up};
use super::trial_words::{advice, verdict};
use super::{Build, DeviceChoice, DeviceSource, InitialisedPhones};
use crate::determinism::{DeviceDuration, Rng};
use crate::device::{Device, DeviceError};
use crate::engine::{
    InputSource, JudgedTest, Ledger, Limits, NoWatcher, NotExecuted, PbfdroidConfig, RoundCtx, RoundDoor,
    RunOutcome, RunPolicy, Setting, Stop, run_dmf_bound,
};
use crate::model::{Event, Initialiser, Reason, Trace, Verdict, Violation};
use crate::spec::{Bindings, CheckOutcome, DataModel, DataType, Dmf, Input, NamedSelector, Scene, Spec};
use crate::worker::CancelToken;

/// Other texts that are tried when the app refuses one.
const REFUSALS: u64 = 4;

/// What is to be tried.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialPlan {
    /// The package of the app.
    pub app: String,
    /// Which of its catalogued bugs are on, on the bundled phone.
    pub build: Build,
    /// What it runs on.
    pub device: DeviceChoice,
    /// The specification that the DMF stands in; its other DMFs may make the data that this one needs.
    pub spec: Arc<Spec>,
    /// Index of the DMF.
    pub dmf: usize,
    /// What was done between a fresh start and the recording: the last way to the precondition.
    pub lead_up: Vec<Event>,
    /// Objects that the app holds once that was done.
    pub held: Vec<(DataType, String)>,
    /// What is done first whenever the app is launched with cleared data.
    pub initialiser: Option<Arc<Initialiser>>,
    /// How often it is run.
    pub runs: usize,
    /// The seed of all chance.
    pub seed: u64,
}

/// Hears of a trial while it runs.
pub trait TrialSink {
    /// A run begins, counted from 1.
    fn begins(&mut self, _run: usize) {}
    /// A run is over.
    fn ran(&mut self, _run: &TrialRun) {}
}

/// What came of one run.
#[derive(Clone, Debug, PartialEq)]
pub enum TrialOutcome {
    /// All conditions hold.
    Held,
    /// Conditions do not hold.
    Broken(Violation),
    /// It came to its end but cannot be judged.
    Unsure(Reason),
    /// A step could not be done.
    NotExecuted {
        /// The step, from 0; the number of steps stands for the screen after the last one.
        step: usize,
        /// Why.
        reason: NotExecuted,
    },
    /// It could not begin: these preconditions do not hold, wherever it was led.
    NotReached(Vec<String>),
    /// The app died or broke a rule of every screen; what was seen.
    Died(String),
}

/// One run.
#[derive(Clone, Debug)]
pub struct TrialRun {
    /// Counted from 1.
    pub number: usize,
    /// What came of it.
    pub outcome: TrialOutcome,
    /// How the precondition was reached, in words.
    pub way: &'static str,
    /// The texts that it typed and chose, in order.
    pub texts: Vec<String>,
    /// Texts that the app refused before these.
    pub refused: Vec<String>,
    /// What the app should hold before it.
    pub before: DataModel,
    /// What the app should hold after it.
    pub after: DataModel,
    /// What each postcondition said before the first step, with the texts of the run; empty if it did not
    /// come to its end.
    pub held_before: Vec<bool>,
    /// Steps of the trace before the DMF's first.
    pub first_step: usize,
    /// Everything that was done and seen. Kept of the last run that failed, or else of the last run.
    pub trace: Option<Arc<Trace>>,
}

/// Why a trial ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrialEnd {
    /// All runs were made.
    Done,
    /// Somebody asked for it.
    Cancelled,
    /// The phone failed.
    DeviceFailed(DeviceError),
}

/// What a trial found out.
#[derive(Clone, Debug)]
pub struct TrialReport {
    /// What was tried.
    pub plan: TrialPlan,
    /// The runs in order.
    pub runs: Vec<TrialRun>,
    /// What came of the last failed run on a build without catalogued bugs; only where some were on.
    pub sound: Option<TrialOutcome>,
    /// The result in one sentence.
    pub verdict: String,
    /// What to do about it.
    pub advice: Vec<String>,
    /// Why it ended.
    pub end: TrialEnd,
}

impl TrialReport {
    /// The DMF that was tried; `None` if the plan names none.
    pub fn dmf(&self) -> Option<&Dmf> {
        self.plan.spec.dmfs.get(self.plan.dmf)
    }

    /// Runs that held.
    pub fn held(&self) -> usize {
        self.runs.iter().filter(|run| run.outcome == TrialOutcome::Held).count()
    }

    /// Whether every run that was asked for held.
    pub fn all_held(&self) -> bool {
        self.end == TrialEnd::Done && self.plan.runs > 0 && self.held() == self.plan.runs
    }

    /// The run whose trace was kept.
    pub fn kept(&self) -> Option<&TrialRun> {
        self.runs.iter().rev().find(|run| run.trace.is_some())
    }
}

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
        end: TrialEnd::Done,
    };
    let trial = Trial::new(plan, cancel);
    let source = &mut InitialisedPhones::new(source, &plan.app, plan.initialiser.as_ref());
    if let Err(stop) = trial.all(source, sink, &mut report) {
        report.end = match stop {
            Stop::Device(error) => TrialEnd::DeviceFailed(error),
            Stop::Cancelled | Stop::BudgetSpent | Stop::TestOver => TrialEnd::Cancelled,
        };
    }
    report.verdict = verdict(&report);
    report.advice = advice(&report);
    report
}

/// What all runs of a trial share.
pub(super) struct Trial<'p> {
    pub(super) plan: &'p TrialPlan,
    pub(super) setting: Setting,
    pub(super) policy: RunPolicy,
    cancel: &'p CancelToken,
}

impl<'p> Trial<'p> {
    fn new(plan: &'p TrialPlan, cancel: &'p CancelToken) -> Self {
        let mut spec = Spec::clone(&plan.spec);
        // Only what is tried types all kinds of texts: what leads there types texts that no app refuses.
        for (index, dmf) in spec.dmfs.iter_mut().enumerate() {
            let steps = if index == plan.dmf { &mut [][..] } else { &mut dmf.steps[..] };
            for step in steps.iter_mut().chain(&mut dmf.lead_in) {
                if let Input::Fresh(fresh) = &mut step.input {
                    fresh.classes.clear();
                }
            }
        }
        // The way to the DMF alone comes last: the setting then can be led there without running it.
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
        let policy = PbfdroidConfig::default().run_policy();
        Trial { plan, setting: Setting::new(&plan.app, &spec, true), policy, cancel }
    }

    fn all(
        &self,
        source: &mut dyn DeviceSource,
        sink: &mut dyn TrialSink,
        report: &mut TrialReport,
    ) -> Result<(), Stop> {
        for number in 1..=self.plan.runs {
            sink.begins(number);
            let run = self.one(&mut *source.fresh(&[])?, number)?;
            sink.ran(&run);
            keep(&mut report.runs, run);
        }
        let bugs = source.switchable_bugs();
        let failed = report.runs.iter().rev().find(|run| run.outcome != TrialOutcome::Held);
        if let (Some(failed), false) = (failed, bugs.is_empty()) {
            let run = self.one(&mut *source.fresh(&bugs)?, failed.number)?;
            report.sound = Some(run.outcome);
        }
        Ok(())
    }

    /// Whether there is a way on which the function was done once already.
    pub(super) fn has_lead_up(&self) -> bool {
        !self.plan.lead_up.is_empty() || !self.plan.held.is_empty()
    }

    /// One run: again with other texts where the app refuses them, and again from where the recording began
    /// where the precondition let it begin too early.
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
        let limits = Limits { events: u64::MAX, device_time: DeviceDuration(u64::MAX) };
        let door = RoundDoor {
            device,
            setting: &self.setting,
            ledger: &mut Ledger::new(&self.setting, limits),
            watcher: &mut NoWatcher,
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
            first_step: 0,
            trace: None,
        };
        let ran = self.lead_and_run(&mut ctx, &mut run, by_lead_up);
        run.after = ctx.data().clone();
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
        let mut texts = ctx.rng.fork("texts");
        let inputs = InputSource::Draw(&mut texts);
        let (outcome, bindings) = run_dmf_bound(ctx, self.plan.dmf, inputs, self.policy)?;
        run.outcome = match outcome {
            RunOutcome::NotExecuted { step, reason } => TrialOutcome::NotExecuted { step, reason },
            RunOutcome::Finished(verdict) => {
                run.held_before = self.held_before(ctx, run.first_step, &bindings);
                match verdict {
                    Verdict::Holds => TrialOutcome::Held,
                    Verdict::Violated(violation) => TrialOutcome::Broken(violation),
                    Verdict::Inconclusive(reason) => TrialOutcome::Unsure(reason),
                }
            }
        };
        Ok(())
    }

    /// What the postconditions say of the screen before the first step: with the data as they should be after
    /// it, since an object that is still held may be shown.
    fn held_before(&self, ctx: &RoundCtx<'_>, first_step: usize, bindings: &Bindings) -> Vec<bool> {
        let (Some(dmf), Some(frame)) =
            (self.setting.dmfs().get(self.plan.dmf), ctx.trace().frame(first_step))
        else {
            return Vec::new();
        };
        let scene = Scene { layout: &frame.layout, data: ctx.data(), app: &self.plan.app, bindings };
        dmf.check_postconditions(&scene).iter().map(|outcome| *outcome == CheckOutcome::Holds).collect()
    }
}

/// Adds a run. One trace is kept: of the last run that failed, or else of the last.
fn keep(runs: &mut Vec<TrialRun>, mut run: TrialRun) {
    let failed_before = runs.iter().any(|run| run.outcome != TrialOutcome::Held);
    if run.outcome == TrialOutcome::Held && failed_before {
        run.trace = None;
    } else {
        runs.iter_mut().for_each(|run| run.trace = None);
    }
    runs.push(run);
}
