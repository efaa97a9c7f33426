//! Campaigns: the loop, written once. A plan goes in; findings come out, each re-executed on a fresh device,
//! minimised and attributed.
//!
//! No thread, no channel, no clock, no disk, no egui: a test calls `run` directly, a worker wraps it.

mod attribute;
mod bundled;
mod confirm;
mod finding;
mod minimise;
mod plan;
mod reexecute;
mod report;
mod runner;
mod saved_trace;
mod trial;
mod trial_way;
mod trial_words;
mod way;

pub use crate::engine::Moment;
pub use bundled::{BundledPhones, bundled_apps};
pub use finding::{Confirmation, DataTimeline, Evidence, Finding, PngBytes};
pub use plan::{
    AppFacts, Budget, Build, CampaignPlan, ConfirmPlan, DeviceSource, SetupError, SpecFacts, SpecOrigin,
};
pub use reexecute::{Rerun, Rig, Unit, UnitDone, appears, reexecute, units_of};
pub use report::{
    CampaignOutcome, CampaignSummary, CoverageSample, FindingSummary, NotExecutedSummary, PropertySummary,
    summarise,
};
pub use runner::{CampaignReport, CampaignSink, CampaignWarning, EndReason, FindingCount, run};
pub use saved_trace::{
    Came, Expectation, ExpectationKind, Judged, JudgedOutcome, Retraced, RetracedStep, SavedStep, SavedTrace,
    default_policy, plain, retrace,
};
pub use trial::{TrialEnd, TrialOutcome, TrialPlan, TrialReport, TrialRun, TrialSink, try_dmf};
pub use trial_words::{step_words, trial_data_words};
