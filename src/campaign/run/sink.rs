//! Who hears of a campaign while it runs, and of what.

use std::sync::Arc;

use crate::{CampaignReport, Finding, LoggedEvent, SavedCheckpoint, Stagnant};
use taproof_engine::device::{DeviceError, DeviceWarning, LinkFault, StuckStep};
use taproof_engine::{CampaignStats, CheckpointError, EngineStats};
use taproof_screen::{Frame, opaque_words};

/// Hears of a campaign while it runs. The must-arrive calls may block; `progress` must not.
pub trait CampaignSink {
    /// It has a device and begins.
    fn started(&mut self) {}
    /// Whether somebody waits for [`CampaignSink::progress`]; asked after each event. The number of events alone does not
    /// say when to report it, since an event may take microseconds or minutes.
    fn wants_progress(&mut self) -> bool {
        false
    }
    /// What was counted so far. Cheap and frequent.
    fn progress(&mut self, _stats: &CampaignStats) {}
    /// The screen after a step of a test; cheap and frequent.
    fn seen(&mut self, _frame: &Frame) {}
    /// What the engine says of itself, now and then between rounds.
    fn engine_says(&mut self, _stats: EngineStats) {}
    /// Whether what is known now is to be kept; asked between rounds.
    fn wants_checkpoint(&mut self) -> bool {
        false
    }
    /// What was asked for. Whatever was told before belongs to it.
    fn checkpoint(&mut self, _checkpoint: SavedCheckpoint) {}
    /// Something new was found, or more is known of a finding with the same id. A finding is reported when it is seen,
    /// before anything is re-executed, and again when it is confirmed and when it is minimised.
    fn finding(&mut self, finding: Arc<Finding>);
    /// How often the origin of each finding was violated so far, by the finding's id; told after a test that violated one.
    fn violated(&mut self, _counts: Vec<(String, u64)>) {}
    /// Whether somebody wants to see the steps that cannot be performed, each of which takes a picture.
    fn wants_stuck_steps(&self) -> bool {
        false
    }
    /// A step could not be performed; told once for each step of a function.
    fn stuck(&mut self, _step: StuckStep) {}
    /// Something that people should know.
    fn warning(&mut self, _warning: CampaignWarning) {}
    /// How many events in words are wanted together; `None` for no words, which take as long as performing some events on
    /// the bundled phone.
    fn events_at_once(&self) -> Option<usize> {
        None
    }
    /// These events were performed, in order, except those for confirming findings. None is missing that precedes a
    /// checkpoint which is passed on afterwards.
    fn events(&mut self, _events: Vec<LoggedEvent>) {}
    /// It is over.
    fn ended(&mut self, _report: &CampaignReport) {}
}

/// How a device is away.
fn away(error: &DeviceError) -> &'static str {
    if error.link_fault() == Some(LinkFault::TimedOut) { "does not answer" } else { "is away" }
}

/// Something that people should know, though the campaign goes on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CampaignWarning {
    /// A violation could not be confirmed.
    #[error("{title:?} could not be re-executed: {error}")]
    NotConfirmed {
        /// What was violated.
        title: String,
        /// What the device said.
        error: DeviceError,
    },
    /// The device went away; the campaign waits for it.
    #[error("the device {}, and the campaign waits until it is back: {_0}", away(_0))]
    DeviceLost(DeviceError),
    /// The device cannot do an event; tests end there.
    #[error("{0}. What needs it is left out")]
    Refused(DeviceError),
    /// An answer of the device came garbled.
    #[error(
        "an answer of the device came garbled: {0}. It is asked for again or its test ends unjudged, and so is every \
         other; the summary counts them"
    )]
    Garbled(DeviceError),
    /// The device has a problem that does not prevent its use; each is reported when it occurs first.
    #[error("{0}")]
    DeviceProblem(DeviceWarning),
    /// The widget tree of a page holds next to nothing of what is on the screen.
    #[error("{} texts, fields and rows cannot be judged. Crashes are still found", opaque_words(page))]
    Opaque {
        /// The class of its activity.
        page: String,
    },
    /// Events explore nothing; told again once something was new in between.
    #[error("nothing new: {0}")]
    Stagnant(Stagnant),
    /// A rule of the tester was given up in a test; each is reported when it occurs first.
    #[error("{0}")]
    Rule(String),
    /// How often such problems occurred in the whole campaign, if some occurred again.
    #[error("problems of the device, in all: {count}, of {problems} kinds")]
    DeviceProblems {
        /// How many different ones.
        problems: usize,
        /// In how many places.
        count: u64,
    },
    /// The device is back; the campaign goes on with another test.
    #[error("The device is back. The campaign goes on")]
    DeviceBack,
    /// The activities that the app declares could not be read.
    #[error("which activities were not reached is not known: {0}")]
    NoManifest(DeviceError),
    /// It could not be kept where the campaign stands.
    #[error("where the campaign stands was not kept: {0}")]
    NoCheckpoint(CheckpointError),
}
