//! Specifications as documents: bundled, opened and new ones.
//!
//! [`Documents::run`] executes commands on the documents alone and returns what is to be done beside, so that everything
//! can be tested without disk and window.

mod actions;
mod disk;
pub(crate) mod disk_tasks;
mod document;
mod fixes;
mod handle;
mod handle_repair;
pub(crate) mod panels;
mod repair;
mod repair_worker;
mod run;
#[cfg(test)]
mod tests;
mod text_step;
mod trial;
mod trial_worker;
mod typed;
mod whose;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use taproof_results::store::{DraftText, UnsavedRecording};
use taproof_spec::{Dmf, Spec, SpecSelector};

pub use actions::{SPECIFICATION, of_document};
pub use disk::in_words;
pub use document::{DmfTime, JsonTarget, JsonView, SpecDocument, SpecEdit, SpecFile, edit, file_name};
pub use fixes::{Fix, fix};
pub(crate) use handle::{
    DocumentClock, close_unasked, count_seconds, guard_the_end, keep_times, open_shipped, run_document,
    run_trial, take_done, take_trial, tick,
};
pub(crate) use handle_repair::{run_repair, take_repair};
pub use panels::trial_panel_ui;
pub use repair::{RepairCommand, RepairOrder, RepairState, edits_to, order_for};
pub(crate) use repair_worker::{RepairNews, repair_spec};
pub use trial::{TRIAL_RUNS, TrialCommand, TrialState};
pub(crate) use trial_worker::{TrialNews, try_function};
pub use typed::{free_name, new_dmf, numbered, rename_dmf, rename_widget, widgets_used};
pub use whose::Whose;

/// The number of a document in this window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(pub u32);

/// Maximum number of recent files.
const MAX_RECENT: usize = 10;

/// A command about documents.
#[derive(Clone, Debug, PartialEq)]
pub enum DocumentCommand {
    /// Shows the document with this id.
    Show(DocumentId),
    /// Shows the DMF with this index in a document.
    Choose(DocumentId, usize),
    /// Puts a DMF into the document of the app on the phone, which is created if there is none that can be written, and
    /// saves that. If another DMF has the same name, the person is asked what to do. The last value is the name under which
    /// the same recording was saved before, whose DMF is replaced.
    Keep(Box<Dmf>, Option<String>),
    /// Puts proposed functions and blocks into the document of the app with this package, under free names, and saves that.
    Accept(String, Arc<Spec>),
    /// Makes an edit. The first edit of a bundled document creates a copy.
    Edit(DocumentId, Box<SpecEdit>),
    /// Shows another text as JSON. Invalid JSON is discarded.
    ShowJson(DocumentId, JsonTarget),
    /// Undoes the last edit.
    Undo(DocumentId),
    /// Redoes the edit that was undone last.
    Redo(DocumentId),
    /// Creates an empty document for the app on the phone.
    New,
    /// Creates a copy that can be written.
    Copy(DocumentId),
    /// Asks for a file to open.
    AskOpen,
    /// Opens a file or folder: a specification, a block list, a trace or a recorded walk.
    Open(PathBuf),
    /// Saves the document to its files.
    Save(DocumentId),
    /// Asks for another file to save it to.
    AskSaveAs(DocumentId),
    /// Saves it to this file, now and in future.
    SaveAs(DocumentId, PathBuf),
    /// Asks for a file for the block list.
    AskExportBlocks(DocumentId),
    /// Writes the complete block list, including derived entries, to a file.
    ExportBlocks(DocumentId, PathBuf),
    /// Closes a document, after a question if it has unsaved changes.
    Close(DocumentId),
    /// Closes the window, after a question if there are unsaved changes.
    Quit,
    /// Answers the open question.
    Answer(Answer),
    /// Marks the widgets that match a selector on the phone. `None` removes the marks.
    Mark(Option<SpecSelector>),
    /// Hides the message about a problem.
    DismissProblem,
}

/// An answer to a question about documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save, or overwrite the file.
    Save,
    /// Discard the changes, or read the file again.
    Drop,
    /// Leave everything as it is.
    Cancel,
    /// Replace the old DMF by the new one.
    Replace,
    /// Add the new DMF under another name.
    KeepBoth,
}

