//! The file chooser, which is part of the window. The disk thread looks paths up; which ones is decided here.

use std::path::{Path, PathBuf};

use crate::command::{FileKind, FileQuestion};

/// The name of the place that `~` is replaced by.
pub const HOME_FOLDER: &str = "Home folder";

/// A command for the chooser.
#[derive(Clone, Debug, PartialEq)]
pub enum ChooserCommand {
    /// Shows the entries of this folder.
    Enter(PathBuf),
    /// Shows the parent folder.
    Up,
    /// Changes the typed name or path.
    Edit(String),
    /// Moves the selection this many rows down, or up if negative.
    Move(isize),
    /// Whether to show hidden files and files of other kinds as well.
    ShowAll(bool),
    /// Chooses what is typed, or without that the folder shown.
    Accept,
    /// Chooses the existing file, which will be overwritten.
    Replace,
    /// Declines to overwrite it, so that another name can be chosen.
    KeepOld,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// The name without the path.
    pub name: String,
    /// Whether the entry is a folder.
    pub folder: bool,
}

/// What exists at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathIs {
    /// A folder with these entries, sorted.
    Folder(Vec<FileEntry>),
    /// A file, not a folder.
    File,
    /// Nothing, but the folder that it would be in exists.
    Free,
    /// The path cannot be read; the reason.
    Unknown(String),
}

/// The result of looking a path up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// The path that was looked up.
    pub path: PathBuf,
    /// What exists at that path.
    pub is: PathIs,
}

/// A file chooser that is open.
#[derive(Clone, Debug, PartialEq)]
pub struct FileChooser {
    /// The question to be answered.
    pub question: FileQuestion,
    /// The folder whose entries are shown.
    pub folder: PathBuf,
    /// The entries of that folder. `None` while they are being read.
    pub entries: Option<Vec<FileEntry>>,
    /// The typed name or path.
    pub typed: String,
    /// Whether hidden files and files of other kinds are shown.
    pub show_all: bool,
    /// Why the last choice was rejected.
    pub problem: Option<String>,
    /// The existing file whose overwriting must be confirmed.
    pub replace: Option<PathBuf>,
    /// Folders that are offered as shortcuts, each with a label.
    pub places: Vec<(String, PathBuf)>,
    /// The path that is being looked up, and whether it is the choice or only to be shown.
    looking: Option<(PathBuf, bool)>,
}

impl FileChooser {
    /// Opens a chooser that shows `folder` first.
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
            looking,
        }
    }

    /// The path that the disk thread must look up now.
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

    /// Index of the shown entry whose name is typed.
    pub fn chosen(&self) -> Option<usize> {
        self.shown().position(|entry| entry.name == self.typed)
    }

    /// Whether there is something to accept.
    pub fn ready(&self) -> bool {
        self.question.kind == FileKind::Folder || !self.typed.trim().is_empty()
    }

    /// Executes a command of the chooser's panel. Returns the chosen path if that is the answer.
    pub fn run(&mut self, command: ChooserCommand) -> Option<PathBuf> {
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
            ChooserCommand::Replace => return self.replace.take(),
            ChooserCommand::KeepOld => self.replace = None,
        }
        None
    }

    fn look(&mut self, path: PathBuf, accept: bool) {
        self.looking = Some((path, accept));
    }

    /// The path of what is typed, relative to the folder shown. A file to be saved gets the extension of its kind if it
    /// has none.
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

    /// Takes a result of the disk thread. Returns the chosen path if that is the answer.
    pub fn take(&mut self, looked: Looked) -> Option<PathBuf> {
        // If the person has moved on meanwhile, the result that is needed comes later.
        let (path, accept) = self.looking.take_if(|(path, _)| *path == looked.path)?;
        let shown = path.display();
        match (looked.is, self.question.kind) {
            (PathIs::Folder(_), FileKind::Folder) if accept => return Some(path),
            (PathIs::Folder(entries), kind) => {
                self.folder = path;
                self.entries = Some(entries);
                if kind != FileKind::Save || accept {
                    self.typed.clear();
                }
            }
            (PathIs::File, FileKind::Open) => return Some(path),
            (PathIs::File, FileKind::Save) => self.replace = Some(path),
            (PathIs::Free, FileKind::Save) if accept => return Some(path),
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
        // Nothing more will come: an unreadable folder is shown as empty.
        self.entries.get_or_insert_default();
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::FilePurpose;

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

    /// Answers the pending look-up of a path. Returns that path, and what it makes the chooser answer.
    fn see(chooser: &mut FileChooser, is: PathIs) -> (PathBuf, Option<PathBuf>) {
        let path = chooser.wants().unwrap().to_owned();
        let answer = chooser.take(Looked { path: path.clone(), is });
        (path, answer)
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
        let path = PathBuf::from("/home/ann/specs/a.json");
        assert_eq!(see(&mut open, PathIs::File), (path.clone(), Some(path)));
    }

    #[test]
    fn a_folder_that_is_typed_is_entered_and_a_missing_file_named() {
        let mut open = chooser(FileKind::Open);
        open.run(ChooserCommand::Edit("~/old".to_owned()));
        open.run(ChooserCommand::Accept);
        let folder = PathIs::Folder(entries(&["x.json"]));
        assert_eq!(see(&mut open, folder), (PathBuf::from("/home/ann/old"), None));
        assert_eq!((names(&open), open.typed.as_str()), (vec!["x.json"], ""));
        open.run(ChooserCommand::Edit("y.json".to_owned()));
        open.run(ChooserCommand::Accept);
        assert_eq!(see(&mut open, PathIs::Free).1, None);
        assert!(open.problem.as_ref().unwrap().contains("/home/ann/old/y.json"));
    }

    #[test]
    fn saving_asks_before_writing_over_and_gives_the_ending() {
        let mut save = chooser(FileKind::Save);
        save.run(ChooserCommand::Edit("a".to_owned()));
        save.run(ChooserCommand::Accept);
        assert_eq!((see(&mut save, PathIs::File).1, save.replace.is_some()), (None, true));
        save.run(ChooserCommand::KeepOld);
        save.run(ChooserCommand::Accept);
        see(&mut save, PathIs::File);
        let replaced = save.run(ChooserCommand::Replace);
        assert_eq!(replaced.as_deref(), Some(Path::new("/home/ann/specs/a.json")));
        let mut new = chooser(FileKind::Save);
        new.run(ChooserCommand::Edit("new.JSON".to_owned()));
        new.run(ChooserCommand::Accept);
        let path = PathBuf::from("/home/ann/specs/new.JSON");
        assert_eq!(see(&mut new, PathIs::Free), (path.clone(), Some(path)));
    }

    #[test]
    fn an_answer_of_the_disk_that_comes_late_is_left() {
        let mut open = chooser(FileKind::Open);
        open.run(ChooserCommand::Up);
        let late = open.wants().unwrap().to_owned();
        open.run(ChooserCommand::Enter("/tmp".into()));
        assert_eq!(open.take(Looked { path: late, is: PathIs::Folder(Vec::new()) }), None);
        assert_eq!(open.wants(), Some(Path::new("/tmp")));
        see(&mut open, PathIs::Unknown("permission denied".to_owned()));
        assert_eq!(open.folder, Path::new("/home/ann/specs"), "the old folder stays in sight");
        assert!(open.problem.as_ref().unwrap().contains("permission denied"));
    }
}
