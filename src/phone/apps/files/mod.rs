//! Files, a file manager modelled on Amaze.
//!
//! `storage.rs` contains the data and `shipped.rs` the contents of a new phone; each of the other files contains one
//! group of screens. A page stores the ids of its rows and looks the entries up again whenever it comes to the front,
//! so no screen operates on data that another one has changed.

mod actions;
mod browser;
mod collection;
mod dialogs;
mod manifest;
mod menus;
mod messages;
mod rows;
mod search;
mod settings;
mod shared;
mod shipped;
mod storage;
#[cfg(test)]
mod tests;
mod viewer;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::{App, BugSet, Env, Manifest, Package, SharedStorage, Surface, System, View};
use browser::Browser;
use collection::Collection;
use dialogs::Dialog;
use menus::Menu;
use messages::Msg;
use search::Search;
use storage::{EntryId, INTERNAL, Listing, SortKey, Storage};
use viewer::{Editor, Viewer};

type Sys = System<Files>;

/// The app: its files and its clipboard.
#[derive(Clone)]
pub struct Files {
    faults: Faults,
    /// Shared with snapshots until it is changed.
    storage: Arc<Storage>,
    settings: Settings,
    bookmarks: Vec<EntryId>,
    /// Recent search texts, the newest first.
    searches: Vec<String>,
    clipboard: Option<Clipboard>,
}

/// The bugs that are switched on. They are described in `manifest.rs`.
#[derive(Clone, Copy)]
struct Faults {
    rename_on_results: bool,
    search_hidden: bool,
    results_order: bool,
}

/// The entries that were cut or copied.
#[derive(Clone)]
struct Clipboard {
    ids: Vec<EntryId>,
    cut: bool,
}

/// What the user has set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How folders are listed.
    pub listing: Listing,
    /// Asks before something goes to the bin.
    pub confirm_delete: bool,
    /// Rows have a second line.
    pub show_details: bool,
    /// Searches are remembered.
    pub keep_searches: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let listing =
            Listing { key: SortKey::Name, descending: false, folders_first: true, show_hidden: false };
        Settings { listing, confirm_delete: true, show_details: true, keep_searches: true }
    }
}

/// An entry of the back stack.
#[derive(Clone)]
pub enum Page {
    /// The page of a folder.
    Browser(Browser),
    /// The search page with its results.
    Search(Search),
    /// Images, recent files, hidden files, or the bin.
    Collection(Collection),
    /// The editor of a text file.
    Editor(Editor),
    /// The viewer of a picture or a recording.
    Viewer(Viewer),
    Settings,
    /// The page about the app.
    About,
    Menu(Menu),
    Dialog(Dialog),
}

impl Package for Files {
    fn manifest() -> &'static Manifest {
        &manifest::MANIFEST
    }

    fn install(bugs: &BugSet) -> Self {
        Files {
            faults: Faults {
                rename_on_results: bugs.has("files-rename-on-results"),
                search_hidden: bugs.has("files-search-hidden"),
                results_order: bugs.has("files-results-order"),
            },
            storage: Arc::new(shipped::storage()),
            settings: Settings::default(),
            bookmarks: Vec::new(),
            searches: Vec::new(),
            clipboard: None,
        }
    }
}

impl App for Files {
    type Page = Page;
    type Msg = Msg;

    fn strings(&self) -> BTreeSet<String> {
        super::lines(include_str!("strings.txt"))
    }

    fn start(&mut self) -> Page {
        self.clipboard = None;
        Page::Browser(self.browser_at(INTERNAL))
    }

    fn surface(&self, page: &Page) -> Surface {
        match page {
            Page::Browser(_) => Surface::Activity("MainActivity"),
            Page::Search(_) => Surface::Activity("SearchActivity"),
            Page::Collection(_) => Surface::Activity("CollectionActivity"),
            Page::Editor(_) => Surface::Activity("TextEditorActivity"),
            Page::Viewer(_) => Surface::Activity("ViewerActivity"),
            Page::Settings => Surface::Activity("PreferencesActivity"),
            Page::About => Surface::Activity("AboutActivity"),
            Page::Menu(_) => Surface::Menu,
            Page::Dialog(_) => Surface::Dialog,
        }
    }

