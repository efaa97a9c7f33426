//! Exports: the file is asked for, then built and written on a thread of its own, so that nothing waits behind
//! it that must be kept. A file is written whole or not at all.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crossbeam_channel::{Receiver, bounded};

use crate::state::{
    ExportCommand, ExportId, ExportSubject, Exporting, FileCommand, FindingKey, FindingText, finding_text,
};
use taproof_core::worker::{self, CancelToken, Latest, PanicReport, Worker};
use taproof_results::report::{CampaignFacts, ExportKind, ReportFacts, export_campaign, export_finding};
use taproof_results::store::{StoreError, StoredPlan, Workspace, replace_file};

use super::bundled::app_label;
use super::{Studio, now};

/// Something that lies in the workspace.
enum Stored {
    /// A finding.
    Finding(FindingKey),
    /// A campaign, by its row.
    Campaign(i64),
}

enum End {
    Written,
    Cancelled,
    Failed(String),
}

/// What is to be written.
struct Export {
    workspace: PathBuf,
    stored: Stored,
    kind: ExportKind,
    path: PathBuf,
}

impl Export {
    /// Open only while it is read: whoever wants to write there may wait for it.
    fn open(&self) -> Result<Workspace, StoreError> {
        Workspace::open_to_read(&self.workspace)
    }

    /// Reads what is stored, builds the file and writes it. The results are read beside the disk thread, which
    /// may commit findings meanwhile.
    fn run(&self, token: &CancelToken, mut hear: impl FnMut(usize, usize)) -> anyhow::Result<End> {
        let mut hear = |done: usize, parts: usize| {
            hear(done, parts);
            if token.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let built = match &self.stored {
            Stored::Finding(key) => {
                let stored = self.open()?.load_finding_of(key.campaign, &key.name)?;
                export_finding(&stored.finding, &facts(&stored.plan), self.kind, &mut hear)
            }
            Stored::Campaign(row) => {
                let stored = self.open()?.load_campaign(*row)?;
                let facts = CampaignFacts { run: facts(&stored.plan), outcome: stored.outcome };
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

fn facts(stored: &StoredPlan) -> ReportFacts {
    let plan = &stored.plan;
    ReportFacts::of(plan, &app_label(&plan.app), stored.spec_facts(), stored.spec_version())
}

/// The handle of the thread. Dropping it cancels and waits.
pub(super) struct ExportWorker {
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
        let (told, end) = bounded(1);
        let (panicked, woken) = (told.clone(), wake.clone());
        let (cancel, slot) = (token.clone(), progress.clone());
        let work = move || {
            let hear = |done, parts| {
                slot.publish((done, parts));
                wake_later();
            };
            let end = export.run(&cancel, hear).unwrap_or_else(|error| End::Failed(error.to_string()));
            if told.send(end).is_ok() {
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
    /// Asks where an export goes.
    pub(super) fn run_export(&mut self, command: ExportCommand) {
        self.run_file(FileCommand::Ask(Box::new(command.question())));
    }

    /// Builds and writes an export.
    pub(super) fn export_to(&mut self, command: ExportCommand, path: PathBuf) {
        let stored = match command.subject {
            ExportSubject::Finding(key) => Stored::Finding(key),
            ExportSubject::Campaign(id) => {
                let Some(row) = self.state.campaigns.get(id).and_then(|campaign| campaign.row) else {
                    return self.state.tell_failure(format!("Campaign {} has not been kept yet.", id.0));
                };
                Stored::Campaign(row)
            }
        };
        if self.exports.values().any(|worker| worker.path == path) {
            return self.state.tell_failure(format!("{} is being written already.", path.display()));
        }
        let id = ExportId(self.exports.last_key_value().map_or(1, |(last, _)| last.0 + 1));
        let file = file_name(&path);
        let export = Export { workspace: self.workspace.clone(), stored, kind: command.kind, path };
        match ExportWorker::start(export, self.wake(), self.wake_later()) {
            Ok(worker) => {
                self.exports.insert(id, worker);
                self.state.exports.push(Exporting::new(id, file));
            }
            Err(error) => self.state.tell_failure(format!("The export cannot start: {error}")),
        }
    }

    /// Asks an export to end.
    pub(super) fn cancel_export(&mut self, id: ExportId) {
        if let Some(worker) = self.exports.get(&id) {
            worker.thread.cancel();
        }
        for export in self.state.exports.iter_mut().filter(|export| export.id == id) {
            export.cancelled = true;
        }
    }

    /// All exports are asked to end.
    pub(super) fn cancel_exports(&mut self) {
        self.exports.values().for_each(|worker| worker.thread.cancel());
    }

    /// Takes how far the exports are.
    pub(super) fn drain_exports(&mut self) {
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
                End::Written => self.state.tell(format!("Exported to {}", worker.path.display())),
                End::Cancelled => {
                    let file = file_name(&worker.path);
                    self.state.tell(format!("The export was cancelled: {file} was not written."));
                }
                End::Failed(problem) => {
                    self.state.tell_failure(format!("Nothing was exported: {problem}"));
                }
            }
            self.leaving.add(worker.thread);
        }
    }

    /// Puts a text about the open finding on the clipboard.
    pub(super) fn copy_finding(&mut self, text: FindingText) {
        if let Some(replay) = &self.state.replay {
            self.ctx.copy_text(finding_text(replay, text, &self.workspace.display().to_string()));
            self.state.tell(match text {
                FindingText::Reproduce => "Copied the commands that show it again.",
                FindingText::Summary => "Copied a summary for an issue tracker.",
            });
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
