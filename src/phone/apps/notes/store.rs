//! The data: notes in folders, an archive, a trash, and the search over them.
//!
//! A note is a file named after its title; nevertheless two notes may have the same title. Nothing here depends on
//! screens.

use crate::BugSet;
use taproof_screen::determinism::DeviceInstant;

use super::folders::{Folder, FolderId, Refusal};

/// The id of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NoteId(u32);

/// Where a note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// In the folder that the note belongs to.
    Folder,
    /// In the archive, out of its folder's list.
    Archive,
    /// In the trash, until it is deleted permanently.
    Trash,
}

/// The order of a list of notes. Pinned ones always come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortOrder {
    /// By title, regardless of case.
    Title,
    /// The most recently changed first.
    Newest,
    /// The least recently changed first.
    Oldest,
}

#[derive(Clone, Debug)]
pub struct Note {
    pub id: NoteId,
    /// The folder that contains the note, or to which it will be restored.
    pub folder: FolderId,
    /// The title, as typed.
    pub title: String,
    /// The text, as typed.
    pub body: String,
    /// Whether the note is in its folder, in the archive or in the trash.
    pub shelf: Shelf,
    /// Whether the note is listed before others.
    pub pinned: bool,
    /// When the note was created.
    pub created: DeviceInstant,
    /// When the title or the text was last changed.
    pub changed: DeviceInstant,
    /// Whether the search index contains the note.
    indexed: bool,
}

impl Note {
    /// The first line of the text.
    pub fn snippet(&self) -> &str {
        self.body.lines().next().unwrap_or("")
    }

    /// Number of words of the text.
    pub fn words(&self) -> usize {
        self.body.split_whitespace().count()
    }
}

/// All notes and folders.
#[derive(Clone, Debug)]
pub struct Store {
    bugs: BugSet,
    /// All notes, in the order of lists.
    pub(super) notes: Vec<Note>,
    /// All folders, sorted by name after the root.
    pub(super) folders: Vec<Folder>,
    order: SortOrder,
    next_id: u32,
}

impl Store {
    /// The notes and folders of a freshly installed app.
    pub fn shipped(bugs: &BugSet) -> Self {
        let root = Folder { id: FolderId::ROOT, parent: FolderId::ROOT, name: "Notes".to_owned() };
        let mut store = Store {
            bugs: bugs.clone(),
            notes: Vec::new(),
            folders: vec![root],
            order: SortOrder::Title,
            next_id: 1,
        };
        let work = store.push_folder(FolderId::ROOT, "Work");
        store.push_folder(FolderId::ROOT, "Ideas");
        let boot = DeviceInstant(0);
        let welcome = "Tap the round button to write a note, hold a row to see what can be done with it.";
        store.push_note(FolderId::ROOT, "Welcome to Notes", welcome, boot);
        store.push_note(work, "Standup checklist", "What did I do\nWhat will I do\nWhat is in the way", boot);
        store.sort();
        store
    }

    /// Returns the note with this id, wherever it is. `None` if it was deleted permanently.
    pub fn note(&self, id: NoteId) -> Option<&Note> {
        self.notes.iter().find(|note| note.id == id)
    }

    /// The notes of a folder, in the order of lists.
    pub fn notes_in(&self, folder: FolderId) -> impl Iterator<Item = &Note> {
        self.kept_in(Shelf::Folder).filter(move |note| note.folder == folder)
    }

