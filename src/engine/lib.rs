//! Who tries and who judges: engines, which choose the next event, and oracles, which judge what was seen.
//!
//! An engine implements only its strategy; all its interaction with the device goes through [`RoundCtx`]. Engines use no
//! wall clock, threads or disk, and do not know each other. Only `round/` has access to a [`device`].
//! `CONTRIBUTING.md` says what a new engine or oracle needs.
//!
//! | module | contents |
//! | --- | --- |
//! | [`worker`] | cancelling and pausing, a slot for the newest value, named threads |
//! | [`oracle`] | from traces to verdicts |
//! | [`agent`] | the protocol of our own program on a device, for both of its ends |
//! | [`device`] | the trait of all devices; recorded walks and traces as devices |
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod agent;
pub mod auto;
mod campaign_stats;
mod checkpoint;
mod described;
mod detour;
pub mod device;
mod dmf;
mod engine_stats;
mod explore;
pub mod fastbot2;
pub mod genie;
pub mod keep;
pub mod monkey;
pub mod odin;
pub mod oracle;
mod original_names;
pub mod pbfdroid;
mod round;
mod rule_counts;
mod settings;
mod state_graph;
mod state_snapshot;
mod stuck;
mod task;
mod test_target;
pub mod timemachine;
#[cfg(test)]
mod worked_examples_tests;
pub mod worker;

use serde::{Deserialize, Serialize};

use crate::fastbot2::ReuseModel;

use described::described;
use explore::BesideWidgets;

pub use auto::{AutoConfig, Shares};
pub use campaign_stats::{CampaignStats, Limits, Moment, NotExecuted, PropertyCounts, ScreenKeys};
pub use checkpoint::{CheckpointError, from_checkpoint, to_checkpoint, write_checkpoint};
pub use described::Setting;
pub use detour::{DetourEnd, run_detour};
pub use dmf::{
    AfterViolation, FirstTouch, HeldRun, InputSource, JudgedRuns, Occurrence, Recogniser, RunOutcome,
    RunPolicy, SeenEvent, judge_recorded, run_dmf, run_dmf_bound,
};
pub use engine_stats::{Count, EngineStats, Explained, StatsRow, StatsShares, StatsTable};
pub use explore::{
    ExploreWeights, ExploreWith, Explorer, RandomChoice, RandomEvents, RandomExplorer, Surroundings,
};
pub use fastbot2::{Fastbot2, Fastbot2Config};
pub use genie::GenieConfig;
pub use keep::KeepConfig;
pub use monkey::MonkeyConfig;
pub use odin::OdinConfig;
pub use pbfdroid::{Mode, PbfdroidConfig};
pub use round::{
    Careful, JudgedTest, Missing, NoWatcher, Part, Replay, Replayed, Reported, RoundCtx, RoundDoor,
    RoundWatcher, ScrollSearch, Stop, scroll_lists,
};
pub use rule_counts::RuleCounts;
pub use settings::{ConfigError, EngineSettings, PRESET, PRESETS};
pub use state_graph::{State, StateGraph, StateId, Transition};
pub use state_snapshot::StateSnapshot;
pub use stuck::{Stuck, StuckDetector};
pub use task::Task;
pub use test_target::TestTarget;
pub use timemachine::{TimeMachine, TimeMachineConfig};

/// An algorithm that decides which events a campaign performs, and which traces it judges. An engine stores what it
/// learns, and does everything through [`RoundCtx`], which records, counts, enforces the budget and judges every
/// screen. All randomness comes from [`RoundCtx::rng`], so that a campaign can be repeated.
pub trait Engine: Send {
    /// Runs one round: one test, or one unit of the current phase. A test begins with [`RoundCtx::start`].
    ///
    /// # Errors
    ///
    /// Any [`Stop`] that [`RoundCtx`] returned; pass it on with `?`.
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop>;
    /// What the engine tells of itself, for the window and the end of a command.
    fn stats(&self) -> EngineStats {
        EngineStats::default()
    }
    /// Serialises all state that later rounds depend on, for a checkpoint; called between two rounds. An engine that
    /// does not implement it makes no checkpoints, and its campaigns cannot be resumed.
    ///
    /// # Errors
    ///
    /// Fails if the state cannot be serialised.
    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        Err(CheckpointError::Unusable { problem: "the engine cannot be saved".to_owned() })
    }
    /// Restores the state that [`save`](Engine::save) of an engine with the same settings returned.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are no such state.
    fn load(&mut self, _saved: &[u8]) -> Result<(), CheckpointError> {
        Err(CheckpointError::Unusable { problem: "the engine cannot be saved".to_owned() })
    }
    /// The saved app states that the engine holds. After a campaign was resumed the device must be brought to them
    /// again.
    fn saved_states(&mut self) -> Vec<&mut StateSnapshot> {
        Vec::new()
    }
    /// The reuse model that later campaigns with this app can start from; `None` if the engine learns none.
    fn learned(&self, _app: &str) -> Option<ReuseModel> {
        None
    }
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// There is more to do.
    Continue,
    /// The engine has nothing left to do.
    Exhausted,
}

