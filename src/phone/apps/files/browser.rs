//! The page of a folder: its rows, the path bar, the drawer, the button that creates entries, selection mode.

use super::dialogs::{Dialog, NamePurpose};
use super::menus::{Menu, PickedFrom};
use super::messages::{BrowserMsg, CollectionKind, MenuCommand, Msg};
use super::rows::{ROW_HEIGHT, RowActions, date_and_size, entry_row};
use super::storage::{EntryId, INTERNAL, SD_CARD};
use super::{Files, Page, Sys};
use crate::{
    Align, Color, Edges, Env, Icon, Size, View, drawer_item, empty_state, fab, section, toolbar,
    toolbar_action, with_drawer,
};

/// The page of a folder.
#[derive(Clone, Debug)]
pub struct Browser {
    /// The folder that the page shows.
    pub folder: EntryId,
    /// The entries as listed.
    pub rows: Vec<EntryId>,
    /// The selected entries, in the order of selection. Selection mode is on if there are any.
    pub selected: Vec<EntryId>,
    drawer: bool,
    creating: bool,
}

fn send(msg: BrowserMsg) -> Msg {
    Msg::Browser(msg)
}

impl Files {
    /// The page of this folder.
    pub(super) fn browser_at(&self, folder: EntryId) -> Browser {
        let mut browser =
            Browser { folder, rows: Vec::new(), selected: Vec::new(), drawer: false, creating: false };
        self.refresh(&mut browser);
        browser
    }

    /// Reads the folder again.
    pub(super) fn refresh(&self, browser: &mut Browser) {
        if !self.storage.is_stored(browser.folder) {
            browser.folder = INTERNAL;
        }
        browser.rows = self.storage.list(browser.folder, self.settings.listing);
        browser.selected.retain(|id| browser.rows.contains(id));
    }

    pub(super) fn browser_update(&mut self, browser: &mut Browser, msg: BrowserMsg, sys: &mut Sys) {
        sys.cover(msg.point());
        match msg {
            BrowserMsg::Drawer(open) => browser.drawer = open,
            BrowserMsg::Go(folder) => self.go(browser, folder, sys),
            BrowserMsg::Up => self.up(browser, sys),
            BrowserMsg::Home => {
                let root = self.storage.root_of(browser.folder).unwrap_or(INTERNAL);
                self.go(browser, root, sys);
            }
            BrowserMsg::Tap(id) if browser.selected.is_empty() => self.open_entry(browser, id, sys),
            BrowserMsg::Tap(id) => {
                sys.cover("files.browser.tap-selecting");
                toggle(&mut browser.selected, id, sys);
            }
            BrowserMsg::Hold(id) => {
                browser.creating = false;
                toggle(&mut browser.selected, id, sys);
            }
            BrowserMsg::RowMenu(id) => sys.open(Page::Menu(self.row_menu(id, PickedFrom::Folder))),
            BrowserMsg::Create => {
                browser.creating = !browser.creating;
                if !browser.creating {
                    sys.cover("files.browser.create-closed");
                }
            }
            BrowserMsg::NewFolder => {
                browser.creating = false;
                sys.open(Page::Dialog(Dialog::name(NamePurpose::NewFolder(browser.folder), "")));
            }
            BrowserMsg::NewFile => {
                browser.creating = false;
                sys.open(Page::Dialog(Dialog::name(NamePurpose::NewFile(browser.folder), "")));
            }
            BrowserMsg::Search => {
                let root = self.storage.root_of(browser.folder).unwrap_or(INTERNAL);
                sys.open(Page::Search(self.search_in(root)));
            }
            BrowserMsg::Overflow => sys.open(Page::Menu(self.folder_menu(browser.folder))),
            BrowserMsg::SelectionMenu => {
                sys.open(Page::Menu(self.selection_menu(browser.selected.clone())));
            }
            BrowserMsg::WithSelected(command) => {
                let ids = std::mem::take(&mut browser.selected);
                self.run(command, &ids, PickedFrom::Folder, sys);
                self.refresh(browser);
            }
            BrowserMsg::SelectAll => browser.selected = browser.rows.clone(),
            BrowserMsg::ClearSelection => browser.selected.clear(),
            BrowserMsg::Collection(kind) => {
                browser.drawer = false;
                sys.open(Page::Collection(self.collection(kind)));
            }
            BrowserMsg::Settings => {
                browser.drawer = false;
                sys.open(Page::Settings);
            }
            BrowserMsg::About => {
                browser.drawer = false;
                sys.open(Page::About);
            }
            BrowserMsg::Paste => {
                self.paste(browser.folder, sys);
                self.refresh(browser);
            }
            BrowserMsg::CancelPaste => self.clipboard = None,
        }
    }

