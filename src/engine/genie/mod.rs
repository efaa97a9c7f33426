//! Genie: independent view fuzzing (Su et al., OOPSLA 2021).
//!
//! The idea: widgets that do not depend on each other may be used in any order. A random test is assumed to be correct
//! (the *seed test*). A *detour* is inserted that begins on a widget that the test has not touched and comes back to
//! the same page (the *mutant*). Whatever the seed test changed on the GUI must still be changed in the mutant.
//!
//! It mines a GUI model. Then it makes walks, and takes turns between more walks and the mutants of the most informative
//! of them: such a *seed test* is executed twice, so that what differs by itself is not compared; the model is searched
//! for detours at every position; the mutants are played and their effects compared; the errors that they showed are
//! reproduced and reported.
//!
//! Unlike the published tool, this engine decides independence for widgets rather than for kinds of widgets, uses the
//! weight formula of the paper, compares effects in the context of the nearest widget with several children, and
//! distinguishes firm from weak violations.
//!
//! `src/engine/genie/paper.md` describes the algorithm, its constants, every difference (section 13) and the
//! traps (section 14).

mod another_test;
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

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use config::GenieConfig;

use self::another_test::Sought;
use self::choice::Weights;
use self::gui_model::{EventClass, GuiModel};
use self::loops::Loops;
use self::novelty::{ChangeKind, Novelty};
use self::seed::SeedTest;
use self::seed_run::SeedRun;
use super::{
    CheckpointError, ConfigError, Count, Engine, EngineConfig, EngineInfo, EngineSettings, EngineStats,
    Round, RoundCtx, StatsShares, Stop, TestTarget, from_checkpoint, to_checkpoint,
};
use crate::oracle::EffectJudge;
use taproof_screen::{Trace, counted};
use taproof_spec::Spec;

/// Name, label and default settings of this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "genie",
    label: "Genie",
    idea: "inserts detours through independent widgets into random tests and compares their effects",
    config: || EngineConfig::Genie(GenieConfig::default()),
    setting: GenieConfig::setting,
    paper: GenieConfig::PAPER,
};

/// Maximum number of events for mining the model (the published tool's; paper.md, section 2).
const MINING_EVENTS: u64 = 2000;
/// Maximum percentage of the campaign's events for mining (not in the paper, whose campaigns are long; section 2).
const MINING_PERCENT: u128 = 10;
/// Number of walks before the first seed test is chosen, unless they take more than their share of the campaign (not in the
/// paper; section 2).
const FIRST_WALKS: u64 = 100;
/// Percentage of the events, of those for walks and for mutants, that go to walks (not in the paper; section 2).
const WALK_PERCENT: u64 = 25;

impl EngineSettings for GenieConfig {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn build(&self, target: &TestTarget) -> Box<dyn Engine> {
        let seeds = target.seed_traces.iter().map(|trace| Trace::clone(trace)).collect();
        Box::new(Genie::new(self.clone()).with_seeds(seeds))
    }

    fn begins_with_traces(&self) -> bool {
        true
    }

    fn check(&self, _spec: &Spec) -> Result<(), ConfigError> {
        ConfigError::unless(self.seed_length > 0, INFO.name, "seed_length", 0, "at least 1")?;
        ConfigError::unless(self.max_detour > 0, INFO.name, "max_detour", 0, "at least 1")
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
    /// Whether the model is mined.
    mined: bool,
    /// Number of the engine's events that walks of seed tests took.
    walk_events: u64,
    /// Number of the engine's events that mutants and reports took.
    mutant_events: u64,
    model: GuiModel,
    loops: Loops,
    weights: Weights,
    /// Traces to take as seed tests before random ones are made; the next one is the last.
    seed_traces: Vec<Trace>,
    /// Walks that did what few others did, in the order in which they were made.
    seeds: Vec<KeptSeed>,
    /// Number of walks that seed tests were chosen from.
    walks: u64,
    /// The number of the campaign's walks that did each thing that a test can do.
    shown: BTreeMap<ChangeKind, u32>,
    /// The classes of events that have changed something.
    changing: BTreeSet<EventClass>,
    made: u64,
    /// The seed test whose mutants are being played and reported.
    current: Option<SeedRun>,
    /// The kinds of errors that were reported, with what another test needs to show each.
    reported: BTreeMap<u64, Sought>,
    /// Hashes of the prefixes of plans that cannot be played.
    unplayable: BTreeSet<u64>,
    counts: GenieCounts,
}

/// What the engine does in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Mine the model by a test.
    Mine,
    /// Make a walk that may become a seed test.
    Walk,
    /// Take a seed test and plan its mutants.
    Plan,
    /// Play the next mutant of the seed test.
    Mutate,
    /// Reproduce the next error that the mutants of the seed test showed.
    Report,
}

