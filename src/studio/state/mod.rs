//! The state that the window shows: plain data that panels read, and the commands that they queue.
//!
//! There is no egui, disk or thread here, so that the window's behaviour can be tested without pixels. The state is
//! changed only by `app/run_command.rs` and by taking the messages of workers.

mod action_info;
mod actions;
mod bug_cards;
mod campaign_actions;
mod campaign_command;
mod campaign_form;
mod campaign_id;
mod campaigns;
mod chooser;
mod command;
mod curve_lines;
mod curves;
mod devices;
mod diff_tree;
mod documents;
mod earlier;
mod engine_choice;
mod export;
mod exporting;
mod files;
mod form_history;
mod graph;
mod history;
mod initial;
mod keep;
mod mirror;
mod pair;
mod proposals;
mod record;
mod replay;
mod settings;
mod step_view;
mod takeover;
mod thumbnail;
mod tree;
mod trial;
mod window;

pub use crate::mirror::{
    Divergence, Expected, FrameNo, PathNo, PathPosition, Performed, PictureSource, ReachedBy, Screenshot,
    Seen, Shown, WalkPlace,
};
pub use action_info::{ActionInfo, Group, Order};
pub use actions::{action, actions, actions_for};
pub use bug_cards::{BugCard, BugCards};
pub use campaign_command::{CampaignCommand, FuzzView};
pub use campaign_form::{
    CampaignForm, CampaignOrder, FormField, FormProblems, PBFDROID, SeedChoice, toggled,
};
pub use campaign_id::CampaignId;
pub use campaigns::{
    CampaignPhase, CampaignState, Campaigns, EngineRunState, PreparedCampaign, end_words, oracle_word,
};
pub use chooser::{ChooserCommand, FileChooser, FileEntry, HOME_FOLDER, Looked, PathIs};
pub use command::Command;
pub use curve_lines::CurveLine;
pub use curves::{Compared, Curve, CurveAxis, CurveChoice, KeptCurves, Sample, thin};
pub use devices::{
    AppSearch, DeviceCommand, DeviceLine, Devices, DevicesInUse, Installing, LayoutServer, Search, sentence,
};
pub use diff_tree::{DiffKind, DiffRow, DiffTree, diff_tree};
pub use documents::{
    Answer, DiskTask, DmfTime, DmfTimes, DocumentCommand, DocumentId, DocumentQuestion, DocumentTask,
    Documents, FileToWrite, Fix, JsonTarget, JsonView, SpecDocument, SpecEdit, SpecFile, edit, file_name,
    fix, in_words, new_dmf, numbered, rename_dmf, rename_widget, widgets_used,
};
pub use earlier::{EarlierCampaign, Resumed};
pub use engine_choice::{EngineChoice, SettingField, SettingKind};
pub use export::{ExportCommand, ExportSubject, FindingText, finding_text};
pub use exporting::{ExportId, Exporting};
pub use files::{Asking, FileCommand, FileKind, FilePurpose, FileQuestion};
pub use graph::{GraphCommand, GraphOf, GraphRow, GraphState, GraphStep, GraphView, StateSummary};
pub use history::{
    FindingFilter, FindingKey, History, HistoryCommand, HistoryLine, HistoryRow, Minimising, Opening,
    with_steps,
};
pub use initial::InitialSteps;
pub use keep::{KeepCommand, Picking, TestDraft, opened_trace, saved_way};
pub use mirror::{MirrorState, WalkedPath, WayOrigin};
pub use pair::{PairRow, ReferenceStep, pair_rows, reference_marks, reference_step};
pub use proposals::{ProposalCard, ProposalCommand, ProposalState, WayCut, WayToCut};
pub use record::{
    Around, Choices, ConditionLine, Guess, InsertAt, Known, ObjectLine, PickFor, PickedCondition,
    RecordCommand, RecordEdit, RecordPhase, RecordState, RecordedAction, Recording, StandAt, StepLine,
    layout_word,
};
pub use replay::{ReplayCommand, ReplaySource, ReplayState, Speed};
pub use settings::{AppEntry, Place, RecordView, SCALES, Settings, Theme, WindowPlace, build_word};
pub use step_view::{DataRow, ObjectChange, ReplayLine, StepRow, StepView};
pub use takeover::{LiveTrace, Reexecution, TakeOver, TakenOver, TraceSource};
pub use taproof_adb::ScreenHolder;
pub use taproof_results::report::{
    Change, ChangeKind, ExportKind, FindingTrace, Mark, ReplayFrame, replay_frame, touch_of,
};
pub use thumbnail::{ThumbnailKey, ThumbnailOf, thumbnail};
pub use tree::{TreeRow, attributes, flag_words, tree_rows};
pub use trial::{TRIAL_RUNS, TrialCommand, TrialState};
pub use window::{Sheet, WindowCommand, WindowState};

