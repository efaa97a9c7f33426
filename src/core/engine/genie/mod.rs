//! Genie: independent view fuzzing (Su et al., OOPSLA 2021).
//!
//! The idea: widgets that do not depend on each other may be used in any order. A random test is assumed to be correct
//! (the *seed test*). A *detour* is inserted that begins on a widget that the test has not touched and comes back to
//! the same page (the *mutant*). Whatever the seed test changed on the GUI must still be changed in the mutant.
//!
//! Phases: mine a GUI model. Make seed tests, each executed twice so that what differs by itself is not compared. For
//! each seed test, search the model for detours at every position, play the mutants and compare effects. Then report
//! the errors that a single mutant of the seed test showed, after reproducing them.
//!
//! Unlike the published tool, this engine decides independence for widgets rather than for kinds of widgets, uses the
//! weight formula of the paper, compares effects in the context of the nearest widget with several children, and
//! distinguishes firm from weak violations. If the budget is smaller than the defaults need, each phase takes a share
//! of it; if it is larger, a new batch of seed tests follows.
//!
//! `src/core/engine/genie/paper.md` describes the algorithm, its constants, every difference (section 13) and the
//! traps (section 14).

mod choice;
mod config;
mod detours;
pub mod groups;
pub mod gui_model;
mod hunt;
mod loops;
mod mutant;
mod novelty;
mod passing;
mod plan;
mod seed;
mod seed_run;
mod seeding;
mod walk;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

pub use config::GenieConfig;

use self::choice::Weights;
use self::gui_model::{EventClass, GuiModel};
use self::loops::Loops;
use self::novelty::{ChangeKind, Novelty};
use self::seed::SeedTest;
use self::seed_run::{FoundError, SeedRun};
use super::{
    CheckpointError, ConfigError, Engine, EngineConfig, EngineInfo, EngineSettings, EngineStats, EngineView,
    Round, RoundCtx, Stop, TestTarget, from_checkpoint, to_checkpoint,
};
use crate::model::Trace;
use crate::oracle::EffectJudge;
use crate::spec::Spec;

/// Name, label and default settings of this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "genie",
    label: "Genie",
    idea: "inserts detours through independent widgets into random tests and compares their effects",
    config: || EngineConfig::Genie(GenieConfig::default()),
};

impl EngineSettings for GenieConfig {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn description(&self, key: &str) -> Option<&'static str> {
        GenieConfig::describe(key)
    }

    fn build(&self, target: &TestTarget) -> Box<dyn Engine> {
        let seeds = target.seed_traces.iter().map(|trace| Trace::clone(trace)).collect();
        Box::new(Genie::new(self.clone()).with_seeds(seeds))
    }

    fn begins_with_traces(&self) -> Option<&'static str> {
        Some("its first seed tests")
    }

    fn check(&self, _spec: &Spec) -> Result<(), ConfigError> {
        let engine = INFO.name;
        let wrong =
            |what, given: String, wanted| Err(ConfigError::OutOfRange { engine, what, given, wanted });
        if self.seed_length == 0 {
            return wrong("seed_length", self.seed_length.to_string(), "at least 1");
        }
        if self.max_detour == 0 {
            return wrong("max_detour", self.max_detour.to_string(), "at least 1");
        }
        let drawn = self.touch_percent + self.long_touch_percent;
        let percents = [self.touch_percent, self.long_touch_percent];
        if !drawn.is_finite() || drawn > 100.0 || percents.iter().any(|percent| *percent < 0.0) {
            return wrong("touch_percent and long_touch_percent", drawn.to_string(), "together 0 to 100");
        }
        Ok(())
    }
}

/// The engine: its parameters, what it has learned, and the judge of the current seed test.
pub struct Genie {
    config: GenieConfig,
    state: GenieState,
    /// The judge of the seed test whose mutants are played. It only caches layouts and edit scripts.
    judge: Option<EffectJudge>,
}

/// Everything that outlives a round, and is part of a checkpoint.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct GenieState {
    phase: Phase,
    /// Number of the campaign's events when the phase began.
    began: u64,
    model: GuiModel,
    loops: Loops,
    weights: Weights,
    /// Traces to take as seed tests before random ones are made; the next one is the last.
    seed_traces: Vec<Trace>,
    /// The seed tests of this batch whose mutants were not played yet, in order.
    seeds: VecDeque<KeptSeed>,
    /// Number of walks of this batch that seed tests were chosen from.
    walks: u64,
    /// The number of the campaign's walks that did each thing that a test can do.
    shown: BTreeMap<ChangeKind, u32>,
    /// The classes of events that have changed something.
    changing: BTreeSet<EventClass>,
    made: u64,
    /// The seed test whose mutants are being played.
    current: Option<SeedRun>,
    /// The seed tests of this batch whose mutants were played and showed errors.
    finished: Vec<SeedTest>,
    /// Errors of this batch that one mutant of a seed test showed, to be reproduced and reported.
    found: Vec<FoundError>,
    /// The number of the campaign's mutants that showed each kind of error.
    kinds: BTreeMap<u64, u32>,
    /// Hashes of the prefixes of plans that cannot be played.
    unplayable: BTreeSet<u64>,
    counts: GenieCounts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    #[default]
    Mining,
    Seeding,
    Mutating,
    Reporting,
}

