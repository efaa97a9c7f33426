//! TimeMachine's parameters.

use serde::{Deserialize, Serialize};

use super::identity::StateIdentity;
use crate::engine::{RandomEvents, StuckConfig};
use crate::model::described;

described! {
    /// TimeMachine's parameters; `src/core/engine/timemachine/paper.md` describes where each is used.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct TimeMachineConfig {
        /// Which screens count as the same state.
        pub identity: StateIdentity,
        /// When exploration counts as stuck.
        pub stuck: StuckConfig,
        /// Device time in milliseconds without another state after which exploration also is in a dead end.
        pub no_progress_millis: u64,
        /// Maximum number of events of a segment.
        pub segment_length: usize,
        /// Fitness of an interesting state (f0).
        pub interesting: f64,
        /// Fitness of any other state.
        pub ordinary: f64,
        /// What leading to an interesting state adds to a state's fitness (r).
        pub reward: f64,
        /// What a visit that led to no interesting state subtracts from a state's fitness (p).
        pub penalty: f64,
        /// Number of transitions that are looked ahead (k).
        pub path_length: usize,
        /// Maximum number of saved states, including the root.
        pub archive: usize,
        /// The random events that are drawn between travels.
        pub events: RandomEvents,
    }
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
            // The paper's generator sends a system event every 60 to 90 seconds; an event takes about one second.
            events: RandomEvents { system_every: 75, ..RandomEvents::default() },
        }
    }
}
