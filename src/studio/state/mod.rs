//! What the window shows: plain data that panels read, and the commands that they queue.
//!
//! No egui, no disk, no threads: what the window does is testable without pixels. Only
//! `app/run_command.rs` and the draining of workers change it.

mod actions;
mod campaign_actions;
mod campaign_command;
mod campaign_form;
mod campaigns;
mod chooser;
mod command;
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
    Divergence, Expected, FrameNo, PathNo, PathPlace, Performed, PictureSource, Screenshot, Seen, Shown,
    Standing, WalkPlace,
};
pub use actions::{ActionInfo, Group, Order, action, actions, actions_for};
pub use campaign_command::{CampaignCommand, FuzzView};
pub use campaign_form::{CampaignForm, CampaignOrder, FormField, FormProblems, PBFDROID, toggled};
pub use campaigns::{
    CampaignId, CampaignPhase, CampaignState, Campaigns, EngineRunState, PreparedCampaign, end_words,
    oracle_word,
};
pub use chooser::{ChooserCommand, FileChooser, FileEntry, HOME_FOLDER, Looked, PathIs};
pub use command::Command;
pub use curves::{Compared, Curve, CurveAxis, CurveChoice, CurveLine, KeptCurves, Sample, thin};
pub use devices::{
    DeviceCommand, DeviceLine, Devices, DevicesInUse, Installing, LayoutServer, Search, sentence,
};
pub use diff_tree::{DiffKind, DiffRow, DiffTree, diff_tree};
pub use documents::{
    Answer, DmfTime, DocumentCommand, DocumentId, DocumentQuestion, DocumentTask, Documents, DraftFile,
    DraftText, FileToWrite, Fix, JsonTarget, JsonView, SpecDocument, SpecEdit, SpecFile, edit, file_name,
    fix, in_words, new_dmf, numbered, rename_dmf, rename_widget, widgets_used,
};
pub use earlier::{EarlierCampaign, Resumed};
pub use engine_choice::{EngineChoice, SettingField, SettingKind};
pub use export::{ExportCommand, ExportSubject, FindingText, finding_text};
pub use exporting::{ExportId, Exporting};
pub use files::{Asking, FileCommand, FileKind, FilePurpose, FileQuestion};
pub use graph::{GraphCommand, GraphOf, GraphRow, GraphState, GraphStep, GraphView, StateTold};
pub use history::{FindingFilter, FindingKey, History, HistoryCommand, HistoryLine, HistoryRow, Opening};
pub use initial::InitialSteps;
pub use keep::{KeepCommand, Picking, TestDraft, opened_trace, saved_way};
pub use mirror::{MirrorState, Walked, WayOrigin};
pub use pair::{PairRow, ReferenceStep, pair_rows, reference_marks, reference_step};
pub use proposals::{ProposalCard, ProposalCommand, ProposalState, WayCut, WayToCut};
pub use record::{
    Around, Choices, ConditionLine, Done, Guess, InsertAt, Known, ObjectLine, PickFor, PickedCondition,
    RecordCommand, RecordEdit, RecordPhase, RecordState, Recording, RecordingCopy, StandAt, StepLine,
    layout_word,
};
pub use replay::{ReplayCommand, ReplaySource, ReplayState, Speed};
pub use settings::{AppEntry, BuildChoice, Place, RecordView, SCALES, Settings, Theme, WindowPlace};
pub use step_view::{DataRow, ObjectChange, ReplayLine, StepRow, StepView};
pub use takeover::{LiveTrace, Reexecution, TakeOver, TakenOver, TraceSource};
pub use taproof_results::report::{
    Change, ChangeKind, ExportKind, Mark, ReplayFrame, Way, replay_frame, touch_of,
};
pub use thumbnail::{thumb_key, thumbnail};
pub use tree::{TreeRow, attributes, flag_words, tree_rows};
pub use trial::{TRIAL_RUNS, TrialCommand, TrialState};
pub use window::{Sheet, WindowCommand, WindowState};

