//! Tasks: lists of things to do, with filters, a selection mode, a search and a synchronisation that waits for the
//! network.
//!
//! It is an app that nobody has specified: no DMF comes with it. Its catalogued bugs (`bugs.rs`) are of one kind. Each
//! loses something that every Android app must keep in a detour, such as turning the device, the end of the process in
//! the background, a cancelled dialog or an undone change. Without its detour, a faulty build shows what the sound one
//! shows.
//!
//! `store.rs` contains the data and knows no screen; each of the other files draws one group of screens. The state of a
//! page is what Android would save of it, so a sound build has nothing to do when a page is recreated or restored.

mod bugs;
mod dialogs;
mod editor;
mod main_page;
mod search;
mod settings;
mod store;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::{App, BugSet, Changed, Color, Env, Icon, Manifest, Package, Setting, Surface, System, View};

use dialogs::{Deletion, NameDialog};
use editor::Editor;
use main_page::MainPage;
use search::Search;
use settings::Settings;
use store::{Store, TaskId};

/// The permission that reminders need.
const NOTIFY: &str = "android.permission.POST_NOTIFICATIONS";

static MANIFEST: Manifest = Manifest {
    package: "org.taproof.tasks",
    label: "Tasks",
    modelled_on: "Tasks.org, Google Tasks, Simpletask",
    icon: Icon::Check,
    accent: Color(0x5E35B1),
    activities: &["MainActivity", "EditorActivity", "SearchActivity", "SettingsActivity"],
    permissions: &[NOTIFY],
    bugs: bugs::BUGS,
    points: points!("points.txt"),
    resources: None,
};

/// The app: its files, and the memory of its process.
#[derive(Clone)]
pub struct Tasks {
    store: Store,
    settings: Settings,
    bugs: BugSet,
    /// Whether the app could show notifications when it was in front last. Saved to files.
    may_notify: bool,
    /// Whether this process has shown a page before. Not saved to files.
    shown_before: bool,
}

/// A screen, dialog or menu.
#[derive(Clone, Debug)]
pub enum Page {
    /// The page of the current list.
    Main(MainPage),
    Editor(Editor),
    Search(Search),
    Settings,
    SortMenu,
    /// The overflow menu.
    MoreMenu,
    /// The sheet of all lists.
    Lists,
    /// The dialog that requests the name of a list.
    Name(NameDialog),
    /// The dialog that asks whether to delete tasks, and the number of selected ones.
    ConfirmDelete(Deletion, usize),
    /// The dialog that asks whether to discard changes.
    Discard,
}

/// A message of a view.
#[derive(Clone, Debug)]
pub enum Msg {
    /// Closes the page that shows the view.
    Close,
    /// Closes the page and the one below it.
    CloseBoth,
    /// For the page of the current list.
    Main(main_page::Msg),
    /// For the editor.
    Editor(editor::Msg),
    /// For the search.
    Search(search::Msg),
    /// For the dialog that requests the name of a list.
    Name(dialogs::Msg),
    /// For the settings.
    Settings(settings::Msg),
}

impl Tasks {
    /// Whether a bug of this build shows, since what provokes it is the case.
    fn faulty(&self, bug: &str, provoked: bool) -> bool {
        provoked && self.bugs.has(bug)
    }

    /// Sends a task that was added or changed, now or when the network is back.
    fn send(&mut self, id: TaskId, sys: &mut System<Tasks>) {
        sys.cover(if sys.network { "tasks.sync.sent" } else { "tasks.sync.queued" });
        self.store.queue(id, sys.network, self.bugs.has(bugs::OFFLINE_TWICE));
    }

    /// Keeps everything in a sound build.
    fn create_anew(&mut self, page: &mut Page, sys: &System<Tasks>) {
        match page {
            Page::Main(main) => self.main_recreated(main, sys),
            Page::Editor(editor) => self.editor_recreated(editor, sys.changed),
            Page::Search(search) => self.search_recreated(search, sys.changed),
            _ => {}
        }
    }

    /// Closes a page because of Back or the arrow.
    fn leave(&mut self, page: &mut Page, sys: &mut System<Tasks>) {
        match page {
            Page::Editor(editor) => self.back_from_editor(editor, sys),
            Page::Name(dialog) => self.cancel_name(dialog, sys),
            Page::Settings => {
                sys.cover("tasks.back.settings");
                sys.finish_with(Msg::Main(main_page::Msg::BackFromSettings));
            }
            Page::Main(main) if main.selects() => {
                sys.cover("tasks.back.selection");
                self.leave_selection(main);
            }
            _ => {
                sys.cover("tasks.back.close");
                sys.finish();
            }
        }
    }
}

impl Package for Tasks {
    fn manifest() -> &'static Manifest {
        &MANIFEST
    }

    fn install(bugs: &BugSet) -> Self {
        Tasks {
            store: Store::shipped(),
            settings: Settings::default(),
            bugs: bugs.clone(),
            may_notify: false,
            shown_before: false,
        }
    }
}

impl App for Tasks {
    type Page = Page;
    type Msg = Msg;

    fn strings(&self) -> BTreeSet<String> {
        super::lines(include_str!("strings.txt"))
    }

    fn start(&mut self) -> Page {
        self.shown_before = false;
        Page::Main(MainPage::of_new_process())
    }

