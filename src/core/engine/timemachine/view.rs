//! What TimeMachine says of itself: its archive, and its travels with their reasons.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::engine::StateId;
use crate::model::Layout;

/// Why a segment ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SegmentEnd {
    /// Nothing changed any more.
    DeadEnd,
    /// The same few states came round again.
    Loop,
    /// It was as long as a segment may be.
    Length,
    /// The test was over: the app died, or broke a rule.
    #[default]
    TestOver,
}

/// One travel back, for the window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Travel {
    /// The campaign's events when it happened.
    pub event: u64,
    /// Why.
    pub why: SegmentEnd,
    /// Where to.
    pub to: StateId,
    /// The mean fitness of its paths.
    pub value: f64,
}

/// What TimeMachine says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeMachineView {
    /// Whether new code decides what is interesting; else it is what the screens show.
    pub by_code: bool,
    /// The saved states, the root first.
    pub archive: Vec<ArchiveLine>,
    /// The last travels, the newest last.
    pub travels: Vec<Travel>,
    /// Travels in all.
    pub travelled: u64,
}

/// A saved state.
#[derive(Clone, Debug, PartialEq)]
pub struct ArchiveLine {
    /// Its number.
    pub state: StateId,
    /// What it looks like.
    pub layout: Arc<Layout>,
    /// Events from a launch to it.
    pub steps: usize,
    /// Visits of its state.
    pub visits: u64,
    /// How often exploring from it led to an interesting state.
    pub led_on: u64,
    /// Travels to it.
    pub restores: u32,
    /// The mean fitness of its paths.
    pub value: f64,
}
