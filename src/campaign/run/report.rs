//! Why a campaign ended, and what one engine of it did.

use std::sync::Arc;

use crate::Finding;
use taproof_engine::device::DeviceError;
use taproof_engine::fastbot2::ReuseModel;
use taproof_engine::worker::PanicReport;
use taproof_engine::{CampaignStats, CheckpointError, EngineStats};
use taproof_screen::words;

words! {
    /// Why a campaign ended.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum EndReason {
        /// The engine has done all that it can do.
        Exhausted = "exhausted",
        /// The budget is spent.
        BudgetSpent = "budget",
        /// Somebody asked for it.
        Cancelled = "cancelled",
        /// The device failed.
        DeviceFailed(DeviceError) = "device",
        /// What it was to go on from cannot be used.
        BadCheckpoint(CheckpointError) = "checkpoint",
        /// Its results could not be written. Never set by the campaign itself, but by what writes them.
        NotWritten(String) = "failed",
        /// The process was killed. Set by the next start of the program.
        Interrupted = "interrupted",
        /// The program has a bug: the thread of the engine panicked. Set by what started that thread.
        Bug(PanicReport) = "bug",
    }
    /// The word that commands and files use.
    pub fn word(&self);
}

impl EndReason {
    /// What went wrong, where something did.
    pub fn trouble(&self) -> Option<String> {
        match self {
            EndReason::Exhausted | EndReason::BudgetSpent | EndReason::Cancelled | EndReason::Interrupted => {
                None
            }
            EndReason::DeviceFailed(error) => Some(error.to_string()),
            EndReason::BadCheckpoint(error) => Some(error.to_string()),
            EndReason::NotWritten(problem) => Some(problem.clone()),
            EndReason::Bug(report) => Some(report.message.clone()),
        }
    }

    /// The higher the less is known of what would have been found.
    pub fn badness(&self) -> u8 {
        match self {
            EndReason::Exhausted => 0,
            EndReason::BudgetSpent => 1,
            EndReason::Cancelled => 2,
            EndReason::Interrupted => 3,
            EndReason::DeviceFailed(_) => 4,
            EndReason::BadCheckpoint(_) => 5,
            EndReason::NotWritten(_) => 6,
            EndReason::Bug(_) => 7,
        }
    }
}

/// What one engine of a campaign did.
#[derive(Clone)]
pub struct CampaignReport {
    /// Why it ended.
    pub end: EndReason,
    /// What was counted.
    pub stats: CampaignStats,
    /// What the engine says of itself.
    pub engine: EngineStats,
    /// What was found, in the order of finding.
    pub findings: Vec<FindingCount>,
    /// The activities in the manifest of the app, as `package/class`; empty if that was not read.
    pub declared: Vec<String>,
    /// What later campaigns with the app can begin with.
    pub learned: Option<ReuseModel>,
}

/// A finding, and how often its origin was violated in the whole campaign.
#[derive(Clone)]
pub struct FindingCount {
    /// The finding, as it was told.
    pub finding: Arc<Finding>,
    /// Violations of its origin.
    pub count: u64,
}