    fn surface(&self, page: &Page) -> Surface {
        match page {
            Page::Main(_) => Surface::Activity("MainActivity"),
            Page::Editor(_) => Surface::Activity("EditorActivity"),
            Page::Search(_) => Surface::Activity("SearchActivity"),
            Page::Settings => Surface::Activity("SettingsActivity"),
            Page::SortMenu | Page::MoreMenu => Surface::Menu,
            Page::Lists => Surface::BottomSheet,
            Page::Name(_) | Page::ConfirmDelete(..) | Page::Discard => Surface::Dialog,
        }
    }

    fn view(&self, page: &Page, env: &Env<'_>) -> View<Msg> {
        let view = match page {
            Page::Main(main) => self.main_view(main, env),
            Page::Editor(editor) => self.editor_view(editor, env),
            Page::Search(search) => self.search_view(search, env),
            Page::Settings => self.settings.view(env),
            Page::SortMenu => self.sort_menu(),
            Page::MoreMenu => dialogs::more_menu(),
            Page::Lists => self.lists_sheet(env),
            Page::Name(dialog) => dialog.view(env),
            Page::ConfirmDelete(what, selected) => dialogs::delete_dialog(*what, *selected, env),
            Page::Discard => dialogs::discard_dialog(env),
        };
        if !env.dark {
            return view;
        }
        env.cover("tasks.view.dark");
        super::theme::darkened(view)
    }

    fn update(&mut self, page: &mut Page, msg: Msg, sys: &mut System<Self>) {
        match (page, msg) {
            (Page::Editor(_), Msg::Close) => {
                sys.cover("tasks.discarded");
                sys.finish();
            }
            (page, Msg::Close) => self.leave(page, sys),
            (_, Msg::CloseBoth) => {
                sys.cover("tasks.discard");
                sys.finish_with(Msg::Close);
            }
            (Page::Main(main), Msg::Main(msg)) => self.update_main(main, msg, sys),
            // A choice in a menu or a dialog is for the page below.
            (_, msg @ Msg::Main(_)) => {
                sys.cover("tasks.chosen");
                sys.finish_with(msg);
            }
            (Page::Editor(editor), Msg::Editor(msg)) => self.update_editor(editor, msg, sys),
            (Page::Search(search), Msg::Search(msg)) => self.update_search(search, msg, sys),
            (Page::Name(dialog), Msg::Name(msg)) => self.update_name(dialog, msg, sys),
            (Page::Settings, Msg::Settings(msg)) => {
                sys.cover(msg.point());
                self.settings.update(msg);
            }
            // A message to another page; no view sends one.
            (_, Msg::Editor(_) | Msg::Search(_) | Msg::Name(_) | Msg::Settings(_)) => {}
        }
    }

    fn back(&mut self, page: &mut Page, sys: &mut System<Self>) {
        self.leave(page, sys);
    }

    fn resumed(&mut self, page: &mut Page, sys: &mut System<Self>) {
        if sys.network && self.store.unsynced() > 0 {
            sys.cover("tasks.sync.caught-up");
            self.store.catch_up();
        }
        self.may_notify = sys.granted(NOTIFY);
        let same_process = std::mem::replace(&mut self.shown_before, true);
        match page {
            Page::Main(main) => self.main_resumed(main),
            Page::Search(search) => self.search_resumed(search, sys.from_background && same_process),
            _ => {}
        }
    }

    fn recreated(&mut self, page: &mut Page, sys: &mut System<Self>) {
        sys.cover("tasks.recreated");
        self.create_anew(page, sys);
        if let Page::Main(main) = page
            && sys.changed == Changed::default()
        {
            self.main_destroyed(main);
        }
    }

    fn restored(&mut self, page: &mut Page, sys: &mut System<Self>) {
        sys.cover("tasks.restored");
        self.create_anew(page, sys);
        if let Page::Editor(editor) = page {
            self.editor_restored(editor, sys.granted(NOTIFY));
        }
    }

    fn scrolled(&mut self, page: &mut Page, sys: &mut System<Self>) {
        if let Page::Search(search) = page {
            sys.cover("tasks.search.scrolled");
            search.scrolled = true;
        }
    }

    fn network_changed(&mut self, _page: &mut Page, sys: &mut System<Self>) {
        if sys.network {
            sys.cover("tasks.sync.network-back");
            self.store.reconnected();
        } else {
            sys.cover("tasks.sync.network-lost");
        }
    }

    fn setting_changed(&mut self, page: &mut Page, setting: Setting, sys: &mut System<Self>) {
        sys.cover("tasks.setting-changed");
        if self.faulty(bugs::AIRPLANE_LIST, setting == Setting::AirplaneMode) {
            self.store.show_first_list();
        }
        if self.faulty(bugs::ZONE_REOPENS, setting == Setting::OtherZone) {
            self.store.reopen_all();
        }
        match page {
            Page::Main(main) => self.main_told(main, setting),
            Page::Editor(editor) => self.editor_told(editor, setting),
            Page::Search(search) => self.search_told(search, setting),
            _ => {}
        }
    }

    fn uncovered(&mut self, page: &mut Page, by: &'static str, sys: &mut System<Self>) {
        sys.cover("tasks.uncovered");
        match page {
            Page::Editor(editor) => self.editor_uncovered(editor, by),
            Page::Name(dialog) => self.name_uncovered(dialog, by),
            Page::Main(main) => self.main_uncovered(main, by),
            _ => {}
        }
    }
}
