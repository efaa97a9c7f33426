//! What is exported, and how.

use crate::state::{CampaignId, FindingKey};
use taproof_results::report::ExportKind;

/// The finding or campaign to export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportSubject {
    /// A finding of the workspace.
    Finding(FindingKey),
    /// A campaign of this window.
    Campaign(CampaignId),
}

/// Asks for a file and exports to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportCommand {
    /// The finding or campaign to export.
    pub subject: ExportSubject,
    /// The kind of file to write.
    pub kind: ExportKind,
    /// Number of steps before the failing one whose screens a page shows; `None` for all.
    pub screens_before: Option<usize>,
}

impl ExportSubject {
    /// The base name of files about it.
    pub fn name(&self) -> String {
        match self {
            ExportSubject::Finding(key) => key.name.clone(),
            ExportSubject::Campaign(id) => format!("campaign-{}", id.0),
        }
    }
}
