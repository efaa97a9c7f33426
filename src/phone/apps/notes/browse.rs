//! The page of a folder: its subfolders, then its notes; the drawer above it; the snackbar that offers Undo.

use crate::{
    Align, Color, Edges, Env, Icon, Size, System, View, drawer_item, empty_state, fab, list_row, snackbar,
    toolbar, toolbar_action, with_drawer,
};

use super::folders::{Folder, FolderId};
use super::store::{Note, NoteId, Shelf};
use super::{Link, Notes, Removed};

/// How long Undo is offered, in ms.
const UNDO_MILLIS: u64 = 4000;
const ROW_DP: i32 = 64;
/// Height of the snackbar that offers Undo, including margins, in dp.
const OFFER_DP: i32 = 64;

/// The page of a folder.
#[derive(Clone, Debug)]
pub struct Browse {
    folder: FolderId,
    drawer: bool,
    removed: Option<Removed>,
}

/// A message to the page of a folder.
#[derive(Clone, Copy, Debug)]
pub enum Msg {
    /// Opens the navigation drawer.
    OpenDrawer,
    CloseDrawer,
    /// Shows this folder in the page.
    Enter(FolderId),
    /// Opens another page from the drawer.
    Leave(Link),
    /// Undoes moving a note to the archive or the trash.
    Undo,
    /// The time for undoing this note's move is over.
    UndoOver(NoteId),
}

impl Browse {
    /// The page of this folder.
    pub fn of(folder: FolderId) -> Self {
        Browse { folder, drawer: false, removed: None }
    }

    /// Withdraws the offer to undo.
    pub fn forget_removed(&mut self) {
        self.removed = None;
    }
}

impl Notes {
    /// The view of the page, with the drawer above it if that is open.
    pub(super) fn browse_view(&self, browse: &Browse, env: &Env<'_>) -> View<super::Msg> {
        let folder = self.store.folder(browse.folder);
        if browse.folder != FolderId::ROOT {
            env.cover("notes.view.inner-folder");
        }
        let bar = toolbar(
            env.accent,
            Some((Icon::Menu, "Open navigation drawer", super::Msg::Browse(Msg::OpenDrawer))),
            folder.name.clone(),
            vec![
                toolbar_action("action_search", Icon::Search, "Search", super::Msg::Open(Link::Search)),
                toolbar_action("action_sort", Icon::Sort, "Sort", super::Msg::Open(Link::Sort)),
            ],
        );
        let mut rows = vec![bar, self.path_line(folder), self.folder_list(folder.id, env).grow_y()];
        let create = super::Msg::Open(Link::CreateMenu(folder.id));
        let mut round = fab("fab", Icon::Add, "New", env.accent, create);
        let mut offer = None;
        if let Some(removed) = browse.removed {
            env.cover("notes.view.undo");
            let words = if removed.to == Shelf::Trash { "Moved to trash" } else { "Archived" };
            offer = Some(snackbar(words, Some(("Undo", super::Msg::Browse(Msg::Undo)))));
            // List and button make room, so that a tap meant for a row cannot hit Undo.
            rows.push(View::space().height(Size::Dp(OFFER_DP)));
            round.margin.bottom += OFFER_DP;
        }
        let layers = [View::column(rows).fill(), round].into_iter().chain(offer).collect();
        let page = View::frame(layers).background(Color::SURFACE);
        if !browse.drawer {
            return page;
        }
        env.cover("notes.view.drawer");
        self.drawer(page, folder.id, env)
    }

    fn path_line(&self, folder: &Folder) -> View<super::Msg> {
        let path = View::text(self.store.path(folder.id))
            .id("folder_path")
            .size(14)
            .color(Color::SECONDARY)
            .grow_x()
            .align(Align::Start, Align::Center);
        let mut line = Vec::with_capacity(2);
        if folder.id != FolderId::ROOT {
            let up = super::Msg::Browse(Msg::Enter(folder.parent));
            line.push(View::icon_button(Icon::ArrowUpward, Color::SECONDARY, "Up", up).id("folder_up"));
        }
        line.push(path.margin(Edges::symmetric(16, 0)));
        View::row(line).height(Size::Dp(48)).divider()
    }

    fn folder_list(&self, folder: FolderId, env: &Env<'_>) -> View<super::Msg> {
        let folders: Vec<&Folder> = self.store.folders_in(folder).collect();
        let notes: Vec<&Note> = self.store.notes_in(folder).collect();
        if folders.is_empty() && notes.is_empty() {
            env.cover("notes.view.empty-folder");
            let words = "Nothing here yet. Tap the round button to write a note.";
            return View::frame(vec![empty_state(Icon::Note, words)]);
        }
        // An empty row at the end, so that the last one can be scrolled out from under the floating action button.
        let total = folders.len() + notes.len() + 1;
        View::list("note_list", env, total, ROW_DP, |row| match folders.get(row) {
            Some(folder) => self.folder_row(folder),
            None => match notes.get(row - folders.len()) {
                Some(note) => self.note_row(note),
                None => View::space(),
            },
        })
    }

