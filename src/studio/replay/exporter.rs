//! Exports: the file is chosen first, then built and written on a separate thread, so that nothing that must be saved
//! waits behind it. A file is written completely or not at all.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crossbeam_channel::{Receiver, bounded};

use super::{ExportCommand, ExportId, ExportSubject, Exporting, FindingKey, FindingText, finding_text};
use crate::shell::{FileCommand, FileQuestion};
use taproof_core::worker::{self, CancelToken, Latest, PanicReport, Worker};
use taproof_phone::Apps;
use taproof_results::report::{CampaignFacts, ExportKind, ReportFacts, export_campaign, export_finding};
use taproof_results::store::{StoreError, StoredPlan, Workspace, replace_file};
use taproof_session::shipped_with;

use crate::app::{Studio, now};

/// What is exported from the workspace.
enum Stored {
    /// A finding, by its campaign and name.
    Finding(FindingKey),
    /// A campaign, by its row in the workspace.
    Campaign(i64),
}

enum End {
    Written,
    Cancelled,
    Failed(String),
}

/// An export to be executed.
struct Export {
    apps: Apps,
    workspace: PathBuf,
    stored: Stored,
    kind: ExportKind,
    path: PathBuf,
}

impl Export {
    /// Opens the workspace. It should be dropped soon after reading, since a program that wants to write may wait for
    /// it.
    fn open(&self) -> Result<Workspace, StoreError> {
        Workspace::open_to_read(&self.workspace)
    }

    /// Reads the results, builds the file and writes it. Reads concurrently with the disk thread, which may commit
    /// findings meanwhile. `hear` receives the number of finished parts and of all parts.
    fn run(&self, token: &CancelToken, mut hear: impl FnMut(usize, usize)) -> anyhow::Result<End> {
        let mut hear = |done: usize, parts: usize| {
            hear(done, parts);
            if token.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let built = match &self.stored {
            Stored::Finding(key) => {
                let stored = self.open()?.load_finding_of(key.campaign, &key.name)?;
                export_finding(&stored.finding, &facts(&self.apps, &stored.plan), self.kind, &mut hear)
            }
            Stored::Campaign(row) => {
                let stored = self.open()?.load_campaign(*row)?;
                let facts = CampaignFacts { run: facts(&self.apps, &stored.plan), outcome: stored.outcome };
                export_campaign(&facts, self.kind, &mut hear)
            }
        };
        if token.cancelled() {
            return Ok(End::Cancelled);
        }
        replace_file(&self.path, &built?)?;
        Ok(End::Written)
    }
}

fn facts(apps: &Apps, stored: &StoredPlan) -> ReportFacts {
    let plan = &stored.plan;
    let specs = stored.spec_facts(&shipped_with(apps, &plan.app));
    ReportFacts::of(plan, apps.label(&plan.app), specs, stored.spec_version())
}

/// Handle of an export's thread. Dropping it cancels the export and waits for the thread.
pub(crate) struct ExportWorker {
    progress: Latest<(usize, usize)>,
    end: Receiver<End>,
    began: Instant,
    path: PathBuf,
    thread: Worker,
}

impl ExportWorker {
    fn start(
        export: Export,
        wake: impl Fn() + Send + Clone + 'static,
        wake_later: impl Fn() + Send + 'static,
    ) -> std::io::Result<ExportWorker> {
        let (token, progress, path) = (CancelToken::new(), Latest::new(), export.path.clone());
        let (sender, end) = bounded(1);
        let (panicked, woken) = (sender.clone(), wake.clone());
        let (cancel, slot) = (token.clone(), progress.clone());
        let work = move || {
            let hear = |done, parts| {
                slot.publish((done, parts));
                wake_later();
            };
            let end = export.run(&cancel, hear).unwrap_or_else(|error| End::Failed(error.to_string()));
            if sender.send(end).is_ok() {
                wake();
            }
        };
        let on_panic = move |report: PanicReport| {
            let text = format!("a mistake of Taproof\u{2019}s own ended it: {}", report.message);
            if panicked.send(End::Failed(text)).is_ok() {
                woken();
            }
        };
        let thread = worker::spawn("export", &token, work, on_panic)?;
        Ok(ExportWorker { progress, end, began: now(), path, thread })
    }
}

impl Studio {
    /// Asks for the file to export to.
    pub(crate) fn run_export(&mut self, command: ExportCommand) {
        self.run_file(FileCommand::Ask(Box::new(FileQuestion::export(command))));
    }

