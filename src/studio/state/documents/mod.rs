//! Specifications as documents: the shipped ones, and those that were opened or made.
//!
//! `Documents::run` does what panels ask for and returns what is left to do on the disk or in the window, so
//! that all of it can be tested without either.

mod actions;
mod disk;
mod document;
mod fixes;
mod history;
mod run;
#[cfg(test)]
mod tests;
mod typed;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use taproof_core::spec::{Dmf, Spec, SpecSelector};

pub use actions::{SPECIFICATION, of_document};
pub use disk::in_words;
pub use document::{DmfTime, JsonTarget, JsonView, SpecDocument, SpecEdit, SpecFile, edit, file_name};
pub use fixes::{Fix, fix};
pub use typed::{free_name, new_dmf, numbered, rename_dmf, rename_widget, widgets_used};

/// A document of this window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(pub u32);

/// Files that are remembered as recent.
const MAX_RECENT: usize = 10;

/// What panels ask of documents.
#[derive(Clone, Debug, PartialEq)]
pub enum DocumentCommand {
    /// Shows a document.
    Show(DocumentId),
    /// Shows a DMF of it.
    Choose(DocumentId, usize),
    /// Puts a DMF into a document, and saves it; `None`: into the document of the app on the phone, which is
    /// made if there is none that can be written. Asks where a DMF of that name is there already, unless it is
    /// the one that the same recording was saved as before.
    Keep(Option<DocumentId>, Box<Dmf>, Option<String>),
    /// Does an edit. The first edit of a shipped document makes an own copy.
    Edit(DocumentId, Box<SpecEdit>),
    /// Shows another text as JSON, and gives up one that cannot be read.
    ShowJson(DocumentId, JsonTarget),
    /// Takes back the last edit.
    Undo(DocumentId),
    /// Does it again.
    Redo(DocumentId),
    /// An empty document for the app on the phone.
    New,
    /// A copy that can be written.
    Copy(DocumentId),
    /// Asks for a file to open.
    AskOpen,
    /// Opens a file or folder: a specification, a block list, a recorded walk.
    Open(PathBuf),
    /// Writes the document.
    Save(DocumentId),
    /// Asks for another file to write it to.
    AskSaveAs(DocumentId),
    /// Writes it there from now on.
    SaveAs(DocumentId, PathBuf),
    /// Asks for a file for the block list.
    AskExportBlocks(DocumentId),
    /// Writes the whole block list, derived entries too, to a file.
    ExportBlocks(DocumentId, PathBuf),
    /// Closes a document; asks if it has changes.
    Close(DocumentId),
    /// The window is to be closed; asks if there are changes.
    Quit,
    /// Answers the question that is open.
    Answer(Answer),
    /// Marks what a selector names on the phone; `None`: no more.
    Mark(Option<SpecSelector>),
    /// Hides the problem.
    DismissProblem,
}

/// An answer to a question about documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save, or write over what is there.
    Save,
    /// Do not save; or read again what is on the disk.
    Drop,
    /// Leave everything as it is.
    Cancel,
    /// Put the new DMF in the old one's place.
    Replace,
    /// Keep both under two names.
    KeepBoth,
}

/// A question about documents that is open.
#[derive(Clone, Debug, PartialEq)]
pub enum DocumentQuestion {
    /// A document is closed with changes.
    Close(DocumentId),
    /// The window is closed while these have changes.
    Quit(Vec<DocumentId>),
    /// There is a DMF of that name.
    SameName(DocumentId, Box<Dmf>),
    /// The file on the disk is not the one that was read.
    ChangedOnDisk(DocumentId, PathBuf),
}

/// A text to be written, and what its file should still say.
#[derive(Clone, Debug, PartialEq)]
pub struct FileToWrite {
    /// The file.
    pub path: PathBuf,
    /// Its new text.
    pub text: Arc<str>,
    /// Its text as far as we know; `None`: it is not there.
    pub known: Option<Arc<str>>,
    /// Write over it, whatever is there.
    pub over: bool,
}

/// What a document's unsaved text is kept as.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DraftText {
    /// What the document is called.
    pub name: String,
    /// The app's package.
    pub app: String,
    /// Each file: name, path, text on the disk, text now.
    pub files: Vec<DraftFile>,
    /// JSON that cannot be read yet, and the DMF that it stands for.
    pub json: Option<(usize, String)>,
}

/// A file of a draft.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DraftFile {
    /// Its name.
    pub name: String,
    /// Where it lies.
    pub path: Option<PathBuf>,
    /// Its text on the disk, as far as known.
    pub saved: Option<String>,
    /// Its text now.
    pub text: String,
}

/// What is left to do for documents outside of them.
#[derive(Clone, Debug, PartialEq)]
pub enum DocumentTask {
    /// Read a file or folder.
    Read(PathBuf),
    /// Write the files of a document.
    Write(DocumentId, Vec<FileToWrite>),
    /// Write one file that is no document.
    Export(PathBuf, String),
    /// A DMF of that name is in its document on the disk.
    Kept(String),
    /// Keep an unsaved text under that word.
    KeepDraft(String, Box<DraftText>),
    /// Forget what was kept under it.
    ForgetDraft(String),
    /// Keep the list of recent files.
    KeepRecent(Vec<PathBuf>),
    /// Keep the seconds spent.
    KeepTimes(BTreeMap<String, BTreeMap<String, DmfTime>>),
    /// Ask for a file.
    Ask(Box<super::FileQuestion>),
    /// Tell that something was done, or that it failed.
    Tell(String, bool),
    /// Show a recorded walk.
    OpenWalk(PathBuf),
    /// Open a kept trace.
    OpenTrace(PathBuf),
    /// Close the window now.
    CloseWindow,
}

