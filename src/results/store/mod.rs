//! Our files: the workspace folder with specification files and one results database.
//!
//! This module owns all paths and versions. It knows nothing of windows, threads or devices. Everything that is
//! committed here survives a kill, and nothing is shown before it is committed.

mod baseline;
mod bug_list;
mod bugs;
mod campaigns;
mod checkpoints;
mod compression;
mod database;
mod documents;
mod events;
mod files;
mod findings;
mod layout_texts;
mod merge;
mod recover;
mod schema;
mod stuck;
mod tables;
mod version_bugs;
mod workspace;

pub use baseline::Baseline;
pub use bug_list::{BugFilter, BugOrder, Facet, ListedBug, ListedFinding, Seen, list_bugs};
pub use bugs::{BugOf, bugs_by_finding};
pub use campaigns::StoredCampaign;
pub use checkpoints::ResumedCampaign;
pub use documents::{
    DraftFile, DraftText, Drafts, FileBefore, FileToReplace, OpenedFiles, Written, has_drafts, keep,
    open_path, own_specs, own_specs_folder, read_kept, write_files,
};
pub use files::{
    DamagedSettings, ModelFileError, NO_SCREENS, SettingsFiles, SpecSource, StoredInitialiser, StoredPlan,
    TraceSource, UnsavedRecording, grow_model, model_from_bytes, model_path, model_to_bytes, open_recording,
    open_trace, own_rules_path, read_initialiser, read_initialisers, read_model, read_own_rules,
    read_rule_files, read_rules, read_specs, remove_initialiser, replace_file, save_trace,
    set_settings_aside, write_initialiser, write_model, write_own_rules,
};
pub use findings::{FindingRow, StoredFinding, engines_of};
pub use merge::{Merged, merge_workspaces};
pub use recover::{Recovered, recover};
pub use stuck::keep_stuck;
pub use version_bugs::VersionBugs;
pub use workspace::{CampaignEnd, CampaignRow, NewCampaign, RunningCampaign, Workspace};

use taproof_engine::CheckpointError;
use taproof_engine::fastbot2::OtherApp;

