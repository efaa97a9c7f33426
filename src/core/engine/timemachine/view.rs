//! What TimeMachine shows in the window: its archive, and its travels with their reasons.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::engine::StateId;
use crate::model::Layout;

/// Why a segment ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SegmentEnd {
    /// The state did not change any more.
    DeadEnd,
    /// The same few states were visited again and again.
    Loop,
    /// The segment reached its maximum length.
    Length,
    /// The test was over: the app died, or its screen violated an oracle.
    #[default]
    TestOver,
}

/// One travel back, for the window.
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

/// What TimeMachine shows in the window.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeMachineView {
    /// Whether new code decides which states are interesting; otherwise what the screens show.
    pub by_code: bool,
    /// The saved states, the root first.
    pub archive: Vec<ArchiveLine>,
    /// The latest travels, oldest first.
    pub travels: Vec<Travel>,
    /// Number of travels, including those that are no longer listed.
    pub travelled: u64,
}

/// A saved state of the archive.
#[derive(Clone, Debug, PartialEq)]
pub struct ArchiveLine {
    /// Its index in the state graph.
    pub state: StateId,
    /// The first layout seen in the state.
    pub layout: Arc<Layout>,
    /// Number of events from a launch to it.
    pub steps: usize,
    /// Number of visits of the state.
    pub visits: u64,
    /// How often exploring from it led to an interesting state.
    pub led_on: u64,
    /// Number of travels to it.
    pub restores: u32,
    /// The mean fitness of the paths from it.
    pub value: f64,
}