/// A walk that may become a seed test, and what it does.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptSeed {
    seed: SeedTest,
    shown: Vec<Novelty>,
    /// Whether its mutants were planned.
    used: bool,
}

/// The numbers of tests, mutants and errors so far, by what happened to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct GenieCounts {
    /// Number of tests that were rejected as seed tests, because they touch widgets that come and go by themselves.
    unstable: u64,
    /// Number of mutants that were played, completely or not.
    mutants: u64,
    /// Number of mutants that were played completely.
    fully: u64,
    /// Number of mutants in which every widget was located exactly.
    faithful: u64,
    /// Number of mutants whose detour did not come back.
    strayed: u64,
    /// Number of mutants that were skipped, because they begin like one that could not be played.
    pruned: u64,
    /// Number of mutants with a violation.
    violating: u64,
    /// Number of distinct errors of seed tests.
    errors: u64,
    /// Number of errors that only one mutant showed.
    single: u64,
    /// Number of errors that were reproduced and reported as violations.
    reported: u64,
}

impl GenieCounts {
    fn stats(&self, phase: String) -> EngineStats {
        let numbers = vec![
            Count::new("mutants played", self.mutants, "Seed tests with a detour put in, that were played"),
            Count::new("pruned", self.pruned, "Left out, as they begin like one that could not be played"),
            Count::new("errors", self.errors, "Distinct errors of seed tests"),
            Count::new("shown once", self.single, "Of these, shown by one mutant only"),
            Count::new("reported", self.reported, "Violations reported"),
        ];
        let shares = vec![
            Count::new("Played to the end", self.fully, "Every event could be sent"),
            Count::new("Faithful", self.faithful, "Every widget was found exactly"),
            Count::new("Strayed", self.strayed, "The detour did not come back"),
            Count::new("With a violation", self.violating, "An effect of the seed test is missing"),
        ];
        let (title, note) = ("Of the mutants".into(), String::new());
        let shares = vec![StatsShares { title, note, shares, of: self.mutants }];
        EngineStats { phase, numbers, shares, ..EngineStats::default() }
    }
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

    /// What is to be done next, after so many events of a campaign with this limit.
    fn next_phase(&self, events: u64, limit: u64) -> Phase {
        let state = &self.state;
        if !state.mined {
            return Phase::Mine;
        }
        if let Some(run) = &state.current {
            let due = run.reporting || events + self.events_to_report() >= limit;
            return if due { Phase::Report } else { Phase::Mutate };
        }
        let unused = state.seeds.iter().any(|kept| !kept.used);
        let below_share = |of: u64| state.walk_events * 100 < WALK_PERCENT * of;
        let first = state.walks < FIRST_WALKS && below_share(limit);
        let behind = below_share(state.walk_events + state.mutant_events);
        if !state.seed_traces.is_empty() || !unused || first || behind { Phase::Walk } else { Phase::Plan }
    }

    /// Whether mining has used its share of the campaign's events.
    pub(super) fn is_mined(&self, ctx: &RoundCtx<'_>) -> bool {
        let share = u128::from(ctx.event_limit()) * MINING_PERCENT / 100;
        ctx.events() >= MINING_EVENTS || u128::from(ctx.events()) >= share
    }
}