    pub(super) fn browser_back(&mut self, browser: &mut Browser, sys: &mut Sys) {
        if browser.drawer {
            sys.cover("files.back.drawer");
            browser.drawer = false;
        } else if browser.creating {
            sys.cover("files.back.creating");
            browser.creating = false;
        } else if !browser.selected.is_empty() {
            sys.cover("files.back.selection");
            browser.selected.clear();
        } else if self.storage.get(browser.folder).is_some_and(|entry| entry.parent.is_some()) {
            sys.cover("files.back.up");
            self.up(browser, sys);
        } else {
            sys.cover("files.back.app");
            sys.finish();
        }
    }

    fn open_entry(&self, browser: &mut Browser, id: EntryId, sys: &mut Sys) {
        if self.storage.get(id).is_some_and(|entry| entry.is_folder()) {
            sys.cover("files.browser.open-folder");
            self.go(browser, id, sys);
        } else {
            sys.cover("files.browser.open-file");
            self.open_file(id, sys);
        }
    }

    fn go(&self, browser: &mut Browser, folder: EntryId, sys: &mut Sys) {
        *browser = self.browser_at(folder);
        sys.scroll_to_top("listView");
    }

    fn up(&self, browser: &mut Browser, sys: &mut Sys) {
        if let Some(parent) = self.storage.get(browser.folder).and_then(|entry| entry.parent) {
            self.go(browser, parent, sys);
        }
    }

    pub(super) fn browser_view(&self, browser: &Browser, env: &Env<'_>) -> View<Msg> {
        let bar = if browser.selected.is_empty() {
            self.folder_bar(browser, env)
        } else {
            env.cover("files.view.selection-bar");
            selection_bar(browser.selected.len())
        };
        let list = if browser.rows.is_empty() {
            env.cover("files.view.empty-folder");
            empty_state(Icon::Folder, "Nothing here yet. Tap + to create a folder or a file.")
        } else {
            View::list("listView", env, browser.rows.len(), ROW_HEIGHT, |row| self.browser_row(browser, row))
        };
        let mut layers = vec![list];
        if browser.selected.is_empty() {
            layers.push(create_button(browser.creating, env));
        }
        let mut parts = vec![bar, self.path_bar(browser), View::frame(layers).grow_y()];
        if let Some(clipboard) = &self.clipboard {
            env.cover(if clipboard.cut { "files.view.paste-cut" } else { "files.view.paste-copied" });
            parts.push(paste_bar(clipboard.ids.len(), clipboard.cut, env));
        }
        let page = View::column(parts).fill().background(Color::SURFACE);
        if !browser.drawer {
            return page;
        }
        env.cover("files.view.drawer");
        let items = vec![View::scroll("drawer_list", View::column(self.drawer_items(browser, env))).grow_y()];
        with_drawer(page, env.accent, "Files", items, send(BrowserMsg::Drawer(false)))
    }

    fn folder_bar(&self, browser: &Browser, env: &Env<'_>) -> View<Msg> {
        let action = |id, icon, desc, msg| toolbar_action(id, icon, desc, send(msg));
        toolbar(
            env.accent,
            Some((Icon::Menu, "Open navigation drawer", send(BrowserMsg::Drawer(true)))),
            self.name_of(browser.folder),
            vec![
                action("search", Icon::Search, "Search", BrowserMsg::Search),
                action("overflow", Icon::MoreVert, "More options", BrowserMsg::Overflow),
            ],
        )
    }

    fn path_bar(&self, browser: &Browser) -> View<Msg> {
        let home = View::icon_button(Icon::Home, Color::WHITE, "Home", send(BrowserMsg::Home)).id("home");
        let path = View::text(self.storage.path(browser.folder))
            .id("fullpath")
            .size(13)
            .color(Color::WHITE)
            .grow_x()
            .align(Align::Start, Align::Center);
        let count = View::text(match browser.rows.len() {
            1 => "1 item".to_owned(),
            count => format!("{count} items"),
        });
        let count = count.id("pathname").size(13).color(Color::WHITE).align(Align::Start, Align::Center);
        let up = View::icon_button(Icon::ArrowUpward, Color::WHITE, "Go up", send(BrowserMsg::Up))
            .id("go_up")
            .enabled(self.storage.get(browser.folder).is_some_and(|entry| entry.parent.is_some()));
        View::row(vec![home, path, count, up])
            .id("pathbar")
            .height(Size::Dp(48))
            .pad(Edges::symmetric(4, 0))
            .background(Color(0x1E4FD6))
    }

    fn browser_row(&self, browser: &Browser, row: usize) -> View<Msg> {
        let Some((id, entry)) = browser.rows.get(row).and_then(|id| Some((*id, self.storage.get(*id)?)))
        else {
            return View::space();
        };
        let second = if self.settings.show_details { date_and_size(entry) } else { String::new() };
        let selecting = !browser.selected.is_empty();
        let actions = RowActions {
            click: send(BrowserMsg::Tap(id)),
            hold: Some(send(BrowserMsg::Hold(id))),
            menu: (!selecting).then(|| send(BrowserMsg::RowMenu(id))),
        };
        entry_row(entry, second, browser.selected.contains(&id), actions)
    }

