//! What a night is: the main loop, shared by all engines. A plan goes in; findings come out, each reported as soon as
//! it is seen, then re-executed on fresh devices, minimised and attributed. [`discover`] proposes the functions of an
//! app that nobody has described.
//!
//! No wall clock, disk or GUI. A test calls [`run`] directly; only `engine_worker.rs` uses threads and channels.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod bugs;
mod confirm;
pub mod diff;
pub mod discover;
mod plan;
mod repair;
mod run;
mod trial;

pub use bugs::{
    Attribution, Bug, BugClass, BugKey, BugState, CardScreen, Confirmation, Correction, Corrections,
    DataTimeline, Evidence, FIRST_BUGS, Finding, FindingState, Harm, JudgedBug, Reference, Support, Tally,
    bug_title, bugs_in_words, counted_bugs, group, keep_latest, of_class, precision, title_words,
};
pub use confirm::{Rerun, Rig, Unit, UnitDone, appears, pursue, reexecute, units_of};
pub use plan::{
    Budget, CampaignPlan, ConfirmPlan, DeviceChoice, Oracles, SCAN_CONFIRM_SHARE, SeedTrace, SetupError,
    SpecFacts, SpecOrigin, Target, default_engines, scan_engines,
};
pub use repair::{
    FunctionEnd, FunctionRepair, MendedUse, Proposed, RepairPlan, RepairReport, RepairSink, Translation,
    observe, repair,
};
pub use run::{
    CampaignOutcome, CampaignReport, CampaignSink, CampaignSummary, CampaignWarning, Checkpoint,
    CoverageSample, EndReason, EngineRun, EngineSlots, EngineSummary, EngineWorker, EventFilter, Expectation,
    ExpectationKind, FindingCount, FindingSummary, FiredRule, InitialisedDevices, Judged, JudgedOutcome,
    LeftPlace, LoggedEvent, NotExecutedSummary, NullSink, OwnParts, PropertySummary, Resumption,
    RetraceOutcome, Retraced, RetracedStep, RunCounts, SavedCheckpoint, SavedStep, SavedTrace, Stagnant,
    UntouchedWidget, Update, combined_fingerprint, end_of, idle_functions, initial_steps, joined_steps,
    plain, retrace, retrace_pair, run, run_from, run_own, summarise, summed_counts,
};
pub use taproof_engine::Moment;
pub use taproof_engine::oracle::ComparisonRule;
pub use trial::{
    NeverFails, TrialEnd, TrialOutcome, TrialPlan, TrialReport, TrialRun, TrialSink, step_words,
    trial_data_words, try_dmf,
};
