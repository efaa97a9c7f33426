//! Specifications on the disk thread: reads and writes them, saves drafts, and restores both at the next start.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{DiskTask, DmfTime, DmfTimes, DocumentId, FileToWrite};
use taproof_results::store::{
    DraftText, Drafts, FileBefore, FileToReplace, OpenedFiles, StoreError, UnsavedRecording, Written,
    has_drafts, keep, open_path, own_specs, read_kept, replace_file, write_files,
};

const RECENT: &str = "recent.json";
const TIMES: &str = "times.json";

/// The result of a [`DiskTask`].
pub(crate) enum SpecDone {
    Nothing,
    Found(Box<Found>),
    Specs(Vec<Vec<(PathBuf, String)>>),
    Walk(PathBuf),
    Trace(PathBuf),
    Written(DocumentId, Vec<(PathBuf, Arc<str>)>),
    Changed(DocumentId, PathBuf),
    Exported(PathBuf),
    Failed(String),
}

/// What earlier sessions left.
pub(crate) struct Found {
    pub recent: Vec<PathBuf>,
    pub times: DmfTimes,
    pub own: Vec<Vec<(PathBuf, String)>>,
    pub drafts: Vec<(String, DraftText)>,
    pub recordings: Vec<(String, UnsavedRecording)>,
    pub problem: Option<String>,
}

/// Executes a task. `drafts` is opened when it is first needed.
pub(crate) fn run(job: DiskTask, root: &Path, drafts: &mut Option<Drafts>) -> SpecDone {
    let failed = |what: &str, error: StoreError| SpecDone::Failed(format!("{what}: {error}"));
    let nothing = |what: &str, result: Result<(), StoreError>| match result {
        Ok(()) => SpecDone::Nothing,
        Err(error) => failed(what, error),
    };
    match job {
        DiskTask::Begin => SpecDone::Found(Box::new(find(root, drafts))),
        DiskTask::Read(path) => match open_path(&path) {
            Ok(OpenedFiles::Specs(specs)) => SpecDone::Specs(specs),
            Ok(OpenedFiles::Walk(folder)) => SpecDone::Walk(folder),
            Ok(OpenedFiles::Trace(path)) => SpecDone::Trace(path),
            Err(error) => failed("The file was not opened", error),
        },
        DiskTask::Write(id, files) => {
            let known = |file: &FileToWrite| match file.over {
                true => FileBefore::Whatever,
                false => FileBefore::Text(file.known.clone()),
            };
            let all: Vec<FileToReplace> =
                files.iter().map(|file| (file.path.clone(), Arc::clone(&file.text), known(file))).collect();
            match write_files(&all) {
                Ok(Written::All) => {
                    SpecDone::Written(id, files.into_iter().map(|file| (file.path, file.text)).collect())
                }
                Ok(Written::Changed(path)) => SpecDone::Changed(id, path),
                Err(error) => failed("The specification was not saved", error),
            }
        }
        DiskTask::Export(path, text) => match replace_file(&path, text.as_bytes()) {
            Ok(()) => SpecDone::Exported(path),
            Err(error) => failed("The file was not written", error),
        },
        DiskTask::KeepDraft(word, draft) => nothing(
            "The draft was not kept",
            opened(drafts, root).and_then(|drafts| drafts.keep(&word, &draft)),
        ),
        DiskTask::ForgetDraft(word) => {
            nothing("The old draft stays", opened(drafts, root).and_then(|drafts| drafts.forget(&word)))
        }
        DiskTask::KeepRecording(word, recording) => nothing(
            "The recording was not kept",
            opened(drafts, root).and_then(|drafts| drafts.keep_recording(&word, &recording)),
        ),
        DiskTask::ForgetRecording(word) => nothing(
            "The old recording stays",
            opened(drafts, root).and_then(|drafts| drafts.forget_recording(&word)),
        ),
        DiskTask::KeepRecent(recent) => {
            nothing("The recent files were not kept", keep(root, RECENT, &recent))
        }
        DiskTask::KeepTimes(times) => {
            let seconds = |time: &DmfTime| (time.recording, time.editing);
            let plain = |dmfs: BTreeMap<String, DmfTime>| -> BTreeMap<String, (f64, f64)> {
                dmfs.iter().map(|(name, time)| (name.clone(), seconds(time))).collect()
            };
            let all: BTreeMap<_, _> = times.into_iter().map(|(key, dmfs)| (key, plain(dmfs))).collect();
            nothing("The times were not kept", keep(root, TIMES, &all))
        }
    }
}

fn opened<'d>(drafts: &'d mut Option<Drafts>, root: &Path) -> Result<&'d mut Drafts, StoreError> {
    match drafts {
        Some(drafts) => Ok(drafts),
        none => Ok(none.insert(Drafts::open(root)?)),
    }
}

fn find(root: &Path, drafts: &mut Option<Drafts>) -> Found {
    let times: BTreeMap<String, BTreeMap<String, (f64, f64)>> = read_kept(root, TIMES);
    let time = |(recording, editing)| DmfTime { recording, editing };
    let timed = |dmfs: BTreeMap<String, (f64, f64)>| {
        dmfs.into_iter().map(|(name, both)| (name, time(both))).collect()
    };
    let mut found = Found {
        recent: read_kept(root, RECENT),
        times: times.into_iter().map(|(key, dmfs)| (key, timed(dmfs))).collect(),
        own: own_specs(root),
        drafts: Vec::new(),
        recordings: Vec::new(),
        problem: None,
    };
    // Only looking around leaves no folder behind.
    if has_drafts(root) {
        let taken = |drafts: &mut Drafts| Ok((drafts.take_over()?, drafts.take_over_recordings()?));
        match opened(drafts, root).and_then(taken) {
            Ok((taken, recordings)) => {
                found.drafts = taken;
                found.recordings = recordings;
            }
            Err(error) => found.problem = Some(format!("Drafts cannot be restored: {error}")),
        }
    }
    found
}