    fn view(&self, page: &Page, env: &Env<'_>) -> View<Msg> {
        match page {
            Page::Browser(browser) => self.browser_view(browser, env),
            Page::Search(search) => self.search_view(search, env),
            Page::Collection(collection) => self.collection_view(collection, env),
            Page::Editor(editor) => self.editor_view(editor, env),
            Page::Viewer(viewer) => self.viewer_view(viewer, env),
            Page::Settings => self.settings_view(env),
            Page::About => settings::about_view(env),
            Page::Menu(menu) => menus::menu_view(menu),
            Page::Dialog(dialog) => self.dialog_view(dialog, env),
        }
    }

    fn update(&mut self, page: &mut Page, msg: Msg, sys: &mut Sys) {
        match (page, msg) {
            (Page::Browser(browser), Msg::Browser(msg)) => self.browser_update(browser, msg, sys),
            (Page::Search(search), Msg::Search(msg)) => self.search_update(search, msg, sys),
            (Page::Collection(collection), Msg::Collection(msg)) => {
                self.collection_update(collection, msg, sys);
            }
            (Page::Editor(editor), Msg::Editor(msg)) => self.editor_update(editor, msg, sys),
            (Page::Viewer(viewer), Msg::Viewer(msg)) => self.viewer_update(viewer, msg, sys),
            (Page::Settings, Msg::Settings(msg)) => self.settings_update(msg, sys),
            (Page::Menu(menu), Msg::Choose(command)) => self.choose(menu, command, sys),
            (Page::Dialog(dialog), Msg::Dialog(msg)) => self.dialog_update(dialog, msg, sys),
            (page, Msg::Leave) => {
                sys.cover("files.leave");
                self.back(page, sys);
            }
            // A result for a page that has been closed meanwhile, as when the folder of a search result is opened while
            // another page is in between.
            (_, _) => {}
        }
    }

    fn shared_storage(&mut self) -> Option<&mut dyn SharedStorage> {
        Some(self)
    }

    fn back(&mut self, page: &mut Page, sys: &mut Sys) {
        match page {
            Page::Browser(browser) => self.browser_back(browser, sys),
            Page::Editor(editor) => self.editor_back(editor, sys),
            Page::Search(_)
            | Page::Collection(_)
            | Page::Viewer(_)
            | Page::Settings
            | Page::About
            | Page::Menu(_)
            | Page::Dialog(_) => {
                sys.cover("files.back.close");
                sys.finish();
            }
        }
    }

    fn resumed(&mut self, page: &mut Page, sys: &mut Sys) {
        match page {
            Page::Browser(browser) => self.refresh(browser),
            Page::Search(search) => self.search_resumed(search, sys),
            Page::Collection(collection) => {
                sys.cover("files.resumed.collection");
                self.collection_resumed(collection);
            }
            Page::Editor(Editor { id, .. }) | Page::Viewer(Viewer { id, .. }) => {
                if !self.storage.is_stored(*id) {
                    sys.cover("files.resumed.file-gone");
                    sys.finish();
                }
            }
            Page::Settings | Page::About | Page::Menu(_) | Page::Dialog(_) => {}
        }
    }

    fn recreated(&mut self, page: &mut Page, sys: &mut Sys) {
        let _page = page;
        sys.cover("files.recreated");
    }

    /// The contents of fields are saved. A selection, a running search, saving and playback belong to the lost process.
    fn restored(&mut self, page: &mut Page, sys: &mut Sys) {
        sys.cover("files.restored");
        match page {
            Page::Browser(browser) => browser.selected.clear(),
            Page::Search(search) => self.search_restored(search, sys),
            Page::Editor(editor) => editor.saving = false,
            Page::Viewer(viewer) => viewer.playing = false,
            Page::Collection(_) | Page::Settings | Page::About | Page::Menu(_) | Page::Dialog(_) => {}
        }
    }
}

impl Files {
    /// The storage for a change. A snapshot that shares it keeps the old one.
    fn storage_mut(&mut self) -> &mut Storage {
        Arc::make_mut(&mut self.storage)
    }

    fn name_of(&self, id: EntryId) -> String {
        self.storage.get(id).map_or_else(String::new, |entry| entry.name.clone())
    }
}
