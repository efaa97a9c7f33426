//! Campaigns: the loop, written once. A plan goes in; findings come out, each re-executed on a fresh device,
//! minimised and attributed.
//!
//! No clock, no disk, no egui. A test calls `run` directly; `engine_worker.rs` alone knows threads and channels.

mod attribute;
mod attribution;
mod cause;
mod checkpoint;
mod confirm;
mod confirm_pair;
mod device_choice;
mod engine_worker;
mod finding;
mod initialised;
mod minimise;
mod minorities;
mod null_sink;
mod plan;
mod reexecute;
mod runner;
mod saved_trace;
mod summary;
mod trial;
mod trial_way;
mod trial_words;
mod way;

pub use crate::engine::Moment;
pub use crate::oracle::ComparisonRule;
pub use attribution::Attribution;
pub use cause::{Cause, by_cause};
pub use checkpoint::{Checkpoint, Resumption};
pub use device_choice::DeviceChoice;
pub use engine_worker::{EngineWorker, Update};
pub use finding::{Confirmation, DataTimeline, Evidence, Finding, PngBytes, Reference};
pub use initialised::{InitialisedPhones, initial_steps, joined_steps};
pub use null_sink::NullSink;
pub use plan::{
    AppFacts, Budget, Build, CampaignPlan, ConfirmPlan, DeviceSource, Oracles, SeedTrace, SetupError,
    SpecFacts, SpecOrigin,
};
pub use reexecute::{Rerun, Rig, Unit, UnitDone, appears, reexecute, units_of};
pub use runner::{CampaignReport, CampaignSink, CampaignWarning, EndReason, FindingCount, run, run_from};
pub use saved_trace::{
    Came, Expectation, ExpectationKind, Judged, JudgedOutcome, Retraced, RetracedStep, SavedStep, SavedTrace,
    default_policy, plain, retrace, retrace_pair,
};
pub use summary::{
    CampaignOutcome, CampaignSummary, CoverageSample, EngineRun, EngineSummary, FindingSummary,
    NotExecutedSummary, PropertySummary, RuleSummary, RunCounts, combined_fingerprint, end_of, summarise,
    summed_counts,
};
pub use trial::{TrialEnd, TrialOutcome, TrialPlan, TrialReport, TrialRun, TrialSink, try_dmf};
pub use trial_words::{step_words, trial_data_words};
