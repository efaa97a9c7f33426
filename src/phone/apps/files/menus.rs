//! The menus: of a row, of a folder, of what is selected.

use super::actions::Place;
use super::storage::EntryId;
use super::{Files, Msg};
use crate::{Size, View, popup_item, popup_menu};

/// A menu and what it is about.
#[derive(Clone, Debug)]
pub struct Menu {
    /// The entries that a command is for.
    pub ids: Vec<EntryId>,
    /// Where it was opened.
    pub place: Place,
    commands: Vec<Command>,
}

/// What can be done with entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Shows the folder or the file.
    Open,
    /// Asks for another name.
    Rename,
    /// Remembers them for a copy.
    Copy,
    /// Remembers them for a move.
    Cut,
    /// Into the bin.
    Delete,
    /// Hides them or shows them again.
    Hide(bool),
    /// Tells size, place and date.
    Details,
    /// Puts a folder into the drawer or takes it out.
    Bookmark(bool),
    /// Selects all rows of the folder.
    SelectAll,
    /// Asks for the order.
    SortBy,
    /// Opens the settings.
    Settings,
    /// Out of the bin.
    Restore,
    /// Out of the bin, for ever.
    Destroy,
}

impl Command {
    fn label(self) -> &'static str {
        match self {
            Command::Open => "Open",
            Command::Rename => "Rename",
            Command::Copy => "Copy",
            Command::Cut => "Cut",
            Command::Delete => "Delete",
            Command::Hide(true) => "Hide",
            Command::Hide(false) => "Unhide",
            Command::Details => "Details",
            Command::Bookmark(true) => "Add bookmark",
            Command::Bookmark(false) => "Remove bookmark",
            Command::SelectAll => "Select all",
            Command::SortBy => "Sort by",
            Command::Settings => "Settings",
            Command::Restore => "Restore",
            Command::Destroy => "Delete for ever",
        }
    }
}

impl Command {
    /// Where it is run.
    pub fn point(self) -> &'static str {
        match self {
            Command::Open => "files.run.open",
            Command::Rename => "files.run.rename",
            Command::Copy => "files.run.copy",
            Command::Cut => "files.run.cut",
            Command::Delete => "files.run.delete",
            Command::Hide(true) => "files.run.hide",
            Command::Hide(false) => "files.run.unhide",
            Command::Details => "files.run.details",
            Command::Bookmark(true) => "files.run.bookmark",
            Command::Bookmark(false) => "files.run.unbookmark",
            Command::SelectAll => "files.run.select-all",
            Command::SortBy => "files.run.sort-by",
            Command::Settings => "files.run.settings",
            Command::Restore => "files.run.restore",
            Command::Destroy => "files.run.destroy",
        }
    }
}

impl Menu {
    /// A menu of these commands.
    pub fn new(ids: Vec<EntryId>, place: Place, commands: Vec<Command>) -> Self {
        Menu { ids, place, commands }
    }
}

impl Files {
    /// The menu of a row in a folder or in the results.
    pub(super) fn row_menu(&self, id: EntryId, place: Place) -> Menu {
        let mut commands = vec![Command::Open, Command::Rename, Command::Copy, Command::Cut, Command::Delete];
        let Some(entry) = self.storage.get(id) else { return Menu::new(vec![id], place, commands) };
        commands.push(Command::Hide(!entry.hidden));
        if entry.is_folder() {
            commands.push(Command::Bookmark(!self.bookmarks.contains(&id)));
        }
        commands.push(Command::Details);
        Menu::new(vec![id], place, commands)
    }

    /// The menu of selection mode.
    pub(super) fn selection_menu(&self, ids: Vec<EntryId>) -> Menu {
        let mut commands = vec![Command::SelectAll, Command::Cut];
        let all_hidden = ids.iter().all(|id| self.storage.get(*id).is_some_and(|entry| entry.hidden));
        commands.push(Command::Hide(!all_hidden));
        if ids.len() == 1 {
            commands.extend([Command::Rename, Command::Details]);
        }
        Menu::new(ids, Place::Folder, commands)
    }
}

/// A menu's entries. They scroll where the screen is too low for them.
pub fn menu_view(menu: &Menu) -> View<Msg> {
    let entry = |command: &Command| popup_item(command.label(), Msg::Choose(*command));
    let entries = View::column(menu.commands.iter().map(entry).collect());
    popup_menu(vec![View::scroll("menu_list", entries).height(Size::Wrap)])
}
