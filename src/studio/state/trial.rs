//! *Try it*: what is known of the DMF that is being tried, or was tried last.

use std::sync::Arc;

use super::settings::BuildChoice;
use taproof_core::campaign::{Build, DeviceChoice, TrialPlan, TrialReport, TrialRun};
use taproof_core::model::Event;
use taproof_core::spec::{DataType, Dmf, Spec};

/// How often a DMF is run when nobody says otherwise.
pub const TRIAL_RUNS: usize = 5;

/// What panels ask of *Try it*.
#[derive(Clone, Debug, PartialEq)]
pub enum TrialCommand {
    /// Tries a DMF; what was tried before is forgotten.
    Start {
        /// The specification that it stands in.
        spec: Arc<Spec>,
        /// Its index there.
        dmf: usize,
        /// Package of the app.
        app: String,
        /// Which bugs are on.
        build: BuildChoice,
        /// What was done between a fresh start and the recording.
        lead_up: Vec<Event>,
        /// Objects that the app held when the recording began.
        held: Vec<(DataType, String)>,
    },
    /// Tries the same again with other texts.
    Again,
    /// Tries the same again with the same texts on the build without catalogued bugs.
    OnSound,
    /// Stops it; the runs so far are kept.
    Cancel,
    /// Forgets it.
    Close,
}

/// The DMF that is being tried, or was tried last.
#[derive(Default)]
pub struct TrialState {
    /// What is tried; nothing before the first time.
    pub plan: Option<Arc<TrialPlan>>,
    /// The run that is being made, from 1; 0 while there is none.
    pub running: usize,
    /// The runs that are over.
    pub runs: Vec<TrialRun>,
    /// What came of it, once it is over.
    pub report: Option<Arc<TrialReport>>,
    /// Seconds so far, told by the window.
    pub seconds: f64,
    /// Why it broke off.
    pub problem: Option<String>,
}

impl TrialState {
    /// Begins: what was known of another trial is gone.
    pub fn begin(&mut self, plan: Arc<TrialPlan>) {
        *self = TrialState { plan: Some(plan), running: 1, ..TrialState::default() };
    }

    /// A run is over.
    pub fn take_run(&mut self, run: TrialRun) {
        self.running = run.number + 1;
        self.runs.push(run);
    }

    /// It is over.
    pub fn take_report(&mut self, report: TrialReport) {
        self.running = 0;
        self.runs.clone_from(&report.runs);
        self.report = Some(Arc::new(report));
    }

    /// It broke off.
    pub fn fail(&mut self, problem: String) {
        self.running = 0;
        self.problem = Some(problem);
    }

    /// Whether runs are being made.
    pub fn is_running(&self) -> bool {
        self.plan.is_some() && self.report.is_none() && self.problem.is_none()
    }

    /// The DMF that is tried.
    pub fn dmf(&self) -> Option<&Dmf> {
        let plan = self.plan.as_ref()?;
        plan.spec.dmfs.get(plan.dmf)
    }

    /// Seconds that are left, as far as the runs so far tell.
    pub fn seconds_left(&self) -> Option<f64> {
        let plan = self.plan.as_ref().filter(|_| self.is_running() && !self.runs.is_empty())?;
        let left = plan.runs.saturating_sub(self.runs.len());
        Some(self.seconds / self.runs.len() as f64 * left as f64)
    }

    /// The plan that a command asks for; `None` where there is nothing to try again.
    pub fn plan_for(&self, command: &TrialCommand) -> Option<TrialPlan> {
        let last = || self.plan.as_deref().cloned();
        match command {
            TrialCommand::Start { spec, dmf, app, build, lead_up, held } => Some(TrialPlan {
                app: app.clone(),
                build: Build::from(build),
                device: DeviceChoice::from(build),
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
            app: "org.ex".to_owned(),
            build: BuildChoice::Faulty,
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
