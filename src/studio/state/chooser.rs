//! The window's own file chooser, where the platform has no dialogs. The disk thread looks; what is looked
//! at is decided here.

use std::path::{Path, PathBuf};

use super::files::{FileKind, FileQuestion};

/// The place that `~` stands for.
pub const HOME_FOLDER: &str = "Home folder";

/// What is asked of the chooser.
#[derive(Clone, Debug, PartialEq)]
pub enum ChooserCommand {
    /// Shows a folder.
    Enter(PathBuf),
    /// Shows the folder that this one is in.
    Up,
    /// The name or path, as typed.
    Edit(String),
    /// So many rows down the list, or up.
    Move(isize),
    /// Shows files of other kinds and hidden ones too, or not.
    ShowAll(bool),
    /// Takes what is typed, or the folder shown.
    Accept,
    /// Writes over the file that is there.
    Replace,
    /// Does not write over it: another name is chosen.
    KeepOld,
}

/// A line of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Its name.
    pub name: String,
    /// Whether it is a folder.
    pub folder: bool,
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathIs {
    /// A folder with these entries, sorted.
    Folder(Vec<FileEntry>),
    /// A file.
    File,
    /// Nothing, in a folder that is there.
    Free,
    /// It cannot be looked at, and why.
    Unknown(String),
}

/// What the disk thread saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// Where it looked.
    pub path: PathBuf,
    /// What it saw.
    pub is: PathIs,
}

/// The question that is open in the window.
#[derive(Clone, Debug, PartialEq)]
pub struct FileChooser {
    /// What is asked.
    pub question: FileQuestion,
    /// The folder shown.
    pub folder: PathBuf,
    /// What is in it; `None` while the disk is asked.
    pub entries: Option<Vec<FileEntry>>,
    /// The name or path, as typed.
    pub typed: String,
    /// Files of other kinds and hidden ones are shown.
    pub show_all: bool,
    /// Why the last choice was not taken.
    pub problem: Option<String>,
    /// The file that would be written over.
    pub replace: Option<PathBuf>,
    /// Where the person was before.
    pub places: Vec<(String, PathBuf)>,
    /// The answer, once there is one.
    pub answer: Option<PathBuf>,
    /// The path that the disk thread looks at, and whether it is the choice or only shown.
    looking: Option<(PathBuf, bool)>,
}

impl FileChooser {
    /// Asks, beginning in a folder.
    pub fn new(question: FileQuestion, folder: PathBuf, places: Vec<(String, PathBuf)>) -> Self {
        let typed = question.name.clone();
        let looking = Some((folder.clone(), false));
        FileChooser {
            question,
            folder,
            entries: None,
            typed,
            show_all: false,
            problem: None,
            replace: None,
            places,
            answer: None,
            looking,
        }
    }

    /// The path that the disk thread must look at now.
    pub fn wants(&self) -> Option<&Path> {
        self.looking.as_ref().map(|(path, _)| path.as_path())
    }

    /// The entries that are shown.
    pub fn shown(&self) -> impl Iterator<Item = &FileEntry> {
        self.entries.iter().flatten().filter(|entry| self.show_all || self.fits(entry))
    }

    fn fits(&self, entry: &FileEntry) -> bool {
        let of_a_kind = |name: &str| {
            let name = name.to_lowercase();
            let ends = |extension: &&str| name.ends_with(&format!(".{extension}"));
            self.question.extensions.is_empty() || self.question.extensions.iter().any(ends)
        };
        let wanted = match self.question.kind {
            FileKind::Folder => entry.folder,
            FileKind::Open | FileKind::Save => entry.folder || of_a_kind(&entry.name),
        };
        wanted && !entry.name.starts_with('.')
    }

    /// The row of what is typed.
    pub fn chosen(&self) -> Option<usize> {
        self.shown().position(|entry| entry.name == self.typed)
    }

    /// Whether there is something to take.
    pub fn ready(&self) -> bool {
        self.question.kind == FileKind::Folder || !self.typed.trim().is_empty()
    }