/// A seed test, and what it does.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptSeed {
    seed: SeedTest,
    shown: Vec<Novelty>,
}

/// The numbers of tests, mutants and errors so far, by what happened to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenieCounts {
    /// Number of tests that were rejected as seed tests, because they touch widgets that come and go by themselves.
    pub unstable: u64,
    /// Number of mutants that were played, completely or not.
    pub mutants: u64,
    /// Number of mutants that were played completely.
    pub fully: u64,
    /// Number of mutants in which every widget was located exactly.
    pub faithful: u64,
    /// Number of mutants whose detour did not come back.
    pub strayed: u64,
    /// Number of mutants that were skipped, because they begin like one that could not be played.
    pub pruned: u64,
    /// Number of mutants with a violation.
    pub violating: u64,
    /// Number of distinct errors of seed tests.
    pub errors: u64,
    /// Number of errors that only one mutant showed.
    pub single: u64,
    /// Number of errors that were reproduced and reported as violations.
    pub reported: u64,
}

impl Genie {
    /// An engine with these parameters.
    pub fn new(config: GenieConfig) -> Self {
        Genie { config, state: GenieState::default(), judge: None }
    }

    /// Takes these traces as the first seed tests.
    #[must_use]
    pub fn with_seeds(mut self, mut seeds: Vec<Trace>) -> Self {
        seeds.reverse();
        self.state.seed_traces = seeds;
        self
    }

    /// What was counted so far.
    pub fn counts(&self) -> GenieCounts {
        self.state.counts
    }

    fn enter(&mut self, phase: Phase, ctx: &RoundCtx<'_>) {
        self.state.phase = phase;
        self.state.began = ctx.events();
    }

    /// Whether a phase has used its share of the campaign's events.
    fn spent(&self, ctx: &RoundCtx<'_>, percent: u64) -> bool {
        let share = u128::from(ctx.event_limit()) * u128::from(percent) / 100;
        u128::from(ctx.events() - self.state.began) >= share
    }

    fn mined(&self, ctx: &RoundCtx<'_>) -> bool {
        let mined = ctx.events() - self.state.began;
        mined >= self.config.mining_events || self.spent(ctx, self.config.mining_percent)
    }
}

impl Engine for Genie {
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        if self.state.phase == Phase::Mining && self.mined(ctx) {
            self.enter(Phase::Seeding, ctx);
        }
        let enough = !self.state.seeds.is_empty()
            && (self.state.walks >= self.config.seed_walks || self.spent(ctx, self.config.seed_percent));
        // Near the end of the campaign, the remaining events are not enough for another batch.
        if self.state.phase == Phase::Seeding && ctx.events() >= self.reporting_from(ctx) {
            return Ok(Round::Exhausted);
        }
        if self.state.phase == Phase::Seeding && self.state.seed_traces.is_empty() && enough {
            self.rank_seeds(self.config.seeds.max(1));
            self.enter(Phase::Mutating, ctx);
        }
        match self.state.phase {
            Phase::Mining => self.mine(ctx).map(|()| Round::Continue),
            Phase::Seeding => self.make_seed(ctx).map(|()| Round::Continue),
            Phase::Mutating => self.mutate(ctx).map(|()| Round::Continue),
            Phase::Reporting => self.report_next(ctx).map(|()| Round::Continue),
        }
    }

    fn stats(&self) -> EngineStats {
        let counts = self.state.counts;
        let phase = match self.state.phase {
            Phase::Mining => format!("mining: {} states", self.state.model.nodes().len()),
            Phase::Seeding => format!("{} seed tests made", self.state.made),
            Phase::Mutating => format!(
                "{} mutants played, {} violate, {} errors shown once; {} seed tests left",
                counts.mutants,
                counts.violating,
                counts.single,
                self.state.seeds.len()
            ),
            Phase::Reporting => format!("{} errors left to be shown once more", self.state.found.len()),
        };
        EngineStats { phase, view: EngineView::Genie(counts) }
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        to_checkpoint(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        self.state = from_checkpoint(saved)?;
        self.judge = None;
        Ok(())
    }
}
