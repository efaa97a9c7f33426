//! The settings and the page about the app.

use super::dialogs::Dialog;
use super::messages::{Msg, SettingsMsg};
use super::storage::SortKey;
use super::{Files, Page, Sys};
use crate::{Align, Color, Edges, Env, Icon, Size, View, list_row, scrolled_page, section, setting_row};

impl Files {
    pub(super) fn settings_update(&mut self, msg: SettingsMsg, sys: &mut Sys) {
        sys.cover(msg.point());
        let settings = &mut self.settings;
        let flip = |flag: &mut bool| *flag = !*flag;
        match msg {
            SettingsMsg::ShowHidden => flip(&mut settings.listing.show_hidden),
            SettingsMsg::FoldersFirst => flip(&mut settings.listing.folders_first),
            SettingsMsg::ShowDetails => flip(&mut settings.show_details),
            SettingsMsg::ConfirmDelete => flip(&mut settings.confirm_delete),
            SettingsMsg::KeepSearches => {
                flip(&mut settings.keep_searches);
                if !settings.keep_searches {
                    sys.cover("files.settings.forget-searches");
                    self.searches.clear();
                }
            }
            SettingsMsg::SortBy => sys.open(Page::Dialog(Dialog::Sort(settings.listing))),
            SettingsMsg::Reset => sys.open(Page::Dialog(Dialog::Reset)),
            SettingsMsg::About => sys.open(Page::About),
        }
    }

    pub(super) fn settings_view(&self, env: &Env<'_>) -> View<Msg> {
        let settings = &self.settings;
        let send = Msg::Settings;
        let switch = |row, id, title, explanation, on, msg| {
            let row: View<Msg> = setting_row(id, title, explanation, on, send(msg)).id(row);
            row
        };
        let order = match settings.listing.key {
            SortKey::Name => "By name",
            SortKey::Modified => "By date",
            SortKey::Size => "By size",
        };
        let rows = vec![
            section("Lists", env.accent),
            plain_row("pref_sort", "Sort by", order, send(SettingsMsg::SortBy)),
            switch(
                "pref_hidden",
                "switch_hidden",
                "Show hidden files and folders",
                "Lists and searches them too",
                settings.listing.show_hidden,
                SettingsMsg::ShowHidden,
            ),
            switch(
                "pref_folders",
                "switch_folders",
                "Folders on top",
                "Lists folders before files",
                settings.listing.folders_first,
                SettingsMsg::FoldersFirst,
            ),
            switch(
                "pref_details",
                "switch_details",
                "Dates and sizes",
                "Shows a second line in every row",
                settings.show_details,
                SettingsMsg::ShowDetails,
            ),
            section("Behaviour", env.accent),
            switch(
                "pref_confirm",
                "switch_confirm",
                "Ask before deleting",
                "Otherwise the bin takes it at once",
                settings.confirm_delete,
                SettingsMsg::ConfirmDelete,
            ),
            switch(
                "pref_searches",
                "switch_searches",
                "Remember searches",
                "Offers them on the search page",
                settings.keep_searches,
                SettingsMsg::KeepSearches,
            ),
            section("More", env.accent),
            plain_row("pref_reset", "Reset settings", "Back to how they were", send(SettingsMsg::Reset)),
            plain_row("pref_about", "About Files", "Version and licences", send(SettingsMsg::About)),
        ];
        scrolled_page(env.accent, Msg::Leave, "Settings", ("settings_list", rows))
    }
}

/// The view of the page about the app.
pub fn about_view(env: &Env<'_>) -> View<Msg> {
    let line = |title: &'static str, text: &'static str| -> View<Msg> {
        let title = View::text(title).width(Size::Match);
        let text = View::text(text).size(13).color(Color::SECONDARY).lines(3).width(Size::Match);
        View::column(vec![title, text]).pad(Edges::symmetric(16, 12)).divider()
    };
    let rows = vec![
        View::icon(Icon::Folder, env.accent).align(Align::Center, Align::Start).margin(Edges::all(24)),
        line("Files", "A file manager for the bundled phone, modelled on Amaze"),
        line("Version", "3.4.1"),
        line("Storage", "Internal storage and SD card; deleted files go to the trash bin first"),
        line("Search", "By a part of the name, upper and lower case alike, best matches first"),
        line("Licence", "MIT or Apache-2.0"),
    ];
    scrolled_page(env.accent, Msg::Leave, "About", ("about_list", rows))
}

fn plain_row(id: &'static str, title: &'static str, summary: &'static str, click: Msg) -> View<Msg> {
    let (title, summary) = (title.to_owned(), summary.to_owned());
    let row = list_row(None, ("android:id/title", title), ("android:id/summary", summary), Vec::new());
    row.height(Size::Dp(72)).id(id).click(click)
}
