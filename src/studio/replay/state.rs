//! Stepping through a finding. The texts about its steps come from `report`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::pair::{PairRow, ReferenceStep, changed_only_there, pair_rows, reference_marks, reference_step};
use super::step_view::{ReplayLine, StepRow, StepView, step_lines, step_rows};
use crate::mirror::Screenshot;
use crate::phone::{LiveTrace, TraceSource};
use crate::state::FindingKey;
use taproof_campaign::{CampaignPlan, Finding, SpecFacts, Target, bug_title};
use taproof_engine::device::Build;
use taproof_results::report::{FindingTrace, condition_sentence, plain_sentence};
use taproof_screen::{FailedCheck, WidgetIdx};
use taproof_spec::Spec;

/// A command that moves the cursor of a replay, or changes how it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayCommand {
    /// Moves to the first step.
    First,
    /// Moves one step back.
    Back,
    /// Moves one step forward.
    Next,
    /// Moves to the last step.
    Last,
    /// Moves to this step, counted from 0.
    Goto(usize),
    /// Starts or stops playing.
    Play,
    /// Moves one step forward if the replay is playing.
    Tick,
    /// Sets the speed of playing.
    Speed(Speed),
    /// Switches to this trace of the finding, at its end.
    Follow(FindingTrace),
}

/// The speed of playing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Speed {
    /// Half the normal speed.
    Half,
    /// A step every 900 ms.
    #[default]
    Normal,
    /// Twice the normal speed.
    Double,
    /// Four times the normal speed.
    Quadruple,
}

/// Where a finding comes from: what is needed to reproduce it, and to find it in the workspace.
#[derive(Clone, Debug)]
pub struct ReplaySource {
    /// The finding's key in the workspace.
    pub key: FindingKey,
    /// The number that commands take.
    pub number: i64,
    /// What the campaign ran: app, build, specification, seed.
    pub plan: Arc<CampaignPlan>,
    /// The files of its specification.
    pub specs: Vec<SpecFacts>,
}

/// The state of a replay.
pub struct ReplayState {
    /// Where the finding comes from.
    pub source: ReplaySource,
    /// The finding that is replayed.
    pub finding: Arc<Finding>,
    /// The step shown, from 0.
    pub step: usize,
    /// Whether the replay is playing.
    pub playing: bool,
    /// The speed of playing.
    pub speed: Speed,
    /// The trace of the finding that is shown.
    pub way: FindingTrace,
    /// The steps of that trace.
    pub lines: Vec<ReplayLine>,
    /// Decoded pictures by trace and frame. `None` while one is being decoded.
    pub pictures: BTreeMap<(FindingTrace, usize), Option<Screenshot>>,
    /// The minimised trace aligned with the reference trace. Empty if the finding has no reference.
    pub pair: Vec<PairRow>,
    /// The widgets on the reference's last screen that show the difference.
    expected: Vec<WidgetIdx>,
    /// The title of the bug.
    pub title: String,
    /// What goes wrong, in a sentence for everybody.
    pub plain: String,
    /// What each failure requires, in words, by its key.
    pub required: BTreeMap<String, String>,
    /// The build that the person has chosen for the app since the finding was opened.
    build: Option<Build>,
    /// When playing last moved the cursor, or began, in seconds of the window's clock.
    pub(super) played: Option<f64>,
    rows: Vec<StepRow>,
    view: Option<StepView>,
}

fn required(finding: &Finding, spec: &Spec) -> BTreeMap<String, String> {
    let violation = &finding.violation;
    let words =
        |failed: &FailedCheck| Some((failed.key.clone(), condition_sentence(failed, violation.dmf, spec)?));
    violation.failures.iter().filter_map(words).collect()
}

impl Speed {
    /// All speeds, the slowest first.
    pub const ALL: [Speed; 4] = [Speed::Half, Speed::Normal, Speed::Double, Speed::Quadruple];

    /// The label of the speed's button.
    pub fn word(self) -> &'static str {
        match self {
            Speed::Half => "0.5\u{d7}",
            Speed::Normal => "1\u{d7}",
            Speed::Double => "2\u{d7}",
            Speed::Quadruple => "4\u{d7}",
        }
    }

    /// How long a step is shown, in milliseconds.
    pub fn step_millis(self) -> u64 {
        match self {
            Speed::Half => 1800,
            Speed::Normal => 900,
            Speed::Double => 450,
            Speed::Quadruple => 225,
        }
    }

    /// The next higher speed, or the same if there is none.
    pub fn faster(self) -> Speed {
        Speed::ALL.into_iter().find(|speed| *speed > self).unwrap_or(self)
    }

    /// The next lower speed, or the same if there is none.
    pub fn slower(self) -> Speed {
        Speed::ALL.into_iter().rev().find(|speed| *speed < self).unwrap_or(self)
    }
}

impl ReplayState {
    /// Opens a finding at the step after which the violation shows, the last one.
    pub fn open(source: ReplaySource, finding: Arc<Finding>) -> Self {
        let way = FindingTrace::Minimal;
        let lines = step_lines(&finding, way);
        let step = way.of(&finding).trace.len().saturating_sub(1);
        ReplayState {
            step,
            playing: false,
            build: None,
            played: None,
            speed: Speed::default(),
            way,
            rows: step_rows(&lines),
            lines,
            pictures: BTreeMap::new(),
            pair: pair_rows(&finding),
            expected: reference_marks(&finding),
            title: bug_title(&finding, &source.plan.app, &source.plan.spec),
            plain: plain_sentence(&finding),
            required: required(&finding, &source.plan.spec),
            source,
            view: StepView::of(&finding, way, step),
            finding,
        }
    }

