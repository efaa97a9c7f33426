//! ODIN's parameters and their defaults; `src/core/engine/odin/paper.md` describes where each is used.

use serde::{Deserialize, Serialize};

use crate::model::described;
use crate::oracle::may_belief::{MayBeliefConfig, Merging};

described! {
    /// ODIN's parameters. [`Default`] has the values that `src/core/engine/odin/paper.md` gives.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct OdinConfig {
        /// How layouts become states of the model that calibration walks on.
        pub merging: Merging,
        /// Percentage of the events that random exploration may take at first.
        pub explore_percent: u64,
        /// Percentage of the events that is reserved for replaying suspects.
        pub replay_percent: u64,
        /// Number of events after which the states with enough inputs are judged again. In the beginning they are judged
        /// whenever the number of events has doubled (not in the paper).
        pub judge_every: u64,
        /// Number of events of one exploration test.
        pub explore_length: usize,
        /// Draw weights of taps, long presses, swipes, typing, Back, the action key and rotations in exploration.
        pub weights: [u32; 7],
        /// Texts that are typed. Few, so that different inputs have equal texts.
        pub texts: Vec<String>,
        /// Number of exploration tests that are run a second time, more slowly, to find views whose texts change by
        /// themselves.
        pub probes: u32,
        /// Pauses of the second run in milliseconds: after the launch, and before every other event.
        pub probe_pauses: [u64; 2],
        /// Number of inputs that a state needs before its behaviours are judged. The last look judges all states.
        pub min_inputs: usize,
        /// Number of inputs of one state that are stored and continued; further ones are only counted.
        pub max_inputs: usize,
        /// Maximum number of events of a calibration walk.
        pub walk_length: usize,
        /// Number of walks of one test, each from where the one before ended.
        pub walks: usize,
        /// Number of walks that are drawn before a state counts as unreachable for now.
        pub walk_tries: u32,
        /// Number of events that are appended to one input.
        pub appended: usize,
        /// Number of receivers of one event that are tried after one input.
        pub receivers: usize,
        /// Number of behaviours of one event in one state that are stored.
        pub max_behaviours: usize,
        /// Number of distinct layouts that are stored.
        pub max_layouts: usize,
        /// Number of replays of a suspect.
        pub replays: u32,
        /// Number of replays that must show the violation.
        pub replays_needed: u32,
        /// How behaviours are judged.
        pub judging: MayBeliefConfig,
    }
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
            walks: 3,
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