    fn drawer_items(&self, browser: &Browser, env: &Env<'_>) -> Vec<View<Msg>> {
        let go = |icon, label: String, folder| {
            drawer_item(icon, label, browser.folder == folder, send(BrowserMsg::Go(folder)))
        };
        let mut items = vec![
            go(Icon::Storage, self.name_of(INTERNAL), INTERNAL),
            go(Icon::SdCard, self.name_of(SD_CARD), SD_CARD),
        ];
        let marked: Vec<EntryId> =
            self.bookmarks.iter().copied().filter(|id| self.storage.is_stored(*id)).collect();
        if !marked.is_empty() {
            env.cover("files.view.bookmarks");
            items.push(section("Bookmarks", env.accent));
        }
        items.extend(marked.into_iter().map(|id| go(Icon::Star, self.name_of(id), id)));
        items.push(section("Quick access", env.accent));
        for kind in CollectionKind::ALL {
            let open = send(BrowserMsg::Collection(kind));
            items.push(drawer_item(kind.icon(), kind.title(), false, open));
        }
        items.push(drawer_item(Icon::Settings, "Settings", false, send(BrowserMsg::Settings)));
        items.push(drawer_item(Icon::Info, "About", false, send(BrowserMsg::About)));
        items
    }

    fn folder_menu(&self, folder: EntryId) -> Menu {
        Menu::new(
            vec![folder],
            PickedFrom::Folder,
            vec![
                MenuCommand::SelectAll,
                MenuCommand::SortBy,
                MenuCommand::Bookmark(!self.bookmarks.contains(&folder)),
                MenuCommand::Details,
                MenuCommand::Settings,
            ],
        )
    }
}

fn toggle(selected: &mut Vec<EntryId>, id: EntryId, sys: &mut Sys) {
    match selected.iter().position(|held| *held == id) {
        Some(place) => {
            sys.cover("files.browser.deselect");
            selected.remove(place);
        }
        None => selected.push(id),
    }
}

fn selection_bar(count: usize) -> View<Msg> {
    let action = |id, icon, desc, msg| toolbar_action(id, icon, desc, send(msg));
    toolbar(
        Color(0x37474F),
        Some((Icon::Close, "Done", send(BrowserMsg::ClearSelection))),
        format!("{count} selected"),
        vec![
            action("cpy", Icon::ContentCopy, "Copy", BrowserMsg::WithSelected(MenuCommand::Copy)),
            action("delete", Icon::Delete, "Delete", BrowserMsg::WithSelected(MenuCommand::Delete)),
            action("action_overflow", Icon::MoreVert, "More options", BrowserMsg::SelectionMenu),
        ],
    )
}

/// The view of the floating action button, with its two labelled entries if it is open.
fn create_button(open: bool, env: &Env<'_>) -> View<Msg> {
    let icon = if open { Icon::Close } else { Icon::Add };
    let button = fab("sd_main_fab", icon, "Create", env.accent, send(BrowserMsg::Create));
    if !open {
        return button;
    }
    let label = |text: &'static str, icon, msg| {
        let words = View::text(text).id("sd_label").size(14).align(Align::Start, Align::Center);
        let icon = View::icon(icon, env.accent).align(Align::Start, Align::Center);
        View::row(vec![words.grow_x(), icon])
            .width(Size::Dp(136))
            .height(Size::Dp(48))
            .pad(Edges::symmetric(16, 0))
            .margin(Edges::all(4))
            .background(Color::WHITE)
            .radius(4)
            .elevation(4)
            .click(send(msg))
    };
    let labels = vec![
        label("Folder", Icon::CreateNewFolder, BrowserMsg::NewFolder),
        label("File", Icon::File, BrowserMsg::NewFile),
    ];
    // In landscape there is not enough height for labels above the button.
    let (labels, edges) = if env.rotation.sideways() {
        env.cover("files.view.create-sideways");
        (View::row(labels), Edges { left: 0, top: 0, right: 84, bottom: 16 })
    } else {
        (View::column(labels), Edges { left: 0, top: 0, right: 16, bottom: 84 })
    };
    let labels = labels.width(Size::Wrap).margin(edges).align(Align::End, Align::End);
    View::frame(vec![View::space().id("sd_overlay").fill().click(send(BrowserMsg::Create)), labels, button])
}

fn paste_bar(count: usize, cut: bool, env: &Env<'_>) -> View<Msg> {
    let what = if cut { "to move" } else { "to copy" };
    let words = View::text(format!("{count} {what}")).size(14).grow_x().align(Align::Start, Align::Center);
    let cancel = View::button("Cancel", Color::SECONDARY, send(BrowserMsg::CancelPaste)).id("paste_cancel");
    let paste = View::button("Paste", env.accent, send(BrowserMsg::Paste)).id("paste");
    View::row(vec![words, cancel, paste])
        .id("paste_bar")
        .height(Size::Dp(48))
        .pad(Edges { left: 16, top: 0, right: 4, bottom: 0 })
        .background(Color(0xE3F2FD))
}