/// The open documents.
#[derive(Default)]
pub struct Documents {
    /// In the order of opening.
    pub list: Vec<SpecDocument>,
    /// The one shown.
    pub shown: Option<DocumentId>,
    /// Files opened or saved lately, the newest first.
    pub recent: Vec<PathBuf>,
    /// The question that is open.
    pub question: Option<DocumentQuestion>,
    /// Why the last file could not be opened or written.
    pub problem: Option<String>,
    /// The selector whose widgets are marked on the phone.
    pub marked: Option<SpecSelector>,
    /// Where own documents are written.
    pub home: PathBuf,
    /// Seconds spent, by document, of those that are not open.
    pub times: BTreeMap<String, BTreeMap<String, DmfTime>>,
    /// Seconds of recording that no DMF has got yet.
    pub recording: f64,
    /// The window closes once these are written.
    pub closing: Option<Vec<DocumentId>>,
    /// The document closes once it is written.
    pub closing_one: Option<DocumentId>,
    /// What is left to do after what the disk told.
    pub pending: Vec<DocumentTask>,
    /// Which revision of each document is kept as a draft.
    pub(crate) kept: BTreeMap<DocumentId, u64>,
    /// Documents on their way to the disk, and whether they are to be written once more then.
    pub(crate) writing: BTreeMap<DocumentId, bool>,
    /// DMFs that were put into documents and are not on the disk yet.
    pub(crate) keeping: Vec<(DocumentId, Box<Dmf>)>,
    /// Files that were read or written, also those of documents that were closed since.
    pub(crate) taken: BTreeSet<PathBuf>,
    pub(crate) last_id: u32,
}

impl Documents {
    /// The document of that id.
    pub fn get(&self, id: DocumentId) -> Option<&SpecDocument> {
        self.list.iter().find(|document| document.id == id)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, id: DocumentId) -> Option<&mut SpecDocument> {
        self.list.iter_mut().find(|document| document.id == id)
    }

    /// The one shown: the one chosen, else the one of the app on the phone.
    pub fn shown<'d>(&'d self, app: &'d str) -> Option<&'d SpecDocument> {
        let chosen = self.shown.and_then(|id| self.get(id));
        chosen.or_else(|| self.of_app(app).last()).or_else(|| self.list.first())
    }

    /// The documents that speak of an app.
    pub fn of_app<'d>(&'d self, app: &'d str) -> impl Iterator<Item = &'d SpecDocument> {
        self.list.iter().filter(move |document| document.app == app)
    }

    /// The shipped document of an app.
    pub fn shipped(&self, app: &str) -> Option<&SpecDocument> {
        self.list.iter().find(|document| document.shipped && document.app == app)
    }

    /// A specification with the shipped functions of the app before its own, as what they make may be needed to
    /// start those; and how many come before. One of a name that it has itself is left out.
    pub fn among_shipped(&self, app: &str, own: &Spec) -> (Spec, usize) {
        let mut spec = own.clone();
        let shipped = self.shipped(app).map(|document| Arc::clone(&document.spec)).unwrap_or_default();
        let others = shipped.dmfs.iter().filter(|other| own.dmfs.iter().all(|dmf| dmf.name != other.name));
        spec.dmfs = others.cloned().collect();
        let before = spec.dmfs.len();
        spec.dmfs.extend(own.dmfs.iter().cloned());
        (spec, before)
    }

    /// The document of an app that can be written: the one shown, else the newest.
    pub fn own(&self, app: &str) -> Option<&SpecDocument> {
        let own = |document: &&SpecDocument| !document.shipped && document.app == app;
        let shown = self.shown.and_then(|id| self.get(id)).filter(own);
        shown.or_else(|| self.list.iter().rev().find(own))
    }

    /// How many documents have changes that are not saved.
    pub fn unsaved(&self) -> usize {
        self.list.iter().filter(|document| document.unsaved()).count()
    }

    /// An id that no document has or had.
    pub fn next_id(&mut self) -> DocumentId {
        self.last_id += 1;
        DocumentId(self.last_id)
    }

    /// The seconds of all documents, open or not, as they are kept.
    pub fn all_times(&self) -> BTreeMap<String, BTreeMap<String, DmfTime>> {
        let mut all = self.times.clone();
        for document in self.list.iter().filter(|document| !document.times.is_empty()) {
            all.insert(time_key(document), document.times.clone());
        }
        all
    }
}

/// What a document's seconds are kept as.
fn time_key(document: &SpecDocument) -> String {
    match &document.main().path {
        Some(path) => path.display().to_string(),
        None => format!("{}: {}", document.app, document.name),
    }
}

/// The app that most ids of a specification name, if any.
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

/// A word for file names.
fn slug(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    name.chars().map(letter).collect()
}

/// What a document is called that was opened from a file.
fn document_name(path: &Path) -> String {
    let name = file_name(path);
    let stem = name.strip_suffix(".json").unwrap_or(&name);
    let word = stem.trim_start_matches("dmf").trim_start_matches("keyviews").trim_matches('_');
    if word.is_empty() { stem.to_owned() } else { word.replace('_', " ") }
}
