//! The window's drafts of unsaved specifications and recordings, its small files, and the specifications that were made
//! in it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::files::read_error;
use super::files::recording_file::{LEAD, UnsavedRecording, read_recording, recording_bytes};
use super::{StoreError, replace_file};
use taproof_spec::format::{blocks_name, main_names};

pub(super) const DRAFTS: &str = "drafts";
/// Extension of the file of an unsaved specification.
const DRAFT: &str = ".json";
/// Extension of the file of an unsaved recording.
const RECORDING: &str = ".recording";
/// Maximum number of recordings that a window takes over.
const MAX_RECORDINGS: usize = 20;
pub(super) const SPECS: &str = "specs";
/// The file by which the folder of a recorded walk is recognised.
const WALK: &str = "events.json";
/// The text by which a saved trace is recognised.
const TRACE: &str = "\"taproof_trace\"";

/// A specification that is not saved yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DraftText {
    /// Display name of the document.
    pub name: String,
    /// Package name of the app.
    pub app: String,
    /// The files of the specification.
    pub files: Vec<DraftFile>,
    /// Edited JSON that cannot be parsed yet, and the index of its DMF.
    pub json: Option<(usize, String)>,
}

/// A file of an unsaved specification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DraftFile {
    /// Name of the file.
    pub name: String,
    /// Path of the file; `None` if it was never saved.
    pub path: Option<PathBuf>,
    /// The text on disk, as far as known.
    pub saved: Option<String>,
    /// The text as edited in the window.
    pub text: String,
}

/// What a path refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenedFiles {
    /// Specifications: for each of them, its files with their texts.
    Specs(Vec<Vec<(PathBuf, String)>>),
    /// The folder of a recorded walk.
    Walk(PathBuf),
    /// The file of a saved trace.
    Trace(PathBuf),
}

/// The result of writing files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// All files were written.
    All,
    /// This file was changed since it was read; nothing was written.
    Changed(PathBuf),
}

/// A file to be written: its path, its new text, and its expected content.
pub type FileToReplace = (PathBuf, Arc<str>, FileBefore);

/// The expected content of a file that is to be overwritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileBefore {
    /// This text; `None` if there should be no file.
    Text(Option<Arc<str>>),
    /// Any content: the file is overwritten.
    Whatever,
}

/// The drafts of one window. As long as this value lives, no other window takes them over.
pub struct Drafts {
    folder: PathBuf,
    session: String,
    /// The names of the recordings whose lead-in is already written.
    leads: BTreeSet<String>,
    _lock: File,
}

impl Drafts {
    /// Opens the folder of drafts, and creates it if it does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Write`] if the folder or a lock in it cannot be created.
    pub fn open(root: &Path) -> Result<Drafts, StoreError> {
        let folder = root.join(DRAFTS);
        let failed = |error| write_error(&folder, error);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let process = std::process::id();
        // One program may have several windows.
        for number in 0..1000 {
            let session = format!("{process}-{number}");
            let lock = File::create(folder.join(format!("{session}.lock"))).map_err(failed)?;
            if lock.try_lock().is_ok() {
                return Ok(Drafts { folder, session, leads: BTreeSet::new(), _lock: lock });
            }
        }
        Err(failed(std::io::Error::other("too many windows")))
    }

    fn path(&self, word: &str) -> PathBuf {
        self.folder.join(format!("{}.{word}{DRAFT}", self.session))
    }

    /// Saves an unsaved specification under a name.
    pub fn keep(&self, word: &str, draft: &DraftText) -> Result<(), StoreError> {
        replace_file(&self.path(word), &serde_json::to_vec(draft)?)
    }

    /// Deletes the unsaved specification with this name.
    pub fn forget(&self, word: &str) -> Result<(), StoreError> {
        removed(&self.path(word))
    }

    fn recording_path(&self, word: &str) -> PathBuf {
        self.folder.join(format!("{}.{word}{RECORDING}", self.session))
    }