    /// Takes note that the person chose this app and build to be shown: if it is the app of the finding, the trace is
    /// done on that build from now on.
    pub(crate) fn choose_build(&mut self, chosen: &Target) {
        let same = chosen.app == self.source.plan.app && chosen.device.is_none();
        self.build = same.then(|| chosen.build.clone());
    }

    /// A trace of the finding, to be done on the build that the person has chosen, or else on that of the campaign.
    pub fn live_trace(&self, way: FindingTrace) -> LiveTrace {
        let mut trace = LiveTrace::of_finding(&self.source.plan, &self.finding, way);
        if let Some(build) = self.build.as_ref().filter(|_| trace.target.device.is_none()) {
            trace.target.build = build.clone();
        }
        trace
    }

    /// The finding, to be judged along one of its traces as its minimal one. `None` if that trace alone does not show it.
    pub(super) fn judged_along(&self, way: FindingTrace) -> Option<Arc<Finding>> {
        match way {
            FindingTrace::Minimal => Some(Arc::clone(&self.finding)),
            FindingTrace::Original if self.finding.reference.is_none() => {
                let minimal = self.finding.witness.clone();
                Some(Arc::new(Finding { minimal, ..Finding::clone(&self.finding) }))
            }
            FindingTrace::Original | FindingTrace::Reference => None,
        }
    }

    /// Number of steps of the trace.
    pub fn steps(&self) -> usize {
        self.way.of(&self.finding).trace.len()
    }

    /// Shows this step, as the phone has reached it in a re-execution.
    pub(crate) fn follow(&mut self, step: usize) {
        self.run(ReplayCommand::Goto(step));
    }

    /// Executes a command of the replay's panel.
    pub fn run(&mut self, command: ReplayCommand) {
        if let ReplayCommand::Follow(way) = command {
            self.way = way;
            self.lines = step_lines(&self.finding, way);
            self.rows = step_rows(&self.lines);
        }
        let last = self.steps().saturating_sub(1);
        let shown = self.view.as_ref().map(|view| view.frame.step);
        self.step = match command {
            ReplayCommand::First => 0,
            ReplayCommand::Back => self.step.saturating_sub(1),
            ReplayCommand::Next => self.step + 1,
            ReplayCommand::Last => last,
            ReplayCommand::Goto(step) => step,
            // Every trace ends where the violation shows, so people continue from there.
            ReplayCommand::Follow(_) => last,
            ReplayCommand::Play => {
                // The end was reached: start again.
                let again = !self.playing && self.step == last;
                if again { 0 } else { self.step }
            }
            ReplayCommand::Tick => self.step + usize::from(self.playing),
            ReplayCommand::Speed(speed) => {
                self.speed = speed;
                self.step
            }
        }
        .min(last);
        self.playing = match command {
            ReplayCommand::Play => !self.playing && last > 0,
            ReplayCommand::Tick => self.playing && self.step < last,
            ReplayCommand::First | ReplayCommand::Back | ReplayCommand::Next => false,
            ReplayCommand::Last | ReplayCommand::Goto(_) | ReplayCommand::Follow(_) => false,
            ReplayCommand::Speed(_) => self.playing,
        };
        if shown != Some(self.step) || matches!(command, ReplayCommand::Follow(_)) {
            self.view = StepView::of(&self.finding, self.way, self.step);
        }
    }

    /// The position of the reference at the shown step. `None` for a finding without a reference, or if another trace
    /// than the minimised one is shown.
    pub fn reference(&self) -> Option<ReferenceStep> {
        (self.way == FindingTrace::Minimal).then(|| reference_step(&self.pair, self.step)).flatten()
    }

    /// The widgets that the shown step of the reference takes away or brings, unlike that of the finding: on its screen
    /// before, and on that after.
    pub fn only_in_reference(&self, at: &ReferenceStep) -> [Vec<WidgetIdx>; 2] {
        let (Some(view), Some(reference)) = (&self.view, &self.finding.reference) else {
            return Default::default();
        };
        let trace = &reference.evidence.trace;
        let [Some(before), Some(after)] = at.frames().map(|frame| trace.frame(frame)) else {
            return Default::default();
        };
        let here = [&*view.frame.before, &*view.frame.after];
        let mut changed = changed_only_there(here, [&before.layout, &after.layout]);
        if at.frame == trace.len() && changed.iter().all(Vec::is_empty) {
            changed[1].clone_from(&self.expected);
        }
        changed
    }

    /// The frames whose pictures are needed now or soon.
    pub fn wanted_frames(&self) -> Vec<(FindingTrace, usize)> {
        let own = (self.step..=self.step + 2).map(|frame| (self.way, frame));
        let beside =
            self.reference().into_iter().flat_map(|it| it.frames().map(|at| (FindingTrace::Reference, at)));
        // The failing screen stands beside the sentence that says what is wrong.
        own.chain(beside).chain([self.failing_frame()]).collect()
    }

    /// The frame on which the violation shows.
    pub fn failing_frame(&self) -> (FindingTrace, usize) {
        (FindingTrace::Minimal, self.finding.minimal.trace.len())
    }

    /// The trace that is shown, as a source for leading the phone along it.
    pub fn trace_source(&self) -> TraceSource {
        TraceSource::Finding(self.source.key.clone(), self.way)
    }

    /// The rows of the step list: steps, and headings with the name of the DMF that the following steps belong to.
    pub fn step_rows(&self) -> &[StepRow] {
        &self.rows
    }

    /// What is shown of the current step.
    pub fn view(&self) -> Option<&StepView> {
        self.view.as_ref()
    }
}