/// Which engine runs, with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "engine")]
pub enum EngineConfig {
    /// PBFDroid: DMFs of a specification among random events.
    Pbfdroid(PbfdroidConfig),
    /// Genie: detours through independent widgets, inserted into random tests.
    Genie(GenieConfig),
    /// ODIN: one event, appended to many inputs that end in similar layouts.
    Odin(OdinConfig),
    /// Fastbot2: exploration by a model that earlier runs have learned.
    Fastbot2(Box<Fastbot2Config>),
    /// TimeMachine: random events, and travels back to saved states.
    TimeMachine(TimeMachineConfig),
    /// Monkey: random events, the baseline.
    Monkey(MonkeyConfig),
    /// Keep: detours that must change nothing, for apps without a specification.
    Keep(KeepConfig),
    /// Auto: several of the others, which take turns on one device.
    Auto(AutoConfig),
}

/// A shipped engine, or an implementation outside of this crate.
pub enum AnyEngine {
    /// A shipped engine, which a plan can name.
    Shipped(Box<EngineConfig>),
    /// An engine that is implemented outside of this crate.
    Own(Box<dyn EngineSettings>),
}

impl AnyEngine {
    /// The settings of the engine.
    pub fn settings(&self) -> &dyn EngineSettings {
        match self {
            AnyEngine::Shipped(config) => config.settings(),
            AnyEngine::Own(settings) => &**settings,
        }
    }
}

impl From<EngineConfig> for AnyEngine {
    fn from(config: EngineConfig) -> Self {
        AnyEngine::Shipped(Box::new(config))
    }
}

impl<S: EngineSettings + 'static> From<S> for AnyEngine {
    fn from(settings: S) -> Self {
        AnyEngine::Own(Box::new(settings))
    }
}

/// Name, label and default settings of an engine, for lists.
#[derive(Clone, Copy)]
pub struct EngineInfo {
    /// The name that commands and files use.
    pub name: &'static str,
    /// Name of the engine for people.
    pub label: &'static str,
    /// The engine's strategy in one line.
    pub idea: &'static str,
    /// Returns the default configuration, which is the preset `tuned`.
    pub config: fn() -> EngineConfig,
    /// What is known of a setting, by its key.
    pub setting: fn(&str) -> Option<Setting>,
    /// The settings that the preset `paper` changes, with their values as [`EngineConfig::set`] takes them; none if no
    /// paper describes the engine.
    pub paper: &'static [(&'static str, &'static str)],
}

/// All engines, in the order in which lists show them.
pub const ENGINES: &[EngineInfo] = &[
    pbfdroid::INFO,
    genie::INFO,
    odin::INFO,
    fastbot2::INFO,
    timemachine::INFO,
    monkey::INFO,
    keep::INFO,
    auto::INFO,
];

/// The engines that are one method each: all but `auto`, which lets several take turns.
pub fn single_engines() -> impl Iterator<Item = &'static EngineInfo> {
    ENGINES.iter().filter(|info| info.name != auto::INFO.name)
}

impl EngineConfig {
    /// The parameters behind the trait that all engines' parameters implement.
    pub fn settings(&self) -> &dyn EngineSettings {
        self.parts().1
    }

    /// The engine's name, label and default settings.
    pub fn info(&self) -> &'static EngineInfo {
        self.parts().0
    }

    /// The name that commands and files use.
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    fn parts(&self) -> (&'static EngineInfo, &dyn EngineSettings) {
        match self {
            EngineConfig::Pbfdroid(config) => (&pbfdroid::INFO, config),
            EngineConfig::Genie(config) => (&genie::INFO, config),
            EngineConfig::Odin(config) => (&odin::INFO, config),
            EngineConfig::Fastbot2(config) => (&fastbot2::INFO, &**config),
            EngineConfig::TimeMachine(config) => (&timemachine::INFO, config),
            EngineConfig::Monkey(config) => (&monkey::INFO, config),
            EngineConfig::Keep(config) => (&keep::INFO, config),
            EngineConfig::Auto(config) => (&auto::INFO, config),
        }
    }
}

/// Makes the explorer of this kind. Engines do not know each other, so they are combined here.
fn explorer(with: ExploreWith, events: RandomEvents, target: &TestTarget) -> Box<dyn Explorer> {
    match with {
        ExploreWith::Random => Box::new(RandomExplorer::new(events)),
        ExploreWith::Fastbot2 => {
            let fastbot2 = Fastbot2::new(Fastbot2Config::default(), &target.app);
            Box::new(BesideWidgets::new(Box::new(fastbot2), events))
        }
        ExploreWith::TimeMachine => Box::new(TimeMachine::exploring(TimeMachineConfig::default(), events)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_spec::Spec;

    #[test]
    fn every_engine_that_ships_can_go_on_after_a_kill() {
        for info in ENGINES {
            let target = TestTarget::new("org.ex", &Spec::default(), false);
            let engine = || (info.config)().settings().build(&target);
            let saved = engine().save().unwrap_or_else(|error| panic!("{}: {error}", info.name));
            assert_eq!(engine().load(&saved), Ok(()), "{}", info.name);
        }
    }
}
