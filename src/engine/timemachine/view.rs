//! The travels of TimeMachine with their reasons.

use serde::{Deserialize, Serialize};
use taproof_screen::words;

use crate::{StateId, StatsRow};
use taproof_screen::thousands;

words! {
    /// Why a segment ended.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum SegmentEnd {
        /// The state did not change any more.
        DeadEnd = "nothing changed any more",
        /// The same few states were visited again and again.
        Loop = "the same few states came round again",
        /// The segment reached its maximum length.
        Length = "the segment was as long as it may be",
        /// The test was over: the app died, or its screen violated an oracle.
        #[default]
        TestOver = "the test was over",
    }
    fn reason;
}

/// One travel back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Travel {
    /// Number of the campaign's events when it happened.
    pub event: u64,
    /// Why the segment before it ended.
    pub why: SegmentEnd,
    /// The state that it led to.
    pub to: StateId,
    /// The mean fitness of the paths from that state.
    pub value: f64,
}

impl Travel {
    /// The travel in a table: its event, the state, its fitness and the reason.
    pub fn row(&self) -> StatsRow {
        let Travel { event, why, to, value } = self;
        let cells = [thousands(*event), to.0.to_string(), format!("{value:.2}"), why.reason().to_owned()];
        StatsRow::of(cells)
    }
}