    /// Saves a recording under a name. Its lead-in is long and never changes, so it is written only once, to a
    /// recording without steps next to it.
    pub fn keep_recording(&mut self, word: &str, recording: &UnsavedRecording) -> Result<(), StoreError> {
        let path = self.recording_path(word);
        if !recording.lead.is_empty() && !self.leads.contains(word) {
            let lead = UnsavedRecording { lead: recording.lead.clone(), ..UnsavedRecording::default() };
            replace_file(&path.with_extension(LEAD), &recording_bytes(&lead)?)?;
            self.leads.insert(word.to_owned());
        }
        let alone = UnsavedRecording { lead: Vec::new(), ..recording.clone() };
        replace_file(&path, &recording_bytes(&alone)?)
    }

    /// Deletes the recording with this name.
    pub fn forget_recording(&mut self, word: &str) -> Result<(), StoreError> {
        let path = self.recording_path(word);
        self.leads.remove(word);
        removed(&path)?;
        removed(&path.with_extension(LEAD))
    }

    /// Takes over the recordings of windows that no longer exist, and returns them with their names, the newest last.
    /// Recordings that cannot be read stay where they are, and so do the oldest if there are very many: another window
    /// can take these over.
    pub fn take_over_recordings(&self) -> Result<Vec<(String, UnsavedRecording)>, StoreError> {
        let mut kept = Vec::new();
        for path in self.of_the_dead(RECORDING)? {
            let time = std::fs::metadata(&path).and_then(|data| data.modified()).ok();
            kept.push((time, path));
        }
        kept.sort();
        let mut taken = Vec::new();
        for (_, path) in kept.into_iter().rev() {
            match read_recording(&path) {
                Ok(recording) if taken.len() < MAX_RECORDINGS => {
                    let word = self.take(&path, |word| self.recording_path(word))?;
                    let (old, new) =
                        (path.with_extension(LEAD), self.recording_path(&word).with_extension(LEAD));
                    if old.exists() {
                        std::fs::rename(&old, new).map_err(|error| write_error(&old, error))?;
                    }
                    taken.push((word, recording));
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(?path, %error, "a recording cannot be read"),
            }
        }
        taken.reverse();
        Ok(taken)
    }

    /// The files with this extension of windows that no longer exist.
    fn of_the_dead(&self, ending: &str) -> Result<Vec<PathBuf>, StoreError> {
        let mut paths = listing(&self.folder)?;
        paths.retain(|path| {
            let name = file_name(path);
            let session = name.split('.').next().unwrap_or_default();
            name.ends_with(ending) && (session == self.session || !self.is_alive(session))
        });
        Ok(paths)
    }

    /// Renames a file to one of this window, and returns its new name. Never overwrites a file: one may be left from an
    /// earlier process with our process id.
    fn take(&self, path: &Path, ours: impl Fn(&str) -> PathBuf) -> Result<String, StoreError> {
        let mut number = 0u64;
        let word = loop {
            let word = format!("r{number}");
            if !ours(&word).exists() {
                break word;
            }
            number += 1;
        };
        std::fs::rename(path, ours(&word)).map_err(|error| write_error(path, error))?;
        Ok(word)
    }

    /// Takes over the unsaved specifications of windows that no longer exist, and returns them with their names. Those
    /// that cannot be read stay where they are.
    pub fn take_over(&self) -> Result<Vec<(String, DraftText)>, StoreError> {
        let mut taken = Vec::new();
        for path in self.of_the_dead(DRAFT)? {
            let Ok(draft) = read_text(&path).and_then(|text| Ok(serde_json::from_str::<DraftText>(&text)?))
            else {
                tracing::warn!(?path, "a draft cannot be read");
                continue;
            };
            taken.push((self.take(&path, |word| self.path(word))?, draft));
        }
        Ok(taken)
    }

    fn is_alive(&self, session: &str) -> bool {
        let path = self.folder.join(format!("{session}.lock"));
        let Ok(lock) = File::open(&path) else { return false };
        if lock.try_lock().is_err() {
            return true;
        }
        // The lock is useless, and a failure to remove it does no harm.
        if std::fs::remove_file(&path).is_err() {
            tracing::debug!(?path, "a lock of a window that is gone stays");
        }
        false
    }
}

impl Drop for Drafts {
    fn drop(&mut self) {
        let path = self.folder.join(format!("{}.lock", self.session));
        if std::fs::remove_file(&path).is_err() {
            tracing::debug!(?path, "the lock stays");
        }
    }
}

fn removed(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(write_error(path, error)),
        _ => Ok(()),
    }
}