    /// Does what was asked for.
    pub fn run(&mut self, command: ChooserCommand) {
        self.problem = None;
        match command {
            ChooserCommand::Enter(folder) => self.look(folder, false),
            ChooserCommand::Up => {
                if let Some(above) = self.folder.parent() {
                    self.look(above.to_owned(), false);
                }
            }
            ChooserCommand::Edit(typed) => self.typed = typed,
            ChooserCommand::Move(rows) => {
                let last = self.shown().count().saturating_sub(1);
                let row = self.chosen().map_or(0, |row| row.saturating_add_signed(rows).min(last));
                let name = self.shown().nth(row).map(|entry| entry.name.clone());
                self.typed = name.unwrap_or_default();
            }
            ChooserCommand::ShowAll(all) => self.show_all = all,
            ChooserCommand::Accept => {
                let path = self.typed_path();
                self.look(path, true);
            }
            ChooserCommand::Replace => self.answer = self.replace.take(),
            ChooserCommand::KeepOld => self.replace = None,
        }
    }

    fn look(&mut self, path: PathBuf, accept: bool) {
        self.looking = Some((path, accept));
    }

    /// What is typed, from the folder shown; a file that is saved gets the ending of its kind.
    fn typed_path(&self) -> PathBuf {
        let typed = self.typed.trim();
        if typed.is_empty() {
            return self.folder.clone();
        }
        let home = self.places.iter().find(|(name, _)| name == HOME_FOLDER).map(|(_, path)| path);
        let mut path = match (typed.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => self.folder.join(typed),
        };
        if let (FileKind::Save, None, Some(extension)) =
            (self.question.kind, path.extension(), self.question.extensions.first())
            && !typed.ends_with('/')
        {
            path.set_extension(extension);
        }
        path
    }

    /// Takes what the disk thread saw.
    pub fn take(&mut self, looked: Looked) {
        let Some((path, accept)) = self.looking.take() else { return };
        if path != looked.path {
            // Somebody was faster than the disk: what is wanted now comes later.
            self.looking = Some((path, accept));
            return;
        }
        let shown = path.display();
        match (looked.is, self.question.kind) {
            (PathIs::Folder(_), FileKind::Folder) if accept => self.answer = Some(path),
            (PathIs::Folder(entries), kind) => {
                self.folder = path;
                self.entries = Some(entries);
                if kind != FileKind::Save || accept {
                    self.typed.clear();
                }
            }
            (PathIs::File, FileKind::Open) => self.answer = Some(path),
            (PathIs::File, FileKind::Save) => self.replace = Some(path),
            (PathIs::Free, FileKind::Save) if accept => self.answer = Some(path),
            (PathIs::File, FileKind::Folder) => {
                self.problem = Some(format!("{shown} is a file. Choose a folder."));
            }
            (PathIs::Free, _) => {
                self.problem = Some(format!("There is no {shown}. Choose from the list, or mend the path."));
            }
            (PathIs::Unknown(why), _) => {
                self.problem = Some(format!("{shown} cannot be opened: {why}. Choose another."));
            }
        }
        // A list that cannot be had is empty, not on its way.
        self.entries.get_or_insert_default();
    }
}

#[cfg(test)]
mod tests {
    use super::super::files::FilePurpose;
    use super::*;

    fn chooser(kind: FileKind) -> FileChooser {
        let question = FileQuestion {
            purpose: FilePurpose::OpenWalk,
            kind,
            title: "Which".to_owned(),
            name: String::new(),
            extensions: vec!["json"],
        };
        let places = vec![(HOME_FOLDER.to_owned(), PathBuf::from("/home/ann"))];
        let mut chooser = FileChooser::new(question, PathBuf::from("/home/ann/specs"), places);
        see(&mut chooser, PathIs::Folder(entries(&["old/", "a.json", "b.txt", ".c.json"])));
        chooser
    }

