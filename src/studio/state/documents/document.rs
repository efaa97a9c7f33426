//! One specification as a document: the texts of its files, what they say, what was changed.
//!
//! The texts are the truth. Every edit, by form or as JSON, makes a new text, which is read again: so form and
//! JSON cannot differ, and an unchanged file keeps its bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::DocumentId;
use super::history::{History, Step, TextChange};
use taproof_core::format::{DmfFile, FormatError, blocks_name, main_names, spec_version};
use taproof_core::spec::{Block, Dmf, LintFinding, Severity, Spec, lint};

/// Where a document's DMFs stand among its files, and where its block list.
const DMFS: usize = 0;
const BLOCKS: usize = 1;

/// A file of a document.
pub struct SpecFile {
    /// What it is called.
    pub name: String,
    /// Where it lies; `None` if it was never written.
    pub path: Option<PathBuf>,
    /// Its text on the disk, as far as we know; `None` if it was never written.
    pub saved: Option<Arc<str>>,
    /// The person said that it may be written over, whatever is there.
    pub over: bool,
    /// Its text now, and what it says.
    pub file: DmfFile,
}

/// Which text the JSON beside the form shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JsonTarget {
    /// That of the chosen DMF.
    #[default]
    Dmf,
    /// The whole file with the DMFs.
    File,
    /// The whole file with the block list.
    Blocks,
}

/// The JSON beside the form.
#[derive(Clone, Debug, Default)]
pub struct JsonView {
    /// Which text.
    pub target: JsonTarget,
    /// The text as shown.
    pub text: String,
    /// Why it cannot be read; the form shows what could be read last then.
    pub problem: Option<FormatError>,
}

/// Seconds spent on a DMF.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DmfTime {
    /// Recording it.
    pub recording: f64,
    /// Editing it.
    pub editing: f64,
}

/// One edit.
#[derive(Clone, Debug, PartialEq)]
pub enum SpecEdit {
    /// Another DMF in the place of one. Edits of one field that follow each other are one step.
    SetDmf(usize, Box<Dmf>, String),
    /// One more DMF at that place.
    InsertDmf(usize, Box<Dmf>),
    /// One DMF less.
    RemoveDmf(usize),
    /// A DMF goes to another place.
    MoveDmf(usize, usize),
    /// One more entry of the block list.
    AddBlock(Block),
    /// Another entry in the place of one.
    SetBlock(usize, Block),
    /// One entry less.
    RemoveBlock(usize),
    /// The JSON that is shown, as typed.
    Json(String),
}

/// One specification.
pub struct SpecDocument {
    /// Its id.
    pub id: DocumentId,
    /// What it is called.
    pub name: String,
    /// Package of the app that it speaks of; empty if nobody knows.
    pub app: String,
    /// Its files: the DMFs, the block list.
    pub files: [SpecFile; 2],
    /// What it says.
    pub spec: Arc<Spec>,
    /// A short hash of what it says.
    pub version: String,
    /// What is wrong or doubtful in it.
    pub findings: Vec<LintFinding>,
    /// It ships with the program and cannot be written.
    pub shipped: bool,
    /// The DMF that is shown.
    pub chosen: usize,
    /// The JSON beside the form.
    pub json: JsonView,
    /// Seconds spent on each DMF, by name.
    pub times: BTreeMap<String, DmfTime>,
    /// What its unsaved text is kept as.
    pub draft: String,
    /// Counts the edits.
    pub revision: u64,
    history: History,
}