    fn folder_row(&self, folder: &Folder) -> View<super::Msg> {
        let inside = self.store.notes_in(folder.id).count() + self.store.folders_in(folder.id).count();
        let count = if inside == 1 { "1 entry".to_owned() } else { format!("{inside} entries") };
        let arrow = View::icon(Icon::ChevronRight, Color::SECONDARY).margin(Edges::symmetric(12, 0));
        list_row(
            Some((Icon::Folder, Color(0xFFA000))),
            ("folder_name", folder.name.clone()),
            ("folder_count", count),
            vec![arrow],
        )
        .id("folder_row")
        .click(super::Msg::Browse(Msg::Enter(folder.id)))
        .long_click(super::Msg::Open(Link::FolderMenu(folder.id)))
    }

    fn note_row(&self, note: &Note) -> View<super::Msg> {
        let snippet = if self.settings.show_snippets { note.snippet().to_owned() } else { String::new() };
        let menu = super::Msg::Open(Link::NoteMenu(note.id));
        let mut marks = Vec::with_capacity(2);
        if note.pinned {
            marks.push(View::icon(Icon::PushPin, Color::SECONDARY).id("note_pin").desc("Pinned"));
        }
        let more = View::icon_button(Icon::MoreVert, Color::SECONDARY, "More options", menu.clone());
        marks.push(more.id("note_menu"));
        list_row(
            Some((Icon::Note, Color::SECONDARY)),
            ("note_title", note.title.clone()),
            ("note_snippet", snippet),
            marks,
        )
        .id("note_row")
        .click(super::Msg::Open(Link::Reader(note.id)))
        .long_click(menu)
    }

    fn drawer(&self, page: View<super::Msg>, here: FolderId, env: &Env<'_>) -> View<super::Msg> {
        let enter = |folder| super::Msg::Browse(Msg::Enter(folder));
        let leave = |link| super::Msg::Browse(Msg::Leave(link));
        let mut items = vec![
            drawer_item(Icon::Home, "Notes", here == FolderId::ROOT, enter(FolderId::ROOT)),
            drawer_item(Icon::Archive, "Archive", false, leave(Link::Kept(Shelf::Archive))),
            drawer_item(Icon::Delete, "Trash", false, leave(Link::Kept(Shelf::Trash))),
            drawer_item(Icon::Settings, "Settings", false, leave(Link::Settings)),
            drawer_item(Icon::Info, "About", false, leave(Link::About)),
        ];
        for folder in self.store.folders_in(FolderId::ROOT) {
            let item = drawer_item(Icon::Folder, folder.name.clone(), here == folder.id, enter(folder.id));
            items.push(item);
        }
        let items = View::scroll("drawer_items", View::column(items)).grow_y();
        with_drawer(page, env.accent, "Notes", vec![items], super::Msg::Browse(Msg::CloseDrawer))
    }

    pub(super) fn update_browse(&mut self, browse: &mut Browse, msg: Msg, sys: &mut System<Notes>) {
        match msg {
            Msg::OpenDrawer => {
                sys.cover("notes.browse.drawer-open");
                browse.drawer = true;
            }
            Msg::CloseDrawer => {
                sys.cover("notes.browse.drawer-close");
                browse.drawer = false;
            }
            Msg::Enter(folder) => {
                let out = self.store.folder(browse.folder).parent == folder;
                sys.cover(match browse.drawer {
                    true => "notes.browse.enter-by-drawer",
                    false if out => "notes.browse.up",
                    false => "notes.browse.enter",
                });
                browse.drawer = false;
                browse.folder = folder;
                sys.scroll_to_top("note_list");
            }
            Msg::Leave(link) => {
                sys.cover("notes.browse.leave");
                browse.drawer = false;
                self.open(link, sys);
            }
            Msg::Undo => {
                if let Some(removed) = browse.removed.take() {
                    sys.cover(match removed.to {
                        Shelf::Trash => "notes.browse.undo-trash",
                        Shelf::Archive | Shelf::Folder => "notes.browse.undo-archive",
                    });
                    self.store.restore(removed.note);
                }
            }
            Msg::UndoOver(note) => {
                sys.cover("notes.browse.undo-over");
                browse.removed = browse.removed.filter(|removed| removed.note != note);
            }
        }
    }

    /// Handles Back: closes the drawer, else shows the parent folder, else leaves the app.
    pub(super) fn back_from_browse(&mut self, browse: &mut Browse, sys: &mut System<Notes>) {
        if browse.drawer {
            sys.cover("notes.back.drawer");
            browse.drawer = false;
        } else if browse.folder != FolderId::ROOT {
            sys.cover("notes.back.up");
            browse.folder = self.store.folder(browse.folder).parent;
            sys.scroll_to_top("note_list");
        } else {
            sys.cover("notes.back.app");
            sys.finish();
        }
    }

    pub(super) fn browse_resumed(&mut self, browse: &mut Browse, sys: &mut System<Notes>) {
        if let Some(removed) = self.removed.take() {
            sys.cover("notes.resumed.offers-undo");
            browse.removed = Some(removed);
            sys.after(UNDO_MILLIS, super::Msg::Browse(Msg::UndoOver(removed.note)));
        }
    }
}
