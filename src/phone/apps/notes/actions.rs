//! The actions that change the data, and the links that open pages.

use super::dialogs::{Info, NameDialog, Named};
use super::editor::Editor;
use super::folders::FolderId;
use super::search::Search;
use super::settings::Settings;
use super::store::{NoteId, Shelf, SortOrder};
use super::{Notes, Page, Removed};
use crate::System;

/// A link that opens a page.
#[derive(Clone, Copy, Debug)]
pub enum Link {
    /// The editor for a new note in this folder.
    NewNote(FolderId),
    /// The editor for an existing note.
    EditNote(NoteId),
    /// The reader of a note.
    Reader(NoteId),
    /// The menu of a note.
    NoteMenu(NoteId),
    /// The menu of a folder.
    FolderMenu(FolderId),
    /// The menu of the floating action button.
    CreateMenu(FolderId),
    /// The dialog for the name of a new folder in this one.
    NewFolder(FolderId),
    /// The dialog for a note's new title.
    RenameNote(NoteId),
    /// The dialog for a folder's new name.
    RenameFolder(FolderId),
    /// The dialog for the folder to move a note to.
    Move(NoteId),
    /// The dialog that asks to confirm an action.
    Confirm(Action),
    /// The dialog for the order of lists.
    Sort,
    Search,
    /// The archive or the trash.
    Kept(Shelf),
    /// The menu of an archived or deleted note.
    KeptMenu(NoteId),
    Settings,
    /// The page about the app.
    About,
    /// The dialog about new features.
    News,
    /// The dialog with a note's dates and location.
    Details(NoteId),
    /// The dialog with the numbers of words and characters.
    Count(usize, usize),
    /// The sheet of apps to share a note with.
    Share,
}

/// An action that changes the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Pins (`true`) or unpins a note.
    Pin(NoteId, bool),
    /// Moves a note to the archive.
    Archive(NoteId),
    /// Moves a note to the trash.
    Trash(NoteId),
    /// Moves a note from the archive or the trash back to its folder.
    Restore(NoteId),
    /// Deletes a note permanently.
    Purge(NoteId),
    /// Moves a note to a folder.
    Move(NoteId, FolderId),
    /// Deletes a folder with its subfolders.
    DeleteFolder(FolderId),
    /// Deletes the notes in the trash permanently.
    EmptyTrash,
    /// Deletes all notes permanently.
    Clear,
    /// Resets the settings to their defaults.
    ResetSettings,
    /// Changes the order of lists.
    Sort(SortOrder),
}

impl Link {
    /// The code point that is reached when the link is followed.
    pub fn point(self) -> &'static str {
        match self {
            Link::NewNote(_) => "notes.open.new-note",
            Link::EditNote(_) => "notes.open.edit",
            Link::Reader(_) => "notes.open.reader",
            Link::NoteMenu(_) => "notes.open.note-menu",
            Link::FolderMenu(_) => "notes.open.folder-menu",
            Link::CreateMenu(_) => "notes.open.create-menu",
            Link::NewFolder(_) => "notes.open.new-folder",
            Link::RenameNote(_) => "notes.open.rename-note",
            Link::RenameFolder(_) => "notes.open.rename-folder",
            Link::Move(_) => "notes.open.move",
            Link::Confirm(_) => "notes.open.confirm",
            Link::Sort => "notes.open.sort",
            Link::Search => "notes.open.search",
            Link::Kept(Shelf::Trash) => "notes.open.trash",
            Link::Kept(_) => "notes.open.archive",
            Link::KeptMenu(_) => "notes.open.kept-menu",
            Link::Settings => "notes.open.settings",
            Link::About => "notes.open.about",
            Link::News => "notes.open.news",
            Link::Details(_) => "notes.open.details",
            Link::Count(..) => "notes.open.count",
            Link::Share => "notes.open.share",
        }
    }
}

impl Action {
    fn point(self) -> &'static str {
        match self {
            Action::Pin(_, true) => "notes.act.pin",
            Action::Pin(_, false) => "notes.act.unpin",
            Action::Archive(_) => "notes.act.archive",
            Action::Trash(_) => "notes.act.trash",
            Action::Restore(_) => "notes.act.restore",
            Action::Purge(_) => "notes.act.purge",
            Action::Move(..) => "notes.act.move",
            Action::DeleteFolder(_) => "notes.act.delete-folder",
            Action::EmptyTrash => "notes.act.empty-trash",
            Action::Clear => "notes.act.clear",
            Action::ResetSettings => "notes.act.reset-settings",
            Action::Sort(SortOrder::Title) => "notes.act.sort-by-title",
            Action::Sort(SortOrder::Newest) => "notes.act.sort-newest",
            Action::Sort(SortOrder::Oldest) => "notes.act.sort-oldest",
        }
    }
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
