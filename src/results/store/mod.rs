//! Our files: the workspace folder with specification files and one results database.
//!
//! One owner of paths and versions. Knows nothing of windows, threads or devices. Whatever is committed here
//! survives a kill; whatever is not was never shown.

mod campaigns;
mod cells;
mod checkpoints;
mod database;
mod documents;
mod event_json;
mod files;
mod finding_json;
mod findings;
mod initialiser_file;
mod layout_texts;
mod plan_json;
mod recording_file;
mod reuse_model_bytes;
mod reuse_model_file;
mod schema;
mod settings_file;
mod shipped;
mod trace_file;
mod workspace;

pub use campaigns::StoredCampaign;
pub use checkpoints::ResumedCampaign;
pub use documents::{
    Drafts, FileBefore, FileToReplace, OpenedFiles, StoredDraft, StoredDraftFile, Written, has_drafts, keep,
    open_path, own_specs, own_specs_folder, read_kept, write_files,
};
pub use files::replace_file;
pub use findings::{FindingRow, StoredFinding};
pub use initialiser_file::{read_initialiser, read_initialisers, remove_initialiser, write_initialiser};
pub use plan_json::{NO_SCREENS, SpecSource, StoredPlan, TraceSource, read_specs};
pub use recording_file::{
    SeenEvent, SeenWidget, StoredCondition, StoredRecording, StoredStep, open_recording,
};
pub use reuse_model_bytes::{ModelFileError, model_from_bytes, model_to_bytes};
pub use reuse_model_file::{grow_model, read_model, read_rule_files, write_model};
pub use settings_file::{read_settings, set_settings_aside, write_settings};
pub use shipped::{SHIPPED, ShippedSpec, shipped_specs};
pub use trace_file::{open_trace, save_trace};
pub use workspace::{CampaignEnd, CampaignRow, NewCampaign, RunningCampaign, Workspace};

use taproof_core::model::OtherApp;

/// Our files cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be written.
    #[error("cannot write ({error}); is there room on the disk, may you write there? {path}")]
    Write {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read ({error}): {path}")]
    Read {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The results database is one of another program.
    #[error("this is a database, but not one of Taproof's; choose another --workspace: {path}")]
    NotOurs {
        /// The file.
        path: String,
    },
    /// The results database is of a newer version.
    #[error(
        "the results database has version {found}, this program knows {known}; use a newer Taproof: {path}"
    )]
    Version {
        /// The file.
        path: String,
        /// The version that it has.
        found: i64,
        /// The version that we know.
        known: i64,
    },
    /// The results database is of an older version and cannot be brought up.
    #[error(
        "the results database has version {found} and has to be brought to version {known} to be read, which failed \
         ({problem}); open it once where it can be written to, or read a copy: {path}"
    )]
    Older {
        /// The file.
        path: String,
        /// The version that it has.
        found: i64,
        /// The version that we know.
        known: i64,
        /// Why it stays as it is.
        problem: String,
    },
    /// The results database cannot be read without being written to.
    #[error(
        "the program that wrote the results database last did not close it, and without the file {path}-shm its newest \
         commits, in {path}-wal, cannot be read here ({problem}); open it once where it can be written to"
    )]
    Incomplete {
        /// The file.
        path: String,
        /// What SQLite says.
        problem: String,
    },
    /// SQLite says no.
    #[error("the results database failed: {problem}{hint}")]
    Database {
        /// What it says.
        problem: String,
        /// What to try, where we know.
        hint: &'static str,
        /// Whether the file is not a database, or not a whole one.
        not_a_database: bool,
    },
    /// A file is no model that can be read.
    #[error("{problem}; {path}")]
    BadModel {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: ModelFileError,
    },
    /// A model is one of another app.
    #[error("{error}; {path}")]
    OtherAppsModel {
        /// The file.
        path: String,
        /// Of which, and of which it should be.
        error: OtherApp,
    },
    /// A file is no trace that can be read.
    #[error("this is no trace that Taproof can read: {problem}; was it saved by Taproof? {path}")]
    BadTrace {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A file with what is done first in every test cannot be read.
    #[error(
        "this does not say what is done first in every test: {problem}; make it anew with `taproof initialiser set`, \
         or remove the file: {path}"
    )]
    BadInitialiser {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A name cannot be an app's package.
    #[error("{name:?} is no package: a package's name has letters, digits, dots and underscores")]
    NoPackage {
        /// The name.
        name: String,
    },
    /// Something of ours in the database cannot be understood.
    #[error("the results database is damaged: {what}")]
    Damaged {
        /// What.
        what: String,
    },
    /// A campaign cannot go on.
    #[error("campaign {id} was not interrupted ({how}); only a campaign whose program was killed can go on")]
    NotInterrupted {
        /// The campaign.
        id: i64,
        /// How it is.
        how: String,
    },
    /// There is no such thing.
    #[error("there is no {what}; `taproof fuzz` prints the ids of what it finds")]
    Missing {
        /// What was asked for.
        what: String,
    },
}

impl StoreError {
    /// Whether the user gave us something that we cannot use, rather than the disk failing.
    pub fn is_about_what_was_given(&self) -> bool {
        match self {
            StoreError::NotOurs { .. }
            | StoreError::Version { .. }
            | StoreError::Older { .. }
            | StoreError::Incomplete { .. }
            | StoreError::Damaged { .. }
            | StoreError::BadTrace { .. }
            | StoreError::BadInitialiser { .. }
            | StoreError::NoPackage { .. }
            | StoreError::BadModel { .. }
            | StoreError::OtherAppsModel { .. }
            | StoreError::Missing { .. }
            | StoreError::NotInterrupted { .. }
            | StoreError::Read { .. } => true,
            StoreError::Write { .. } => false,
            StoreError::Database { not_a_database, .. } => *not_a_database,
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase, ReadOnly,
            SystemIoFailure,
        };
        let code = error.sqlite_error_code();
        let not_a_database = matches!(code, Some(NotADatabase | DatabaseCorrupt));
        let hint = match code {
            Some(NotADatabase | DatabaseCorrupt) => "; it was left as it is, choose another --workspace",
            Some(DiskFull | SystemIoFailure) => "; is there room on the disk?",
            Some(CannotOpen | ReadOnly) => "; may you read it, and write there?",
            Some(DatabaseBusy | DatabaseLocked) => {
                "; another program has been writing to it all the time: does it hang, or is it paused?"
            }
            _ => "",
        };
        StoreError::Database { problem: error.to_string(), hint, not_a_database }
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        StoreError::Damaged { what: error.to_string() }
    }
}
