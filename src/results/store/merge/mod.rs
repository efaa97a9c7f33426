//! Joins workspaces: what campaigns did and found on many machines becomes one workspace.
//!
//! A merged workspace is the *least* one that holds what each of them holds. So it is the same in whatever order and in
//! however many steps workspaces are merged, and merging one again changes nothing:
//!
//! - Campaigns with the same origin are one. Of its copies the one counts that went further.
//! - Of findings with the same name in a campaign, the one counts of which more is known.
//! - What a person has looked at or said of findings is joined.
//! - Models of Fastbot2 are joined by [`ReuseModel::join`](taproof_engine::fastbot2::ReuseModel::join).
//! - Layouts and pictures stand there once.
//!
//! Rows are numbered anew, in an order that follows from what they hold. All of it is one transaction of the database.

mod copies;
mod models;
mod rows;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use rusqlite::Transaction;

use self::copies::{Copies, all_copies};
use self::rows::Rows;
use super::{StoreError, Workspace};

pub(super) use self::models::write_merged_models;

/// What a merged workspace holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Number of campaigns.
    pub campaigns: usize,
    /// Number of findings of all campaigns.
    pub findings: usize,
    /// Number of steps of all traces of findings.
    pub steps: usize,
    /// Number of apps with a model of Fastbot2.
    pub models: usize,
}

/// Merges workspaces into `out`, which is created if it does not exist, and keeps what it has. The others are only read.
/// Calls `hear` with the number of campaigns that were written and of all.
///
/// Rules, initialisers, recordings and unsaved specifications stay where they are: they are what a person made in one
/// workspace, and not results.
///
/// A program that is killed meanwhile leaves `out` as it was, or as it is to be.
///
/// # Errors
///
/// [`StoreError::RunningThere`] if a campaign runs in `out`, [`StoreError::InWorkspace`] if one of the workspaces cannot be
/// read, or another error if `out` cannot be written. `out` is as it was then.
pub fn merge_workspaces(
    out: &Path,
    from: &[PathBuf],
    hear: &mut dyn FnMut(usize, usize),
) -> Result<Merged, StoreError> {
    // Nothing is made where there is nothing to merge.
    for path in from {
        drop(opened(path)?);
    }
    let mut target = Workspace::open(out)?;
    if let Some(id) = target.running()?.first() {
        return Err(StoreError::RunningThere { id: *id, path: out.display().to_string() });
    }
    let sources = sources(out, from);
    let merged = target.database.write(|transaction| merge(transaction, &sources, hear))?;
    write_merged_models(&mut target.database, out)?;
    Ok(merged)
}

/// The workspaces, each once.
fn sources(out: &Path, from: &[PathBuf]) -> Vec<PathBuf> {
    let mut sources: Vec<PathBuf> = Vec::new();
    for path in std::iter::once(out).chain(from.iter().map(PathBuf::as_path)) {
        // A path that cannot be resolved is one that cannot be read, which is said when it is opened.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if !sources.contains(&path) {
            sources.push(path);
        }
    }
    sources
}

fn opened(path: &Path) -> Result<Workspace, StoreError> {
    Workspace::open_to_read(path).map_err(|error| in_workspace(path, error))
}

fn in_workspace(path: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::NoWorkspace { .. } | StoreError::InWorkspace { .. } => error,
        error => StoreError::InWorkspace { path: path.display().to_string(), error: Box::new(error) },
    }
}

/// Everything that results are stored in.
const TABLES: [&str; 11] = [
    "steps",
    "findings",
    "coverage",
    "events",
    "checkpoints",
    "seen",
    "cards",
    "campaigns",
    "bug_corrections",
    "layouts",
    "pictures",
];

fn merge(
    transaction: &Transaction<'_>,
    sources: &[PathBuf],
    hear: &mut dyn FnMut(usize, usize),
) -> Result<Merged, StoreError> {
    // Readers see what was committed before, as long as this transaction has not ended.
    let (campaigns, corrections) = all_copies(sources)?;
    for table in TABLES {
        transaction.execute(&format!("DELETE FROM {table}"), [])?;
    }
    let mut rows = Rows::new(transaction, sources.len());
    rows.write_corrections(&corrections)?;
    let all = campaigns.len();
    let mut merged = Merged { campaigns: all, ..Merged::default() };
    for (place, Copies(copies)) in campaigns.into_values().enumerate() {
        let (findings, steps) = rows.write_campaign(place as i64 + 1, sources, &copies, &corrections)?;
        merged.findings += findings;
        merged.steps += steps;
        hear(place + 1, all);
    }
    merged.models = models::join_models(transaction, sources)?;
    Ok(merged)
}