impl Engine for Genie {
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        self.state.mined = self.state.mined || self.is_mined(ctx);
        let before = ctx.events();
        let phase = self.next_phase(before, ctx.event_limit());
        let ended = match phase {
            Phase::Mine => self.mine(ctx),
            Phase::Walk => self.make_seed(ctx),
            Phase::Plan => self.plan_mutants(ctx),
            Phase::Mutate => self.mutate(ctx),
            Phase::Report => self.report_next(ctx),
        };
        let took = ctx.events() - before;
        match phase {
            Phase::Walk => self.state.walk_events += took,
            Phase::Plan | Phase::Mutate | Phase::Report => self.state.mutant_events += took,
            Phase::Mine => {}
        }
        ended.map(|()| Round::Continue)
    }

    fn stats(&self) -> EngineStats {
        let counts = self.state.counts;
        let phase = match &self.state.current {
            _ if !self.state.mined => format!("mining: {} states", self.state.model.nodes().len()),
            None => {
                let (walks, made) = (self.state.walks as usize, self.state.made as usize);
                format!("{}, {} made", counted(walks, "walk"), counted(made, "seed test"))
            }
            Some(run) if run.reporting => format!("{} errors left to be shown once more", run.errors.len()),
            Some(run) => format!(
                "seed test {}: {} mutants left; {} played, {} violate",
                self.state.made,
                run.mutants.len(),
                counts.mutants,
                counts.violating
            ),
        };
        counts.stats(phase)
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

#[cfg(test)]
mod tests {
    use super::mutant::Mutant;
    use super::seed_run::FoundError;
    use super::*;
    use crate::oracle::ErrorKey;
    use taproof_screen::{frame_of, layout_from};

    fn nothing() -> SeedTest {
        let trace = Trace::start(frame_of(layout_from("TextView \"cat\"\n")));
        SeedTest { trace, planned: Vec::new(), unstable: Vec::new() }
    }

    #[test]
    fn walks_and_seed_tests_take_turns_and_errors_are_reported_in_time() {
        let mut genie = Genie::new(GenieConfig::default());
        assert_eq!(genie.next_phase(0, 40_000), Phase::Mine);
        genie.state = GenieState { mined: true, walks: 100, walk_events: 2000, ..GenieState::default() };
        assert_eq!(genie.next_phase(4000, 40_000), Phase::Walk, "there is nothing to be used");

        let kept = || KeptSeed { seed: nothing(), shown: Vec::new(), used: false };
        genie.state.seeds.push(kept());
        genie.state.mutant_events = 1000;
        assert_eq!(genie.next_phase(5000, 40_000), Phase::Plan);
        genie.state.walks = 99;
        assert_eq!(genie.next_phase(5000, 40_000), Phase::Walk, "too few to choose from");
        assert_eq!(genie.next_phase(5000, 6000), Phase::Plan, "a short campaign has no time for more");

        (genie.state.walks, genie.state.mutant_events) = (100, 7000);
        assert_eq!(genie.next_phase(11_000, 40_000), Phase::Walk, "a quarter of the events");
        genie.state.current = Some(SeedRun::new(nothing(), Vec::new(), 12_000));
        assert_eq!(genie.next_phase(11_000, 40_000), Phase::Mutate);
        assert_eq!(genie.next_phase(39_990, 40_000), Phase::Mutate, "there is nothing to report");
        if let Some(run) = &mut genie.state.current {
            let mutant = Mutant { position: 0, detour: Vec::new(), reopens: false };
            let key = ErrorKey::default();
            run.errors.push(FoundError { key, kind: 1, count: 1, mutant, number: 1, pause: None, data: 0 });
        }
        assert_eq!(genie.next_phase(11_000, 40_000), Phase::Mutate);
        assert_eq!(genie.next_phase(39_999, 40_000), Phase::Report);
        genie.state.current = None;
        assert_ne!(genie.next_phase(39_999, 40_000), Phase::Report, "the budget ends it");
    }
}
