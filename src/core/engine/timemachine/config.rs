//! TimeMachine's parameters.

use serde::{Deserialize, Serialize};

use super::identity::StateIdentity;
use super::{INFO, TimeMachine};
use crate::engine::{Engine, EngineInfo, EngineSettings, RandomEvents, Setting, StuckConfig};

/// TimeMachine's parameters (timemachine.md 9).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TimeMachineConfig {
    /// What makes two screens one state.
    pub identity: StateIdentity,
    /// When exploration is stuck.
    pub stuck: StuckConfig,
    /// Device time in milliseconds without another state after which it is a dead end, too.
    pub no_progress_millis: u64,
    /// Events of a segment at most.
    pub segment_length: usize,
    /// What an interesting state is worth (f0).
    pub interesting: f64,
    /// What any other state is worth.
    pub ordinary: f64,
    /// What leading to an interesting state adds to a state's fitness (r).
    pub reward: f64,
    /// What a visit that led to none takes from it (p).
    pub penalty: f64,
    /// Transitions that are looked ahead (k).
    pub path_length: usize,
    /// Saved states at most, the root included.
    pub archive: usize,
    /// What is drawn between travels.
    pub events: RandomEvents,
}

impl Default for TimeMachineConfig {
    fn default() -> Self {
        TimeMachineConfig {
            identity: StateIdentity::Types,
            stuck: StuckConfig::default(),
            no_progress_millis: 120_000,
            segment_length: 1000,
            interesting: 6.0,
            ordinary: 1.0,
            reward: 0.1,
            penalty: 0.1,
            path_length: 3,
            archive: 50,
            // The paper's generator sends a system event every 60 to 90 seconds; an event takes about one.
            events: RandomEvents { system_every: 75, ..RandomEvents::default() },
        }
    }
}

impl EngineSettings for TimeMachineConfig {
    fn info(&self) -> &'static EngineInfo {
        &INFO
    }

    fn build(&self, _setting: &Setting) -> Box<dyn Engine> {
        Box::new(TimeMachine::new(self.clone()))
    }

    fn begins_with_traces(&self) -> Option<&'static str> {
        Some("its first saved states")
    }
}
