//! TimeMachine's settings.

use serde::{Deserialize, Serialize};

use super::identity::StateIdentity;
use crate::described;

described! {
    /// TimeMachine's settings; `src/engine/timemachine/paper.md` describes where each is used.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct TimeMachineConfig {
        /// Which screens count as the same state: by types of widgets, or by ids in order, as in the published program.
        pub identity: StateIdentity = StateIdentity::Types;
        /// Maximum number of events of a segment; 0 means no limit, as in the paper.
        pub segment_length: usize = 1000, paper "0";
        /// Device time in milliseconds without another state after which exploration also is in a dead end; 0 means never,
        /// as in the paper.
        pub no_progress_millis: u64 = 120_000, paper "0";
        /// Maximum number of saved states, including the root; 0 means no limit, as in the paper.
        pub archive: usize = 50, paper "0";
        /// On average one in this many random events happens outside of the app: a call, the screen switched off, a killed
        /// process. 0 means never.
        // The paper's generator sends a system event every 60 to 90 seconds; an event takes about one second.
        pub system_every: usize = 75;
    }
}
