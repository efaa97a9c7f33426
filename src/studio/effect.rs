//! What handlers ask for beside their change of the state. Effects are executed in one place, `app/workers.rs`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::command::{Command, FileCommand, FileQuestion};
use crate::disk::Job;
use crate::event::Event;
use crate::fuzz::{CampaignTask, StartingCampaign};
use crate::mirror::MirrorCommand;
use crate::phone::{DeviceTask, Lead, PhoneToShow};
use crate::record::{DiscoverPlan, WayToCut};
use crate::replay::{Export, ExportId, Judging};
use crate::specs::{DiskTask, RepairOrder};
use crate::state::{CampaignId, FindingKey, Message, News};
use taproof_core::campaign::TrialPlan;

/// Something to be done outside of the state.
pub(crate) enum Effect {
    /// Handles another event before those that wait.
    Then(Event),
    /// Sends the mirror an order that begins no new path.
    Mirror(MirrorCommand),
    /// Replaces the device that is shown.
    Show(PhoneToShow),
    /// Leads a fresh phone along a trace.
    Lead(Box<Lead>),
    /// Ends a re-execution in progress.
    StopRedoing,
    /// Gives the disk thread a job.
    Disk(Job),
    /// Does something with the devices behind adb.
    Device(DeviceTask),
    /// Searches the path on the phone for functions.
    Propose(Box<WayToCut>),
    /// Explores an app for functions.
    Discover(Box<DiscoverPlan>),
    /// Stops exploring; what was confirmed until then still comes.
    StopDiscovering,
    /// Tries a function, with a command of the host before each test. An earlier trial is abandoned.
    Try(Arc<TrialPlan>, Option<String>),
    /// Stops the trial; its report still comes.
    StopTrial,
    /// Abandons the trial, whose news are not wanted any more.
    LeaveTrial,
    /// Repairs a specification, with a command of the host before each test. An earlier repair is abandoned.
    Repair(Arc<RepairOrder>, Option<String>),
    /// Stops the repair; its report still comes.
    StopRepair,
    /// Abandons the repair, whose news are not wanted any more.
    LeaveRepair,
    /// Starts the engines of a campaign.
    StartCampaign(Box<StartingCampaign>),
    /// Asks the engines of a campaign for something.
    Campaign(CampaignId, CampaignTask),
    /// Confirms and minimises a finding.
    Minimise(FindingKey),
    /// Ends that after the current event.
    StopMinimising,
    /// Judges whether a finding came back in a re-execution; an earlier one that is still being judged is abandoned.
    Judge(Box<Judging>),
    /// Reads a finding to be shown in Replay; an earlier one that is still being read is cancelled.
    Open(FindingKey),
    /// Stops reading it.
    CancelOpening,
    /// Builds and writes an export.
    Export(ExportId, Box<Export>),
    /// Cancels an export; no file is written.
    CancelExport(ExportId),
    /// Opens a file or folder with the desktop's program for it.
    OpenOutside(PathBuf),
    /// Copies a text to the clipboard.
    Copy(String),
    /// Draws again after this time at the latest.
    RepaintAfter(Duration),
    /// Closes the window.
    CloseWindow,
    /// Leaves the window open that is being closed.
    KeepOpen,
}

impl Effect {
    /// Handles another event before those that wait.
    pub fn then(event: impl Into<Event>) -> Effect {
        Effect::Then(event.into())
    }

    /// Shows in the status line that an operation was completed.
    pub fn notify(text: impl Into<String>) -> Effect {
        Effect::Then(Event::Message(Message::new(News::Done, text)))
    }

    /// Shows in the status line that something failed.
    pub fn failure(text: impl Into<String>) -> Effect {
        Effect::Then(Event::Message(Message::new(News::Failed, text)))
    }

    /// Asks for a file or folder.
    pub fn ask(question: FileQuestion) -> Effect {
        Effect::then(Command::File(FileCommand::Ask(Box::new(question))))
    }
}

impl From<DiskTask> for Effect {
    fn from(task: DiskTask) -> Self {
        Effect::Disk(Job::Files(task))
    }
}
