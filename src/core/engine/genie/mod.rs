//! Genie: independent view fuzzing (Su et al., OOPSLA 2021).
//!
//! The idea: widgets that do not depend on each other may be used in any order. A random test is taken as right (the
//! *seed test*). A *detour* is inserted that begins on a widget that the test has not touched and comes back to the same
//! page (the *mutant*). Whatever the seed test changed on the GUI must still be changed in the mutant.
//! Phases: mine a GUI model; make seed tests, each executed twice so that what differs by itself is not compared;
//! for each seed test search the model for detours at every position, play the mutants, compare effects; then report
//! what a single mutant of the seed test showed, after showing it once more.
//! We differ where genie.md 12 recommends it: inactive widgets rather than kinds of widgets, the weight formula of the
//! paper, context level 1, firm and weak violations. With a budget smaller than the defaults need, the phases
//! take shares of it; with a bigger one a new batch of seed tests follows.

mod choice;
mod config;
mod detours;
pub mod groups;
pub mod gui_model;
mod hunt;
mod mutant;
mod novelty;
mod plan;
mod seed;
mod seeding;
mod walk;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

pub use config::GenieConfig;

use self::choice::Weights;
use self::gui_model::{EventClass, GuiModel};
use self::hunt::{FoundError, SeedRun};
use self::novelty::{ChangeKind, Shown};
use self::seed::SeedTest;
use self::walk::Walk;
use super::{
    CheckpointError, Engine, EngineConfig, EngineInfo, EngineStats, EngineView, Round, RoundCtx, Stop,
    from_checkpoint, to_checkpoint,
};
use crate::model::Trace;
use crate::oracle::EffectJudge;

/// How lists show this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "genie",
    label: "Genie",
    idea: "inserts detours through independent widgets into random tests and compares their effects",
    config: || EngineConfig::Genie(GenieConfig::default()),
};

/// The engine.
pub struct Genie {
    config: GenieConfig,
    state: GenieState,
    /// The judge of the seed test whose mutants are played: remembers layouts and scripts, nothing more.
    judge: Option<EffectJudge>,
}

/// What the engine knows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct GenieState {
    phase: Phase,
    /// The campaign's events when the phase began.
    began: u64,
    model: GuiModel,
    weights: Weights,
    /// Traces to take as seed tests before random ones are made, the next one last.
    given: Vec<Trace>,
    /// The seed tests of this batch whose mutants are not played yet, in their order.
    seeds: VecDeque<KeptSeed>,
    /// Walks of this batch that seed tests were chosen from.
    walks: u64,
    /// For each thing that a test can do how many walks of the campaign did it.
    shown: BTreeMap<ChangeKind, u32>,
    /// The classes of events that changed something.
    changing: BTreeSet<EventClass>,
    made: u64,
    /// The seed test whose mutants are played.
    current: Option<SeedRun>,
    /// The seed tests of this batch whose mutants are played, as far as they showed errors.
    finished: Vec<SeedTest>,
    /// Errors of this batch that one mutant of a seed test showed, to be shown once more and reported.
    found: Vec<FoundError>,
    /// For each kind of error how many mutants of the campaign showed it.
    kinds: BTreeMap<u64, u32>,
    /// Plans that cannot be played: hashes of their prefixes.
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
    shown: Vec<Shown>,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenieCounts {
    /// Tests that were no seed tests, as they touch what comes and goes by itself.
    pub unstable: u64,
    /// Mutants played.
    pub mutants: u64,
    /// Of these: to their end.
    pub fully: u64,
    /// Of these: with every widget found exactly.
    pub faithful: u64,
    /// Mutants whose detour did not come back.
    pub strayed: u64,
    /// Mutants left out, as they begin like one that could not be played.
    pub pruned: u64,
    /// Mutants with a violation.
    pub violating: u64,
    /// Distinct errors of seed tests.
    pub errors: u64,
    /// Of these: shown by one mutant only.
    pub single: u64,
    /// Violations reported.
    pub reported: u64,
}

impl Genie {
    /// The engine with its constants.
    pub fn new(config: GenieConfig) -> Self {
        Genie { config, state: GenieState::default(), judge: None }
    }

    /// The engine with traces that are its first seed tests.
    #[must_use]
    pub fn with_seeds(mut self, mut seeds: Vec<Trace>) -> Self {
        seeds.reverse();
        self.state.given = seeds;
        self
    }

    /// What was counted so far.
    pub fn counts(&self) -> GenieCounts {
        self.state.counts
    }

    fn enter(&mut self, phase: Phase, ctx: &RoundCtx<'_>) {
        self.state.phase = phase;
        self.state.began = ctx.ledger().events;
    }

    /// Whether a phase has taken its share of the campaign's events.
    fn spent(&self, ctx: &RoundCtx<'_>, percent: u64) -> bool {
        let share = u128::from(ctx.ledger().event_limit()) * u128::from(percent) / 100;
        u128::from(ctx.ledger().events - self.state.began) >= share
    }

    fn mine(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let mut rng = ctx.rng.fork("mining");
        ctx.start()?;
        let mut walk = Walk::mining(ctx);
        for _ in 0..self.config.mining_test {
            let systematic = !self.state.weights.idles(&self.config);
            if self.mined(ctx) || self.step(ctx, &mut walk, systematic, &mut rng)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn mined(&self, ctx: &RoundCtx<'_>) -> bool {
        let mined = ctx.ledger().events - self.state.began;
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
        // What is left near the campaign's end is not enough for another batch.
        if self.state.phase == Phase::Seeding && ctx.ledger().events >= self.reporting_from(ctx) {
            return Ok(Round::Exhausted);
        }
        if self.state.phase == Phase::Seeding && self.state.given.is_empty() && enough {
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
