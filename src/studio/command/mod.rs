//! What panels queue: the commands, which name those of every place, and the table of all actions, which gives commands
//! words and keys. The handlers of the places execute them.

mod action_info;
mod actions;
mod file_question;
mod files;

use std::path::PathBuf;

use crate::fuzz::{CampaignForm, CampaignOrder};
use crate::mirror::{FrameNo, PathPosition};
use crate::replay::ExportId;
use crate::state::{CampaignId, Place, RecordView};
use taproof_campaign::Target;
use taproof_screen::{Event, Gesture, PxPoint, WidgetIdx};

pub use crate::fuzz::{CampaignCommand, RuleChange};
pub use crate::phone::{DataAnswer, DeviceCommand, KeepCommand, TakeOver, WidgetCommand};
pub use crate::record::{DiscoverCommand, ProposalCommand, RecordCommand};
pub use crate::replay::{ExportCommand, HistoryCommand, ReplayCommand};
pub use crate::shell::WindowCommand;
pub use crate::specs::{DocumentCommand, RepairCommand, TrialCommand};
pub use action_info::{ActionInfo, Group, Order};
pub use actions::{action, actions, actions_for};
pub use file_question::{FileKind, FilePurpose, FileQuestion};
pub use files::FileCommand;

/// A command of a panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Shows a place of the studio.
    Go(Place),
    /// Shows a side of the place Record.
    GoRecord(RecordView),
    /// Starts an app with these bugs on the live phone, with empty data on a bundled one.
    UseApp(Target),
    /// A command about the devices behind adb.
    Device(DeviceCommand),
    /// Answers whether an app's data on a device may be cleared.
    AnswerAboutData(DataAnswer),
    /// Plays a flow of Maestro on the shown app, and makes it the recording.
    ImportFlow(PathBuf),
    /// Shows the recorded walk in this folder.
    OpenWalk(PathBuf),
    /// Returns from a walk to the live phone.
    LivePhone,
    /// Restarts the shown app with cleared data and its initial steps, as tests do.
    BeginAnew,
    /// Shows this step of the walk.
    SeekWalk(usize),
    /// Moves this many steps in the walk, backwards if negative.
    StepWalk(isize),
    /// Performs a gesture on the live phone, on the frame that the person saw.
    Touch {
        /// The number of the frame that the person saw.
        frame: FrameNo,
        /// Where the gesture begins, in pixels of the device.
        at: PxPoint,
        /// The gesture to perform there, such as a tap.
        gesture: Gesture,
    },
    /// Performs an event that needs no point.
    Perform(Event),
    /// Highlights a widget of the live phone in the tree and on the picture.
    Select(Option<WidgetIdx>),
    /// A command about a widget on the phone's screen.
    Widget(WidgetCommand),
    /// Changes the test rules for the app on the phone.
    Rule(RuleChange),
    /// A command about the window itself.
    Window(WindowCommand),
    /// Asks for a file or folder, or answers such a question.
    File(FileCommand),
    /// A command about the recording of a function.
    Record(RecordCommand),
    /// A command about functions proposed from what was not recorded.
    Proposal(ProposalCommand),
    /// A command about exploring the app for functions.
    Discover(DiscoverCommand),
    /// A command about the open specifications.
    Document(DocumentCommand),
    /// A command about trying a DMF.
    Trial(TrialCommand),
    /// A command about mending a specification for a new version of the app.
    Repair(RepairCommand),
    /// Moves the phone to this position of its path.
    Stand(PathPosition),
    /// A command about leading the phone along a trace.
    TakeOver(TakeOver),
    /// A command about saving the phone's path.
    Keep(KeepCommand),
    /// Outlines these widgets on the phone: the matches of a query.
    Match(Vec<WidgetIdx>),
    /// Opens a file or folder with the desktop's program for it.
    OpenOutside(PathBuf),
    /// Hides the message in the status line.
    DismissMessage,
    /// Replaces the contents of the form that starts a campaign.
    EditForm(Box<CampaignForm>),
    /// Starts a campaign with these validated settings.
    StartCampaign(Box<CampaignOrder>),
    /// Pauses (`true`) or resumes a campaign.
    PauseCampaign(CampaignId, bool),
    /// Stops all engines of a campaign.
    CancelCampaign(CampaignId),
    /// Another command about campaigns.
    Campaign(CampaignCommand),
    /// Selects a campaign, so that its progress is shown.
    ShowCampaign(CampaignId),
    /// Opens the finding with this id in Replay.
    OpenFinding(CampaignId, String),
    /// Exports a finding or a campaign as a file.
    Export(ExportCommand),
    /// Cancels an export; no file is written.
    CancelExport(ExportId),
    /// Copies a text about the open finding to the clipboard.
    CopyCommands,
    /// A command about the findings of the workspace.
    History(HistoryCommand),
    /// Moves the cursor of the replay, or changes how it plays.
    Replay(ReplayCommand),
}

impl From<CampaignCommand> for Command {
    fn from(command: CampaignCommand) -> Self {
        Command::Campaign(command)
    }
}

impl From<KeepCommand> for Command {
    fn from(command: KeepCommand) -> Self {
        Command::Keep(command)
    }
}

impl From<WindowCommand> for Command {
    fn from(command: WindowCommand) -> Self {
        Command::Window(command)
    }
}
