//! The settings, the export, the deletion of all data, and the page about the app.

use super::store::{Settings, Store};
use super::{Diary, Page};
use crate::{
    Color, Edges, Env, Package, Size, System, View, dialog, list_row, loading, page_toolbar, section,
    setting_row,
};
use taproof_screen::words;

/// How long an export takes, in ms.
const EXPORT_MILLIS: u64 = 900;

/// The page of the settings and the export.
#[derive(Clone, Debug, Default)]
pub struct SettingsPage {
    exporting: bool,
    /// Number of entries in the last export. `None` if there was none.
    exported: Option<usize>,
}

/// A switch of the settings.
#[derive(Clone, Copy, Debug)]
pub enum Switch {
    /// Whether tiles are sorted by name.
    SortByName,
    /// Whether tiles are larger.
    LargeTiles,
    /// Whether the start of the running activity is shown.
    ShowStart,
    /// Whether the diary shows pictures.
    DiaryPictures,
    /// Whether deleting a picture requires a confirmation.
    ConfirmPicture,
}

words! {
    /// A message to the settings.
    #[derive(Clone, Debug)]
    pub enum Msg {
        /// A switch was tapped.
        Flip(Switch) = [
            Switch::SortByName => "diary.settings.sort-by-name",
            Switch::LargeTiles => "diary.settings.large-tiles",
            Switch::ShowStart => "diary.settings.show-start",
            Switch::DiaryPictures => "diary.settings.pictures",
            Switch::ConfirmPicture => "diary.settings.confirm-picture",
        ],
        /// Exports all entries to a file.
        Export = "diary.settings.export",
        /// The file has been written.
        Exported = "diary.settings.exported",
        /// Asks whether to delete all data.
        Wipe = "diary.settings.wipe",
        /// The deletion of all data was confirmed.
        WipeForSure = "diary.settings.wipe-for-sure",
        /// Opens the page with the licences.
        Licences = "diary.about.licences",
    }
    pub(super) fn point(&self);
}

impl Settings {
    fn switch(&mut self, switch: Switch) -> &mut bool {
        match switch {
            Switch::SortByName => &mut self.sort_by_name,
            Switch::LargeTiles => &mut self.large_tiles,
            Switch::ShowStart => &mut self.show_start,
            Switch::DiaryPictures => &mut self.diary_pictures,
            Switch::ConfirmPicture => &mut self.confirm_picture,
        }
    }
}

fn send(msg: Msg) -> super::Msg {
    super::Msg::Settings(msg)
}

fn page(title: &'static str, body: Vec<View<super::Msg>>, env: &Env<'_>) -> View<super::Msg> {
    let bar = page_toolbar(env.accent, super::Msg::Close, title, Vec::new());
    let scroll = View::scroll("recycler_view", View::column(body).height(Size::Wrap)).grow_y();
    View::column(vec![bar, scroll]).fill().background(Color::SURFACE)
}

/// A row that sends a message when it is tapped.
fn action_row(title: &'static str, summary: String, msg: Msg) -> View<super::Msg> {
    list_row(None, ("android:id/title", title.to_owned()), ("android:id/summary", summary), Vec::new())
        .height(Size::Dp(64))
        .click(send(msg))
}

pub(super) fn view(app: &Diary, state: &SettingsPage, env: &Env<'_>) -> View<super::Msg> {
    let settings = &app.store.settings;
    let row = |id, title, words, on, switch| setting_row(id, title, words, on, send(Msg::Flip(switch)));
    let exported = match state.exported {
        Some(1) => "1 entry written to diary.csv".to_owned(),
        Some(count) => format!("{count} entries written to diary.csv"),
        None => "Write all entries to a file".to_owned(),
    };
    let body = vec![
        section("Tiles", env.accent),
        row(
            "switch_sort",
            "Sort by name",
            "Otherwise the newest come first",
            settings.sort_by_name,
            Switch::SortByName,
        ),
        row(
            "switch_large",
            "Large tiles",
            "Fewer fit on the screen",
            settings.large_tiles,
            Switch::LargeTiles,
        ),
        section("Diary", env.accent),
        row(
            "switch_since",
            "Show the start",
            "Since when an activity runs",
            settings.show_start,
            Switch::ShowStart,
        ),
        row(
            "switch_pictures",
            "Pictures",
            "Show them in the diary",
            settings.diary_pictures,
            Switch::DiaryPictures,
        ),
        row(
            "switch_confirm",
            "Ask before deleting",
            "A deleted picture does not come back",
            settings.confirm_picture,
            Switch::ConfirmPicture,
        ),
        section("Data", env.accent),
        action_row("Export", exported, Msg::Export),
        action_row("Delete all data", "Activities, entries and pictures".to_owned(), Msg::Wipe),
    ];
    let page = page("Settings", body, env);
    if state.exporting { View::frame(vec![page, loading("export_progress")]) } else { page }
}

pub(super) fn update(app: &mut Diary, page: &mut SettingsPage, msg: Msg, sys: &mut System<Diary>) {
    sys.cover(msg.point());
    match msg {
        Msg::Flip(switch) => {
            let value = app.store.settings.switch(switch);
            *value = !*value;
            app.rebind_tiles();
        }
        Msg::Export => {
            page.exporting = true;
            sys.after(EXPORT_MILLIS, send(Msg::Exported));
        }
        Msg::Exported => {
            page.exporting = false;
            page.exported = Some(app.store.entries().len());
            sys.log('I', "Export", "diary.csv written");
        }
        Msg::Wipe => sys.open(Page::ConfirmWipe),
        Msg::WipeForSure => {
            app.store = Store::new();
            app.memory = super::Memory::default();
            page.exported = None;
            sys.toast("All data deleted");
        }
        Msg::Licences => {}
    }
}

pub(super) fn confirm_view(env: &Env<'_>) -> View<super::Msg> {
    let words = View::text("The diary starts anew. This cannot be undone.").lines(2).color(Color::SECONDARY);
    let buttons = vec![("Cancel", super::Msg::Close), ("Delete all", send(Msg::WipeForSure))];
    dialog("Delete all data?", vec![words], env.accent, buttons)
}

pub(super) fn about_view(env: &Env<'_>) -> View<super::Msg> {
    let manifest = Diary::manifest();
    let line = |text: &'static str| {
        View::text(text).lines(6).color(Color::SECONDARY).width(Size::Match).pad(Edges::symmetric(16, 8))
    };
    let body = vec![
        section(manifest.label, env.accent),
        line("Version 1.1.8"),
        line("Remembers what you do, when, and for how long. Nothing leaves the phone."),
        line("Tap a tile to start an activity, press it long to change it."),
        action_row("Licences", "Whose work is in this app".to_owned(), Msg::Licences),
    ];
    page("About", body, env)
}

pub(super) fn licences_view(env: &Env<'_>) -> View<super::Msg> {
    let words = "Icons: Material Icons, Apache License 2.0. Font: Roboto, Apache License 2.0.";
    let body = vec![View::text(words).lines(4).color(Color::SECONDARY)];
    dialog("Licences", body, env.accent, vec![("Close", super::Msg::Close)])
}
