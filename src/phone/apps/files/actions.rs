//! Operations on entries, wherever they are requested.

use super::dialogs::{Dialog, NamePurpose};
use super::menus::{Menu, PickedFrom};
use super::messages::{BrowserMsg, CollectionMsg, MenuCommand, Msg, SearchMsg};
use super::storage::{EntryId, Kind, NameError};
use super::viewer::{Editor, Viewer};
use super::{Clipboard, Files, Page, Sys};

impl Files {
    /// Executes the chosen command of a menu. The menu closes, and selection mode ends.
    pub(super) fn choose(&mut self, menu: &Menu, command: MenuCommand, sys: &mut Sys) {
        match (command, menu.ids.first()) {
            (MenuCommand::SelectAll, _) => {
                sys.cover(command.point());
                sys.finish_with(Msg::Browser(BrowserMsg::SelectAll));
            }
            (MenuCommand::Open, Some(id)) if self.storage.get(*id).is_some_and(|entry| entry.is_folder()) => {
                let (point, msg) = match menu.place {
                    PickedFrom::Results => ("files.menu.open-result", Msg::Search(SearchMsg::Open(*id))),
                    PickedFrom::Collection => {
                        ("files.menu.open-collected", Msg::Collection(CollectionMsg::Open(*id)))
                    }
                    PickedFrom::Folder => ("files.menu.open-folder", Msg::Browser(BrowserMsg::Go(*id))),
                };
                sys.cover(point);
                sys.finish_with(msg);
            }
            _ => {
                sys.finish_with(Msg::Browser(BrowserMsg::ClearSelection));
                self.run(command, &menu.ids, menu.place, sys);
            }
        }
    }

    /// Executes a command on entries.
    pub(super) fn run(&mut self, command: MenuCommand, ids: &[EntryId], place: PickedFrom, sys: &mut Sys) {
        let Some(first) = ids.first().copied() else { return };
        sys.cover(command.point());
        match command {
            MenuCommand::Open => self.open_file(first, sys),
            MenuCommand::Rename => {
                let name = self.name_of(first);
                sys.open(Page::Dialog(Dialog::name(NamePurpose::Rename(first, place), &name)));
            }
            MenuCommand::Copy | MenuCommand::Cut => {
                self.clipboard = Some(Clipboard { ids: ids.to_vec(), cut: command == MenuCommand::Cut });
            }
            MenuCommand::Delete if self.settings.confirm_delete => {
                sys.open(Page::Dialog(Dialog::Delete(ids.to_vec())));
            }
            MenuCommand::Delete => {
                sys.cover("files.run.delete-at-once");
                self.discard(ids, sys);
            }
            MenuCommand::Hide(hide) => {
                for id in ids {
                    self.storage_mut().set_hidden(*id, hide);
                }
                sys.toast(if hide { "Hidden" } else { "No longer hidden" });
            }
            MenuCommand::Details => sys.open(Page::Dialog(Dialog::Details(first))),
            MenuCommand::Bookmark(add) => {
                self.bookmarks.retain(|id| *id != first);
                if add {
                    self.bookmarks.push(first);
                }
                sys.toast(if add { "Bookmark added" } else { "Bookmark removed" });
            }
            MenuCommand::SortBy => sys.open(Page::Dialog(Dialog::Sort(self.settings.listing))),
            MenuCommand::Settings => sys.open(Page::Settings),
            MenuCommand::Restore => match self.storage_mut().restore(first) {
                Ok(()) => sys.toast("Restored"),
                Err(problem) => {
                    sys.cover("files.run.restore-refused");
                    sys.toast(problem.to_string());
                }
            },
            MenuCommand::Destroy => sys.open(Page::Dialog(Dialog::Destroy(ids.to_vec()))),
            // Only the page of a folder has rows to select; `choose` sends the command there.
            MenuCommand::SelectAll => {}
        }
    }

    /// Moves entries to the bin.
    pub(super) fn discard(&mut self, ids: &[EntryId], sys: &mut Sys) {
        for id in ids {
            self.storage_mut().discard(*id);
        }
        let storage = &self.storage;
        self.bookmarks.retain(|id| storage.is_stored(*id));
        if ids.len() > 1 {
            sys.cover("files.discard.several");
        }
        sys.toast("Moved to the trash bin");
    }

    /// Opens a file in the page for its kind.
    pub(super) fn open_file(&self, id: EntryId, sys: &mut Sys) {
        match self.storage.get(id).map(|entry| &entry.kind) {
            Some(Kind::Text(text)) => {
                sys.cover("files.open.text");
                sys.open(Page::Editor(Editor { id, text: text.clone(), saving: false }));
            }
            Some(kind @ (Kind::Image(..) | Kind::Audio(..))) => {
                let heard = matches!(kind, Kind::Audio(..));
                sys.cover(if heard { "files.open.recording" } else { "files.open.picture" });
                sys.open(Page::Viewer(Viewer { id, playing: false }));
            }
            Some(Kind::Other(_)) => {
                sys.cover("files.open.other");
                sys.open(Page::Dialog(Dialog::OpenWith));
            }
            Some(Kind::Folder) | None => {}
        }
    }

    /// Renames an entry.
    ///
    /// # Errors
    ///
    /// If the name is invalid or taken.
    pub(super) fn rename(&mut self, id: EntryId, name: &str, place: PickedFrom) -> Result<(), NameError> {
        let Some(entry) = self.storage.get(id) else { return Ok(()) };
        let Some(folder) = entry.parent else { return Ok(()) };
        self.storage.check_name(folder, name, Some(id))?;
        if entry.name == name {
            return Ok(());
        }
        let listed_apart = place == PickedFrom::Results && self.faults.rename_on_results;
        // BUG files-rename-on-results: a row of the results is a separate node, taken out of its folder. It gets the
        // name and the contents, while the parent folder still lists the old node.
        let node = if listed_apart { self.storage_mut().take_out(id) } else { Some(id) };
        if let Some(node) = node {
            self.storage_mut().rename(node, name);
        }
        Ok(())
    }

    /// Pastes what was cut or copied into a folder, except for entries that cannot go there.
    pub(super) fn paste(&mut self, folder: EntryId, sys: &mut Sys) {
        let Some(clipboard) = self.clipboard.take() else { return };
        if clipboard.ids.len() > 1 {
            sys.cover("files.paste.several");
        }
        let mut refusal = None;
        for id in clipboard.ids {
            let Some(entry) = self.storage.get(id).filter(|_| self.storage.is_stored(id)) else { continue };
            let stays = clipboard.cut && entry.parent == Some(folder);
            if stays {
                sys.cover("files.paste.stays");
                continue;
            }
            if clipboard.cut && self.storage.is_within(folder, id) {
                sys.cover("files.paste.into-itself");
                refusal = Some("A folder cannot be moved into itself".to_owned());
            } else if let Err(problem) = self.storage.check_name(folder, &entry.name, None) {
                sys.cover("files.paste.taken");
                refusal = Some(problem.to_string());
            } else if clipboard.cut {
                sys.cover("files.paste.moved");
                self.storage_mut().move_to(id, folder);
            } else {
                sys.cover("files.paste.copied");
                let today = sys.today();
                self.storage_mut().copy_to(id, folder, today);
            }
        }
        sys.toast(refusal.unwrap_or_else(|| "Done".to_owned()));
    }
}