use std::collections::BTreeMap;

use taproof_core::campaign::{SavedTrace, Target};
use taproof_core::model::WidgetIdx;

/// The state of the window.
#[derive(Default)]
pub struct StudioState {
    /// The settings that the person has chosen.
    pub settings: Settings,
    /// The state of the window itself.
    pub window: WindowState,
    /// The apps that can be chosen.
    pub apps: Vec<AppEntry>,
    /// The devices behind adb.
    pub devices: Devices,
    /// The phone that is shown, with its path.
    pub mirror: MirrorState,
    /// The widget selected in the phone's tree.
    pub selected: Option<WidgetIdx>,
    /// The recording of a function, and the DMF made from it.
    pub record: RecordState,
    /// Functions proposed from what was done without recording it.
    pub proposals: ProposalState,
    /// The specifications that are open as documents.
    pub documents: Documents,
    /// The DMF that is tried with *Try it*.
    pub trial: TrialState,
    /// The finding that is being confirmed and minimised.
    pub minimising: Option<Minimising>,
    /// The question that the platform's file dialog is asking.
    pub asking: Option<Asking>,
    /// The file chooser that is open in the window.
    pub chooser: Option<FileChooser>,
    /// The campaigns of this window, and the form that starts them.
    pub campaigns: Campaigns,
    /// The findings of the workspace.
    pub history: History,
    /// The finding that is open in Replay.
    pub replay: Option<ReplayState>,
    /// The trace that the phone was led along.
    pub takeover: Option<TakenOver>,
    /// The regression test that is being drafted from the phone's path.
    pub keep: Option<TestDraft>,
    /// A trace that was read from a file, until the phone is led along it.
    pub opened: Option<Box<SavedTrace>>,
    /// The widgets on the phone's screen that match a query.
    pub matches: Vec<WidgetIdx>,
    /// Thumbnails of screens by [`ThumbnailOf::key`]. `None` while one is being rendered.
    pub thumbnails: BTreeMap<ThumbnailKey, (ThumbnailOf, Option<Screenshot>)>,
    /// The exports in progress.
    pub exports: Vec<Exporting>,
    /// The message in the status line.
    pub message: Option<Message>,
}

/// A message for the status line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What happened, to what, and what to do about it.
    pub text: String,
    /// The kind of message.
    pub kind: News,
}

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// An operation was completed.
    Done,
    /// A bug was found.
    Found,
    /// An operation failed.
    Failed,
}

impl StudioState {
    /// Returns the first app with this package.
    pub fn app(&self, package: &str) -> Option<&AppEntry> {
        self.apps.iter().find(|app| app.package == package)
    }

    /// The app on the live phone.
    pub fn current_app(&self) -> Option<&AppEntry> {
        self.apps.iter().find(|app| app.is(&self.settings.target))
    }

    /// Where the app of a restored recording can be run: a recording does not say which device it was made on. `None`
    /// as long as no device with the app is connected.
    pub fn place_of_recording(&self) -> Option<Target> {
        let target = &self.record.target;
        let app = self.app(&target.app)?;
        Some(match (&app.device, &target.device) {
            (Some(serial), None) => Target::installed(target.app.clone(), serial.clone()),
            _ => target.clone(),
        })
    }

    /// The device that is being opened, so that what is shown is another one. `None` for the bundled phone, which is
    /// opened at once.
    pub fn connecting(&self) -> Option<&str> {
        self.settings.target.device.as_deref().filter(|_| self.mirror.opening())
    }

    /// Shows a loaded finding if it is still the one that was requested. Returns whether it was unseen before.
    pub fn opened(&mut self, replay: ReplayState) -> bool {
        let key = replay.source.key.clone();
        if self.history.opening.take_if(|opening| opening.key == key).is_none() {
            return false;
        }
        self.replay = Some(replay);
        self.history.see(&key, true)
    }

    /// Records that a finding cannot be loaded.
    pub fn not_opened(&mut self, key: &FindingKey, problem: String) {
        if let Some(opening) = self.history.opening.as_mut().filter(|opening| opening.key == *key) {
            opening.problem = Some(problem);
            self.replay = None;
        }
    }

    /// Shows a message in the status line.
    pub fn notify(&mut self, text: impl Into<String>) {
        self.news(News::Done, text.into());
    }

    /// Shows in the status line that a bug was found.
    pub fn notify_found(&mut self, title: &str) {
        self.news(News::Found, format!("Found: {title}"));
    }

    fn news(&mut self, kind: News, text: String) {
        self.message = Some(Message { text, kind });
    }

    /// Shows in the status line that something failed.
    pub fn notify_failure(&mut self, text: impl Into<String>) {
        self.news(News::Failed, text.into());
    }
}