    /// Builds and writes an export on a separate thread.
    pub(crate) fn export_to(&mut self, command: ExportCommand, path: PathBuf) {
        let stored = match command.subject {
            ExportSubject::Finding(key) => Stored::Finding(key),
            ExportSubject::Campaign(id) => {
                let Some(row) = self.state.campaigns.get(id).and_then(|campaign| campaign.row) else {
                    return self.state.notify_failure(format!("Campaign {} has not been kept yet.", id.0));
                };
                Stored::Campaign(row)
            }
        };
        if self.exports.values().any(|worker| worker.path == path) {
            return self.state.notify_failure(format!("{} is being written already.", path.display()));
        }
        let id = ExportId(self.exports.last_key_value().map_or(1, |(last, _)| last.0 + 1));
        let file = file_name(&path);
        let (apps, workspace) = (self.apps.clone(), self.workspace.clone());
        let export = Export { apps, workspace, stored, kind: command.kind, path };
        match ExportWorker::start(export, self.wake(), self.wake_later()) {
            Ok(worker) => {
                self.exports.insert(id, worker);
                self.state.exports.push(Exporting::new(id, file));
            }
            Err(error) => self.state.notify_failure(format!("The export cannot start: {error}")),
        }
    }

    /// Cancels the export with this id; no file will be written.
    pub(crate) fn cancel_export(&mut self, id: ExportId) {
        if let Some(worker) = self.exports.get(&id) {
            worker.thread.cancel();
        }
        for export in self.state.exports.iter_mut().filter(|export| export.id == id) {
            export.cancelled = true;
        }
    }

    /// Cancels all exports without waiting for them.
    pub(crate) fn cancel_exports(&mut self) {
        self.exports.values().for_each(|worker| worker.thread.cancel());
    }

    /// Takes the progress and the outcomes of the exports.
    pub(crate) fn drain_exports(&mut self) {
        for export in &mut self.state.exports {
            if let Some(worker) = self.exports.get(&export.id) {
                export.take(worker.progress.take(), worker.began.elapsed().as_secs_f64());
            }
        }
        let ended = |(id, worker): (&ExportId, &ExportWorker)| Some((*id, worker.end.try_recv().ok()?));
        let ended: Vec<(ExportId, End)> = self.exports.iter().filter_map(ended).collect();
        for (id, end) in ended {
            self.state.exports.retain(|export| export.id != id);
            let Some(worker) = self.exports.remove(&id) else { continue };
            match end {
                End::Written => self.state.notify(format!("Exported to {}", worker.path.display())),
                End::Cancelled => {
                    let file = file_name(&worker.path);
                    self.state.notify(format!("The export was cancelled: {file} was not written."));
                }
                End::Failed(problem) => {
                    self.state.notify_failure(format!("Nothing was exported: {problem}"));
                }
            }
            self.leaving.add(worker.thread);
        }
    }

    /// Copies a text about the open finding to the clipboard.
    pub(crate) fn copy_finding(&mut self, text: FindingText) {
        if let Some(replay) = &self.state.replay {
            self.ctx.copy_text(finding_text(replay, text, &self.workspace.display().to_string()));
            self.state.notify(match text {
                FindingText::Reproduce => "Copied the commands that show it again.",
                FindingText::Summary => "Copied a summary for an issue tracker.",
            });
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
