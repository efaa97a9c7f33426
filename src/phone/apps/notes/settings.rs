//! The settings and the page about the app.

use crate::{Edges, Env, Size, View, list_row, scrolled_page, section, setting_row};

use super::{Action, Link};
use taproof_screen::words;

/// The settings that the user has chosen.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether lists show the first line of each note.
    pub show_snippets: bool,
    /// Whether deleting requires a confirmation.
    pub confirm_delete: bool,
    /// Whether the dark theme is used.
    pub dark: bool,
    /// Whether Back in the editor saves instead of asking.
    pub save_on_back: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { show_snippets: true, confirm_delete: true, dark: false, save_on_back: false }
    }
}

words! {
    /// A switch was tapped.
    #[derive(Clone, Copy, Debug)]
    pub enum Msg {
        /// The switch for first lines in lists.
        Snippets = "notes.settings.snippets",
        /// The switch for confirmations of deletions.
        ConfirmDelete = "notes.settings.confirm-delete",
        /// The switch for the dark theme.
        Dark = "notes.settings.dark",
        /// The switch for saving on Back.
        SaveOnBack = "notes.settings.save-on-back",
    }
    pub(super) fn point;
}

impl Settings {
    pub(super) fn update(&mut self, msg: Msg) {
        let switch = match msg {
            Msg::Snippets => &mut self.show_snippets,
            Msg::ConfirmDelete => &mut self.confirm_delete,
            Msg::Dark => &mut self.dark,
            Msg::SaveOnBack => &mut self.save_on_back,
        };
        *switch = !*switch;
    }

    pub(super) fn view(&self, env: &Env<'_>) -> View<super::Msg> {
        let switch = |id, title, words, on, msg| setting_row(id, title, words, on, super::Msg::Settings(msg));
        let rows = vec![
            section("Lists", env.accent),
            switch(
                "switch_snippets",
                "Snippets",
                "Show the first line of each note",
                self.show_snippets,
                Msg::Snippets,
            )
            .id("row_snippets"),
            switch("switch_dark", "Dark theme", "Easy on the eyes at night", self.dark, Msg::Dark)
                .id("row_dark"),
            section("Safety", env.accent),
            switch(
                "switch_confirm",
                "Confirm deletion",
                "Ask before something is deleted",
                self.confirm_delete,
                Msg::ConfirmDelete,
            )
            .id("row_confirm"),
            switch(
                "switch_autosave",
                "Save on Back",
                "Leaving the editor saves without asking",
                self.save_on_back,
                Msg::SaveOnBack,
            )
            .id("row_autosave"),
            section("Data", env.accent),
            row("row_reset", "Reset settings", "Notes are kept", Link::Confirm(Action::ResetSettings)),
            row("row_clear", "Clear all notes", "Archive and trash, too", Link::Confirm(Action::Clear)),
        ];
        scrolled_page(env.accent, super::Msg::Close, "Settings", ("settings_scroll", rows))
    }
}

fn row(id: &'static str, title: &'static str, words: &'static str, link: Link) -> View<super::Msg> {
    list_row(
        None,
        ("android:id/title", title.to_owned()),
        ("android:id/summary", words.to_owned()),
        Vec::new(),
    )
    .id(id)
    .height(Size::Dp(72))
    .click(super::Msg::Open(link))
}

/// The view of the page about the app.
pub fn about_view(env: &Env<'_>) -> View<super::Msg> {
    let words = "Short texts in folders. What you write stays on this phone.";
    let rows = vec![
        section("Notes 2.4.1", env.accent),
        View::text(words).id("about_text").lines(4).pad(Edges::symmetric(16, 8)),
        row("row_news", "What's new", "In this version", Link::News),
        row("row_share", "Tell a friend", "Share the app", Link::Share),
    ];
    scrolled_page(env.accent, super::Msg::Close, "About", ("about_scroll", rows))
}
