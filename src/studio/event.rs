//! Everything that can change the state of the window. Events are handled one after the other, in the order of their
//! arrival, by `app/handle.rs`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::command::Command;
use crate::disk::Done;
use crate::fuzz::{CampaignNews, EventQuery, EventsFound, StartingCampaign};
use crate::phone::{DeviceNews, Judgement, Opened, PhoneReport};
use crate::record::{DiscoveryNews, ImportedFlow, WayCut};
use crate::replay::{ExportId, ExportNews, MinimiserNews, OpenerNews};
use crate::specs::{RepairNews, TrialNews};
use crate::state::{CampaignId, Message};
use taproof_session::dates::Date;

/// Something that happened.
pub(crate) enum Event {
    /// A panel queued a command, or a handler wants one to be executed.
    Command(Command),
    /// The person used the keyboard or the pointer at this time of the window's clock, in seconds.
    Input(f64),
    /// A file or folder was dropped on the window.
    Dropped(PathBuf),
    /// The person closes the window.
    Closing,
    /// The program was asked to end from outside the window.
    EndAsked,
    /// A frame begins. Comes after all other events of the frame.
    Tick(Tick),
    /// The mirror reported.
    Phone(PhoneReport),
    /// An order was sent to the mirror: its number, or `None` if it was refused, and what it opens.
    Ordered(Option<u64>, Option<Opened>),
    /// Something is known of the devices behind adb.
    Device(DeviceNews),
    /// The path on the phone was searched for functions.
    Proposals(Result<WayCut, String>),
    /// The exploration of an app has come further.
    Discovery(DiscoveryNews),
    /// A flow was played, or why it cannot be.
    Imported(Result<Box<ImportedFlow>, String>),
    /// The trial has come further.
    Trial(TrialNews),
    /// The repair of a specification has come further.
    Repair(RepairNews),
    /// The engines of a campaign reported.
    Campaign(CampaignId, CampaignNews),
    /// The engines of a campaign were started, or why they cannot be.
    CampaignStarted(Result<Box<StartingCampaign>, String>),
    /// The disk thread has done a job.
    Disk(Done),
    /// The disk thread cannot be reached any more.
    DiskGone,
    /// The person is to know of something.
    Message(Message),
    /// The function with this name was written into a specification.
    FunctionSaved(String),
    /// The finding that is being minimised has come further.
    Minimiser(MinimiserNews),
    /// A re-execution of a finding was judged, which began with the order of this number.
    Judged(u64, Judgement),
    /// The finding that is being opened has come further.
    Opener(OpenerNews),
    /// The findings with these words on a screen, by their numbers, or why they are not known.
    ScreensFound(String, Result<BTreeSet<i64>, String>),
    /// Events of a campaign were looked for.
    EventsFound(EventQuery, Result<EventsFound, String>),
    /// An export has come further.
    Export(ExportId, ExportNews),
}

/// The beginning of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tick {
    /// The time of the window's clock, in seconds.
    pub now: f64,
    /// The date and time.
    pub today: Date,
    /// Whether threads that were asked to stop may still be running.
    pub leaving: bool,
}

impl From<Command> for Event {
    fn from(command: Command) -> Self {
        Event::Command(command)
    }
}
