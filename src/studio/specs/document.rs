//! A specification as a document: the texts of its files, their contents, and the undo history.
//!
//! The texts are authoritative. Every edit, in the form or as JSON, produces a new text, which is parsed again. So form
//! and JSON cannot differ, and an unchanged file keeps its bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::DocumentId;
use super::text_step::{Step, TextChange, TextHistory};
use taproof_spec::format::{DmfFile, blocks_name, main_names, spec_version};

use taproof_screen::format::FormatError;
use taproof_spec::{Block, Dmf, LintFinding, Severity, Spec, lint};

/// Indices of a document's files: that of the DMFs, and that of the block list.
const DMFS: usize = 0;
const BLOCKS: usize = 1;

/// A file of a document.
pub struct SpecFile {
    /// The name of the file.
    pub name: String,
    /// The path. `None` if it was never written.
    pub path: Option<PathBuf>,
    /// The text on the disk when it was last read or written. `None` if it was never written.
    pub saved: Option<Arc<str>>,
    /// Whether the person agreed to overwrite any contents.
    pub over: bool,
    /// The current text and its contents.
    pub file: DmfFile,
}

/// The text that the JSON beside the form shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JsonTarget {
    /// The text of the chosen DMF.
    #[default]
    Dmf,
    /// The file with the DMFs.
    File,
    /// The file with the block list.
    Blocks,
}

/// The JSON beside the form.
#[derive(Clone, Debug, Default)]
pub struct JsonView {
    /// Which text is shown.
    pub target: JsonTarget,
    /// The text, as typed.
    pub text: String,
    /// Why it is invalid; the form then shows the last valid contents. `None` if it is valid.
    pub problem: Option<FormatError>,
}

/// Seconds spent on a DMF.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DmfTime {
    /// Seconds spent on recording it.
    pub recording: f64,
    /// Seconds spent on editing it.
    pub editing: f64,
}

/// An edit of a specification, made in the form or as JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum SpecEdit {
    /// Replaces the DMF with this index. Consecutive edits with the same non-empty field name count as one step.
    SetDmf(usize, Box<Dmf>, String),
    /// Inserts a DMF at this index.
    InsertDmf(usize, Box<Dmf>),
    /// Removes the DMF with this index.
    RemoveDmf(usize),
    /// Moves a DMF from the first index to the second.
    MoveDmf(usize, usize),
    /// Adds an entry to the block list.
    AddBlock(Block),
    /// Replaces the entry with this index.
    SetBlock(usize, Block),
    /// Removes the entry with this index.
    RemoveBlock(usize),
    /// Replaces the shown JSON by this text.
    Json(String),
}

/// A specification: the texts of its files with their contents.
pub struct SpecDocument {
    /// The document's id, by which commands name it.
    pub id: DocumentId,
    /// The name, for people.
    pub name: String,
    /// Package of the app that it is about. Empty if unknown.
    pub app: String,
    /// The files: that of the DMFs, and that of the block list.
    pub files: [SpecFile; 2],
    /// The contents of both files.
    pub spec: Arc<Spec>,
    /// A short hash of the contents.
    pub version: String,
    /// The lint findings about it.
    pub findings: Vec<LintFinding>,
    /// Whether it is bundled with the program, so that it cannot be written.
    pub shipped: bool,
    /// Index of the shown DMF.
    pub chosen: usize,
    /// The JSON beside the form.
    pub json: JsonView,
    /// Seconds spent on each DMF, by name.
    pub times: BTreeMap<String, DmfTime>,
    /// The name of its draft in the workspace.
    pub draft: String,
    /// A number that grows with every edit.
    pub revision: u64,
    history: TextHistory,
}