/// An open question about documents.
#[derive(Clone, Debug, PartialEq)]
pub enum DocumentQuestion {
    /// Closing a document that has unsaved changes.
    Close(DocumentId),
    /// Closing the window while these documents have unsaved changes.
    Quit(Vec<DocumentId>),
    /// Saving a DMF while another one has its name.
    SameName(DocumentId, Box<Dmf>),
    /// Saving a document although this file has changed since it was read.
    ChangedOnDisk(DocumentId, PathBuf),
}

/// A file to be written, with the text that is expected to be there.
#[derive(Clone, Debug, PartialEq)]
pub struct FileToWrite {
    /// The path of the file.
    pub path: PathBuf,
    /// The text to be written.
    pub text: Arc<str>,
    /// The text expected to be there. `None` if no file is expected.
    pub known: Option<Arc<str>>,
    /// Whether to overwrite any contents.
    pub over: bool,
}

/// A task of the disk thread for documents and recordings.
#[derive(Clone, Debug, PartialEq)]
pub enum DiskTask {
    /// Finds what earlier sessions left: the person's specifications, drafts, recordings, recent files, times.
    Begin,
    /// Reads a file or folder.
    Read(PathBuf),
    /// Writes the files of a document.
    Write(DocumentId, Vec<FileToWrite>),
    /// Writes a text to a file that belongs to no document.
    Export(PathBuf, String),
    /// Writes a draft under this name.
    KeepDraft(String, Box<DraftText>),
    /// Removes the draft with this name.
    ForgetDraft(String),
    /// Writes the draft of a recording under this name.
    KeepRecording(String, Box<UnsavedRecording>),
    /// Removes the draft of a recording with this name.
    ForgetRecording(String),
    /// Writes the list of recent files.
    KeepRecent(Vec<PathBuf>),
    /// Writes the seconds spent on DMFs.
    KeepTimes(DmfTimes),
}

/// The seconds spent on DMFs, by document and by the DMF's name.
pub type DmfTimes = BTreeMap<String, BTreeMap<String, DmfTime>>;

/// The open documents, with the tasks that are in progress.
#[derive(Default)]
pub struct Documents {
    /// The documents in the order of opening.
    pub list: Vec<SpecDocument>,
    /// The chosen document. `None` shows the one of the app on the phone.
    pub shown: Option<DocumentId>,
    /// The files opened or saved last, the newest first.
    pub recent: Vec<PathBuf>,
    /// The open question, if any.
    pub question: Option<DocumentQuestion>,
    /// Why the last file could not be opened or written. `None` if it could.
    pub problem: Option<String>,
    /// The selector whose matches are marked on the phone, if any.
    pub marked: Option<SpecSelector>,
    /// The folder for new documents.
    pub home: PathBuf,
    /// Seconds spent on DMFs of documents that are not open.
    pub times: DmfTimes,
    /// Seconds of recording that are not assigned to a DMF yet.
    pub recording: f64,
    /// The documents that must be written before the window closes. `None` if it is not closing.
    pub closing: Option<Vec<DocumentId>>,
    /// The document to close once it is written.
    pub closing_one: Option<DocumentId>,
    /// The revision of each document that is stored as its draft.
    pub(crate) kept: BTreeMap<DocumentId, u64>,
    /// Documents that are being written, and whether they must then be written once more.
    pub(crate) writing: BTreeMap<DocumentId, bool>,
    /// DMFs that were put into documents and are not written yet.
    pub(crate) keeping: Vec<(DocumentId, Box<Dmf>)>,
    /// Files that were read or written, including those of closed documents.
    pub(crate) taken: BTreeSet<PathBuf>,
    pub(crate) last_id: u32,
    /// The timers for drafts and for the seconds spent on DMFs.
    pub(crate) clock: DocumentClock,
}

impl Documents {
    /// Returns the document with this id.
    pub fn get(&self, id: DocumentId) -> Option<&SpecDocument> {
        self.list.iter().find(|document| document.id == id)
    }

    /// Returns the document with this id for a change.
    pub fn get_mut(&mut self, id: DocumentId) -> Option<&mut SpecDocument> {
        self.list.iter_mut().find(|document| document.id == id)
    }

