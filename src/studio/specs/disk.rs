//! Takes the results of the disk thread: documents that were read or written, and drafts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::document::{JsonTarget, SpecDocument, SpecEdit, edit, file_name};
use super::{DiskTask, DocumentId, DocumentQuestion, Documents, MAX_RECENT, app_of, document_name, time_key};
use crate::effect::Effect;
use crate::event::Event;
use taproof_spec::format::DmfFile;

use taproof_results::store::{DraftFile, DraftText};
use taproof_screen::format::FormatError;
use taproof_spec::Dmf;

impl Documents {
    /// Adds a document that was read, given the paths and texts of its files, or shows the one that is open already.
    pub(crate) fn opened(&mut self, files: Vec<(PathBuf, String)>) -> Vec<Effect> {
        let known = |path: &Path| {
            let of = |document: &&SpecDocument| {
                document.files.iter().any(|file| file.path.as_deref() == Some(path))
            };
            self.list.iter().find(of).map(|document| document.id)
        };
        let Some(path) = files.first().map(|(path, _)| path.clone()) else { return Vec::new() };
        // This includes files that turn out to be invalid, since their names are taken.
        self.taken.extend(files.iter().map(|(path, _)| path.clone()));
        if let Some(id) = known(&path) {
            self.shown = Some(id);
            return Vec::new();
        }
        let sources = files.into_iter().map(|(path, text)| (file_name(&path), Some(path), text)).collect();
        let id = self.next_id();
        match SpecDocument::read(id, &document_name(&path), sources) {
            Ok(mut document) => {
                document.app = app_of(&document.spec);
                document.times = self.times.remove(&path.display().to_string()).unwrap_or_default();
                self.list.push(document);
                self.shown = Some(id);
                self.used(path)
            }
            Err((name, error)) => {
                self.problem = Some(format!("{name} cannot be opened. {}", in_words(&error)));
                Vec::new()
            }
        }
    }

    /// Adds a specification of the person that was found at the start.
    pub(crate) fn found(&mut self, files: Vec<(PathBuf, String)>) {
        let recent = self.recent.clone();
        self.opened(files);
        self.recent = recent;
    }

    /// Restores a draft of an earlier session, which is stored under this name.
    pub(crate) fn restored(&mut self, draft: String, text: DraftText) -> Vec<Effect> {
        let id = self.next_id();
        let sources = text.files.iter().map(|file| (file.name.clone(), file.path.clone(), file.text.clone()));
        let Ok(mut document) = SpecDocument::read(id, &text.name, sources.collect()) else {
            return Vec::new();
        };
        for (file, kept) in document.files.iter_mut().zip(text.files) {
            file.saved = kept.saved.map(Arc::from);
        }
        document.app = text.app;
        document.draft = draft;
        if let Some((dmf, json)) = text.json {
            document.choose(dmf);
            document.show_json(JsonTarget::Dmf);
            edit(&mut document, SpecEdit::Json(json));
        }
        // If the same file has been opened, the draft is newer. The times were assigned to the opened document.
        document.times = self.times.remove(&time_key(&document)).unwrap_or_default();
        let path = document.main().path.clone();
        let same = |known: &mut SpecDocument| !known.shipped && known.main().path == path;
        if path.is_some() {
            for older in self.list.extract_if(.., same) {
                document.times = older.times;
            }
        }
        let message = format!("\u{201c}{}\u{201d} was not saved: it is restored", document.name);
        self.kept.insert(id, document.revision);
        self.list.push(document);
        self.shown = Some(id);
        vec![Effect::notify(message)]
    }