    fn entries(names: &[&str]) -> Vec<FileEntry> {
        let entry = |name: &&str| FileEntry {
            name: name.trim_end_matches('/').to_owned(),
            folder: name.ends_with('/'),
        };
        names.iter().map(entry).collect()
    }

    /// The disk answers what is wanted.
    fn see(chooser: &mut FileChooser, is: PathIs) -> PathBuf {
        let path = chooser.wants().unwrap().to_owned();
        chooser.take(Looked { path: path.clone(), is });
        path
    }

    fn names(chooser: &FileChooser) -> Vec<&str> {
        chooser.shown().map(|entry| entry.name.as_str()).collect()
    }

    #[test]
    fn only_what_fits_is_shown_until_all_is_asked_for() {
        let mut open = chooser(FileKind::Open);
        assert_eq!(names(&open), ["old", "a.json"]);
        assert_eq!(names(&chooser(FileKind::Folder)), ["old"]);
        open.run(ChooserCommand::ShowAll(true));
        assert_eq!(names(&open).len(), 4);
    }

    #[test]
    fn a_file_is_chosen_by_the_arrow_keys() {
        let mut open = chooser(FileKind::Open);
        open.run(ChooserCommand::Move(1));
        open.run(ChooserCommand::Move(1));
        open.run(ChooserCommand::Accept);
        assert_eq!(see(&mut open, PathIs::File), Path::new("/home/ann/specs/a.json"));
        assert_eq!(open.answer.as_deref(), Some(Path::new("/home/ann/specs/a.json")));
    }

    #[test]
    fn a_folder_that_is_typed_is_entered_and_a_missing_file_named() {
        let mut open = chooser(FileKind::Open);
        open.run(ChooserCommand::Edit("~/old".to_owned()));
        open.run(ChooserCommand::Accept);
        assert_eq!(see(&mut open, PathIs::Folder(entries(&["x.json"]))), Path::new("/home/ann/old"));
        assert_eq!((names(&open), open.typed.as_str()), (vec!["x.json"], ""));
        open.run(ChooserCommand::Edit("y.json".to_owned()));
        open.run(ChooserCommand::Accept);
        see(&mut open, PathIs::Free);
        assert!(open.problem.as_ref().unwrap().contains("/home/ann/old/y.json"));
        assert_eq!(open.answer, None);
    }

    #[test]
    fn saving_asks_before_writing_over_and_gives_the_ending() {
        let mut save = chooser(FileKind::Save);
        save.run(ChooserCommand::Edit("a".to_owned()));
        save.run(ChooserCommand::Accept);
        see(&mut save, PathIs::File);
        assert_eq!((save.answer.clone(), save.replace.is_some()), (None, true));
        save.run(ChooserCommand::KeepOld);
        save.run(ChooserCommand::Accept);
        see(&mut save, PathIs::File);
        save.run(ChooserCommand::Replace);
        assert_eq!(save.answer.as_deref(), Some(Path::new("/home/ann/specs/a.json")));
        let mut new = chooser(FileKind::Save);
        new.run(ChooserCommand::Edit("new.JSON".to_owned()));
        new.run(ChooserCommand::Accept);
        assert_eq!(see(&mut new, PathIs::Free), Path::new("/home/ann/specs/new.JSON"));
        assert!(new.answer.is_some());
    }

    #[test]
    fn an_answer_of_the_disk_that_comes_late_is_left() {
        let mut open = chooser(FileKind::Open);
        open.run(ChooserCommand::Up);
        let late = open.wants().unwrap().to_owned();
        open.run(ChooserCommand::Enter("/tmp".into()));
        open.take(Looked { path: late, is: PathIs::Folder(Vec::new()) });
        assert_eq!(open.wants(), Some(Path::new("/tmp")));
        see(&mut open, PathIs::Unknown("permission denied".to_owned()));
        assert_eq!(open.folder, Path::new("/home/ann/specs"), "the old folder stays in sight");
        assert!(open.problem.as_ref().unwrap().contains("permission denied"));
    }
}
