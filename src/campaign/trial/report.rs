//! What is to be tried, and what came of it.

use std::sync::Arc;

use crate::DeviceChoice;
use taproof_engine::NotExecuted;
use taproof_engine::device::{Build, DeviceError, StuckStep};
use taproof_screen::{Event, Initialiser, Reason, Trace, Violation, words};
use taproof_spec::repair::Walk;
use taproof_spec::{Breaking, DataModel, DataType, Dmf, Spec, condition_sentence, never_broken};

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

words! {
    /// What came of one run.
    #[derive(Clone, Debug, PartialEq)]
    pub enum TrialOutcome {
        /// All conditions hold.
        Held = "held",
        /// Conditions do not hold.
        Broken(Violation) = "broken",
        /// It came to its end but cannot be judged.
        Unsure(Reason) = "not judged",
        /// A step could not be done.
        NotExecuted {
            /// The step, from 0; the number of steps stands for the screen after the last one.
            step: usize,
            /// Why.
            reason: NotExecuted,
        } = "not run",
        /// It could not begin: these preconditions do not hold, wherever it was led.
        NotReached(Vec<String>) = "not run",
        /// The app died or broke a rule of every screen; what was seen.
        Died(String) = "app failed",
    }
    /// The result in a word or two.
    pub fn word(&self);
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
    /// What came of breaking each postcondition on purpose; empty if it did not come to its end.
    pub broken: Vec<Breaking>,
    /// The first step of a function that could not be done, with the screen that was there instead.
    pub stuck: Option<StuckStep>,
    /// Steps of the trace before the DMF's first.
    pub first_step: usize,
    /// The screens of its steps, and what it found there.
    pub walk: Walk,
    /// Everything that was done and seen. Kept of the last run that failed, or else of the last run.
    pub trace: Option<Arc<Trace>>,
}

/// A postcondition that held, and that nothing could break (`spec::break_postconditions`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverFails {
    /// Index of the postcondition.
    pub condition: usize,
    /// The condition as a sentence.
    pub sentence: String,
    /// Why it never fails, as a sentence without its full stop.
    pub why: String,
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
    /// The postconditions that never fail, in file order.
    pub never_fail: Vec<NeverFails>,
    /// Why it ended.
    pub end: TrialEnd,
}

impl TrialReport {
    /// The DMF that was tried; `None` if the plan names none.
    pub fn dmf(&self) -> Option<&Dmf> {
        self.plan.spec.dmfs.get(self.plan.dmf)
    }

    /// The postconditions that held in some run and that nothing broke in any.
    pub(super) fn unbroken(&self) -> Vec<NeverFails> {
        let Some(dmf) = self.dmf() else { return Vec::new() };
        let told = |(condition, why): (usize, &str)| {
            let it = dmf.postconditions.get(condition)?;
            let sentence = condition_sentence(it, &dmf.widgets);
            Some(NeverFails { condition, sentence, why: why.to_owned() })
        };
        never_broken(self.runs.iter().map(|run| &run.broken[..])).into_iter().filter_map(told).collect()
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