    /// The notes of the archive, of the trash, or of all folders, in the order of lists.
    pub fn kept_in(&self, shelf: Shelf) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(move |note| note.shelf == shelf)
    }

    /// The order of lists.
    pub fn order(&self) -> SortOrder {
        self.order
    }

    /// Changes the order of lists.
    pub fn set_order(&mut self, order: SortOrder) {
        self.order = order;
        self.sort();
    }

    pub(super) fn sort(&mut self) {
        match self.order {
            SortOrder::Title => self.notes.sort_by_cached_key(|note| {
                (!note.pinned, note.title.to_lowercase(), note.title.clone(), note.id)
            }),
            SortOrder::Newest => {
                self.notes.sort_by_key(|note| (!note.pinned, std::cmp::Reverse((note.changed, note.id))))
            }
            SortOrder::Oldest => self.notes.sort_by_key(|note| (!note.pinned, note.changed, note.id)),
        }
        if let Some((_root, others)) = self.folders.split_first_mut() {
            others.sort_by_cached_key(|folder| (folder.name.to_lowercase(), folder.name.clone()));
        }
    }

    pub(super) fn next_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    fn push_note(&mut self, folder: FolderId, title: &str, body: &str, now: DeviceInstant) -> NoteId {
        let id = NoteId(self.next_id());
        self.notes.push(Note {
            id,
            folder,
            title: title.to_owned(),
            body: body.to_owned(),
            shelf: Shelf::Folder,
            pinned: false,
            created: now,
            changed: now,
            indexed: true,
        });
        id
    }

    fn change(&mut self, id: NoteId, change: impl FnOnce(&mut Note)) {
        if let Some(note) = self.notes.iter_mut().find(|note| note.id == id) {
            change(note);
            self.sort();
        }
    }

    /// Creates a note.
    ///
    /// # Errors
    ///
    /// If the title is empty.
    pub fn create(
        &mut self,
        folder: FolderId,
        title: &str,
        body: &str,
        now: DeviceInstant,
    ) -> Result<NoteId, Refusal> {
        if title.is_empty() {
            return Err(Refusal::Empty);
        }
        // The file is named after the title; unless a free name is chosen, an existing file is overwritten.
        let same_file = self.notes_in(folder).find(|note| note.title == title).map(|note| note.id);
        let id = match same_file.filter(|_| self.bugs.has("notes-create-same-title")) {
            Some(id) => {
                self.set_body(id, body, now);
                id
            }
            None => self.push_note(folder, title, body, now),
        };
        self.sort();
        Ok(id)
    }

    /// Changes the title of a note.
    ///
    /// # Errors
    ///
    /// If the title is empty.
    pub fn rename(&mut self, id: NoteId, title: &str, now: DeviceInstant) -> Result<(), Refusal> {
        if title.is_empty() {
            return Err(Refusal::Empty);
        }
        let Some(note) = self.note(id) else { return Ok(()) };
        if note.title == title {
            return Ok(());
        }
        // The file system accepts no `?`, and the result of renaming the file is not checked.
        if title.contains('?') && self.bugs.has("notes-rename-question-mark") {
            return Ok(());
        }
        // The free name was determined with regard to case, which the file system ignores.
        if self.bugs.has("notes-rename-case-overwrite") {
            let (folder, folded) = (note.folder, title.to_lowercase());
            self.notes.retain(|other| {
                let same_file = other.folder == folder && other.title.to_lowercase() == folded;
                other.id == id || other.shelf != Shelf::Folder || !same_file || other.title == title
            });
        }
        self.change(id, |note| {
            note.title = title.to_owned();
            note.changed = now;
        });
        Ok(())
    }

    /// Changes the text of a note.
    pub fn set_body(&mut self, id: NoteId, body: &str, now: DeviceInstant) {
        self.change(id, |note| {
            if note.body != body {
                note.body = body.to_owned();
                note.changed = now;
            }
        });
    }

    /// Pins or unpins a note.
    pub fn set_pinned(&mut self, id: NoteId, pinned: bool) {
        self.change(id, |note| note.pinned = pinned);
    }

    /// Moves a note to another folder.
    pub fn move_to(&mut self, id: NoteId, folder: FolderId) {
        self.change(id, |note| note.folder = folder);
    }

    /// Moves a note to the archive.
    pub fn archive(&mut self, id: NoteId) {
        self.change(id, |note| {
            note.shelf = Shelf::Archive;
            note.indexed = false;
        });
    }

    /// Moves a note to the trash.
    pub fn trash(&mut self, id: NoteId) {
        let index_kept = self.bugs.has("notes-deleted-still-found");
        self.change(id, |note| {
            note.shelf = Shelf::Trash;
            note.indexed &= index_kept;
        });
    }

    /// Moves a note from the archive or the trash back to its folder.
    pub fn restore(&mut self, id: NoteId) {
        self.change(id, |note| {
            note.shelf = Shelf::Folder;
            note.indexed = true;
        });
    }

    /// Deletes a note permanently.
    pub fn purge(&mut self, id: NoteId) {
        self.notes.retain(|note| note.id != id);
    }

    /// Deletes the notes in the trash permanently.
    pub fn empty_trash(&mut self) {
        self.notes.retain(|note| note.shelf != Shelf::Trash);
    }

    /// Deletes all notes permanently. The folders stay.
    pub fn clear(&mut self) {
        self.notes.clear();
    }

    /// The notes whose title or text contains the words, regardless of case. The best matches come first.
    pub fn search(&self, words: &str) -> Vec<NoteId> {
        if words.is_empty() {
            return Vec::new();
        }
        let mut searched = self.folders_below(FolderId::ROOT);
        if !self.bugs.has("notes-search-root") {
            searched.push(FolderId::ROOT);
        }
        let folded = words.to_lowercase();
        let rank = |note: &Note| {
            let title = note.title.to_lowercase();
            if note.title == words {
                Some(0)
            } else if title == folded {
                Some(1)
            } else if title.contains(&folded) {
                Some(2)
            } else if note.body.to_lowercase().contains(&folded) {
                Some(3)
            } else {
                None
            }
        };
        let indexed = self.notes.iter().filter(|note| note.indexed && searched.contains(&note.folder));
        let mut found: Vec<(u8, NoteId)> =
            indexed.filter_map(|note| rank(note).map(|rank| (rank, note.id))).collect();
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, id)| id).collect()
    }
}
