//! Engines: ways of choosing the next event. An engine is only its idea; everything that it does to a
//! device passes `RoundCtx`.
//!
//! No clocks, threads, disk; engines do not know each other. `round.rs` alone knows what a device is.
//! A new engine is a file here, a variant of `EngineConfig`, a line in `ENGINES`.

mod checkpoint;
mod dmf_progress;
mod dmf_run;
mod dmf_step;
mod explore;
pub mod fastbot2;
pub mod genie;
mod ledger;
pub mod monkey;
pub mod odin;
pub mod pbfdroid;
mod recognise;
mod round;
mod saved;
mod setting;
mod settings;
mod state_graph;
mod stuck;
pub mod timemachine;
#[cfg(test)]
mod worked_examples;

use serde::{Deserialize, Serialize};

use crate::model::ReuseModel;

use explore::BesideWidgets;

pub use checkpoint::{CheckpointError, from_checkpoint, to_checkpoint};
pub use dmf_progress::InputSource;
pub use dmf_run::{AfterViolation, RunOutcome, RunPolicy, run_dmf, run_dmf_bound};
pub use explore::{
    ExploreWeights, ExploreWith, Explorer, RandomChoice, RandomEvents, RandomExplorer, Surroundings,
    naming_selector,
};
pub use fastbot2::{Fastbot2, Fastbot2Config, Fastbot2View};
pub use genie::{GenieConfig, GenieCounts};
pub use ledger::{Ledger, Limits, Moment, NotExecuted, PropertyCounts, ScreenKeys};
pub use monkey::MonkeyConfig;
pub use odin::{OdinConfig, OdinView};
pub use pbfdroid::{Mode, PbfdroidConfig};
pub use recognise::{JudgedRuns, Occurrence, Recogniser, SeenEvent, judge_recorded};
pub use round::{JudgedTest, NoWatcher, Reported, RoundCtx, RoundDoor, RoundWatcher, Stop};
pub use saved::Saved;
pub use setting::Setting;
pub use settings::{ConfigError, EngineSettings};
pub use state_graph::{State, StateGraph, StateId, Transition};
pub use stuck::{Stuck, StuckConfig, StuckDetector};
pub use timemachine::{TimeMachine, TimeMachineConfig, TimeMachineView};

/// A way of choosing the next event.
pub trait Engine: Send {
    /// One round is one test, or one unit of the current phase.
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop>;
    /// What the engine says of itself.
    fn stats(&self) -> EngineStats;
    /// Everything that later rounds depend on, between two rounds.
    fn save(&self) -> Result<Vec<u8>, CheckpointError>;
    /// Goes on where another engine of the same settings was saved.
    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError>;
    /// The states of the app that it holds: after a kill the device must be brought to them again.
    fn saved_states(&mut self) -> Vec<&mut Saved> {
        Vec::new()
    }
    /// What later campaigns with this app can begin with.
    fn learned(&self, _app: &str) -> Option<ReuseModel> {
        None
    }
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// There is more to do.
    Continue,
    /// The engine has done all that it can do.
    Exhausted,
}

/// What an engine says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineStats {
    /// What it is doing, for people.
    pub phase: String,
    /// What only this engine has to show.
    pub view: EngineView,
}

/// What only one engine has to show.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum EngineView {
    /// Nothing.
    #[default]
    None,
    /// Tiers of choice and what was reused.
    Fastbot2(Fastbot2View),
    /// What became of mutants.
    Genie(GenieCounts),
    /// Clusters of behaviours with what stands out.
    Odin(OdinView),
    /// Saved states and travels.
    TimeMachine(TimeMachineView),
}

/// Which engine, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "engine")]
pub enum EngineConfig {
    /// Property-based fuzzing.
    Pbfdroid(PbfdroidConfig),
    /// Independent view fuzzing.
    Genie(GenieConfig),
    /// Deep-state differential analysis.
    Odin(OdinConfig),
    /// Exploration by a model that is reused.
    Fastbot2(Box<Fastbot2Config>),
    /// Time-travel testing.
    TimeMachine(TimeMachineConfig),
    /// Random events.
    Monkey(MonkeyConfig),
}

/// An engine as lists show it.
#[derive(Clone, Copy)]
pub struct EngineInfo {
    /// The word that commands and files use.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// Its idea in one line.
    pub idea: &'static str,
    /// Its default configuration.
    pub config: fn() -> EngineConfig,
}

/// All engines.
pub const ENGINES: &[EngineInfo] =
    &[pbfdroid::INFO, genie::INFO, odin::INFO, fastbot2::INFO, timemachine::INFO, monkey::INFO];

impl EngineConfig {
    /// The settings of whichever engine it is.
    pub fn settings(&self) -> &dyn EngineSettings {
        match self {
            EngineConfig::Pbfdroid(config) => config,
            EngineConfig::Genie(config) => config,
            EngineConfig::Odin(config) => config,
            EngineConfig::Fastbot2(config) => &**config,
            EngineConfig::TimeMachine(config) => config,
            EngineConfig::Monkey(config) => config,
        }
    }

    /// The word that commands and files use.
    pub fn name(&self) -> &'static str {
        self.settings().info().name
    }
}

/// The way of exploring that is asked for: engines do not know each other, so they are joined here.
fn explorer(with: ExploreWith, events: RandomEvents, setting: &Setting) -> Box<dyn Explorer> {
    match with {
        ExploreWith::Random => Box::new(RandomExplorer::new(events)),
        ExploreWith::Fastbot2 => {
            let fastbot2 = Fastbot2::new(Fastbot2Config::default(), &setting.app);
            Box::new(BesideWidgets::new(Box::new(fastbot2), events))
        }
        ExploreWith::TimeMachine => {
            Box::new(TimeMachine::new(TimeMachineConfig { events, ..TimeMachineConfig::default() }))
        }
    }
}
