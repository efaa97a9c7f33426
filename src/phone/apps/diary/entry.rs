//! The page of a diary entry, its note, its menu.

use super::store::{ActivityId, Entry, EntryId};
use super::{Diary, Page, pictures, spoken, text_on};
use crate::{
    Align, Color, Date, Edges, Env, Icon, Size, System, View, dialog, page_toolbar, popup_item, popup_menu,
    section, toolbar_action,
};
use taproof_screen::words;

/// The page of a note.
#[derive(Clone, Debug)]
pub struct NotePage {
    entry: EntryId,
    text: String,
    /// Whether there was a note before.
    written: bool,
}

/// The page of an entry.
#[derive(Clone, Debug)]
pub struct EntryPage {
    pub(super) entry: EntryId,
}

words! {
    /// A message to the pages of an entry.
    #[derive(Clone, Debug)]
    pub enum Msg {
        /// The text of the note was changed to this.
        Note(String) = "diary.note.typed",
        /// The save button was tapped: writes the note and closes the page.
        SaveNote = "diary.note.save",
        /// The delete button was tapped: removes the note and closes the page.
        DeleteNote = "diary.note.delete",
        /// The edit button was tapped.
        EditNote = "diary.entry.note",
        /// The menu button was tapped.
        Menu = "diary.entry.menu",
        /// Starts the same activity again.
        StartAgain = "diary.entry.start-again",
        /// Asks whether to delete the entry.
        Delete = "diary.entry.delete",
        /// The deletion was confirmed.
        DeleteForSure = "diary.entry.delete-for-sure",
        /// A picture was tapped.
        Pictures = "diary.entry.pictures",
    }
    fn point(&self);
}

impl NotePage {
    /// The page of an entry's note.
    pub(super) fn of(entry: &Entry) -> Self {
        NotePage { entry: entry.id, text: entry.note.clone(), written: !entry.note.is_empty() }
    }
}

fn send(msg: Msg) -> super::Msg {
    super::Msg::Entry(msg)
}

pub(super) fn note_view(page: &NotePage, env: &Env<'_>) -> View<super::Msg> {
    let field = View::field("noteText", page.text.as_str(), |text| send(Msg::Note(text)))
        .hint("What is worth remembering?")
        .height(Size::Dp(72))
        .with_field(|field| {
            field.multi_line = true;
            field.auto_focus = true;
        });
    let mut buttons = Vec::with_capacity(3);
    if page.written {
        env.cover("diary.view.note-again");
        buttons.push(("Delete note", send(Msg::DeleteNote)));
    }
    buttons.push(("Cancel", super::Msg::Close));
    buttons.push(("OK", send(Msg::SaveNote)));
    dialog("Note", vec![field], env.accent, buttons)
}

pub(super) fn note_update(app: &mut Diary, page: &mut NotePage, msg: Msg, sys: &mut System<Diary>) {
    sys.cover(msg.point());
    match msg {
        Msg::Note(text) => page.text = text,
        Msg::SaveNote | Msg::DeleteNote => {
            let saved = matches!(msg, Msg::SaveNote);
            let text = if saved { std::mem::take(&mut page.text) } else { String::new() };
            if let Some(activity) = app.store.write_note(page.entry, text) {
                refresh_tile(app, activity);
            }
            sys.finish();
        }
        Msg::EditNote | Msg::Menu | Msg::StartAgain | Msg::Delete | Msg::DeleteForSure | Msg::Pictures => {}
    }
}

/// Models the rebinding of a tile whose activity has changed. The animation of the change needs a second holder; the
/// first one goes to the pool with its long-press listener, and the next tile takes it from there.
fn refresh_tile(app: &mut Diary, changed: ActivityId) {
    /// With fewer tiles than this, all stay bound and none takes a holder from the pool.
    const MANY: usize = 4;
    let tiles = app.store.living();
    let place = tiles.iter().position(|(id, _)| *id == changed);
    if !app.bugs.long_press_minority || tiles.len() < MANY {
        return;
    }
    let neighbour = place.and_then(|place| tiles.get(place + 1).or_else(|| tiles.get(place.checked_sub(1)?)));
    app.memory.recycled = neighbour.map(|(id, _)| (*id, changed));
}

