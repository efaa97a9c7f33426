//! Executes the commands about documents.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::document::{SpecDocument, SpecEdit, SpecFile, edit};
use super::{
    Answer, DiskTask, DocumentCommand, DocumentId, DocumentQuestion, Documents, FileToWrite, document_name,
    numbered, slug, time_key,
};
use crate::command::FileQuestion;
use crate::effect::Effect;
use crate::event::Event;
use crate::state::AppEntry;
use taproof_spec::format::block_list;
use taproof_spec::{Dmf, Spec};

impl Documents {
    /// Executes a command while `app` is on the phone. Returns the remaining effects.
    pub(crate) fn run(&mut self, command: DocumentCommand, app: Option<&AppEntry>) -> Vec<Effect> {
        match command {
            DocumentCommand::Show(id) => self.shown = Some(id),
            DocumentCommand::Choose(id, dmf) => {
                if let Some(document) = self.get_mut(id) {
                    document.choose(dmf);
                }
                self.shown = Some(id);
            }
            DocumentCommand::Keep(dmf, before) => return self.keep(*dmf, before, app),
            DocumentCommand::Accept(_, spec) => return self.accept(&spec, app),
            DocumentCommand::Edit(id, change) => return self.edit(id, *change),
            DocumentCommand::ShowJson(id, target) => self.with(id, |document| document.show_json(target)),
            DocumentCommand::Undo(id) => self.with(id, |document| document.turn(true)),
            DocumentCommand::Redo(id) => self.with(id, |document| document.turn(false)),
            DocumentCommand::New => {
                let id = self.make_new(app);
                self.shown = Some(id);
            }
            DocumentCommand::Copy(id) => return self.copied(id).1,
            DocumentCommand::AskOpen => {
                return vec![Effect::ask(FileQuestion::specification())];
            }
            DocumentCommand::Open(path) => {
                self.problem = None;
                return vec![DiskTask::Read(path).into()];
            }
            DocumentCommand::Save(id) => return self.save(id),
            DocumentCommand::AskSaveAs(id) => {
                let name = self.get(id).map(|document| document.main().name.clone()).unwrap_or_default();
                return vec![Effect::ask(FileQuestion::save_specification(id, name))];
            }
            DocumentCommand::SaveAs(id, path) => return self.save_as(id, &path),
            DocumentCommand::AskExportBlocks(id) => {
                return vec![Effect::ask(FileQuestion::export_blocks(id))];
            }
            DocumentCommand::ExportBlocks(id, path) => {
                let text = self.get(id).map(|document| block_list(&document.spec));
                return text.map(|text| DiskTask::Export(path, text).into()).into_iter().collect();
            }
            DocumentCommand::Close(id) => return self.close(id),
            DocumentCommand::Quit => {
                let open = self.list.iter().filter(|document| document.unsaved()).map(|document| document.id);
                self.question = Some(DocumentQuestion::Quit(open.collect()));
            }
            DocumentCommand::Answer(answer) => return self.answer(answer),
            DocumentCommand::Mark(selector) => self.marked = selector,
            DocumentCommand::DismissProblem => self.problem = None,
        }
        Vec::new()
    }

    fn with(&mut self, id: DocumentId, change: impl FnOnce(&mut SpecDocument)) {
        if let Some(document) = self.get_mut(id) {
            change(document);
        }
    }

    /// Creates an empty document for an app.
    fn make_new(&mut self, app: Option<&AppEntry>) -> DocumentId {
        let label = app.map_or("specification", |app| app.label.as_str());
        let package = app.map(|app| app.package.clone()).unwrap_or_default();
        let name = self.free_name(&format!("my {label}"), &package);
        let empty = (format!("dmf_{}.json", slug(&name)), None, "{\n    \"dmfs\": []\n}".to_owned());
        let id = self.next_id();
        // The text above is valid.
        if let Ok(mut document) = SpecDocument::read(id, &name, vec![empty]) {
            document.app = package;
            self.list.push(document);
        }
        id
    }

    /// The file of a new document.
    fn own_path(&self, name: &str, app: &str) -> PathBuf {
        let app = app.rsplit('.').next().filter(|word| !word.is_empty()).unwrap_or("other");
        self.home.join(app).join(format!("dmf_{}.json", slug(name)))
    }

