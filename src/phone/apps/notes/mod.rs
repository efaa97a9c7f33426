//! Notes: short texts in folders, with an archive, a trash and a search over all of them.
//!
//! `store.rs` and `folders.rs` contain the data and know no screen; each of the other files draws one group of screens.
//! Titles do not identify notes: two notes may have the same title.

mod actions;
mod archive_and_trash;
mod browse;
mod bugs;
mod dialogs;
mod editor;
mod folders;
mod menus;
mod reader;
mod search;
mod settings;
mod store;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::{App, BugSet, Color, Env, Icon, Manifest, Package, Surface, System, View};
use taproof_screen::determinism::DeviceInstant;

use actions::{Action, Link};
use browse::Browse;
use dialogs::{Info, NameDialog};
use editor::Editor;
use folders::FolderId;
use search::Search;
use settings::Settings;
use store::{NoteId, Shelf, Store};

static MANIFEST: Manifest = Manifest {
    package: "org.taproof.notes",
    label: "Notes",
    modelled_on: "Markor, Omni Notes, Notepad",
    icon: Icon::Note,
    accent: Color(0x00796B),
    activities: &[
        "MainActivity",
        "EditorActivity",
        "ReaderActivity",
        "SearchActivity",
        "ArchiveActivity",
        "TrashActivity",
        "SettingsActivity",
        "AboutActivity",
    ],
    permissions: &[],
    bugs: bugs::BUGS,
    points: points!("points.txt"),
    resources: None,
};

/// The app: its files, and the memory of its process.
#[derive(Clone)]
pub struct Notes {
    store: Store,
    settings: Settings,
    bugs: BugSet,
    /// The move that the next list in front will offer to undo. Not saved to files.
    removed: Option<Removed>,
}

/// A note that was just moved to the archive or the trash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removed {
    note: NoteId,
    to: Shelf,
}

/// A screen, dialog or menu.
#[derive(Clone, Debug)]
pub enum Page {
    /// The page of a folder.
    Browse(Browse),
    /// The menu of the floating action button in this folder.
    CreateMenu(FolderId),
    /// The menu of a note.
    NoteMenu(NoteId),
    /// The menu of a folder.
    FolderMenu(FolderId),
    /// The dialog for the order of lists.
    Sort,
    /// A dialog that requests a name.
    Name(NameDialog),
    /// The dialog for the folder to move a note to.
    Move(NoteId),
    /// The dialog that asks to confirm an action.
    Confirm(Action),
    /// The dialog that asks whether to discard changes.
    Discard,
    /// A dialog that only informs.
    Info(Info),
    /// The sheet of apps to share a note with.
    Share,
    /// The editor of a note.
    Editor(Editor),
    /// The menu of the editor: the note, and its numbers of words and characters.
    EditorMenu(Option<NoteId>, usize, usize),
    /// The reader of a note.
    Reader(NoteId),
    Search(Search),
    /// The archive or the trash.
    Kept(Shelf),
    /// The menu of an archived or deleted note.
    KeptMenu(NoteId),
    Settings,
    /// The page about the app.
    About,
}

/// A message of a view or a pending task.
#[derive(Clone, Debug)]
pub enum Msg {
    /// Closes the page that shows the view.
    Close,
    /// Closes the page and the one below it.
    CloseBoth,
    /// Opens a page above the current one.
    Open(Link),
    /// Replaces the current page by another one.
    Replace(Link),
    /// Performs an action and closes the page.
    Do(Action),
    /// Performs an action, after a confirmation if the settings require one, and closes the page.
    Ask(Action),
    /// Shows a toast and closes the page.
    Toast(&'static str),
    /// For the page of a folder.
    Browse(browse::Msg),
    /// For the editor of a note.
    Editor(editor::Msg),
    /// For the page of the search.
    Search(search::Msg),
    /// For a dialog that requests a name.
    Name(dialogs::Msg),
    /// For the page of the settings.
    Settings(settings::Msg),
}

impl Package for Notes {
    fn manifest() -> &'static Manifest {
        &MANIFEST
    }

    fn install(bugs: &BugSet) -> Self {
        Notes {
            store: Store::shipped(bugs),
            settings: Settings::default(),
            bugs: bugs.clone(),
            removed: None,
        }
    }
}

impl App for Notes {
    type Page = Page;
    type Msg = Msg;

    fn strings(&self) -> BTreeSet<String> {
        super::lines(include_str!("strings.txt"))
    }

    fn start(&mut self) -> Page {
        self.removed = None;
        Page::Browse(Browse::of(FolderId::ROOT))
    }

    fn surface(&self, page: &Page) -> Surface {
        match page {
            Page::Browse(_) => Surface::Activity("MainActivity"),
            Page::Editor(_) => Surface::Activity("EditorActivity"),
            Page::Reader(_) => Surface::Activity("ReaderActivity"),
            Page::Search(_) => Surface::Activity("SearchActivity"),
            Page::Kept(Shelf::Trash) => Surface::Activity("TrashActivity"),
            Page::Kept(_) => Surface::Activity("ArchiveActivity"),
            Page::Settings => Surface::Activity("SettingsActivity"),
            Page::About => Surface::Activity("AboutActivity"),
            Page::CreateMenu(_)
            | Page::NoteMenu(_)
            | Page::FolderMenu(_)
            | Page::EditorMenu(..)
            | Page::KeptMenu(_) => Surface::Menu,
            Page::Share => Surface::BottomSheet,
            Page::Sort | Page::Name(_) | Page::Move(_) | Page::Confirm(_) | Page::Discard | Page::Info(_) => {
                Surface::Dialog
            }
        }
    }

