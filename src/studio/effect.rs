//! What handlers ask for beside their change of the state. Effects are executed in one place, `app/workers.rs`.

use std::path::PathBuf;
use std::time::Duration;

use crate::background::{BackgroundJob, JobId};
use crate::command::{Command, FileCommand, FileQuestion};
use crate::disk::Job;
use crate::event::Event;
use crate::fuzz::StartingCampaign;
use crate::mirror::MirrorCommand;
use crate::phone::{DeviceTask, Lead, PhoneToShow};
use crate::specs::DiskTask;
use crate::state::{CampaignId, Message, News};
use taproof_session::EngineTask;

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
    /// Ends what the phone is asked for at the moment.
    GiveUp,
    /// Gives the disk thread a job.
    Disk(Job),
    /// Begins a job beside the window. One with the same id is abandoned.
    Begin(BackgroundJob),
    /// Asks a job to stop. Its last event still comes.
    Cancel(JobId),
    /// Abandons a job, whose events are not wanted any more.
    Leave(JobId),
    /// Starts the engines of a campaign.
    StartCampaign(Box<StartingCampaign>),
    /// Asks an engine of a campaign for something, or all of them.
    Campaign(CampaignId, Option<usize>, EngineTask),
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

impl From<BackgroundJob> for Effect {
    fn from(job: BackgroundJob) -> Self {
        Effect::Begin(job)
    }
}

impl From<DeviceTask> for Effect {
    fn from(task: DeviceTask) -> Self {
        Effect::Begin(BackgroundJob::Device(task))
    }
}
