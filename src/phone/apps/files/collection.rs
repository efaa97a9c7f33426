//! Lists across folders: images, recent files, hidden files, and the bin.

use super::dialogs::Dialog;
use super::menus::{Menu, PickedFrom};
use super::messages::{BrowserMsg, CollectionKind, CollectionMsg, MenuCommand, Msg};
use super::rows::{ROW_HEIGHT, RowActions, date_and_size, entry_row};
use super::storage::{BIN, EntryId, Kind};
use super::{Files, Page, Sys};
use crate::{Color, Env, Icon, View, empty_state, page_toolbar, toolbar_action};

/// Maximum number of recent files.
const RECENT: usize = 12;

impl CollectionKind {
    /// All collections, in the order of the drawer.
    pub const ALL: [CollectionKind; 4] =
        [CollectionKind::Images, CollectionKind::Recent, CollectionKind::Hidden, CollectionKind::Bin];

    pub fn icon(self) -> Icon {
        match self {
            CollectionKind::Images => Icon::Image,
            CollectionKind::Recent => Icon::Schedule,
            CollectionKind::Hidden => Icon::VisibilityOff,
            CollectionKind::Bin => Icon::Delete,
        }
    }
}

/// The page of a collection.
#[derive(Clone, Debug)]
pub struct Collection {
    kind: CollectionKind,
    rows: Vec<EntryId>,
}

fn send(msg: CollectionMsg) -> Msg {
    Msg::Collection(msg)
}

impl Files {
    /// The page of this collection.
    pub(super) fn collection(&self, kind: CollectionKind) -> Collection {
        Collection { kind, rows: self.collect(kind) }
    }

    pub(super) fn collection_update(
        &mut self,
        collection: &mut Collection,
        msg: CollectionMsg,
        sys: &mut Sys,
    ) {
        match msg {
            CollectionMsg::Open(id) if collection.kind == CollectionKind::Bin => {
                sys.cover("files.collection.open-in-bin");
                sys.open(Page::Menu(collection_menu(collection.kind, id)));
            }
            CollectionMsg::Open(id) if self.storage.get(id).is_some_and(|entry| entry.is_folder()) => {
                sys.cover("files.collection.open-folder");
                sys.finish_with(Msg::Browser(BrowserMsg::Go(id)));
            }
            CollectionMsg::Open(id) => {
                sys.cover("files.collection.open-file");
                self.open_file(id, sys);
            }
            CollectionMsg::RowMenu(id) => {
                sys.cover(match collection.kind {
                    CollectionKind::Images => "files.collection.menu-of-image",
                    CollectionKind::Recent => "files.collection.menu-of-recent",
                    CollectionKind::Hidden => "files.collection.menu-of-hidden",
                    CollectionKind::Bin => "files.collection.menu-in-bin",
                });
                sys.open(Page::Menu(collection_menu(collection.kind, id)));
            }
            CollectionMsg::EmptyBin => {
                sys.cover("files.collection.empty-bin");
                sys.open(Page::Dialog(Dialog::Destroy(self.collect(CollectionKind::Bin))))
            }
        }
    }

    pub(super) fn collection_resumed(&self, collection: &mut Collection) {
        collection.rows = self.collect(collection.kind);
    }

    fn collect(&self, kind: CollectionKind) -> Vec<EntryId> {
        let stored = |wanted: &dyn Fn(EntryId, &super::storage::Entry) -> bool| -> Vec<EntryId> {
            let found = self.storage.all().filter(|(id, entry)| wanted(*id, entry));
            found.map(|(id, _)| id).filter(|id| self.storage.is_stored(*id)).collect()
        };
        let shown = |id| self.settings.listing.show_hidden || !self.storage.is_hidden(id);
        match kind {
            CollectionKind::Images => stored(&|id, entry| matches!(entry.kind, Kind::Image(..)) && shown(id)),
            CollectionKind::Recent => {
                let mut files = stored(&|id, entry| !entry.is_folder() && shown(id));
                files.sort_by_key(|id| std::cmp::Reverse(self.storage.get(*id).map(|entry| entry.modified)));
                files.truncate(RECENT);
                files
            }
            CollectionKind::Hidden => stored(&|_, entry| entry.hidden),
            CollectionKind::Bin => self.storage.children(BIN).map(|(id, _)| id).collect(),
        }
    }

    pub(super) fn collection_view(&self, collection: &Collection, env: &Env<'_>) -> View<Msg> {
        let kind = collection.kind;
        let mut actions = Vec::new();
        if kind == CollectionKind::Bin && !collection.rows.is_empty() {
            let click = send(CollectionMsg::EmptyBin);
            actions.push(toolbar_action("empty_bin", Icon::Delete, "Empty trash bin", click));
        }
        let rows = &collection.rows;
        let body = if rows.is_empty() {
            env.cover("files.view.empty-collection");
            empty_state(kind.icon(), kind.nothing())
        } else {
            View::list("collection_list", env, rows.len(), ROW_HEIGHT, |row| {
                rows.get(row).map_or_else(View::space, |id| self.collection_row(kind, *id))
            })
        };
        let bar = page_toolbar(env.accent, Msg::Leave, kind.title(), actions);
        View::column(vec![bar, View::frame(vec![body]).grow_y()]).fill().background(Color::SURFACE)
    }

    fn collection_row(&self, kind: CollectionKind, id: EntryId) -> View<Msg> {
        let Some(entry) = self.storage.get(id) else { return View::space() };
        let second = match kind {
            CollectionKind::Images | CollectionKind::Recent => date_and_size(entry),
            CollectionKind::Hidden => self.storage.path(id),
            CollectionKind::Bin => match entry.origin {
                Some(origin) => format!("from {}", self.storage.path(origin)),
                None => String::new(),
            },
        };
        let actions = RowActions {
            click: send(CollectionMsg::Open(id)),
            hold: None,
            menu: Some(send(CollectionMsg::RowMenu(id))),
        };
        entry_row(entry, second, false, actions)
    }
}

fn collection_menu(kind: CollectionKind, id: EntryId) -> Menu {
    let commands = match kind {
        CollectionKind::Images | CollectionKind::Recent => {
            vec![MenuCommand::Open, MenuCommand::Copy, MenuCommand::Delete, MenuCommand::Details]
        }
        CollectionKind::Hidden => vec![MenuCommand::Open, MenuCommand::Hide(false), MenuCommand::Details],
        CollectionKind::Bin => vec![MenuCommand::Restore, MenuCommand::Destroy, MenuCommand::Details],
    };
    Menu::new(vec![id], PickedFrom::Collection, commands)
}
