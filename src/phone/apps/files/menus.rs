//! The menus of rows, folders and selections.

use super::Files;
use super::messages::{MenuCommand, Msg};
use super::storage::EntryId;
use crate::{Size, View, popup_item, popup_menu};

/// Where an entry was picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickedFrom {
    /// In the list of its folder.
    Folder,
    /// Among the results of a search.
    Results,
    /// In a collection.
    Collection,
}

/// A menu with the entries that it is about.
#[derive(Clone, Debug)]
pub struct Menu {
    /// The entries that commands apply to.
    pub ids: Vec<EntryId>,
    /// Where the menu was opened.
    pub place: PickedFrom,
    commands: Vec<MenuCommand>,
}

impl MenuCommand {
    /// The command in a menu, and the code point that is reached when it is executed.
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            MenuCommand::Open => ("Open", "files.run.open"),
            MenuCommand::Rename => ("Rename", "files.run.rename"),
            MenuCommand::Copy => ("Copy", "files.run.copy"),
            MenuCommand::Cut => ("Cut", "files.run.cut"),
            MenuCommand::Delete => ("Delete", "files.run.delete"),
            MenuCommand::Hide(true) => ("Hide", "files.run.hide"),
            MenuCommand::Hide(false) => ("Unhide", "files.run.unhide"),
            MenuCommand::Details => ("Details", "files.run.details"),
            MenuCommand::Bookmark(true) => ("Add bookmark", "files.run.bookmark"),
            MenuCommand::Bookmark(false) => ("Remove bookmark", "files.run.unbookmark"),
            MenuCommand::SelectAll => ("Select all", "files.run.select-all"),
            MenuCommand::SortBy => ("Sort by", "files.run.sort-by"),
            MenuCommand::Settings => ("Settings", "files.run.settings"),
            MenuCommand::Restore => ("Restore", "files.run.restore"),
            MenuCommand::Destroy => ("Delete for ever", "files.run.destroy"),
        }
    }

    fn label(self) -> &'static str {
        self.texts().0
    }

    /// The code point that is reached when the command is executed.
    pub fn point(self) -> &'static str {
        self.texts().1
    }
}

impl Menu {
    /// A menu with these commands.
    pub fn new(ids: Vec<EntryId>, place: PickedFrom, commands: Vec<MenuCommand>) -> Self {
        Menu { ids, place, commands }
    }
}

impl Files {
    /// The menu of a row in a folder or in the results of a search.
    pub(super) fn row_menu(&self, id: EntryId, place: PickedFrom) -> Menu {
        let mut commands = vec![
            MenuCommand::Open,
            MenuCommand::Rename,
            MenuCommand::Copy,
            MenuCommand::Cut,
            MenuCommand::Delete,
        ];
        let Some(entry) = self.storage.get(id) else { return Menu::new(vec![id], place, commands) };
        commands.push(MenuCommand::Hide(!entry.hidden));
        if entry.is_folder() {
            commands.push(MenuCommand::Bookmark(!self.bookmarks.contains(&id)));
        }
        commands.push(MenuCommand::Details);
        Menu::new(vec![id], place, commands)
    }

    /// The menu of selection mode.
    pub(super) fn selection_menu(&self, ids: Vec<EntryId>) -> Menu {
        let mut commands = vec![MenuCommand::SelectAll, MenuCommand::Cut];
        let all_hidden = ids.iter().all(|id| self.storage.get(*id).is_some_and(|entry| entry.hidden));
        commands.push(MenuCommand::Hide(!all_hidden));
        if ids.len() == 1 {
            commands.extend([MenuCommand::Rename, MenuCommand::Details]);
        }
        Menu::new(ids, PickedFrom::Folder, commands)
    }
}

/// The view of a menu. It scrolls if the screen is not high enough.
pub fn menu_view(menu: &Menu) -> View<Msg> {
    let entry = |command: &MenuCommand| popup_item(command.label(), Msg::Choose(*command));
    let entries = View::column(menu.commands.iter().map(entry).collect());
    popup_menu(vec![View::scroll("menu_list", entries).height(Size::Wrap)])
}