impl SpecDocument {
    /// A document of one or two files: name, path and text of each. On failure the name of the file that cannot
    /// be read, and why.
    pub fn read(
        id: DocumentId,
        name: &str,
        sources: Vec<(String, Option<PathBuf>, String)>,
    ) -> Result<SpecDocument, (String, FormatError)> {
        let mut files: [Option<SpecFile>; 2] = [None, None];
        for (name, path, text) in sources {
            let file = DmfFile::parse(&text).map_err(|error| (name.clone(), error))?;
            let only_blocks = file.spec.dmfs.is_empty() && !file.spec.blocks.is_empty();
            let place = if only_blocks || files[DMFS].is_some() { BLOCKS } else { DMFS };
            let saved = path.is_some().then(|| Arc::from(text));
            files[place] = Some(SpecFile { name, path, saved, over: false, file });
        }
        let empty = |name: String, text: &str| {
            let file = DmfFile::parse(text).map_err(|error| (name.clone(), error))?;
            Ok(SpecFile { name, path: None, saved: None, over: false, file })
        };
        let [dmfs, blocks] = files;
        let known = dmfs.as_ref().or(blocks.as_ref()).map_or("", |file| file.name.as_str()).to_owned();
        let dmfs = match dmfs {
            Some(dmfs) => dmfs,
            None => {
                let main = main_names(&known).into_iter().next();
                empty(main.unwrap_or_else(|| "dmf.json".to_owned()), "{\n    \"dmfs\": []\n}")?
            }
        };
        let blocks = match blocks {
            Some(blocks) => blocks,
            None => empty(blocks_name(&known), "{\n    \"keyviews\": []\n}")?,
        };
        let mut document = SpecDocument {
            id,
            name: name.to_owned(),
            app: String::new(),
            files: [dmfs, blocks],
            spec: Arc::default(),
            version: String::new(),
            findings: Vec::new(),
            shipped: false,
            chosen: 0,
            json: JsonView::default(),
            times: BTreeMap::new(),
            draft: format!("d{}", id.0),
            revision: 0,
            history: History::default(),
        };
        document.refresh();
        Ok(document)
    }

    /// Whether it has changes that are not saved.
    pub fn unsaved(&self) -> bool {
        !self.shipped && (self.json.problem.is_some() || self.files.iter().any(SpecFile::unsaved))
    }

    /// The file with its DMFs.
    pub fn main(&self) -> &SpecFile {
        &self.files[DMFS]
    }

    /// The chosen DMF.
    pub fn dmf(&self) -> Option<&Dmf> {
        self.spec.dmfs.get(self.chosen)
    }

