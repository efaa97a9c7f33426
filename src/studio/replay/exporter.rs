//! Exports: the file is chosen first, then built and written beside the window, so that nothing that must be saved waits
//! behind it. A file is written completely or not at all.

use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::reporter::{Reporter, Resources};
use crate::state::FindingKey;
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
        let built = match &self.stored {
            Stored::Finding(key) => {
                let stored = open()?.load_finding_of(key.campaign, &key.name)?;
                export_finding(&stored.finding, &self.facts(apps, &stored.plan), self.kind, &mut hear)
            }
            Stored::Campaign(row) => {
                let stored = open()?.load_campaign(*row)?;
                let StoredCampaign { plan, outcome, corrections } = stored;
                let facts = CampaignFacts {
                    run: self.facts(apps, &plan),
                    outcome,
                    corrections,
                    suspicions: false,
                    crashes_as_failures: false,
                };
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