    /// Returns `name`, numbered if necessary so that no document has it and its file is not taken.
    fn free_name(&self, name: &str, app: &str) -> String {
        let taken = |name: &str| {
            // Different names may lead to the same file.
            let called = |document: &SpecDocument| slug(&document.name) == slug(name);
            self.list.iter().any(called) || self.taken.contains(&self.own_path(name, app))
        };
        let numbered = (2..).map(|number| format!("{name} {number}"));
        std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
    }

    /// Creates a copy that can be written. Returns its id, and a message for the person.
    fn copied(&mut self, id: DocumentId) -> (DocumentId, Vec<Effect>) {
        let Some(document) = self.get(id) else { return (id, Vec::new()) };
        let name = self.free_name(&format!("my copy of {}", document.name), &document.app);
        let (chosen, app, target) = (document.chosen, document.app.clone(), document.json.target);
        let kept = |(place, file): (usize, &SpecFile)| {
            let kind = if place == 0 { "dmf" } else { "keyviews" };
            (format!("{kind}_{}.json", slug(&name)), None, file.file.source().to_owned())
        };
        let said = document.files.iter().filter(|file| !file.is_blank());
        let sources = said.enumerate().map(kept).collect();
        let copy = self.next_id();
        let Ok(mut document) = SpecDocument::read(copy, &name, sources) else { return (id, Vec::new()) };
        document.app = app;
        document.show_json(target);
        document.choose(chosen);
        self.list.push(document);
        self.shown = Some(copy);
        let message = format!("The shipped file stays as it is: this is \u{201c}{name}\u{201d}");
        (copy, vec![Effect::notify(message)])
    }

    fn edit(&mut self, id: DocumentId, change: SpecEdit) -> Vec<Effect> {
        let shipped = self.get(id).is_some_and(|document| document.shipped);
        let (id, told) = if shipped { self.copied(id) } else { (id, Vec::new()) };
        self.with(id, |document| edit(document, change));
        told
    }

    /// Adds proposed functions, under other names where these are taken, and the blocks that are new.
    fn accept(&mut self, spec: &Spec, app: Option<&AppEntry>) -> Vec<Effect> {
        let own = app.and_then(|app| self.own(&app.package)).map(|document| document.id);
        let id = own.unwrap_or_else(|| self.make_new(app));
        self.with(id, |document| {
            for dmf in &spec.dmfs {
                if document.spec.dmfs.contains(dmf) {
                    continue;
                }
                let taken = |name: &str| document.spec.dmfs.iter().any(|known| known.name == name);
                let name = free_name(&dmf.name, taken);
                let dmf = Box::new(Dmf { name, ..dmf.clone() });
                edit(document, SpecEdit::InsertDmf(document.spec.dmfs.len(), dmf));
            }
            for block in &spec.blocks {
                if !document.spec.blocks.contains(block) {
                    edit(document, SpecEdit::AddBlock(block.clone()));
                }
            }
            document.choose(document.spec.dmfs.len().saturating_sub(1));
        });
        self.shown = Some(id);
        self.save(id)
    }

    fn keep(&mut self, dmf: Dmf, before: Option<String>, app: Option<&AppEntry>) -> Vec<Effect> {
        let own = app.and_then(|app| self.own(&app.package)).map(|document| document.id);
        let id = own.unwrap_or_else(|| self.make_new(app));
        let (id, mut effects) = match self.get(id) {
            Some(document) if document.shipped => self.copied(id),
            _ => (id, Vec::new()),
        };
        if let Some(document) = self.get(id).filter(|document| document.json.problem.is_some()) {
            // Replacing the DMF would discard what is typed there, and undo would not bring it back.
            let message = format!(
                "\u{201c}{}\u{201d} is not saved: the JSON of \u{201c}{}\u{201d} cannot be read. Mend it or take \
                 it back.",
                dmf.name, document.name
            );
            effects.push(Effect::failure(message));
            return effects;
        }
        let known =
            self.get(id).and_then(|document| document.spec.dmfs.iter().find(|known| known.name == dmf.name));
        match known {
            Some(known) if *known != dmf && before.as_ref() != Some(&dmf.name) => {
                self.question = Some(DocumentQuestion::SameName(id, Box::new(dmf)));
            }
            _ => {
                // A correction may have a new name; the DMF with the old name is replaced.
                let name = before.filter(|_| known.is_none()).unwrap_or_else(|| dmf.name.clone());
                effects.extend(self.put(id, &name, dmf));
            }
        }
        effects
    }

