//! The menus of the floating action button, of notes, of folders and of the editor, and the sheet for sharing.

use crate::{Color, Icon, Size, View, list_row, popup_item, popup_menu, section};

use super::folders::FolderId;
use super::store::{NoteId, Shelf};
use super::{Action, Link, Msg, Notes};

fn item(id: &'static str, label: &'static str, msg: Msg) -> View<Msg> {
    popup_item(label, msg).id(id)
}

/// The menu of the floating action button.
pub fn create_menu(folder: FolderId) -> View<Msg> {
    popup_menu(vec![
        item("menu_new_note", "New note", Msg::Replace(Link::NewNote(folder))),
        item("menu_new_folder", "New folder", Msg::Replace(Link::NewFolder(folder))),
    ])
}

/// The menu of a folder.
pub fn folder_menu(folder: FolderId) -> View<Msg> {
    popup_menu(vec![
        item("menu_rename", "Rename", Msg::Replace(Link::RenameFolder(folder))),
        item("menu_delete", "Delete", Msg::Ask(Action::DeleteFolder(folder))),
    ])
}

/// The sheet of apps to share a note with.
pub fn share_sheet() -> View<Msg> {
    let way = |icon, label: &'static str, line| {
        let none = ("android:id/text2", String::new());
        list_row(Some((icon, Color::SECONDARY)), ("android:id/text1", label.to_owned()), none, Vec::new())
            .height(Size::Dp(56))
            .click(Msg::Toast(line))
    };
    View::column(vec![
        section("Share with", Color::SECONDARY),
        way(Icon::ContentCopy, "Copy to clipboard", "Copied to clipboard"),
        way(Icon::Share, "Nearby device", "No device nearby"),
    ])
    .background(Color::WHITE)
    .elevation(16)
}

impl Notes {
    /// The menu of a note, both in lists and in the reader.
    pub(super) fn note_menu(&self, id: NoteId) -> View<Msg> {
        popup_menu(vec![
            self.pin_item(id),
            item("menu_rename", "Rename", Msg::Replace(Link::RenameNote(id))),
            item("menu_move", "Move to folder", Msg::Replace(Link::Move(id))),
            item("menu_archive", "Archive", Msg::Do(Action::Archive(id))),
            item("menu_delete", "Delete", Msg::Ask(Action::Trash(id))),
            item("menu_share", "Share", Msg::Replace(Link::Share)),
            item("menu_details", "Details", Msg::Replace(Link::Details(id))),
        ])
    }

    fn pin_item(&self, id: NoteId) -> View<Msg> {
        let pinned = self.store.note(id).is_some_and(|note| note.pinned);
        let label = if pinned { "Unpin" } else { "Pin to top" };
        item("menu_pin", label, Msg::Do(Action::Pin(id, !pinned)))
    }

    /// The menu of the editor.
    pub(super) fn editor_menu(&self, note: Option<NoteId>, words: usize, chars: usize) -> View<Msg> {
        let mut items = Vec::with_capacity(4);
        if let Some(note) = note {
            items.push(self.pin_item(note));
        }
        items.push(item("menu_share", "Share", Msg::Replace(Link::Share)));
        if let Some(note) = note {
            items.push(item("menu_details", "Details", Msg::Replace(Link::Details(note))));
        }
        items.push(item("menu_count", "Word count", Msg::Replace(Link::Count(words, chars))));
        popup_menu(items)
    }

    /// The menu of an archived or deleted note.
    pub(super) fn kept_menu(&self, id: NoteId) -> View<Msg> {
        let mut items = vec![item("menu_restore", "Restore", Msg::Do(Action::Restore(id)))];
        if self.store.note(id).is_some_and(|note| note.shelf == Shelf::Trash) {
            items.push(item("menu_purge", "Delete forever", Msg::Do(Action::Purge(id))));
        }
        items.push(item("menu_details", "Details", Msg::Replace(Link::Details(id))));
        popup_menu(items)
    }
}
