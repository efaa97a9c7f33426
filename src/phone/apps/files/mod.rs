//! Files, a file manager modelled on Amaze.
//!
//! `storage.rs` is the data and `shipped.rs` what a new phone holds; the other files hold one group of
//! screens each. A page keeps the ids of the rows that it lists and looks them up anew whenever it comes
//! to the front, so no screen acts on data that another one has changed.

mod actions;
mod browser;
mod collection;
mod dialogs;
mod manifest;
mod menus;
mod points;
mod rows;
mod search;
mod settings;
mod shipped;
mod storage;
#[cfg(test)]
mod tests;
mod viewer;

use std::sync::Arc;

use super::super::{App, BugSet, Env, Manifest, Surface, System, View};
use browser::{Browser, BrowserMsg};
use collection::{Collection, CollectionMsg};
use dialogs::{Dialog, DialogMsg};
use menus::{Command, Menu};
use search::{Search, SearchMsg};
use settings::{Settings, SettingsMsg};
use storage::{EntryId, INTERNAL, Storage};
use viewer::{Editor, EditorMsg, Viewer, ViewerMsg};

type Sys = System<Files>;

/// The app: what it keeps in files, and its clipboard.
#[derive(Clone)]
pub struct Files {
    faults: Faults,
    /// Shared with snapshots until it changes.
    storage: Arc<Storage>,
    settings: Settings,
    bookmarks: Vec<EntryId>,
    /// What was searched for, newest first.
    searches: Vec<String>,
    clipboard: Option<Clipboard>,
}

/// The bugs that this build has; they are told in `manifest.rs`.
#[derive(Clone, Copy)]
struct Faults {
    rename_on_results: bool,
    search_hidden: bool,
    results_order: bool,
}

/// What was cut or copied and waits to be pasted.
#[derive(Clone)]
struct Clipboard {
    ids: Vec<EntryId>,
    cut: bool,
}

/// One entry of the back stack.
#[derive(Clone)]
pub enum Page {
    /// A folder.
    Browser(Browser),
    /// The search page with its results.
    Search(Search),
    /// Images, recent files, hidden files, or the bin.
    Collection(Collection),
    /// A text.
    Editor(Editor),
    /// A picture or a recording.
    Viewer(Viewer),
    /// The settings.
    Settings,
    /// About the app.
    About,
    /// A menu.
    Menu(Menu),
    /// A dialog.
    Dialog(Dialog),
}

/// What the views of all pages send.
#[derive(Clone, Debug)]
pub enum Msg {
    /// To a folder's page.
    Browser(BrowserMsg),
    /// To the search page.
    Search(SearchMsg),
    /// To a collection.
    Collection(CollectionMsg),
    /// To the text editor.
    Editor(EditorMsg),
    /// To the viewer.
    Viewer(ViewerMsg),
    /// To the settings.
    Settings(SettingsMsg),
    /// To a menu: this was chosen.
    Choose(Command),
    /// To a dialog.
    Dialog(DialogMsg),
    /// To any page: closes it as Back does.
    Leave,
}

impl App for Files {
    type Page = Page;
    type Msg = Msg;

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
            // A result for a page that has closed meanwhile, as when the folder of a hit is opened while
            // another page lies between.
            (_, _) => {}
        }
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

    /// What stands in fields is saved; a selection, a walk and a writer belong to the process.
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
    /// The storage, to be changed; a snapshot that shares it keeps the old one.
    fn storage_mut(&mut self) -> &mut Storage {
        Arc::make_mut(&mut self.storage)
    }

    fn name_of(&self, id: EntryId) -> String {
        self.storage.get(id).map_or_else(String::new, |entry| entry.name.clone())
    }
}
