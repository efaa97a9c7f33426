//! Exports: the file is chosen first, then built and written beside the window, so that nothing that must be saved waits
//! behind it. A file is written completely or not at all.

use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::reporter::{Reporter, Resources};
use crate::state::FindingKey;
use taproof_results::report::{CampaignFacts, ExportKind, ReportFacts, export_campaign};
use taproof_results::store::{Workspace, replace_file};
use taproof_session::{campaign_facts, finding_facts, finding_files, write_beside};

/// What is exported from the workspace.
pub(super) enum Stored {
    /// A finding, by its campaign and name.
    Finding(FindingKey),
    /// A campaign, by its row in the workspace.
    Campaign(i64),
}

/// What is known of an export.
pub(crate) enum ExportNews {
    /// Number of pictures done and of all pictures.
    Progress(usize, usize),
    /// The file is complete.
    Written,
    /// It was cancelled; no file was written.
    Cancelled,
    /// It failed; the reason.
    Failed(String),
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
    /// Executes the export.
    pub fn run(&self, with: &Resources, reporter: &Reporter<'_, ExportNews>) -> ExportNews {
        let written = self.write(with, reporter);
        written.unwrap_or_else(|error| ExportNews::Failed(error.to_string()))
    }

    /// Reads the results, builds the file and writes it. Reads concurrently with the disk thread, which may commit
    /// findings meanwhile.
    fn write(&self, with: &Resources, reporter: &Reporter<'_, ExportNews>) -> anyhow::Result<ExportNews> {
        let (apps, token) = (with.phones.apps(), &reporter.cancel);
        let mut hear = |done: usize, parts: usize| {
            (reporter.progress)(ExportNews::Progress(done, parts));
            if token.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        // The workspace is closed after reading, since a program that wants to write may wait for it.
        let open = || Workspace::open_to_read(&with.workspace);
        let cut = |facts: ReportFacts| ReportFacts { screens_before: self.screens_before, ..facts };
        let built = match &self.stored {
            Stored::Finding(key) => {
                let stored = open()?.load_finding_of(key.campaign, &key.name)?;
                finding_files(&stored, &cut(finding_facts(apps, &stored)), self.kind, &mut hear)
            }
            Stored::Campaign(row) => {
                let facts = campaign_facts(apps, open()?.load_campaign(*row)?);
                let facts = CampaignFacts { run: cut(facts.run.clone()), ..facts };
                export_campaign(&facts, self.kind, &mut hear).map(|file| (file, Vec::new()))
            }
        };
        if token.cancelled() {
            return Ok(ExportNews::Cancelled);
        }
        let (file, pictures) = built?;
        replace_file(&self.path, &file)?;
        write_beside(&self.path, &pictures)?;
        Ok(ExportNews::Written)
    }
}
