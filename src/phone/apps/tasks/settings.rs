//! The settings.

use crate::{Env, View, scrolled_page, section, setting_row};
use taproof_screen::words;

/// The settings that the user has chosen.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Whether the list shows the first line of the notes.
    pub show_notes: bool,
    /// Whether completed tasks come after the others.
    pub completed_last: bool,
    /// Whether deleting requires a confirmation.
    pub confirm_delete: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { show_notes: true, completed_last: false, confirm_delete: true }
    }
}

words! {
    /// A switch was tapped.
    #[derive(Clone, Copy, Debug)]
    pub enum Msg {
        ShowNotes = "tasks.settings.show-notes",
        CompletedLast = "tasks.settings.completed-last",
        ConfirmDelete = "tasks.settings.confirm-delete",
    }
    pub(super) fn point;
}

impl Settings {
    pub(super) fn update(&mut self, msg: Msg) {
        let switch = match msg {
            Msg::ShowNotes => &mut self.show_notes,
            Msg::CompletedLast => &mut self.completed_last,
            Msg::ConfirmDelete => &mut self.confirm_delete,
        };
        *switch = !*switch;
    }

    pub(super) fn view(&self, env: &Env<'_>) -> View<super::Msg> {
        let switch = |id, title, words, on, msg| setting_row(id, title, words, on, super::Msg::Settings(msg));
        let rows = vec![
            section("List", env.accent),
            switch(
                "switch_show_notes",
                "Show notes",
                "The first line below each title",
                self.show_notes,
                Msg::ShowNotes,
            )
            .id("row_show_notes"),
            switch(
                "switch_completed_last",
                "Completed tasks last",
                "Below the tasks that are open",
                self.completed_last,
                Msg::CompletedLast,
            )
            .id("row_completed_last"),
            section("Safety", env.accent),
            switch(
                "switch_confirm_delete",
                "Confirm deletion",
                "Ask before tasks are deleted",
                self.confirm_delete,
                Msg::ConfirmDelete,
            )
            .id("row_confirm_delete"),
        ];
        scrolled_page(env.accent, super::Msg::Close, "Settings", ("settings_scroll", rows))
    }
}