/// Whether any window has drafts or has left some.
pub fn has_drafts(root: &Path) -> bool {
    root.join(DRAFTS).is_dir()
}

/// The folder of the specifications that were made in the window.
pub fn own_specs_folder(root: &Path) -> PathBuf {
    root.join(SPECS)
}

/// The specifications that were made in the window: for each of them, its files with their texts. Those that cannot be
/// read are left out.
pub fn own_specs(root: &Path) -> Vec<Vec<(PathBuf, String)>> {
    let apps = listing(&own_specs_folder(root)).unwrap_or_default();
    let folders = apps.iter().filter(|path| path.is_dir());
    folders.filter_map(|folder| specs_in(folder).ok()).flatten().collect()
}

/// Reads what a path refers to: a specification with the file that belongs to it, a folder of specifications, a walk,
/// or a trace.
pub fn open_path(path: &Path) -> Result<OpenedFiles, StoreError> {
    if path.is_dir() {
        if path.join(WALK).is_file() {
            return Ok(OpenedFiles::Walk(path.to_owned()));
        }
        return specs_in(path).map(OpenedFiles::Specs);
    }
    if file_name(path) == WALK {
        return Ok(OpenedFiles::Walk(path.parent().unwrap_or(path).to_owned()));
    }
    let files = pair(path)?;
    let is_trace = files.iter().any(|(file, text)| file == path && text.contains(TRACE));
    Ok(if is_trace { OpenedFiles::Trace(path.to_owned()) } else { OpenedFiles::Specs(vec![files]) })
}

fn specs_in(folder: &Path) -> Result<Vec<Vec<(PathBuf, String)>>, StoreError> {
    let files: Vec<PathBuf> =
        listing(folder)?.into_iter().filter(|path| file_name(path).ends_with(".json")).collect();
    let mains: BTreeSet<PathBuf> = files.iter().filter_map(|path| main_of(path)).collect();
    // A block list is read together with its DMFs.
    let first = |path: &&PathBuf| main_of(path).is_none();
    let dmfs = |path: &&PathBuf| {
        let name = file_name(path);
        name.starts_with("dmf") || name.starts_with("keyviews") || mains.contains(*path)
    };
    let named: Vec<&PathBuf> = files.iter().filter(first).filter(dmfs).collect();
    let all = if named.is_empty() { files.iter().collect() } else { named };
    if all.is_empty() {
        let error =
            std::io::Error::new(ErrorKind::NotFound, "no specification and no recorded walk in this folder");
        return Err(read_error(folder, error));
    }
    all.into_iter().map(|path| pair(path)).collect()
}

/// The file of DMFs that a block list belongs to.
fn main_of(blocks: &Path) -> Option<PathBuf> {
    let names = main_names(&file_name(blocks)).into_iter();
    names.map(|name| blocks.with_file_name(name)).find(|path| path.is_file())
}

/// A file with the one that belongs to it, the DMFs first.
fn pair(path: &Path) -> Result<Vec<(PathBuf, String)>, StoreError> {
    let blocks = path.with_file_name(blocks_name(&file_name(path)));
    let files = match main_of(path) {
        Some(main) => vec![main, path.to_owned()],
        None if main_of(&blocks).as_deref() == Some(path) && blocks.is_file() => {
            vec![path.to_owned(), blocks]
        }
        None => vec![path.to_owned()],
    };
    files.into_iter().map(|path| read_text(&path).map(|text| (path, text))).collect()
}