    /// Replaces the DMF with this name, or adds the DMF as the last one, and saves the document.
    fn put(&mut self, id: DocumentId, place_of: &str, dmf: Dmf) -> Vec<Effect> {
        let recording = std::mem::take(&mut self.recording);
        let Some(document) = self.get_mut(id) else { return Vec::new() };
        let (name, kept) = (dmf.name.clone(), Box::new(dmf.clone()));
        document.times.entry(name.clone()).or_default().recording += recording;
        let place = document.spec.dmfs.iter().position(|known| known.name == place_of);
        match place {
            Some(place) => edit(document, SpecEdit::SetDmf(place, Box::new(dmf), String::new())),
            None => edit(document, SpecEdit::InsertDmf(document.spec.dmfs.len(), Box::new(dmf))),
        }
        let place = document.spec.dmfs.iter().position(|known| known.name == name);
        document.choose(place.unwrap_or(0));
        let mut effects = self.save(id);
        effects.push(DiskTask::KeepTimes(self.all_times()).into());
        match self.writing.contains_key(&id) {
            true => self.keeping.push((id, kept)),
            // The document contains exactly this DMF already.
            false => effects.push(Effect::Then(Event::FunctionSaved(name))),
        }
        effects
    }

    /// Writes a document to its files. A new one goes to the folder of new documents.
    pub(super) fn save(&mut self, id: DocumentId) -> Vec<Effect> {
        if let Some(again) = self.writing.get_mut(&id) {
            // Whether it must be written again is only known once the current write is complete.
            *again = true;
            return Vec::new();
        }
        let home = self.get(id).map(|document| self.own_path(&document.name, &document.app));
        let (Some(document), Some(home)) = (self.get_mut(id), home) else { return Vec::new() };
        if document.shipped {
            return vec![Effect::failure("Shipped specifications are not written. Save a copy.".to_owned())];
        }
        if document.json.problem.is_some() {
            let message = format!(
                "\u{201c}{}\u{201d} is not saved: its JSON cannot be read. Mend it or take it back.",
                document.name
            );
            return vec![Effect::failure(message)];
        }
        if document.files.iter().all(|file| file.path.is_none()) {
            document.put_at(&home);
        } else if document.files.iter().any(|file| file.path.is_none()) {
            fill_paths(document);
        }
        let to_write = document.files.iter().filter(|file| !file.is_blank()).filter_map(|file| {
            let text: Arc<str> = Arc::from(file.file.source());
            Some(FileToWrite { path: file.path.clone()?, text, known: file.saved.clone(), over: file.over })
        });
        let files: Vec<FileToWrite> =
            to_write.filter(|file| file.known.as_ref() != Some(&file.text)).collect();
        if files.is_empty() {
            document.files.iter_mut().for_each(|file| file.over = false);
            return vec![Effect::notify(format!("\u{201c}{}\u{201d} is saved already", document.name))];
        }
        self.writing.insert(id, false);
        vec![DiskTask::Write(id, files).into()]
    }

    fn save_as(&mut self, id: DocumentId, path: &Path) -> Vec<Effect> {
        let shipped = self.get(id).is_some_and(|document| document.shipped);
        let (id, mut effects) = if shipped { self.copied(id) } else { (id, Vec::new()) };
        self.with(id, |document| {
            document.put_at(path);
            document.name = document_name(path);
            // The file chooser has asked whether to overwrite the chosen file, but not the one beside it.
            document.write_over(path);
        });
        effects.extend(self.save(id));
        effects
    }

