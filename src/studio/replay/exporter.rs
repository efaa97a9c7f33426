//! Exports: the file is chosen first, then built and written on a separate thread, so that nothing that must be saved
//! waits behind it. A file is written completely or not at all.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crossbeam_channel::{Receiver, bounded};

use crate::state::FindingKey;
use crate::wall_clock::now;
use taproof_core::worker::{self, CancelToken, Latest, PanicReport, Worker};
use taproof_phone::Apps;
use taproof_results::report::{CampaignFacts, ExportKind, ReportFacts, export_campaign, export_finding};
use taproof_results::store::{StoredCampaign, StoredPlan, Workspace, replace_file};
use taproof_session::shipped_with;

/// What is exported from the workspace.
pub(super) enum Stored {
    /// A finding, by its campaign and name.
    Finding(FindingKey),
    /// A campaign, by its row in the workspace.
    Campaign(i64),
}

/// What is known of an export.
pub(crate) enum ExportNews {
    /// Number of pictures done and of all pictures, if that has changed, and the seconds since the start.
    Progress(Option<(usize, usize)>, f64),
    /// The file is complete.
    Written,
    /// It was cancelled; no file was written.
    Cancelled,
    /// It failed; the reason.
    Failed(String),
    /// Its thread was not started; the reason.
    NotStarted(String),
}

/// An export to be executed.
pub(crate) struct Export {
    pub(super) stored: Stored,
    pub(super) kind: ExportKind,
    /// Number of steps before the failing one whose screens a page shows; `None` for all.
    pub(super) screens_before: Option<usize>,
    pub(super) path: PathBuf,
}

impl Export {
    /// Reads the results, builds the file and writes it. Reads concurrently with the disk thread, which may commit
    /// findings meanwhile. `hear` receives the number of finished parts and of all parts.
    fn run(
        &self,
        (apps, workspace): (&Apps, &Path),
        token: &CancelToken,
        mut hear: impl FnMut(usize, usize),
    ) -> anyhow::Result<ExportNews> {
        let mut hear = |done: usize, parts: usize| {
            hear(done, parts);
            if token.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        // The workspace is closed after reading, since a program that wants to write may wait for it.
        let open = || Workspace::open_to_read(workspace);
        let built = match &self.stored {
            Stored::Finding(key) => {
                let stored = open()?.load_finding_of(key.campaign, &key.name)?;
                export_finding(&stored.finding, &self.facts(apps, &stored.plan), self.kind, &mut hear)
            }
            Stored::Campaign(row) => {
                let stored = open()?.load_campaign(*row)?;
                let StoredCampaign { plan, outcome, corrections } = stored;
                let facts =
                    CampaignFacts { run: self.facts(apps, &plan), outcome, corrections, suspicions: false };
                export_campaign(&facts, self.kind, &mut hear)
            }
        };
        if token.cancelled() {
            return Ok(ExportNews::Cancelled);
        }
        replace_file(&self.path, &built?)?;
        Ok(ExportNews::Written)
    }

    fn facts(&self, apps: &Apps, stored: &StoredPlan) -> ReportFacts {
        let plan = &stored.plan;
        let specs = stored.spec_facts(&shipped_with(apps, &plan.app));
        let facts = ReportFacts::of(plan, apps.label(&plan.app), specs, stored.spec_version());
        ReportFacts { screens_before: self.screens_before, ..facts }
    }
}

/// Handle of an export's thread. Dropping it cancels the export and waits for the thread.
pub(crate) struct ExportWorker {
    progress: Latest<(usize, usize)>,
    end: Receiver<ExportNews>,
    began: Instant,
    thread: Worker,
}

impl ExportWorker {
    pub fn start(
        export: Export,
        (apps, workspace): (Apps, PathBuf),
        wake: impl Fn() + Send + Clone + 'static,
        wake_later: impl Fn() + Send + 'static,
    ) -> std::io::Result<ExportWorker> {
        let (token, progress) = (CancelToken::new(), Latest::new());
        let (sender, end) = bounded(1);
        let (panicked, woken) = (sender.clone(), wake.clone());
        let (cancel, slot) = (token.clone(), progress.clone());
        let work = move || {
            let hear = |done, parts| {
                slot.publish((done, parts));
                wake_later();
            };
            let end = export
                .run((&apps, &workspace), &cancel, hear)
                .unwrap_or_else(|error| ExportNews::Failed(error.to_string()));
            if sender.send(end).is_ok() {
                wake();
            }
        };
        let on_panic = move |report: PanicReport| {
            let text = format!("a mistake of Taproof\u{2019}s own ended it: {}", report.message);
            if panicked.send(ExportNews::Failed(text)).is_ok() {
                woken();
            }
        };
        let thread = worker::spawn("export", &token, work, on_panic)?;
        Ok(ExportWorker { progress, end, began: now(), thread })
    }

    /// Returns how far the export has come, and whether it is over.
    pub fn news(&self) -> (ExportNews, bool) {
        match self.end.try_recv() {
            Ok(end) => (end, true),
            Err(_) => {
                let progress = self.progress.take();
                (ExportNews::Progress(progress, self.began.elapsed().as_secs_f64()), false)
            }
        }
    }

    /// Cancels the export; no file is written.
    pub fn cancel(&self) {
        self.thread.cancel();
    }

    /// Returns the thread.
    pub fn retire(self) -> Worker {
        self.thread
    }
}
