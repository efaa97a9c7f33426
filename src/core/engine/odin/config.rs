//! ODIN's constants (odin.md).

use serde::{Deserialize, Serialize};

use super::{INFO, Odin};
use crate::engine::{ConfigError, Engine, EngineInfo, EngineSettings, Setting};
use crate::oracle::may_belief::{MayBeliefConfig, Merging};
use crate::spec::Spec;

/// ODIN's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OdinConfig {
    /// How layouts become states of the model that calibration walks on.
    pub merging: Merging,
    /// The percentage of the events that random exploration may take at first.
    pub explore_percent: u64,
    /// The percentage of the events that is kept for replaying what stands out.
    pub replay_percent: u64,
    /// Events between two looks at the states that have inputs enough.
    pub judge_every: u64,
    /// Events of one exploration test.
    pub explore_length: usize,
    /// How often exploration taps, presses long, swipes, types, goes back, presses the action key, turns the phone.
    pub weights: [u32; 7],
    /// Texts that are typed. Few, so that inputs with equal texts come about.
    pub texts: Vec<String>,
    /// Exploration tests that are run a second time, slower, to find views whose words change by themselves.
    pub probes: u32,
    /// The pauses of a second run in milliseconds: after the launch, before every other event.
    pub probe_pauses: [u64; 2],
    /// Inputs that a state needs before it counts as served.
    pub min_inputs: usize,
    /// Inputs of one state that are kept and continued; more are only counted.
    pub max_inputs: usize,
    /// Events of a calibration walk.
    pub walk_length: usize,
    /// Walks that are drawn before a state counts as out of reach for now.
    pub walk_tries: u32,
    /// Events that are appended to one input.
    pub appended: usize,
    /// Receivers of one event that are tried after one input.
    pub receivers: usize,
    /// Behaviours of one event in one state that are kept.
    pub max_behaviours: usize,
    /// Distinct layouts that are kept.
    pub max_layouts: usize,
    /// Replays of what stands out.
    pub replays: u32,
    /// Of these, how many must show it again.
    pub replays_needed: u32,
    /// How behaviours are judged.
    pub judging: MayBeliefConfig,
}

impl Default for OdinConfig {
    fn default() -> Self {
        OdinConfig {
            merging: Merging::Grouped,
            explore_percent: 12,
            replay_percent: 4,
            judge_every: 10_000,
            explore_length: 40,
            weights: [55, 12, 6, 14, 8, 3, 2],
            texts: ["Hello", "123", "a", ""].map(str::to_owned).to_vec(),
            probes: 6,
            probe_pauses: [61_000, 7_000],
            min_inputs: 30,
            max_inputs: 90,
            walk_length: 20,
            walk_tries: 100,
            appended: 60,
            receivers: 8,
            max_behaviours: 600,
            max_layouts: 4_000,
            replays: 3,
            replays_needed: 2,
            judging: MayBeliefConfig::default(),
        }
    }
}

impl EngineSettings for OdinConfig {
    fn info(&self) -> &'static EngineInfo {
        &INFO
    }

    fn build(&self, _setting: &Setting) -> Box<dyn Engine> {
        Box::new(Odin::new(self.clone()))
    }

    fn compares_outcomes(&self) -> bool {
        true
    }

    fn begins_with_traces(&self) -> Option<&'static str> {
        Some("its first inputs")
    }

    fn check(&self, _spec: &Spec) -> Result<(), ConfigError> {
        let wrong = |what, given: String, wanted| {
            Err(ConfigError::OutOfRange { engine: INFO.name, what, given, wanted })
        };
        for (what, given) in [
            ("events of an exploration test (explore_length)", self.explore_length),
            ("inputs of a state (max_inputs)", self.max_inputs),
            ("events of a walk (walk_length)", self.walk_length),
            ("events appended to an input (appended)", self.appended),
            ("layouts (max_layouts)", self.max_layouts),
        ] {
            if given == 0 {
                return wrong(what, "0".to_owned(), "give at least 1");
            }
        }
        if self.explore_percent + self.replay_percent > 100 {
            let given = format!("{} + {}", self.explore_percent, self.replay_percent);
            return wrong("explore_percent + replay_percent", given, "give at most 100 together");
        }
        if self.replays_needed == 0 || self.replays_needed > self.replays {
            let given = self.replays_needed.to_string();
            return wrong("replays_needed", given, "give at least 1 and at most as many as replays");
        }
        Ok(())
    }
}