    fn close(&mut self, id: DocumentId) -> Vec<Effect> {
        match self.get(id) {
            Some(document) if document.unsaved() => {
                self.question = Some(DocumentQuestion::Close(id));
                self.shown = Some(id);
                Vec::new()
            }
            Some(document) if !document.shipped => self.remove(id),
            _ => Vec::new(),
        }
    }

    pub(super) fn remove(&mut self, id: DocumentId) -> Vec<Effect> {
        // The DMFs that were put into it are lost here, but their recordings still exist.
        self.keeping.retain(|(of, _)| *of != id);
        let Some(place) = self.list.iter().position(|document| document.id == id) else { return Vec::new() };
        let document = self.list.remove(place);
        if !document.times.is_empty() {
            self.times.insert(time_key(&document), document.times);
        }
        if self.shown == Some(id) {
            self.shown = None;
        }
        match self.kept.remove(&id) {
            Some(_) => vec![DiskTask::ForgetDraft(document.draft).into()],
            None => Vec::new(),
        }
    }

    fn answer(&mut self, answer: Answer) -> Vec<Effect> {
        let Some(question) = self.question.take() else { return Vec::new() };
        match (question, answer) {
            (question, Answer::Cancel) => {
                self.closing = None;
                self.closing_one = None;
                if let DocumentQuestion::ChangedOnDisk(id, _) = question {
                    // The agreement to overwrite the other file was for this attempt only.
                    self.with(id, |document| document.files.iter_mut().for_each(|file| file.over = false));
                }
                Vec::new()
            }
            (DocumentQuestion::Close(id), Answer::Save) => {
                let effects = self.save(id);
                if self.writing.contains_key(&id) {
                    self.closing_one = Some(id);
                    return effects;
                }
                // Either an earlier write was completed while the question was open, or the document cannot be written.
                if self.get(id).is_some_and(|document| !document.unsaved()) {
                    self.close(id)
                } else {
                    effects
                }
            }
            (DocumentQuestion::Close(id), _) => self.remove(id),
            (DocumentQuestion::Quit(ids), Answer::Save) => {
                let mut effects: Vec<Effect> = ids.iter().flat_map(|id| self.save(*id)).collect();
                let cannot = |id: &DocumentId| self.get(*id).is_some_and(|it| it.json.problem.is_some());
                if !ids.iter().any(cannot) {
                    // Documents whose write was completed while the question was open need not be waited for.
                    let waiting: Vec<DocumentId> =
                        ids.into_iter().filter(|id| self.writing.contains_key(id)).collect();
                    if waiting.is_empty() {
                        effects.push(self.close_window());
                    } else {
                        self.closing = Some(waiting);
                    }
                }
                effects
            }
            (DocumentQuestion::Quit(ids), _) => {
                let mut effects: Vec<Effect> = ids.into_iter().flat_map(|id| self.remove(id)).collect();
                effects.push(self.close_window());
                effects
            }
            (DocumentQuestion::SameName(id, dmf), Answer::KeepBoth) => {
                let others = self.get(id).map(|document| Arc::clone(&document.spec)).unwrap_or_default();
                let dmf = numbered(&others.dmfs, *dmf);
                self.put(id, &dmf.name.clone(), dmf)
            }
            (DocumentQuestion::SameName(id, dmf), _) => self.put(id, &dmf.name.clone(), *dmf),
            (DocumentQuestion::ChangedOnDisk(id, path), Answer::Save) => {
                self.with(id, |document| document.write_over(&path));
                self.save(id)
            }
            (DocumentQuestion::ChangedOnDisk(id, path), _) => {
                let mut effects = self.remove(id);
                effects.push(DiskTask::Read(path).into());
                effects
            }
        }
    }
}

/// Sets the path of a file that was never written to the folder of the other one.
fn fill_paths(document: &mut SpecDocument) {
    let known = document.files.iter().find_map(|file| file.path.clone());
    for file in document.files.iter_mut().filter(|file| file.path.is_none()) {
        file.path = known.as_ref().map(|path| path.with_file_name(&file.name));
    }
}

/// The name of a DMF, with a number after its verb if it is taken.
fn free_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let (verb, noun) = name.split_once(' ').unwrap_or((name, ""));
    let numbered = (2..).map(|number| format!("{verb}{number} {noun}").trim_end().to_owned());
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}