    /// Called when a document's files have been written.
    pub(crate) fn written(&mut self, id: DocumentId, files: &[(PathBuf, Arc<str>)]) -> Vec<Effect> {
        self.problem = None;
        let again = self.writing.remove(&id).unwrap_or_default();
        self.taken.extend(files.iter().map(|(path, _)| path.clone()));
        let mut effects = Vec::new();
        if let Some(document) = self.get_mut(id) {
            document.written(files);
            let path = document.main().path.clone().or_else(|| Some(files.first()?.0.clone()));
            if let Some(path) = path {
                let message = format!("Saved \u{201c}{}\u{201d}: {}", document.name, path.display());
                effects.push(Effect::notify(message));
                effects.extend(self.used(path));
            }
        }
        for name in self.kept_by(id, files) {
            let replaces = self.get(id).and_then(|document| self.replacing_words(document, &name));
            effects.extend(replaces.map(Effect::notify));
            effects.push(Effect::Then(Event::FunctionSaved(name)));
        }
        effects.extend(self.drafts());
        if again && self.get(id).is_some_and(SpecDocument::unsaved) {
            effects.extend(self.save(id));
            return effects;
        }
        if self.closing_one.take_if(|closing| *closing == id).is_some() {
            effects.extend(self.remove(id));
        }
        if let Some(closing) = &mut self.closing {
            closing.retain(|waiting| *waiting != id);
            if closing.is_empty() {
                effects.push(self.close_window());
            }
        }
        effects
    }

    /// The names of the DMFs that were put into a document and have now been written with these texts.
    fn kept_by(&mut self, id: DocumentId, files: &[(PathBuf, Arc<str>)]) -> Vec<String> {
        if !self.keeping.iter().any(|(of, _)| *of == id) {
            return Vec::new();
        }
        let now = self.get(id).map(|document| Arc::clone(&document.spec)).unwrap_or_default();
        let texts = files.iter().filter_map(|(_, text)| DmfFile::parse(text).ok());
        let there: Vec<Dmf> = texts.flat_map(|file| file.spec.dmfs).collect();
        let kept = |(of, dmf): &mut (DocumentId, Box<Dmf>)| {
            // The DMF may have been edited in the document before it was written.
            let edited = !now.dmfs.contains(dmf) && there.iter().any(|it| it.name == dmf.name);
            *of == id && (edited || there.contains(dmf))
        };
        self.keeping.extract_if(.., kept).map(|(_, dmf)| dmf.name).collect()
    }

    /// Called when a document was not written because its file has changed since it was read.
    pub fn changed_on_disk(&mut self, id: DocumentId, path: PathBuf) {
        self.writing.remove(&id);
        self.closing = None;
        self.closing_one = None;
        self.question = Some(DocumentQuestion::ChangedOnDisk(id, path));
    }

    /// Called when reading or writing failed.
    pub fn failed(&mut self, problem: String) {
        self.writing.clear();
        self.closing = None;
        self.closing_one = None;
        self.problem = Some(problem);
    }

    fn used(&mut self, path: PathBuf) -> Vec<Effect> {
        if self.recent.first() == Some(&path) {
            return Vec::new();
        }
        self.recent.retain(|known| *known != path);
        self.recent.insert(0, path);
        self.recent.truncate(MAX_RECENT);
        vec![DiskTask::KeepRecent(self.recent.clone()).into()]
    }

    /// The total number of edits; it grows while somebody types.
    pub fn revisions(&self) -> u64 {
        self.list.iter().map(|document| document.revision).sum()
    }

    /// Returns the effects that write the drafts of unsaved documents and remove those of saved ones.
    pub(crate) fn drafts(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for document in &self.list {
            let kept = self.kept.get(&document.id).copied();
            if !document.unsaved() {
                if self.kept.remove(&document.id).is_some() {
                    effects.push(DiskTask::ForgetDraft(document.draft.clone()).into());
                }
            } else if kept != Some(document.revision) {
                self.kept.insert(document.id, document.revision);
                let draft = Box::new(draft_of(document));
                effects.push(DiskTask::KeepDraft(document.draft.clone(), draft).into());
            }
        }
        effects
    }
}

fn draft_of(document: &SpecDocument) -> DraftText {
    let file = |file: &super::document::SpecFile| DraftFile {
        name: file.name.clone(),
        path: file.path.clone(),
        saved: file.saved.as_deref().map(str::to_owned),
        text: file.file.source().to_owned(),
    };
    let unread = document.json.problem.is_some() && document.json.target == JsonTarget::Dmf;
    DraftText {
        name: document.name.clone(),
        app: document.app.clone(),
        files: document.files.iter().map(file).collect(),
        json: unread.then(|| (document.chosen, document.json.text.clone())),
    }
}

/// Describes where a text is invalid and why, for people.
pub fn in_words(error: &FormatError) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("specification, ").unwrap_or(&text);
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