    /// Findings at that place of the file and below it.
    pub fn findings_at<'d>(&'d self, path: &'d str) -> impl Iterator<Item = &'d LintFinding> {
        self.findings.iter().filter(move |finding| {
            finding
                .path
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }

    /// How many errors and how many warnings a DMF has.
    pub fn counts(&self, dmf: usize) -> (usize, usize) {
        let of = |severity| {
            let of_dmf = self.findings.iter().filter(|finding| finding.dmf == Some(dmf));
            of_dmf.filter(|finding| finding.code.severity() == severity).count()
        };
        (of(Severity::Error), of(Severity::Warning))
    }

    /// Whether there is something to undo, and something to do again.
    pub fn can_undo_redo(&self) -> (bool, bool) {
        (!self.history.done.is_empty(), !self.history.undone.is_empty())
    }

    /// Shows a DMF.
    pub fn choose(&mut self, dmf: usize) {
        if self.json.problem.is_none() {
            self.chosen = dmf.min(self.spec.dmfs.len().saturating_sub(1));
            self.history.close();
            self.show_json(self.json.target);
        }
    }

    /// Shows another text as JSON; one that cannot be read is given up.
    pub fn show_json(&mut self, target: JsonTarget) {
        let text = match target {
            JsonTarget::Dmf => {
                let (file, index) = self.place_of(self.chosen, |spec| spec.dmfs.len());
                self.files[file].file.dmf_text(index).unwrap_or_default()
            }
            JsonTarget::File => self.files[DMFS].file.source().to_owned(),
            JsonTarget::Blocks => self.files[BLOCKS].file.source().to_owned(),
        };
        self.json = JsonView { target, text, problem: None };
    }

    /// In which file the item of that index stands, and the how-manieth it is there.
    fn place_of(&self, index: usize, count: fn(&Spec) -> usize) -> (usize, usize) {
        let first = count(&self.files[DMFS].file.spec);
        if index < first { (DMFS, index) } else { (BLOCKS, index - first) }
    }

    fn set_text(&mut self, file: usize, text: &str) -> Result<(), FormatError> {
        self.files[file].file = DmfFile::parse(text)?;
        self.refresh();
        Ok(())
    }

    fn refresh(&mut self) {
        let mut spec = Spec::default();
        self.findings.clear();
        for file in &self.files {
            spec.dmfs.extend_from_slice(&file.file.spec.dmfs);
            spec.invariants.extend_from_slice(&file.file.spec.invariants);
            spec.blocks.extend_from_slice(&file.file.spec.blocks);
            self.findings.extend_from_slice(&file.file.findings);
        }
        self.findings.extend(lint(&spec));
        self.version = spec_version(self.files.iter().filter(|file| !file.is_blank()).map(|file| &file.file));
        self.spec = Arc::new(spec);
        self.chosen = self.chosen.min(self.spec.dmfs.len().saturating_sub(1));
        self.revision += 1;
        self.show_json(self.json.target);
    }

    /// Takes back the last step.
    pub fn undo(&mut self) {
        if let Some(step) = self.history.done.pop() {
            self.go(&step, step.change.revert(self.files[step.file].file.source()), step.chosen.0);
            self.history.undone.push(step);
        }
    }

    /// Does again what was taken back.
    pub fn redo(&mut self) {
        if let Some(step) = self.history.undone.pop() {
            self.go(&step, step.change.apply(self.files[step.file].file.source()), step.chosen.1);
            self.history.done.push(step);
        }
    }

    fn go(&mut self, step: &Step, text: String, chosen: usize) {
        self.history.close();
        self.json.problem = None;
        // It was read before, so it can be read again.
        if self.set_text(step.file, &text).is_ok() {
            self.choose(chosen);
        }
    }

    /// Its texts are on the disk.
    pub fn written(&mut self, files: &[(PathBuf, Arc<str>)]) {
        for (path, text) in files {
            let blocks =
                file_name(path) == self.files[BLOCKS].name || self.files[BLOCKS].path.as_ref() == Some(path);
            let file = &mut self.files[if blocks { BLOCKS } else { DMFS }];
            file.path = Some(path.clone());
            file.saved = Some(Arc::clone(text));
            file.over = false;
        }
        self.history.close();
    }

    /// Whatever is at that path may be written over, if it is one of its files.
    pub(super) fn write_over(&mut self, path: &Path) {
        for file in self.files.iter_mut().filter(|file| file.path.as_deref() == Some(path)) {
            file.over = true;
        }
    }

    /// Gives the files names and places.
    pub fn put_at(&mut self, path: &Path) {
        let blocks = path.with_file_name(blocks_name(&file_name(path)));
        for (file, path) in self.files.iter_mut().zip([path.to_owned(), blocks]) {
            file.name = file_name(&path);
            if file.path.as_ref() != Some(&path) {
                file.saved = None;
                file.over = false;
            }
            file.path = Some(path);
        }
    }
}

impl SpecFile {
    /// Whether it says nothing and nobody ever wrote it.
    pub fn is_blank(&self) -> bool {
        let spec = &self.file.spec;
        self.saved.is_none() && spec.dmfs.is_empty() && spec.blocks.is_empty() && spec.invariants.is_empty()
    }

    /// Where it lies with the text that it has now.
    pub fn lies_at(&self) -> Option<&Path> {
        self.path.as_deref().filter(|_| self.saved.as_deref() == Some(self.file.source()))
    }

    fn unsaved(&self) -> bool {
        !self.is_blank() && self.saved.as_deref() != Some(self.file.source())
    }
}

/// Does an edit. What cannot be read is kept beside the form, which stays as it was.
pub fn edit(document: &mut SpecDocument, edit: SpecEdit) {
    if let SpecEdit::SetDmf(index, dmf, _) = &edit
        && let Some(before) = document.spec.dmfs.get(*index)
        && before.name != dmf.name
        && let Some(time) = document.times.remove(&before.name.clone())
    {
        document.times.insert(dmf.name.clone(), time);
    }
    let field = match &edit {
        SpecEdit::SetDmf(_, _, field) => field.clone(),
        SpecEdit::Json(_) => format!("json {:?} {}", document.json.target, document.chosen),
        _ => String::new(),
    };
    let chosen = match &edit {
        SpecEdit::InsertDmf(at, _) => *at,
        SpecEdit::MoveDmf(_, to) => *to,
        SpecEdit::RemoveDmf(at) if *at < document.chosen => document.chosen - 1,
        _ => document.chosen,
    };
    let typed = match &edit {
        SpecEdit::Json(text) => Some(text.clone()),
        _ => None,
    };
    let (file, text) = match changed(document, edit) {
        Ok(changed) => changed,
        Err(problem) => {
            document.revision += 1;
            document.json.problem = Some(problem);
            document.json.text = typed.unwrap_or_default();
            return;
        }
    };
    let before = document.files[file].file.source().to_owned();
    let change = TextChange::between(&before, &text);
    document.json.problem = None;
    if !change.is_empty() {
        let step = Step { field, file, change, chosen: (document.chosen, chosen) };
        match document.set_text(file, &text) {
            Ok(()) => document.history.push(step, &before),
            Err(problem) => document.json.problem = Some(problem),
        }
        if chosen != document.chosen {
            document.choose(chosen);
        }
    }
    if let Some(typed) = typed {
        // As typed, so that the cursor stays where it is.
        document.json.text = typed;
    }
}

/// Which file an edit changes, and the file's text then.
fn changed(document: &SpecDocument, edit: SpecEdit) -> Result<(usize, String), FormatError> {
    let dmf_place = |index| document.place_of(index, |spec| spec.dmfs.len());
    let block_place = |index| document.place_of(index, |spec| spec.blocks.len());
    let saved = |(file, index): (usize, usize), change: &dyn Fn(&mut Spec, usize)| {
        let file_then = &document.files[file].file;
        let mut spec = file_then.spec.clone();
        change(&mut spec, index);
        Ok((file, file_then.save(&spec)))
    };
    match edit {
        SpecEdit::SetDmf(index, dmf, _) => saved(dmf_place(index), &|spec, index| {
            if let Some(place) = spec.dmfs.get_mut(index) {
                place.clone_from(&dmf);
            }
        }),
        SpecEdit::InsertDmf(at, dmf) => saved((DMFS, at), &|spec, at| {
            spec.dmfs.insert(at.min(spec.dmfs.len()), (*dmf).clone());
        }),
        SpecEdit::RemoveDmf(index) => saved(dmf_place(index), &|spec, index| {
            if index < spec.dmfs.len() {
                spec.dmfs.remove(index);
            }
        }),
        SpecEdit::MoveDmf(from, to) => saved((DMFS, from), &|spec, from| {
            if from < spec.dmfs.len() && to < spec.dmfs.len() {
                let dmf = spec.dmfs.remove(from);
                spec.dmfs.insert(to, dmf);
            }
        }),
        SpecEdit::AddBlock(block) => {
            let block = Block { derived: false, ..block };
            // Where the others stand.
            let one_file =
                document.files[BLOCKS].is_blank() && !document.files[DMFS].file.spec.blocks.is_empty();
            let file = if one_file { DMFS } else { BLOCKS };
            saved((file, 0), &|spec, _| spec.blocks.push(block.clone()))
        }
        SpecEdit::SetBlock(index, block) => saved(block_place(index), &|spec, index| {
            if let Some(place) = spec.blocks.get_mut(index) {
                place.clone_from(&block);
            }
        }),
        SpecEdit::RemoveBlock(index) => saved(block_place(index), &|spec, index| {
            if index < spec.blocks.len() {
                spec.blocks.remove(index);
            }
        }),
        SpecEdit::Json(text) => match document.json.target {
            JsonTarget::Dmf => {
                let (file, index) = dmf_place(document.chosen);
                let changed = document.files[file].file.with_dmf_text(index, &text)?;
                Ok((file, changed.source().to_owned()))
            }
            JsonTarget::File => DmfFile::parse(&text).map(|file| (DMFS, file.source().to_owned())),
            JsonTarget::Blocks => DmfFile::parse(&text).map(|file| (BLOCKS, file.source().to_owned())),
        },
    }
}

/// The last part of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
