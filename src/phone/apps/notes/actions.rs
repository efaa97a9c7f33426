//! The actions that change the data, and the links that open pages.

use super::dialogs::{Info, NameDialog, Named};
use super::editor::Editor;
use super::folders::FolderId;
use super::search::Search;
use super::settings::Settings;
use super::store::{NoteId, Shelf, SortOrder};
use super::{Notes, Page, Removed};
use crate::System;
use taproof_screen::words;

words! {
    /// A link that opens a page.
    #[derive(Clone, Copy, Debug)]
    pub enum Link {
        /// The editor for a new note in this folder.
        NewNote(FolderId) = "notes.open.new-note",
        /// The editor for an existing note.
        EditNote(NoteId) = "notes.open.edit",
        /// The reader of a note.
        Reader(NoteId) = "notes.open.reader",
        /// The menu of a note.
        NoteMenu(NoteId) = "notes.open.note-menu",
        /// The menu of a folder.
        FolderMenu(FolderId) = "notes.open.folder-menu",
        /// The menu of the floating action button.
        CreateMenu(FolderId) = "notes.open.create-menu",
        /// The dialog for the name of a new folder in this one.
        NewFolder(FolderId) = "notes.open.new-folder",
        /// The dialog for a note's new title.
        RenameNote(NoteId) = "notes.open.rename-note",
        /// The dialog for a folder's new name.
        RenameFolder(FolderId) = "notes.open.rename-folder",
        /// The dialog for the folder to move a note to.
        Move(NoteId) = "notes.open.move",
        /// The dialog that asks to confirm an action.
        Confirm(Action) = "notes.open.confirm",
        /// The dialog for the order of lists.
        Sort = "notes.open.sort",
        Search = "notes.open.search",
        /// The archive or the trash.
        Kept(Shelf) = [
            Shelf::Trash => "notes.open.trash",
            _ => "notes.open.archive",
        ],
        /// The menu of an archived or deleted note.
        KeptMenu(NoteId) = "notes.open.kept-menu",
        Settings = "notes.open.settings",
        /// The page about the app.
        About = "notes.open.about",
        /// The dialog about new features.
        News = "notes.open.news",
        /// The dialog with a note's dates and location.
        Details(NoteId) = "notes.open.details",
        /// The dialog with the numbers of words and characters.
        Count(usize, usize) = "notes.open.count",
        /// The sheet of apps to share a note with.
        Share = "notes.open.share",
    }
    /// The code point that is reached when the link is followed.
    pub fn point(&self);
}

words! {
    /// An action that changes the data.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Action {
        /// Pins (`true`) or unpins a note.
        Pin(NoteId, bool) = [_, true => "notes.act.pin", _, false => "notes.act.unpin"],
        /// Moves a note to the archive.
        Archive(NoteId) = "notes.act.archive",
        /// Moves a note to the trash.
        Trash(NoteId) = "notes.act.trash",
        /// Moves a note from the archive or the trash back to its folder.
        Restore(NoteId) = "notes.act.restore",
        /// Deletes a note permanently.
        Purge(NoteId) = "notes.act.purge",
        /// Moves a note to a folder.
        Move(NoteId, FolderId) = "notes.act.move",
        /// Deletes a folder with its subfolders.
        DeleteFolder(FolderId) = "notes.act.delete-folder",
        /// Deletes the notes in the trash permanently.
        EmptyTrash = "notes.act.empty-trash",
        /// Deletes all notes permanently.
        Clear = "notes.act.clear",
        /// Resets the settings to their defaults.
        ResetSettings = "notes.act.reset-settings",
        /// Changes the order of lists.
        Sort(SortOrder) = [
            SortOrder::Title => "notes.act.sort-by-title",
            SortOrder::Newest => "notes.act.sort-newest",
            SortOrder::Oldest => "notes.act.sort-oldest",
        ],
    }
    fn point(&self);
}

impl Notes {
    pub(super) fn act(&mut self, action: Action, sys: &mut System<Notes>) {
        sys.cover(action.point());
        match action {
            Action::Pin(note, pinned) => self.store.set_pinned(note, pinned),
            Action::Archive(note) => {
                self.store.archive(note);
                self.removed = Some(Removed { note, to: Shelf::Archive });
            }
            Action::Trash(note) => {
                self.store.trash(note);
                self.removed = Some(Removed { note, to: Shelf::Trash });
            }
            Action::Restore(note) => self.store.restore(note),
            Action::Purge(note) => self.store.purge(note),
            Action::Move(note, folder) => self.store.move_to(note, folder),
            Action::DeleteFolder(folder) => {
                if self.store.notes_in(folder).next().is_some() {
                    sys.cover("notes.act.delete-full-folder");
                }
                self.store.delete_folder(folder);
            }
            Action::EmptyTrash => self.store.empty_trash(),
            Action::Clear => self.store.clear(),
            Action::ResetSettings => self.settings = Settings::default(),
            Action::Sort(order) => self.store.set_order(order),
        }
    }

    pub(super) fn page_of(&self, link: Link) -> Page {
        match link {
            Link::NewNote(folder) => Page::Editor(Editor::blank(folder)),
            Link::EditNote(note) => match self.store.note(note) {
                Some(note) => Page::Editor(Editor::of(note)),
                None => Page::Info(Info::missing()),
            },
            Link::Reader(note) if self.readable(note) => Page::Reader(note),
            Link::Reader(_) => Page::Info(Info::missing()),
            Link::NoteMenu(note) => Page::NoteMenu(note),
            Link::FolderMenu(folder) => Page::FolderMenu(folder),
            Link::CreateMenu(folder) => Page::CreateMenu(folder),
            Link::NewFolder(parent) => Page::Name(NameDialog::new(Named::NewFolder(parent), "")),
            Link::RenameNote(note) => {
                let title = self.store.note(note).map_or("", |note| note.title.as_str());
                Page::Name(NameDialog::new(Named::Note(note), title))
            }
            Link::RenameFolder(folder) => {
                let name = &self.store.folder(folder).name;
                Page::Name(NameDialog::new(Named::Folder(folder), name))
            }
            Link::Move(note) => Page::Move(note),
            Link::Confirm(action) => Page::Confirm(action),
            Link::Sort => Page::Sort,
            Link::Search => Page::Search(Search::default()),
            Link::Kept(shelf) => Page::Kept(shelf),
            Link::KeptMenu(note) => Page::KeptMenu(note),
            Link::Settings => Page::Settings,
            Link::About => Page::About,
            Link::News => Page::Info(Info::news()),
            Link::Details(note) => Page::Info(self.details(note)),
            Link::Count(words, chars) => Page::Info(Info::count(words, chars)),
            Link::Share => Page::Share,
        }
    }
}
