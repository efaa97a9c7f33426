//! The reader of a note.

use crate::{Color, Edges, Env, Icon, Size, View, page_toolbar, toolbar_action};

use super::store::NoteId;
use super::{Link, Msg, Notes, dated};

impl Notes {
    /// The view: title, location and date, text.
    pub(super) fn reader_view(&self, id: NoteId, env: &Env<'_>) -> View<Msg> {
        let actions = vec![
            toolbar_action("action_edit", Icon::Edit, "Edit", Msg::Open(Link::EditNote(id))),
            toolbar_action("action_more", Icon::MoreVert, "More options", Msg::Open(Link::NoteMenu(id))),
        ];
        let bar = page_toolbar(env.accent, Msg::Close, "Note", actions);
        let mut lines = Vec::with_capacity(3);
        if let Some(note) = self.store.note(id) {
            let place = format!("{} · {}", self.store.path(note.folder), dated(note.changed));
            lines.push(View::text(note.title.clone()).id("reader_title").size(22).medium().lines(4));
            lines.push(View::text(place).id("reader_place").size(13).color(Color::SECONDARY));
            let body = if note.body.is_empty() {
                env.cover("notes.view.no-text");
                View::text("This note has no text").id("reader_empty").color(Color::SECONDARY)
            } else {
                View::text(note.body.clone()).id("reader_body").lines(1000)
            };
            lines.push(body.margin(Edges { left: 0, top: 16, right: 0, bottom: 0 }));
        }
        let lines = lines.into_iter().map(|line| line.width(Size::Match)).collect();
        let text = View::scroll("reader_scroll", View::column(lines).pad(Edges::all(16)));
        View::column(vec![bar, text.grow_y()]).fill().background(Color::SURFACE)
    }
}