use std::collections::BTreeMap;
use std::sync::Arc;

use taproof_core::campaign::SavedTrace;
use taproof_core::model::{Layout, WidgetIdx};

/// Everything that the window shows.
#[derive(Default)]
pub struct StudioState {
    /// What the person chose.
    pub settings: Settings,
    /// The window itself.
    pub window: WindowState,
    /// The apps that can be chosen.
    pub apps: Vec<AppEntry>,
    /// The devices behind adb.
    pub devices: Devices,
    /// The phone.
    pub mirror: MirrorState,
    /// The widget chosen in the phone's tree.
    pub selected: Option<WidgetIdx>,
    /// The recording.
    pub record: RecordState,
    /// What the phone's way looks like where nothing is recorded.
    pub proposals: ProposalState,
    /// The specifications.
    pub documents: Documents,
    /// *Try it*.
    pub trial: TrialState,
    /// The question that the platform's file dialog asks.
    pub asking: Option<Asking>,
    /// The question for a file that is open in the window.
    pub chooser: Option<FileChooser>,
    /// The campaigns.
    pub campaigns: Campaigns,
    /// What was found, now and before.
    pub history: History,
    /// The finding that is stepped through.
    pub replay: Option<ReplayState>,
    /// The trace that the phone was led along.
    pub takeover: Option<TakenOver>,
    /// The regression test that is being made of the phone's way.
    pub keep: Option<TestDraft>,
    /// A trace that was read from a file, until the phone is led along it.
    pub opened: Option<Box<SavedTrace>>,
    /// Widgets of the phone's screen that a query names.
    pub matches: Vec<WidgetIdx>,
    /// Small pictures of screens, by what `thumb_key` says of the screen; `None` while one is being made.
    pub thumbnails: BTreeMap<usize, (Arc<Layout>, Option<Screenshot>)>,
    /// The exports that are being written.
    pub exports: Vec<Exporting>,
    /// News for the status line.
    pub message: Option<Message>,
}

/// News for the status line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What happened, to what, what to do.
    pub text: String,
    /// What kind of news it is.
    pub kind: News,
}

/// A kind of news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Something was done.
    Done,
    /// A bug was found.
    Found,
    /// Something failed.
    Failed,
}

impl StudioState {
    /// The app of that package.
    pub fn app(&self, package: &str) -> Option<&AppEntry> {
        self.apps.iter().find(|app| app.package == package)
    }

    /// The app on the live phone.
    pub fn current_app(&self) -> Option<&AppEntry> {
        let (package, build) = (&self.settings.app, &self.settings.build);
        self.apps.iter().find(|app| build.means(app, package))
    }

    /// A finding was read: it is shown if it is still the one asked for. Returns whether it was new.
    pub fn opened(&mut self, replay: ReplayState) -> bool {
        let key = replay.source.key.clone();
        if self.history.opening.take_if(|opening| opening.key == key).is_none() {
            return false;
        }
        self.replay = Some(replay);
        self.history.see(&key, true)
    }

    /// A finding cannot be read.
    pub fn not_opened(&mut self, key: &FindingKey, problem: String) {
        if let Some(opening) = self.history.opening.as_mut().filter(|opening| opening.key == *key) {
            opening.problem = Some(problem);
            self.replay = None;
        }
    }

    /// Tells something.
    pub fn tell(&mut self, text: impl Into<String>) {
        self.news(News::Done, text.into());
    }

    /// Tells that a bug was found.
    pub fn tell_found(&mut self, title: &str) {
        self.news(News::Found, format!("Found: {title}"));
    }

    fn news(&mut self, kind: News, text: String) {
        self.message = Some(Message { text, kind });
    }

    /// Tells that something failed.
    pub fn tell_failure(&mut self, text: impl Into<String>) {
        self.news(News::Failed, text.into());
    }
}