impl SpecDocument {
    /// Parses a document from the name, path and text of its one or two files.
    ///
    /// # Errors
    ///
    /// The name of the file that is invalid, and why.
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
            history: TextHistory::default(),
        };
        document.refresh();
        Ok(document)
    }

    /// Whether it has unsaved changes.
    pub fn unsaved(&self) -> bool {
        !self.shipped && (self.json.problem.is_some() || self.files.iter().any(SpecFile::unsaved))
    }

    /// The file with the DMFs.
    pub fn main(&self) -> &SpecFile {
        &self.files[DMFS]
    }

    /// The shown DMF. `None` if there are no DMFs.
    pub fn dmf(&self) -> Option<&Dmf> {
        self.spec.dmfs.get(self.chosen)
    }

    /// The findings at this path in the file, and below it.
    pub fn findings_at<'d>(&'d self, path: &'d str) -> impl Iterator<Item = &'d LintFinding> {
        self.findings.iter().filter(move |finding| {
            finding
                .path
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }

    /// The lint findings about a DMF, except hints.
    pub fn findings_of(&self, dmf: usize) -> Vec<&LintFinding> {
        let of_dmf = self.findings.iter().filter(|finding| finding.dmf == Some(dmf));
        let serious =
            |finding: &&LintFinding| matches!(finding.code.severity(), Severity::Error | Severity::Warning);
        of_dmf.filter(serious).collect()
    }

    /// Number of errors and of warnings about a DMF.
    pub fn counts(&self, dmf: usize) -> (usize, usize) {
        let about = self.findings_of(dmf);
        let of = |severity| about.iter().filter(|finding| finding.code.severity() == severity).count();
        (of(Severity::Error), of(Severity::Warning))
    }

    /// Whether there is a step to undo, and whether there is one to redo.
    pub fn can_undo_redo(&self) -> (bool, bool) {
        (self.history.next(true).is_some(), self.history.next(false).is_some())
    }

    /// Shows a DMF. Ignored while the JSON is invalid.
    pub fn choose(&mut self, dmf: usize) {
        if self.json.problem.is_none() {
            self.chosen = dmf.min(self.spec.dmfs.len().saturating_sub(1));
            self.history.close();
            self.show_json(self.json.target);
        }
    }

    /// Its version and contents while its block list is shown. `None` while something else is.
    pub fn shown_blocks(&self) -> Option<(&str, &Spec)> {
        (self.json.target == JsonTarget::Blocks).then_some((self.version.as_str(), &self.spec))
    }

    /// Shows another text as JSON. Invalid JSON is discarded.
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

    /// Returns the index of the file that contains an item, and the item's index in that file.
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

    /// Undoes the last step (`back`), or redoes the one that was undone last.
    pub fn turn(&mut self, back: bool) {
        let Some(Step { file, change, chosen, .. }) = self.history.turn(back).cloned() else { return };
        let now = self.files[file].file.source();
        let (text, chosen) =
            if back { (change.revert(now), chosen.0) } else { (change.apply(now), chosen.1) };
        self.history.close();
        self.json.problem = None;
        // The text was valid before, so it is now.
        if self.set_text(file, &text).is_ok() {
            self.choose(chosen);
        }
    }

    /// Called when its texts have been written.
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

    /// Allows the file at this path to be overwritten, if it is one of this document's.
    pub(super) fn write_over(&mut self, path: &Path) {
        for file in self.files.iter_mut().filter(|file| file.path.as_deref() == Some(path)) {
            file.over = true;
        }
    }

    /// Sets the paths of the files: `path` for the DMFs, one beside it for the block list.
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
    /// Whether it has no contents and was never written.
    pub fn is_blank(&self) -> bool {
        let spec = &self.file.spec;
        self.saved.is_none() && spec.dmfs.is_empty() && spec.blocks.is_empty() && spec.invariants.is_empty()
    }

    /// The path, if the file there has the current text as far as known.
    pub fn lies_at(&self) -> Option<&Path> {
        self.path.as_deref().filter(|_| self.saved.as_deref() == Some(self.file.source()))
    }

    fn unsaved(&self) -> bool {
        !self.is_blank() && self.saved.as_deref() != Some(self.file.source())
    }
}

/// Makes an edit. Invalid JSON is stored beside the form, which stays as it was.
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
            Ok(()) => document.history.push_or_join(step, |last, step| last.join(step, &before)),
            Err(problem) => document.json.problem = Some(problem),
        }
        if chosen != document.chosen {
            document.choose(chosen);
        }
    }
    if let Some(typed) = typed {
        // The text stays as typed, so that the cursor does not move.
        document.json.text = typed;
    }
}

/// Returns the index of the file that an edit changes, and the file's new text.
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
            // A block goes where the others are.
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

/// The last component of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
