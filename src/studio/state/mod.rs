//! The state that the window shows: plain data that panels read, one part for each subject.
//!
//! There is no egui, disk or thread here, so that the window's behaviour can be tested without pixels. Only the handlers
//! of events change the state.

mod choices;
mod ids;
mod message;
mod settings;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::command::Command;
use crate::fuzz::{Campaigns, ThumbnailKey, ThumbnailOf};
use crate::mirror::Screenshot;
use crate::phone::{AskedAboutData, Devices, MirrorState, TakenOver, TestDraft};
use crate::record::{DiscoverState, ProposalState, RecordClock, RecordState};
use crate::replay::{Exporting, History, Minimising, ReplayState};
use crate::shell::{FileChooser, WindowState};
use crate::specs::{Documents, RepairState, TrialState};
use taproof_campaign::Target;
use taproof_engine::device::AppFacts;
pub use taproof_results::report::place_words;
use taproof_screen::WidgetIdx;

pub use choices::{AppEntry, Place, RecordView, SCALES, Theme, WindowPlace, build_words};
pub use ids::{CampaignId, FindingKey};
#[cfg(test)]
pub(crate) use message::KEPT;
pub use message::{LoggedMessage, Message, MessageLog, News};
pub use settings::Settings;

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
    /// The exploration that proposes functions.
    pub discovery: DiscoverState,
    /// The specifications that are open as documents.
    pub documents: Documents,
    /// The DMF that is tried with *Try it*.
    pub trial: TrialState,
    /// The repair of a specification for a new version of the app.
    pub repair: RepairState,
    /// The question whether an app's data may be cleared, if it is open.
    pub asked_about_data: Option<AskedAboutData>,
    /// The serial of a device that is being checked, and the command that is executed if it can be used.
    pub after_check: Option<(String, Box<Command>)>,
    /// The finding that is being confirmed and minimised.
    pub minimising: Option<Minimising>,
    /// The file chooser, if it is open.
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
    /// The widgets on the phone's screen that match a query.
    pub matches: Vec<WidgetIdx>,
    /// Thumbnails of screens by [`ThumbnailOf::key`]. `None` while one is being rendered.
    pub thumbnails: BTreeMap<ThumbnailKey, (ThumbnailOf, Option<Screenshot>)>,
    /// The exports in progress.
    pub exports: Vec<Exporting>,
    /// The message in the status line.
    pub message: Option<Message>,
    /// The messages so far.
    pub messages: MessageLog,
    /// The folder of all results.
    pub workspace: PathBuf,
    /// What is known of the bundled phone's apps, by which plans are checked.
    pub app_facts: Vec<AppFacts>,
    /// What happens to the recordings with time.
    pub(crate) record_clock: RecordClock,
}

impl StudioState {
    /// Returns the first app with this package.
    pub fn app(&self, package: &str) -> Option<&AppEntry> {
        self.apps.iter().find(|app| app.package == package)
    }

    /// The name of an app for people, or its package if it is not known.
    pub fn label_of<'s>(&'s self, package: &'s str) -> &'s str {
        self.app(package).map_or(package, |app| app.label.as_str())
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

    /// The app of a recording that waits, since another app is on the phone. `None` if there is no recording, or its app
    /// is shown.
    pub fn parked_recording(&self) -> Option<&str> {
        let app = self.record.target.app.as_str();
        let other =
            !app.is_empty() && !self.settings.target.app.is_empty() && app != self.settings.target.app;
        (other && !self.record.is_idle() && !self.record.wants_phone).then_some(app)
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
        self.show_message(Message::new(kind, text));
    }

    /// Shows a message in the status line. News of a campaign replace no message that a person waits for: what was done or
    /// failed. They are only listed then.
    pub fn show_message(&mut self, message: Message) {
        let awaited = self.message.as_ref().is_some_and(|shown| shown.kind != News::Found);
        let shown = message.kind != News::Found || !awaited;
        self.messages.add(message.clone(), shown);
        if shown {
            self.message = Some(message);
        }
    }

    /// Shows in the status line that something failed.
    pub fn notify_failure(&mut self, text: impl Into<String>) {
        self.news(News::Failed, text.into());
    }
}
