//! What panels ask for. One place executes it (`app/run_command.rs`).

use std::path::PathBuf;

use crate::mirror::{FrameNo, PathPlace};
use taproof_core::model::{Event, Gesture, PxPoint, WidgetIdx};

use super::campaign_command::CampaignCommand;
use super::campaign_form::{CampaignForm, CampaignOrder};
use super::campaigns::CampaignId;
use super::devices::DeviceCommand;
use super::documents::DocumentCommand;
use super::export::{ExportCommand, FindingText};
use super::exporting::ExportId;
use super::files::FileCommand;
use super::history::HistoryCommand;
use super::keep::KeepCommand;
use super::proposals::ProposalCommand;
use super::record::RecordCommand;
use super::replay::ReplayCommand;
use super::settings::{BuildChoice, Place, RecordView};
use super::takeover::TakeOver;
use super::trial::TrialCommand;
use super::window::WindowCommand;

/// What panels ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Shows a place.
    Go(Place),
    /// Shows a side of the place Record.
    GoRecord(RecordView),
    /// Puts an app with these bugs on the live phone, with empty data.
    UseApp(String, BuildChoice),
    /// Devices behind adb.
    Device(DeviceCommand),
    /// Shows a recorded walk.
    OpenWalk(PathBuf),
    /// Goes back from a walk to the live phone.
    LivePhone,
    /// Starts the app that is shown on a device with cleared data, as a test does.
    BeginAnew,
    /// Shows a step of the walk.
    SeekWalk(usize),
    /// Goes so many steps on in the walk, or back.
    StepWalk(isize),
    /// A gesture on the live phone, on the frame that the person saw.
    Touch {
        /// That frame.
        frame: FrameNo,
        /// Where.
        at: PxPoint,
        /// What.
        gesture: Gesture,
    },
    /// An event that needs no point.
    Perform(Event),
    /// Marks a widget of the live phone in tree and picture until another is chosen.
    Select(Option<WidgetIdx>),
    /// The window itself.
    Window(WindowCommand),
    /// Asks for a file or folder, or answers.
    File(FileCommand),
    /// The recording.
    Record(RecordCommand),
    /// What was done without recording it.
    Proposal(ProposalCommand),
    /// The specifications.
    Document(DocumentCommand),
    /// Tries a DMF.
    Trial(TrialCommand),
    /// Puts the phone where its way comes.
    Stand(PathPlace),
    /// Leads the phone along a trace.
    TakeOver(TakeOver),
    /// Keeps the way of the phone.
    Keep(KeepCommand),
    /// Outlines these widgets on the phone: what a query names.
    Match(Vec<WidgetIdx>),
    /// Hides the message in the status line.
    DismissMessage,
    /// The form that starts a campaign, as edited.
    EditForm(Box<CampaignForm>),
    /// Starts a campaign.
    StartCampaign(Box<CampaignOrder>),
    /// Lets a campaign wait (true) or go on.
    PauseCampaign(CampaignId, bool),
    /// Stops a campaign.
    CancelCampaign(CampaignId),
    /// What else is asked of the campaigns.
    Campaign(CampaignCommand),
    /// Shows the numbers of a campaign.
    ShowCampaign(CampaignId),
    /// Steps through the finding of that id.
    OpenFinding(CampaignId, String),
    /// Writes a finding or a campaign as a file for other people.
    Export(ExportCommand),
    /// Stops an export; nothing is written.
    CancelExport(ExportId),
    /// Puts a text about the open finding on the clipboard.
    CopyFinding(FindingText),
    /// The findings of the workspace.
    History(HistoryCommand),
    /// Moves the cursor of the replay.
    Replay(ReplayCommand),
}
