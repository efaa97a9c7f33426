//! The loop of a campaign: rounds on one device, what is watched beside them, and what is reported.

mod checkpoint;
mod engine_worker;
mod event_log;
mod initialised;
mod null_sink;
mod opaque;
mod own_parts;
mod report;
mod retrace;
mod runner;
mod saved_trace;
mod sink;
mod stagnation;
pub(crate) mod stuck_watcher;
mod summary;
mod watcher;

pub use checkpoint::{Checkpoint, Resumption, SavedCheckpoint};
pub use engine_worker::{EngineSlots, EngineWorker, Update};
pub use event_log::{EventFilter, LoggedEvent};
pub use initialised::{InitialisedDevices, initial_steps, joined_steps};
pub use null_sink::NullSink;
pub use own_parts::OwnParts;
pub use report::{CampaignReport, EndReason, FindingCount};
pub use retrace::{Judged, JudgedOutcome, RetraceOutcome, Retraced, RetracedStep, retrace, retrace_pair};
pub use runner::{run, run_from, run_own};
pub use saved_trace::{Expectation, ExpectationKind, SavedStep, SavedTrace, plain};
pub use sink::{CampaignSink, CampaignWarning};
pub use stagnation::Stagnant;
pub use summary::{
    CampaignOutcome, CampaignSummary, CoverageSample, EngineRun, EngineSummary, FindingSummary, FiredRule,
    LeftPlace, NotExecutedSummary, PropertySummary, RunCounts, UntouchedWidget, combined_fingerprint, end_of,
    idle_functions, summarise, summed_counts,
};