    fn view(&self, page: &Page, env: &Env<'_>) -> View<Msg> {
        let view = match page {
            Page::Browse(browse) => self.browse_view(browse, env),
            Page::Editor(editor) => editor.view(env),
            Page::Reader(note) => self.reader_view(*note, env),
            Page::Search(search) => self.search_view(search, env),
            Page::Kept(shelf) => self.kept_view(*shelf, env),
            Page::Settings => self.settings.view(env),
            Page::About => settings::about_view(env),
            Page::CreateMenu(folder) => menus::create_menu(*folder),
            Page::NoteMenu(note) => self.note_menu(*note),
            Page::FolderMenu(folder) => menus::folder_menu(*folder),
            Page::EditorMenu(note, words, chars) => self.editor_menu(*note, *words, *chars),
            Page::KeptMenu(note) => self.kept_menu(*note),
            Page::Share => menus::share_sheet(),
            Page::Sort => dialogs::sort_dialog(self.store.order(), env),
            Page::Name(name) => name.view(env),
            Page::Move(note) => self.move_dialog(*note, env),
            Page::Confirm(action) => self.confirm_dialog(*action, env),
            Page::Discard => dialogs::discard_dialog(env),
            Page::Info(info) => info.view(env),
        };
        if !self.settings.dark {
            return view;
        }
        env.cover("notes.view.dark");
        super::theme::darkened(view)
    }

    fn update(&mut self, page: &mut Page, msg: Msg, sys: &mut System<Self>) {
        match (page, msg) {
            (_, Msg::Close) => {
                sys.cover("notes.close");
                sys.finish();
            }
            (_, Msg::CloseBoth) => {
                sys.cover("notes.discard");
                sys.finish_with(Msg::Close);
            }
            (_, Msg::Open(link)) => self.open(link, sys),
            (_, Msg::Replace(link)) => {
                sys.finish();
                self.open(link, sys);
            }
            (_, Msg::Do(action)) => {
                self.act(action, sys);
                sys.finish();
            }
            (_, Msg::Ask(action)) => {
                sys.finish();
                if self.settings.confirm_delete {
                    sys.cover("notes.ask");
                    sys.open(Page::Confirm(action));
                } else {
                    sys.cover("notes.ask-not");
                    self.act(action, sys);
                }
            }
            (_, Msg::Toast(line)) => {
                sys.cover("notes.share.tell");
                sys.toast(line);
                sys.finish();
            }
            (Page::Browse(browse), Msg::Browse(msg)) => self.update_browse(browse, msg, sys),
            (Page::Editor(editor), Msg::Editor(msg)) => self.update_editor(editor, msg, sys),
            (Page::Search(search), Msg::Search(msg)) => self.update_search(search, msg, sys),
            (Page::Name(name), Msg::Name(msg)) => self.update_name(name, msg, sys),
            (Page::Settings, Msg::Settings(msg)) => {
                sys.cover(msg.point());
                self.settings.update(msg);
            }
            // A message to another page; no view sends one.
            (_, Msg::Browse(_) | Msg::Editor(_) | Msg::Search(_) | Msg::Name(_) | Msg::Settings(_)) => {}
        }
    }

    fn back(&mut self, page: &mut Page, sys: &mut System<Self>) {
        match page {
            Page::Browse(browse) => self.back_from_browse(browse, sys),
            Page::Editor(editor) => self.back_from_editor(editor, sys),
            _ => {
                sys.cover("notes.back.close");
                sys.finish();
            }
        }
    }

    fn resumed(&mut self, page: &mut Page, sys: &mut System<Self>) {
        match page {
            Page::Browse(browse) => self.browse_resumed(browse, sys),
            Page::Search(search) => {
                sys.cover("notes.resumed.search");
                search.refresh(&self.store);
            }
            Page::Reader(note) if !self.readable(*note) => {
                sys.cover("notes.resumed.reader-gone");
                sys.finish();
            }
            Page::Reader(_) => sys.cover("notes.resumed.reader"),
            _ => {}
        }
    }

    fn recreated(&mut self, page: &mut Page, sys: &mut System<Self>) {
        sys.cover("notes.recreated");
        match page {
            Page::Search(search) if search.has_results() && self.bugs.has(bugs::ROTATE_RESULTS) => {
                sys.crash(bugs::RESULTS_CRASH);
            }
            Page::Editor(editor) if self.changes_a_note(editor) && self.bugs.has(bugs::ROTATE_EDITOR) => {
                sys.crash(bugs::EDITOR_CRASH);
            }
            _ => {}
        }
    }

    /// The contents of fields are saved. The offer to undo and a running search belong to the lost process.
    fn restored(&mut self, page: &mut Page, sys: &mut System<Self>) {
        sys.cover("notes.restored");
        self.recreated(page, sys);
        match page {
            Page::Browse(browse) => browse.forget_removed(),
            Page::Search(search) => search.begin(sys),
            _ => {}
        }
    }
}

impl Notes {
    fn open(&self, link: Link, sys: &mut System<Self>) {
        sys.cover(link.point());
        let page = self.page_of(link);
        if matches!(&page, Page::Info(info) if info.is_missing()) {
            sys.cover("notes.open.missing");
        }
        sys.open(page);
    }

    /// Whether the note exists and is neither archived nor deleted.
    fn readable(&self, note: NoteId) -> bool {
        self.store.note(note).is_some_and(|note| note.shelf == Shelf::Folder)
    }
}

/// Formats an instant for people.
fn dated(at: DeviceInstant) -> String {
    let date = crate::Date::at(at);
    format!("{} {}", date.iso(), date.clock())
}
