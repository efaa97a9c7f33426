//! Specifications: opens the bundled ones at the start and executes the panels' commands. File accesses and dialogs go
//! on to the disk thread and the platform.

use std::time::Duration;

use super::{DiskTask, DmfTime, DocumentCommand, DocumentTask, SpecDocument};
use crate::command::Command;
use crate::record::RecordPhase;
use crate::shell::{FileCommand, Place, RecordView};

use crate::app::Studio;
use crate::app::jobs::Job;
use crate::phone::bundled;

/// Seconds without a change after which a draft is written.
const REST: f64 = 0.7;
/// Longest pause in seconds between two inputs that still counts as work on a DMF.
const LONGEST_PAUSE: f64 = 60.0;
/// Seconds of work after which the times are written again.
const KEEP_TIMES: f64 = 10.0;

/// Timers for drafts and for the seconds spent on DMFs. All times are in seconds of the window's clock.
#[derive(Default)]
pub(crate) struct DocumentClock {
    /// The number of edits so far, and when it last changed. The time is `None` if the drafts are written.
    revisions: u64,
    changed: Option<f64>,
    /// When the last input arrived.
    touched: Option<f64>,
    /// Seconds of work that are not written yet.
    unkept: f64,
    /// Whether the person confirmed that the window may close.
    pub(crate) leaving: bool,
}

impl Studio {
    /// Opens the bundled specifications, and requests what earlier sessions left.
    pub(crate) fn load_apps(&mut self) {
        for (mut entry, sources) in bundled::entries(&self.apps) {
            let id = self.state.documents.next_id();
            let sources = sources.into_iter().map(|source| (source.name, None, source.text)).collect();
            match SpecDocument::read(id, &entry.label, sources) {
                Ok(mut document) => {
                    entry.dmfs = document.spec.dmfs.len();
                    document.app.clone_from(&entry.package);
                    document.shipped = true;
                    self.state.documents.list.push(document);
                }
                Err((name, error)) => self.state.notify_failure(format!("{name} cannot be read: {error}")),
            }
            self.state.apps.push(entry);
        }
    }

    /// Executes a command of a panel about specifications.
    pub(crate) fn run_document(&mut self, command: DocumentCommand) {
        // A recording belongs to the app that it was made in, whatever app the phone shows now.
        let package = match &command {
            DocumentCommand::Keep(..) => &self.state.record.target.app,
            _ => &self.state.settings.target.app,
        };
        let app = self.state.app(package).cloned();
        if matches!(command, DocumentCommand::New) {
            self.state.settings.place = Place::Record;
            self.state.settings.record_view = RecordView::Specification;
        }
        let keeps = matches!(command, DocumentCommand::Keep(..));
        let tasks = self.state.documents.run(command, app.as_ref());
        self.do_tasks(tasks);
        let own = app.filter(|_| keeps).and_then(|app| self.state.documents.own(&app.package));
        if let Some((app, id)) = own.map(|document| (document.app.clone(), document.id)) {
            // The next campaign is likely to use the specification that was just saved.
            self.state.campaigns.form.choose_app(&app);
            self.state.campaigns.form.choose_document(id);
        }
    }

    pub(crate) fn do_tasks(&mut self, tasks: Vec<DocumentTask>) {
        for task in tasks {
            match task {
                DocumentTask::Disk(task) => self.ask(Job::Files(task)),
                DocumentTask::Ask(question) => self.run_file(FileCommand::Ask(question)),
                DocumentTask::OpenWalk(folder) => self.commands.push(Command::OpenWalk(folder)),
                DocumentTask::OpenTrace(path) => self.open_trace_file(path),
                DocumentTask::Kept(name) => self.state.record.was_kept(name),
                DocumentTask::Notify(text, true) => self.state.notify_failure(text),
                DocumentTask::Notify(text, false) => self.state.notify(text),
                DocumentTask::CloseWindow => {
                    self.clock.leaving = true;
                    self.ctx.send_viewport_cmd(egui::ViewportCommand::Close);
                }
            }
        }
    }

    /// Called once per pass: executes what the disk thread's results require, opens dropped files, writes drafts,
    /// counts seconds, and guards against closing with unsaved changes.
    pub(crate) fn tend_documents(&mut self) {
        let pending = std::mem::take(&mut self.state.documents.pending);
        self.do_tasks(pending);
        let dropped = self.ctx.input(|input| input.raw.dropped_files.clone());
        for path in dropped.into_iter().map(|file| file.path().to_owned()) {
            if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("apk")) {
                self.install_dropped(path);
            } else {
                self.run_document(DocumentCommand::Open(path));
            }
        }
        let now = self.ctx.input(|input| input.time);
        self.keep_drafts(now);
        self.count_seconds(now);
        self.guard_the_end();
    }

    fn keep_drafts(&mut self, now: f64) {
        let revisions = self.state.documents.revisions();
        if revisions != self.clock.revisions {
            self.clock.revisions = revisions;
            self.clock.changed = Some(now);
        }
        let Some(changed) = self.clock.changed else { return };
        let left = REST - (now - changed);
        if left <= 0.0 {
            self.clock.changed = None;
            let tasks = self.state.documents.drafts();
            self.do_tasks(tasks);
        } else {
            self.ctx.request_repaint_after(Duration::from_secs_f64(left));
        }
    }

    /// Attributes the time between two inputs to the shown DMF or to the recording.
    fn count_seconds(&mut self, now: f64) {
        if self.ctx.input(|input| input.raw.events.is_empty()) {
            return;
        }
        let spent = self.clock.touched.replace(now).map_or(0.0, |touched| now - touched);
        let settings = &self.state.settings;
        if spent > LONGEST_PAUSE || settings.place != Place::Record {
            return;
        }
        match settings.record_view {
            RecordView::Recording if self.state.record.phase != RecordPhase::Idle => {
                self.state.documents.recording += spent
            }
            RecordView::Recording => return,
            RecordView::Specification => {
                let app = settings.target.app.clone();
                let id = self.state.documents.shown(&app).filter(|it| !it.shipped).map(|it| it.id);
                let Some(document) = id.and_then(|id| self.state.documents.get_mut(id)) else { return };
                let Some(name) = document.dmf().map(|dmf| dmf.name.clone()) else { return };
                let time: &mut DmfTime = document.times.entry(name).or_default();
                time.editing += spent;
                self.clock.unkept += spent;
            }
        }
        if self.clock.unkept > KEEP_TIMES {
            self.keep_times();
        }
    }

    /// Writes the seconds spent on DMFs, if there are new ones.
    pub(crate) fn keep_times(&mut self) {
        if std::mem::take(&mut self.clock.unkept) > 0.0 {
            let times = self.state.documents.all_times();
            self.ask(Job::Files(DiskTask::KeepTimes(times)));
        }
    }

    /// Asks before a window with unsaved changes is closed.
    fn guard_the_end(&mut self) {
        let closing = self.ctx.input(|input| input.viewport().close_requested());
        if closing && !self.clock.leaving && self.state.documents.unsaved() > 0 {
            self.ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.run_document(DocumentCommand::Quit);
        }
    }
}