pub(super) fn view(app: &Diary, page: &EntryPage, env: &Env<'_>) -> View<super::Msg> {
    let action = |id, icon, desc, msg| toolbar_action(id, icon, desc, send(msg));
    let actions = vec![
        action("action_edit_note", Icon::Edit, "Edit Note", Msg::EditNote),
        action("action_more", Icon::MoreVert, "More options", Msg::Menu),
    ];
    let bar = page_toolbar(env.accent, super::Msg::Close, "Entry", actions);
    let body = match app.store.entry(page.entry) {
        Some(entry) => details(app, entry, env),
        None => View::space(),
    };
    let scroll = View::scroll("entry_scroll", body).grow_y();
    View::column(vec![bar, scroll]).fill().background(Color::SURFACE)
}

fn details(app: &Diary, entry: &Entry, env: &Env<'_>) -> View<super::Msg> {
    let (name, color) = app.label(entry.activity);
    let title = View::text(name)
        .id("activity_name")
        .size(22)
        .color(text_on(color))
        .align(Align::Start, Align::Center)
        .margin(Edges::symmetric(12, 0));
    let card = View::frame(vec![title])
        .height(Size::Dp(56))
        .margin(Edges::all(8))
        .background(color)
        .radius(2)
        .elevation(2);
    let line = |text: String, id| {
        View::text(text).id(id).color(Color::SECONDARY).width(Size::Match).pad(Edges::symmetric(16, 4))
    };
    let stamp = |at| {
        let date = Date::at(at);
        format!("{} {}", date.iso(), date.clock())
    };
    let start = Date::at(entry.start);
    let end = entry.end.map_or_else(|| "still running".to_owned(), stamp);
    let mut rows = vec![
        card,
        line(start.iso(), "date_label"),
        line(format!("Start: {}", start.clock()), "start_label"),
        line(format!("End: {end}"), "end_label"),
        line(format!("Duration: {}", spoken(entry.duration(env.now))), "duration_label"),
        section("Note", env.accent),
    ];
    rows.push(if entry.note.is_empty() {
        env.cover("diary.view.entry-without-note");
        line("No note".to_owned(), "no_note")
    } else {
        line(entry.note.clone(), "note").lines(8).color(Color::TEXT)
    });
    rows.push(section("Pictures", env.accent));
    rows.push(if entry.pictures.is_empty() {
        line("No pictures".to_owned(), "no_pictures")
    } else {
        env.cover("diary.view.entry-with-pictures");
        pictures::thumbnails(&entry.pictures, 4, send(Msg::Pictures)).pad(Edges::symmetric(12, 4))
    });
    View::column(rows).height(Size::Wrap)
}

pub(super) fn update(app: &mut Diary, page: &mut EntryPage, msg: Msg, sys: &mut System<Diary>) {
    let Some(entry) = app.store.entry(page.entry) else { return };
    let activity = entry.activity;
    sys.cover(msg.point());
    match msg {
        Msg::EditNote => sys.open(Page::Note(NotePage::of(entry))),
        Msg::Menu => sys.open(Page::EntryMenu),
        Msg::StartAgain if app.store.activity(activity).is_some_and(|activity| activity.deleted) => {
            sys.cover("diary.entry.start-deleted");
            sys.toast("This activity was deleted");
        }
        Msg::StartAgain => {
            app.store.start(activity, sys.now);
            sys.finish_to_root();
        }
        Msg::Delete => sys.open(Page::ConfirmEntry),
        Msg::DeleteForSure => {
            app.store.delete_entry(page.entry);
            sys.finish();
        }
        Msg::Pictures => sys.open(Page::Pictures(pictures::PicturesPage::of(page.entry))),
        Msg::Note(_) | Msg::SaveNote | Msg::DeleteNote => {}
    }
}

pub(super) fn menu_view() -> View<super::Msg> {
    popup_menu(vec![
        popup_item("Edit note", send(Msg::EditNote)),
        popup_item("Start again", send(Msg::StartAgain)),
        popup_item("Delete entry", send(Msg::Delete)),
    ])
}

pub(super) fn confirm_view(env: &Env<'_>) -> View<super::Msg> {
    let words = View::text("Its note and its pictures are deleted, too.").lines(2).color(Color::SECONDARY);
    let buttons = vec![("Cancel", super::Msg::Close), ("Delete entry", send(Msg::DeleteForSure))];
    dialog("Delete this entry?", vec![words], env.accent, buttons)
}