/// Writes files, either all of them or, if one was changed by another program, none.
pub fn write_files(files: &[FileToReplace]) -> Result<Written, StoreError> {
    for (path, text, known) in files {
        let FileBefore::Text(known) = known else { continue };
        match std::fs::read(path) {
            Ok(there)
                if known.as_ref().is_none_or(|known| known.as_bytes() != there)
                    && there != text.as_bytes() =>
            {
                return Ok(Written::Changed(path.clone()));
            }
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(read_error(path, error)),
            _ => {}
        }
    }
    for (path, text, _) in files {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| write_error(path, error))?;
        }
        replace_file(path, text.as_bytes())?;
    }
    Ok(Written::All)
}

/// Reads one of the workspace's small files. Returns the default if it does not exist or is damaged.
pub fn read_kept<T: DeserializeOwned + Default>(root: &Path, name: &str) -> T {
    let text = std::fs::read_to_string(root.join(name)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Writes one of the workspace's small files.
pub fn keep<T: Serialize>(root: &Path, name: &str, value: &T) -> Result<(), StoreError> {
    std::fs::create_dir_all(root).map_err(|error| write_error(root, error))?;
    replace_file(&root.join(name), &serde_json::to_vec_pretty(value)?)
}

fn listing(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let entries = std::fs::read_dir(folder).map_err(|error| read_error(folder, error))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

fn read_text(path: &Path) -> Result<String, StoreError> {
    std::fs::read_to_string(path).map_err(|error| read_error(path, error))
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn write_error(path: &Path, error: std::io::Error) -> StoreError {
    StoreError::Write { path: path.display().to_string(), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::files::read_bytes;
    use crate::store::files::recording_file::recording_from;
    use taproof_spec::{Recording, RecordingStep};

    #[test]
    fn drafts_of_the_dead_are_taken_over_once() {
        let root = tempfile::tempdir().unwrap();
        let draft = DraftText { name: "files".to_owned(), ..DraftText::default() };
        let first = Drafts::open(root.path()).unwrap();
        first.keep("d1", &draft).unwrap();
        let second = Drafts::open(root.path()).unwrap();
        assert_eq!(second.take_over().unwrap(), [], "the first window lives");
        drop(first);
        assert_eq!(second.take_over().unwrap(), [("r0".to_owned(), draft)]);
        second.forget("r0").unwrap();
        drop(second);
        assert_eq!(std::fs::read_dir(root.path().join(DRAFTS)).unwrap().count(), 0);
    }

    #[test]
    fn no_draft_is_taken_over_onto_another() {
        let root = tempfile::tempdir().unwrap();
        let draft = |name: &str| DraftText { name: name.to_owned(), ..DraftText::default() };
        let recording = |app: &str| UnsavedRecording { app: app.to_owned(), ..UnsavedRecording::default() };
        let mut drafts = Drafts::open(root.path()).unwrap();
        // Left by a process that had our number.
        for word in ["d9", "r0"] {
            drafts.keep(word, &draft(word)).unwrap();
            drafts.keep_recording(word, &recording(word)).unwrap();
        }
        let names = |drafts: &Drafts| -> Vec<String> {
            let mut names: Vec<_> = drafts.take_over().unwrap().into_iter().map(|(_, it)| it.name).collect();
            names.sort();
            names
        };
        assert_eq!(names(&drafts), ["d9", "r0"]);
        assert_eq!(names(&drafts), ["d9", "r0"], "all are there still");
        let taken = drafts.take_over_recordings().unwrap();
        let apps = |taken: &[(String, UnsavedRecording)]| -> Vec<String> {
            taken.iter().map(|(_, recording)| recording.app.clone()).collect()
        };
        assert_eq!(apps(&taken), ["d9", "r0"], "the newest last");
        for (word, _) in &taken {
            drafts.forget_recording(word).unwrap();
        }
        assert_eq!(drafts.take_over_recordings().unwrap(), []);
    }

    #[test]
    fn the_way_to_a_recording_is_written_once_and_comes_back() {
        let root = tempfile::tempdir().unwrap();
        let screen = Arc::new(taproof_screen::layout_from("Button#add \"Add\"\n"));
        let seen = |text: &str| taproof_screen::RecordedStep {
            event: taproof_screen::Event::Type(text.to_owned()),
            before: Arc::clone(&screen),
            after: Arc::clone(&screen),
        };
        let steps = vec![RecordingStep::of(seen("step"), seen("step"))];
        let recording = Recording { steps, ..Recording::default() };
        let recording =
            UnsavedRecording { lead: vec![seen("lead")], recording, ..UnsavedRecording::default() };
        let mut first = Drafts::open(root.path()).unwrap();
        first.keep_recording("n1", &recording).unwrap();
        let path = first.recording_path("n1");
        let (alone, lead) = (recording_from(&read_bytes(&path).unwrap()).unwrap(), path.with_extension(LEAD));
        assert!(alone.lead.is_empty() && lead.is_file());
        let written = std::fs::metadata(&lead).unwrap().modified().unwrap();
        std::fs::remove_file(&path).unwrap();
        first.keep_recording("n1", &recording).unwrap();
        assert!(path.is_file() && std::fs::metadata(&lead).unwrap().modified().unwrap() == written);
        drop(first);
        let mut second = Drafts::open(root.path()).unwrap();
        let taken = second.take_over_recordings().unwrap();
        assert_eq!(taken, [("r0".to_owned(), recording)]);
        second.forget_recording("r0").unwrap();
        drop(second);
        assert_eq!(std::fs::read_dir(root.path().join(DRAFTS)).unwrap().count(), 0);
    }

    #[test]
    fn a_file_changed_behind_our_back_is_not_written() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("specs/files/dmf_a.json");
        let still = |text: Option<&str>| FileBefore::Text(text.map(Arc::from));
        let write = |text: &str, known| write_files(&[(path.clone(), Arc::from(text), known)]).unwrap();
        assert_eq!(write("one", still(None)), Written::All);
        assert_eq!(write("two", still(Some("one"))), Written::All);
        assert_eq!(write("three", still(Some("one"))), Written::Changed(path.clone()));
        assert_eq!(write("three", still(None)), Written::Changed(path.clone()));
        assert_eq!(write("three", FileBefore::Whatever), Written::All);
        let beside = path.with_file_name("keyviews_a.json");
        std::fs::write(&beside, "blocks").unwrap();
        // Neither is written where one is not what it should be.
        let both = [
            (path.clone(), Arc::from("four"), FileBefore::Whatever),
            (beside.clone(), Arc::from("others"), still(None)),
        ];
        assert_eq!(write_files(&both).unwrap(), Written::Changed(beside));
        let files = own_specs(root.path());
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["three", "blocks"]);
        let by_blocks = open_path(&path.with_file_name("keyviews_a.json")).unwrap();
        assert_eq!(by_blocks, OpenedFiles::Specs(files));
    }

    #[test]
    fn a_block_list_belongs_to_any_file_that_it_is_named_for() {
        let root = tempfile::tempdir().unwrap();
        let opened = |path: &str| match open_path(&root.path().join(path)).unwrap() {
            OpenedFiles::Specs(specs) => specs
                .iter()
                .map(|files| files.iter().map(|(path, _)| file_name(path)).collect::<Vec<_>>().join(" + "))
                .collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        let write = |name: &str| std::fs::write(root.path().join(name), "{}").unwrap();
        write("keyviews_notes.json");
        write("notes.json");
        write("other.json");
        for path in ["", "notes.json", "keyviews_notes.json"] {
            assert_eq!(opened(path), ["notes.json + keyviews_notes.json"], "{path:?}");
        }
        write("dmf_notes.json");
        assert_eq!(opened(""), ["dmf_notes.json + keyviews_notes.json"]);
        assert_eq!(opened("notes.json"), ["notes.json"]);
    }
}