/// Why our files cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be written.
    #[error("cannot write ({error}); is there room on the disk, may you write there? {path}")]
    Write {
        /// Path of the file.
        path: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read ({error}): {path}")]
    Read {
        /// Path of the file.
        path: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// The folder contains no results.
    #[error("there is no workspace {path}; `taproof fuzz` makes one, --workspace names another")]
    NoWorkspace {
        /// Path of the folder.
        path: String,
    },
    /// The database belongs to another program.
    #[error("this is a database, but not one of Taproof's; choose another --workspace: {path}")]
    NotOurs {
        /// Path of the database.
        path: String,
    },
    /// One of several workspaces cannot be read.
    #[error("workspace {path}: {error}")]
    InWorkspace {
        /// Path of the folder.
        path: String,
        /// Why it cannot be read.
        error: Box<StoreError>,
    },
    /// Somebody cancelled the reading.
    #[error("the reading was cancelled")]
    Cancelled,
    /// The results database was written by another version.
    #[error(
        "the results database has version {found}, this program knows {known}; use the Taproof that wrote it: {path}"
    )]
    Version {
        /// Path of the database.
        path: String,
        /// The version of the database.
        found: i64,
        /// The version that this program knows.
        known: i64,
    },
    /// The workspace was written before the first release.
    #[error(
        "the results in {folder} are of a Taproof before its first release, and cannot be read: `taproof spec recover \
         {command}` takes specifications, recordings and test rules out of it; choose another --workspace for new campaigns"
    )]
    Earlier {
        /// Path of the folder.
        folder: String,
        /// The folder as a word of a command.
        command: String,
    },
    /// The results database cannot be read without being written to.
    #[error(
        "the program that wrote the results database last did not close it, and without the file {path}-shm its newest \
         commits, in {path}-wal, cannot be read here ({problem}); open it once where it can be written to"
    )]
    Incomplete {
        /// Path of the database.
        path: String,
        /// The message of SQLite.
        problem: String,
    },
    /// An operation of SQLite failed.
    #[error("the results database failed: {problem}{hint}")]
    Database {
        /// The message of SQLite.
        problem: String,
        /// What to try; empty if we have no suggestion.
        hint: &'static str,
        /// Whether the file is not a database, or is incomplete.
        not_a_database: bool,
    },
    /// A file is not a valid reuse model.
    #[error("{problem}; {path}")]
    BadModel {
        /// Path of the file.
        path: String,
        /// What is wrong with it.
        problem: ModelFileError,
    },
    /// A reuse model belongs to another app.
    #[error("{error}; {path}")]
    OtherAppsModel {
        /// Path of the file.
        path: String,
        /// The app that it belongs to, and the expected one.
        error: OtherApp,
    },
    /// A file is not a valid trace.
    #[error("this is no trace that Taproof can read: {problem}; was it saved by Taproof? {path}")]
    BadTrace {
        /// Path of the file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A file with the initial steps of an app is invalid.
    #[error(
        "this does not say what is done first in every test: {problem}; make it anew with `taproof initialiser set`, \
         or remove the file: {path}"
    )]
    BadInitialiser {
        /// Path of the file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A name cannot be the package name of an app.
    #[error("{name:?} is no package: a package's name has letters, digits, dots and underscores")]
    NoPackage {
        /// The name that was given.
        name: String,
    },
    /// Some content of the database cannot be parsed.
    #[error("the results database is damaged: {what}")]
    Damaged {
        /// What cannot be parsed, and why.
        what: String,
    },
    /// The plan of a campaign cannot be parsed. A setting of an engine that this version does not have is not ignored: the
    /// campaign would not be the same.
    #[error("this version cannot read the plan of the campaign: {problem}")]
    BadPlan {
        /// What is wrong with it, such as an unknown setting.
        problem: String,
    },
    /// A campaign cannot be resumed, because it was not interrupted.
    #[error("campaign {id} was not interrupted ({how}); only a campaign whose program was killed can go on")]
    NotInterrupted {
        /// Number of the campaign.
        id: i64,
        /// The state of the campaign, in words.
        how: String,
    },
    /// A finding cannot be changed, because its campaign is running.
    #[error("campaign {id} is running, and goes on with its findings by itself")]
    Running {
        /// Number of the campaign.
        id: i64,
    },
    /// Workspaces cannot be merged into one in which a campaign is running.
    #[error("campaign {id} is running in {path}: merge into another workspace, or when it has ended")]
    RunningThere {
        /// Number of the campaign.
        id: i64,
        /// Path of the folder.
        path: String,
    },
    /// A campaign cannot be resumed, because its checkpoint cannot be used.
    #[error(
        "campaign {id} cannot go on: {error}. What it found until then is there; run it anew with\n{again}"
    )]
    CannotGoOn {
        /// Number of the campaign.
        id: i64,
        /// Why the checkpoint cannot be used.
        error: CheckpointError,
        /// The command that runs the campaign again.
        again: String,
    },
    /// What was requested does not exist.
    #[error("there is no {what}; `taproof fuzz` prints the ids of what it finds")]
    Missing {
        /// What was requested, in words.
        what: String,
    },
}

impl StoreError {
    /// Whether the cause is something that the user gave us, rather than a failure of the disk.
    pub fn is_about_what_was_given(&self) -> bool {
        match self {
            StoreError::NoWorkspace { .. }
            | StoreError::NotOurs { .. }
            | StoreError::Version { .. }
            | StoreError::Earlier { .. }
            | StoreError::Incomplete { .. }
            | StoreError::Cancelled
            | StoreError::Damaged { .. }
            | StoreError::BadPlan { .. }
            | StoreError::BadTrace { .. }
            | StoreError::BadInitialiser { .. }
            | StoreError::NoPackage { .. }
            | StoreError::BadModel { .. }
            | StoreError::OtherAppsModel { .. }
            | StoreError::Missing { .. }
            | StoreError::NotInterrupted { .. }
            | StoreError::Running { .. }
            | StoreError::RunningThere { .. }
            | StoreError::CannotGoOn { .. }
            | StoreError::Read { .. } => true,
            StoreError::Write { .. } => false,
            StoreError::Database { not_a_database, .. } => *not_a_database,
            StoreError::InWorkspace { error, .. } => error.is_about_what_was_given(),
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
