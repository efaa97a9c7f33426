//! Stepping through a finding; what there is to say of a step is `report`'s.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::mirror::Screenshot;
use taproof_core::campaign::{CampaignPlan, Finding, SpecFacts};
use taproof_core::model::WidgetIdx;
use taproof_results::report::Way;

use super::history::FindingKey;
use super::pair::{PairRow, ReferenceStep, pair_rows, reference_marks, reference_step};
use super::step_view::{ReplayLine, StepRow, StepView, step_lines, step_rows};
use super::takeover::TraceSource;

/// Moves the cursor of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayCommand {
    /// To the first step.
    First,
    /// One step back.
    Back,
    /// One step on.
    Next,
    /// To the last step.
    Last,
    /// To this step, from 0.
    Goto(usize),
    /// Starts or stops going on by itself.
    Play,
    /// Time to go on, while it plays.
    Tick,
    /// Plays at this speed.
    Speed(Speed),
    /// Steps through this trace, from its end.
    Follow(Way),
}

/// How fast a replay goes on by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Speed {
    /// Half as fast.
    Half,
    /// A step in a little less than a second.
    #[default]
    Normal,
    /// Twice as fast.
    Double,
    /// Four times as fast.
    Quadruple,
}

/// Where a finding comes from: enough to put a phone where it stood, and to find it again.
#[derive(Clone, Debug)]
pub struct ReplaySource {
    /// The finding in the workspace.
    pub key: FindingKey,
    /// The number that commands take.
    pub number: i64,
    /// What the campaign ran: app, build, specification, seed.
    pub plan: Arc<CampaignPlan>,
    /// The files of its specification.
    pub specs: Vec<SpecFacts>,
}

/// A finding that is stepped through.
pub struct ReplayState {
    /// Where it comes from.
    pub source: ReplaySource,
    /// What is replayed.
    pub finding: Arc<Finding>,
    /// The step shown, from 0.
    pub step: usize,
    /// Whether it goes on by itself.
    pub playing: bool,
    /// How fast.
    pub speed: Speed,
    /// The trace that is stepped through.
    pub way: Way,
    /// Its steps.
    pub lines: Vec<ReplayLine>,
    /// Decoded pictures by trace and frame; `None` while one is on its way.
    pub pictures: BTreeMap<(Way, usize), Option<Screenshot>>,
    /// The short way beside what it is compared with, where it takes two traces to see what is wrong.
    pub pair: Vec<PairRow>,
    /// What the reference's last screen shows and the other one lacks.
    pub expected: Vec<WidgetIdx>,
    rows: Vec<StepRow>,
    view: Option<StepView>,
}

impl Speed {
    /// All, the slowest first.
    pub const ALL: [Speed; 4] = [Speed::Half, Speed::Normal, Speed::Double, Speed::Quadruple];

    /// As buttons say it.
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

    /// The next faster one.
    pub fn faster(self) -> Speed {
        Speed::ALL.into_iter().find(|speed| *speed > self).unwrap_or(self)
    }

    /// The next slower one.
    pub fn slower(self) -> Speed {
        Speed::ALL.into_iter().rev().find(|speed| *speed < self).unwrap_or(self)
    }
}

impl ReplayState {
    /// A finding at its first step.
    pub fn open(source: ReplaySource, finding: Arc<Finding>) -> Self {
        let way = Way::Short;
        let lines = step_lines(&finding, way);
        ReplayState {
            source,
            step: 0,
            playing: false,
            speed: Speed::default(),
            way,
            rows: step_rows(&lines),
            lines,
            pictures: BTreeMap::new(),
            pair: pair_rows(&finding),
            expected: reference_marks(&finding),
            view: StepView::of(&finding, way, 0),
            finding,
        }
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.way.of(&self.finding).trace.len()
    }

    /// Moves the cursor.
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
            // Both end where it broke: that is where one wants to look on.
            ReplayCommand::Follow(_) => last,
            ReplayCommand::Play => {
                // Played to the end: begin anew.
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

    /// Where the reference is at the step that is shown; along the short way of a finding that has one.
    pub fn reference(&self) -> Option<ReferenceStep> {
        (self.way == Way::Short).then(|| reference_step(&self.pair, self.step)).flatten()
    }

    /// The frames whose pictures are wanted now, and how far from them pictures are kept.
    pub fn wanted_frames(&self) -> Vec<(Way, usize)> {
        let own = (self.step..=self.step + 2).map(|frame| (self.way, frame));
        let beside = self.reference().map(|it| (Way::Reference, it.frame));
        own.chain(beside).collect()
    }

    /// The steps of the short way.
    pub fn short_lines(&self) -> Vec<ReplayLine> {
        step_lines(&self.finding, Way::Short)
    }

    /// The trace that is stepped through, for a phone that is led along it.
    pub fn trace_source(&self) -> TraceSource {
        TraceSource::Finding(self.source.key.clone(), self.way)
    }

    /// The rows of the step list: a step, or the name of the DMF whose steps follow.
    pub fn step_rows(&self) -> &[StepRow] {
        &self.rows
    }

    /// What is shown now.
    pub fn view(&self) -> Option<&StepView> {
        self.view.as_ref()
    }
}
