//! The archive and the trash.

use crate::{Color, Env, Icon, View, empty_state, page_toolbar, toolbar_action};

use super::search::{line, row_of_lines};
use super::store::{Note, Shelf};
use super::{Action, Link, Msg, Notes};

const ROW_DP: i32 = 64;

impl Notes {
    /// The page of the archive or the trash. A tap on a row opens the note's menu.
    pub(super) fn kept_view(&self, shelf: Shelf, env: &Env<'_>) -> View<Msg> {
        let notes: Vec<&Note> = self.store.kept_in(shelf).collect();
        let trash = shelf == Shelf::Trash;
        let mut actions = Vec::new();
        if trash && !notes.is_empty() {
            actions.push(toolbar_action(
                "action_empty",
                Icon::Delete,
                "Empty trash",
                Msg::Open(Link::Confirm(Action::EmptyTrash)),
            ));
        }
        let heading = if trash { "Trash" } else { "Archive" };
        let bar = page_toolbar(env.accent, Msg::Close, heading, actions);
        let list = if notes.is_empty() {
            env.cover(if trash { "notes.view.empty-trash" } else { "notes.view.empty-archive" });
            let (icon, words) = if trash {
                (Icon::Delete, "The trash is empty")
            } else {
                (Icon::Archive, "Archived notes are kept here, out of the lists and the search")
            };
            View::frame(vec![empty_state(icon, words)])
        } else {
            View::list("kept_list", env, notes.len(), ROW_DP, |row| {
                notes.get(row).map_or_else(View::space, |note| self.kept_row(note))
            })
        };
        View::column(vec![bar, list.grow_y()]).fill().background(Color::SURFACE)
    }

    fn kept_row(&self, note: &Note) -> View<Msg> {
        let (icon, id) = if note.shelf == Shelf::Trash {
            (Icon::Delete, "trashed_title")
        } else {
            (Icon::Archive, "archived_title")
        };
        let place = self.store.path(note.folder);
        let title = line(id, note.title.clone()).desc(format!("Note in {place}"));
        let from = line("kept_place", format!("from {place}")).size(13).color(Color::SECONDARY);
        row_of_lines(icon, vec![title, from]).id("kept_row").click(Msg::Open(Link::KeptMenu(note.id)))
    }
}
