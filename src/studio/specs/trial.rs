//! *Try it*: the state of the DMF that is being tried, or was tried last.

use std::sync::Arc;

use taproof_campaign::{Target, TrialPlan, TrialReport, TrialRun};
use taproof_engine::device::Build;
use taproof_screen::Event;
use taproof_spec::{DataType, Dmf, Spec};

/// Number of runs of a trial.
pub const TRIAL_RUNS: usize = 5;

/// A command about *Try it*.
#[derive(Clone, Debug, PartialEq)]
pub enum TrialCommand {
    /// Tries a DMF. An earlier trial is discarded.
    Start {
        /// The specification that contains the DMF.
        spec: Arc<Spec>,
        /// Index of the DMF there.
        dmf: usize,
        /// The app, and the phone that it is on.
        target: Target,
        /// The events between the fresh start and the recording.
        lead_up: Vec<Event>,
        /// The objects that the app held when the recording began.
        held: Vec<(DataType, String)>,
    },
    /// Repeats the trial with other texts.
    Again,
    /// Repeats the trial with the same texts on the build without catalogued bugs.
    OnSound,
    /// Stops the trial; the completed runs stay.
    Cancel,
    /// Discards the trial, and stops it if it is running.
    Close,
}

/// The DMF that is being tried, or was tried last.
#[derive(Default)]
pub struct TrialState {
    /// The plan of the trial. `None` before the first one.
    pub plan: Option<Arc<TrialPlan>>,
    /// Number of the current run, from 1; 0 if none is running.
    pub running: usize,
    /// The runs that are completed, in order.
    pub runs: Vec<TrialRun>,
    /// The report. `None` until the trial is over.
    pub report: Option<Arc<TrialReport>>,
    /// Seconds since the start.
    pub seconds: f64,
    /// When it started, in seconds of the window's clock. `None` in the frame in which it started.
    began: Option<f64>,
    /// Why the trial was aborted. `None` if it was not.
    pub problem: Option<String>,
}

impl TrialState {
    /// Begins a trial. The state of an earlier one is discarded.
    pub fn begin(&mut self, plan: Arc<TrialPlan>) {
        *self = TrialState { plan: Some(plan), running: 1, ..TrialState::default() };
    }

    /// Sets the time of the window's clock, in seconds.
    pub fn tick(&mut self, now: f64) {
        if self.is_running() {
            self.seconds = now - *self.began.get_or_insert(now);
        }
    }

    /// Takes a completed run.
    pub fn take_run(&mut self, run: TrialRun) {
        self.running = run.number + 1;
        self.runs.push(run);
    }

    /// Takes the report of the completed trial.
    pub fn take_report(&mut self, report: TrialReport) {
        self.running = 0;
        self.runs.clone_from(&report.runs);
        self.report = Some(Arc::new(report));
    }

    /// Records that the trial was aborted.
    pub fn fail(&mut self, problem: String) {
        self.running = 0;
        self.problem = Some(problem);
    }

    /// Whether the trial is running.
    pub fn is_running(&self) -> bool {
        self.plan.is_some() && self.report.is_none() && self.problem.is_none()
    }

    /// The DMF that is tried.
    pub fn dmf(&self) -> Option<&Dmf> {
        let plan = self.plan.as_ref()?;
        plan.spec.dmfs.get(plan.dmf)
    }

    /// Why a postcondition of the DMF never fails, if the last trial was of just this DMF and found so.
    pub fn never_fails(&self, dmf: &Dmf, condition: usize) -> Option<&str> {
        let report = self.report.as_ref().filter(|report| report.dmf() == Some(dmf))?;
        report.never_fail.iter().find(|it| it.condition == condition).map(|it| it.why.as_str())
    }

    /// Estimated seconds left. `None` until a run is complete.
    pub fn seconds_left(&self) -> Option<f64> {
        let plan = self.plan.as_ref().filter(|_| self.is_running() && !self.runs.is_empty())?;
        let left = plan.runs.saturating_sub(self.runs.len());
        Some(self.seconds / self.runs.len() as f64 * left as f64)
    }

    /// Returns the plan for a command. `None` if the command starts no trial, or there is none to repeat.
    pub fn plan_for(&self, command: &TrialCommand) -> Option<TrialPlan> {
        let last = || self.plan.as_deref().cloned();
        match command {
            TrialCommand::Start { spec, dmf, target, lead_up, held } => Some(TrialPlan {
                app: target.app.clone(),
                build: target.build.clone(),
                device: target.device_choice(),
                spec: Arc::clone(spec),
                dmf: *dmf,
                lead_up: lead_up.clone(),
                held: held.clone(),
                initialiser: None,
                runs: TRIAL_RUNS,
                seed: 1,
            }),
            TrialCommand::Again => last().map(|plan| TrialPlan { seed: plan.seed.wrapping_add(1), ..plan }),
            TrialCommand::OnSound => last().map(|plan| TrialPlan { build: Build::Sound, ..plan }),
            TrialCommand::Cancel | TrialCommand::Close => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> TrialCommand {
        TrialCommand::Start {
            spec: Arc::new(Spec::default()),
            dmf: 0,
            target: Target::bundled("org.ex", Build::Faulty),
            lead_up: Vec::new(),
            held: Vec::new(),
        }
    }

    #[test]
    fn trying_again_types_other_texts_and_the_sound_build_the_same() {
        let mut state = TrialState::default();
        assert_eq!(state.plan_for(&TrialCommand::Again), None);
        state.begin(Arc::new(state.plan_for(&start()).unwrap()));
        assert!(state.is_running() && state.seconds_left().is_none());
        let again = state.plan_for(&TrialCommand::Again).unwrap();
        assert_eq!((again.seed, again.build.clone()), (2, Build::Faulty));
        let sound = state.plan_for(&TrialCommand::OnSound).unwrap();
        assert_eq!((sound.seed, sound.build), (1, Build::Sound));
        state.fail("gone".to_owned());
        assert!(!state.is_running());
    }
}