    /// The document to show: the chosen one, else the newest of the app on the phone.
    pub fn shown<'d>(&'d self, app: &'d str) -> Option<&'d SpecDocument> {
        let chosen = self.shown.and_then(|id| self.get(id));
        chosen.or_else(|| self.of_app(app).last())
    }

    /// Shows the document of an app that has just come onto the phone, unless the shown one has unsaved changes.
    pub fn follow_app(&mut self, app: &str) {
        let stays = |document: &SpecDocument| document.app == app || document.unsaved();
        if !self.shown.and_then(|id| self.get(id)).is_some_and(stays) {
            self.shown = None;
        }
    }

    /// The documents about an app.
    pub fn of_app<'d>(&'d self, app: &'d str) -> impl Iterator<Item = &'d SpecDocument> {
        self.list.iter().filter(move |document| document.app == app)
    }

    /// The bundled document of an app.
    pub fn shipped(&self, app: &str) -> Option<&SpecDocument> {
        self.list.iter().find(|document| document.shipped && document.app == app)
    }

    /// Returns a specification with the app's bundled functions before its own, which may need the objects that those
    /// create, and the number of bundled ones. Bundled functions with the name of an own one are left out.
    pub fn among_shipped(&self, app: &str, own: &Spec) -> (Spec, usize) {
        let shipped = self.shipped(app).map(|document| document.spec.dmfs.clone()).unwrap_or_default();
        let mut spec = Spec { dmfs: shipped, ..Spec::default() };
        spec.join(own.clone());
        let before = spec.dmfs.len() - own.dmfs.len();
        (spec, before)
    }

    /// The document of an app that can be written: the chosen one, else the newest.
    pub fn own(&self, app: &str) -> Option<&SpecDocument> {
        let own = |document: &&SpecDocument| !document.shipped && document.app == app;
        let shown = self.shown.and_then(|id| self.get(id)).filter(own);
        shown.or_else(|| self.list.iter().rev().find(own))
    }

    /// Where the function with this name of an app is: the person's own, or else the one that comes with Taproof.
    pub fn place_of(&self, app: &str, name: &str) -> Option<(DocumentId, usize)> {
        let place = |document: &SpecDocument| {
            Some((document.id, document.spec.dmfs.iter().position(|dmf| dmf.name == name)?))
        };
        let own = self.of_app(app).filter(|document| !document.shipped);
        own.chain(self.shipped(app)).find_map(place)
    }

    /// Number of documents with unsaved changes.
    pub fn unsaved(&self) -> usize {
        self.list.iter().filter(|document| document.unsaved()).count()
    }

    /// Returns a new id.
    pub fn next_id(&mut self) -> DocumentId {
        self.last_id += 1;
        DocumentId(self.last_id)
    }

    /// The seconds spent on DMFs of all documents, open or not.
    pub fn all_times(&self) -> DmfTimes {
        let mut all = self.times.clone();
        for document in self.list.iter().filter(|document| !document.times.is_empty()) {
            all.insert(time_key(document), document.times.clone());
        }
        all
    }
}

/// The key of a document's seconds.
fn time_key(document: &SpecDocument) -> String {
    match &document.main().path {
        Some(path) => path.display().to_string(),
        None => format!("{}: {}", document.app, document.name),
    }
}

/// The package that occurs most often in the resource ids of a specification. Empty if there is none.
fn app_of(spec: &Spec) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for widget in spec.dmfs.iter().flat_map(|dmf| &dmf.widgets) {
        let package = widget.selector.resource_id.as_deref().and_then(|id| id.split_once(":id/"));
        if let Some((package, _)) = package.filter(|(package, _)| *package != "android") {
            *counts.entry(package).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(package, count)| (*count, std::cmp::Reverse(*package)));
    most.map(|(package, _)| package.to_owned()).unwrap_or_default()
}

/// Makes a name usable as a file name.
fn slug(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    name.chars().map(letter).collect()
}

/// The name of a document that was opened from this file.
fn document_name(path: &Path) -> String {
    let name = file_name(path);
    let stem = name.strip_suffix(".json").unwrap_or(&name);
    let word = stem.trim_start_matches("dmf").trim_start_matches("keyviews").trim_matches('_');
    if word.is_empty() { stem.to_owned() } else { word.replace('_', " ") }
}
