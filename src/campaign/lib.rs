//! What a night is: the main loop, shared by all engines. A plan goes in; findings come out, each reported as soon as
//! it is seen, then re-executed on fresh devices, minimised and attributed. [`discover`] proposes the functions of an
//! app that nobody has described.
//!
//! No wall clock, disk or GUI. A test calls [`run`] directly; only `engine_worker.rs` uses threads and channels.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod attribute;
mod attribution;
mod broken;
mod bug_class;
mod bug_key;
mod bug_title;
mod by_itself;
mod cards;
mod cause;
mod cause_key;
mod checkpoint;
mod confirm;
mod confirm_ctx;
mod confirm_pair;
mod corrections;
mod device_choice;
pub mod discover;
mod engine_worker;
mod event_log;
mod finding;
mod finding_state;
mod initialised;
mod investigate;
mod minimise;
mod minimiser;
mod minorities;
mod null_sink;
mod opaque;
mod other_rows;
mod other_tests;
mod own_parts;
mod pauses;
mod plan;
mod pursue;
mod reexecute;
mod repair;
mod report;
mod runner;
mod saved_trace;
mod simplify;
mod sink;
mod stagnation;
mod stuck_watcher;
mod summary;
mod target;
mod trace_hints;
mod trial;
mod watcher;

pub use attribution::Attribution;
pub use bug_class::{BugClass, Support, bugs_in_words};
pub use bug_key::BugKey;
pub use cards::{Bug, Card, CardScreen, Cards, Harm, bug_title, findings_by_bug};
pub use cause::{Cause, by_cause};
pub use checkpoint::{Checkpoint, Resumption, SavedCheckpoint};
pub use corrections::{Correction, Corrections, JudgedBug, Tally};
pub use device_choice::DeviceChoice;
pub use engine_worker::{EngineWorker, Update};
pub use event_log::LoggedEvent;
pub use finding::{Confirmation, DataTimeline, Evidence, Finding, Reference, keep_latest, title_words};
pub use finding_state::{FindingState, FindingVerdict};
pub use initialised::{InitialisedDevices, initial_steps, joined_steps};
pub use null_sink::NullSink;
pub use own_parts::OwnParts;
pub use plan::{
    Budget, CampaignPlan, ConfirmPlan, Oracles, SCAN_CONFIRM_SHARE, SeedTrace, SetupError, SpecFacts,
    SpecOrigin, default_engines, scan_engines,
};
pub use pursue::pursue;
pub use reexecute::{Rerun, Rig, Unit, UnitDone, appears, reexecute, units_of};
pub use repair::{
    FunctionEnd, FunctionRepair, MendedUse, Proposed, RepairPlan, RepairReport, RepairSink, Translation,
    observe, repair,
};
pub use report::{CampaignReport, EndReason, FindingCount};
pub use runner::{run, run_from, run_own};
pub use saved_trace::{
    Expectation, ExpectationKind, Judged, JudgedOutcome, RetraceOutcome, Retraced, RetracedStep, SavedStep,
    SavedTrace, plain, retrace, retrace_pair,
};
pub use sink::{CampaignSink, CampaignWarning};
pub use stagnation::Stagnant;
pub use summary::{
    CampaignOutcome, CampaignSummary, CoverageSample, EngineRun, EngineSummary, FindingSummary, FiredRule,
    LeftPlace, NotExecutedSummary, PropertySummary, RuleSummary, RunCounts, UntouchedWidget,
    combined_fingerprint, end_of, idle_functions, summarise, summed_counts,
};
pub use taproof_engine::Moment;
pub use taproof_engine::oracle::ComparisonRule;
pub use target::Target;
pub use trial::{
    NeverFails, TrialEnd, TrialOutcome, TrialPlan, TrialReport, TrialRun, TrialSink, step_words,
    trial_data_words, try_dmf,
};
