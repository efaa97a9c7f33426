//! The dashboard, the trash, the settings, pages of text, menus and dialogs.

use super::Msg;
use super::extra_pages::{BLOCKED, HISTORY};
use super::list_page::order_label;
use super::web_page;
use crate::app::{BlueprintApp, Plan};
use crate::generate::names::{Part, Tag, keep};
use crate::schema::DeleteFrom;
use crate::store::{ObjectId, Order};
use taproof_phone::{
    CheckStyle, Color, Edges, Env, Icon, Size, View, dialog, dialog_message, empty_state, list_row,
    popup_item, popup_menu, setting_row, toolbar,
};

const ROW_DP: i32 = 64;

impl Plan {
    /// The activity of a page of text.
    pub fn text_activity(&self, place: usize) -> &'static str {
        self.manifest.activities[self.manifest.activities.len() - self.blueprint.texts.len() + place]
    }
}

fn up() -> Option<(Icon, &'static str, Msg)> {
    Some((Icon::ArrowBack, "Navigate up", Msg::Up))
}

fn page(bar: View<Msg>, body: View<Msg>) -> View<Msg> {
    View::column(vec![bar, body.grow_y()]).fill().background(Color::SURFACE)
}

/// The page with an entry for each data type.
pub(crate) fn dashboard(app: &BlueprintApp, env: &Env<'_>) -> View<Msg> {
    let blueprint = app.blueprint();
    let mut rows: Vec<View<Msg>> = Vec::new();
    for (place, kind) in blueprint.types.iter().enumerate() {
        let count = app.memory.counts.get(place).copied().unwrap_or(0);
        let noun = if count == 1 { kind.noun } else { kind.plural };
        let words = format!("{count} {}", app.say(env.language, noun.0));
        let title = ("dashboard_title", app.say(env.language, app.names(place).title).to_owned());
        let row = list_row(Some((kind.icon, env.accent)), title, ("dashboard_count", words), Vec::new());
        rows.push(row.id("dashboard_row").height(Size::Dp(ROW_DP)).click(Msg::Show(place)));
    }
    let bar = toolbar(env.accent, None, blueprint.label.0, Vec::new());
    page(bar, View::scroll("dashboard", View::column(rows)))
}

/// The deleted objects.
pub(crate) fn trash(app: &BlueprintApp, data_type: usize, env: &Env<'_>) -> View<Msg> {
    let names = app.names(data_type);
    let trashed = app.store.trashed(data_type);
    let body = if trashed.is_empty() {
        View::frame(vec![empty_state(Icon::Delete, "The trash is empty")])
    } else {
        View::list(names.tag(Part::Trashed).id, env, trashed.len(), ROW_DP, |row| {
            let Some(object) = trashed.get(row) else { return View::space() };
            let button = |part: Part, icon, msg| {
                let Tag { id, desc } = names.tag(part);
                View::icon_button(icon, Color::SECONDARY, desc, msg).id(id)
            };
            let buttons = vec![
                button(Part::Restore, Icon::Undo, Msg::Restore(object.id)),
                button(Part::Erase, Icon::Delete, Msg::Erase(object.id)),
            ];
            let title = (names.tag(Part::TrashTitle).id, object.name().to_owned());
            list_row(None, title, ("", String::new()), buttons)
        })
    };
    page(toolbar(env.accent, up(), "Trash", Vec::new()), body)
}

/// The switches, and the entry that resets them.
pub(crate) fn settings(app: &BlueprintApp, env: &Env<'_>) -> View<Msg> {
    let say = |words| app.say(env.language, words);
    let mut rows: Vec<View<Msg>> = Vec::new();
    for ((place, switch), on) in app.blueprint().settings.iter().enumerate().zip(&app.switches) {
        let label = say(switch.label.0);
        rows.push(setting_row("setting_switch", label, "", *on, Msg::Switch(place)));
    }
    let words = ("android:id/summary", say("Sets everything on this page and all orders back").to_owned());
    let reset = list_row(None, ("android:id/title", say("Reset settings").to_owned()), words, Vec::new());
    rows.push(reset.id("setting_reset").height(Size::Dp(72)).click(Msg::AskReset));
    page(toolbar(env.accent, up(), "Settings", Vec::new()), View::scroll("settings", View::column(rows)))
}

/// Goes on to the question of the system for a permission, and what allows it there.
pub(crate) const CONTINUE: &str = "Continue";
pub(crate) const ALLOW: &str = "ALLOW";

/// The page that says what a permission is for, before the system asks.
pub(crate) fn permission(app: &BlueprintApp, data_type: usize, env: &Env<'_>) -> View<Msg> {
    let (blueprint, names) = (app.blueprint(), app.names(data_type));
    let permission = blueprint.types[data_type].form.permission.map_or("", |it| it.0);
    let what = permission.rsplit('.').next().unwrap_or("").replace('_', " ").to_lowercase();
    let noun = blueprint.types[data_type].noun;
    let words = app.say(env.language, "Before you make a {noun}, please allow {app} to use: {what}.");
    let words = words.replace("{noun}", noun.0).replace("{app}", blueprint.label.0).replace("{what}", &what);
    let words = View::text(words).id("permission_text").lines(5).width(Size::Match).pad(Edges::all(24));
    let buttons = View::row(vec![
        View::space().grow_x(),
        View::button("Not now", env.accent, Msg::Up).id("permission_later"),
        View::button(CONTINUE, env.accent, Msg::AskPermission).id("permission_continue"),
    ]);
    let body = View::column(vec![words, buttons.pad(Edges::symmetric(16, 8))]);
    page(toolbar(env.accent, up(), names.headings[0], Vec::new()), View::scroll("permission_scroll", body))
}

/// A page that only shows a text.
pub(crate) fn text(app: &BlueprintApp, place: usize, env: &Env<'_>) -> View<Msg> {
    let shown = app.blueprint().texts[place];
    if app.blueprint().has_web_pages() {
        let label = app.blueprint().label;
        let mut blocks = vec![web_page::heading(shown.title.0, 0)];
        blocks.extend(shown.text.0.split_inclusive(". ").map(web_page::paragraph));
        blocks.push(web_page::footer(format!("{label}, 2026")));
        return page(toolbar(env.accent, up(), label.0, Vec::new()), web_page::document(blocks));
    }
    let words = View::text(shown.text.0).lines(40).width(Size::Match).pad(Edges::all(16));
    page(toolbar(env.accent, up(), shown.title.0, Vec::new()), View::scroll("text_scroll", words))
}

/// The menu of a row.
pub(crate) fn row_menu(app: &BlueprintApp, id: ObjectId) -> View<Msg> {
    let Some(data_type) = app.type_of(id) else { return popup_menu(Vec::new()) };
    let kind = &app.blueprint().types[data_type];
    let mut items = vec![popup_item("Edit", Msg::Edit(id))];
    if kind.delete.from == DeleteFrom::RowMenu {
        items.push(popup_item("Delete", Msg::Delete(vec![id])));
    }
    popup_menu(app.blueprint().changes.entries(items))
}

/// The menu with the orders of a list.
pub(crate) fn sort_menu(app: &BlueprintApp, data_type: usize) -> View<Msg> {
    let choice = |order: Order| {
        let msg = Msg::Sort(data_type, order);
        View::check(CheckStyle::Radio, app.orders[data_type] == order, order_label(order), msg)
            .width(Size::Match)
            .pad(Edges::symmetric(12, 0))
    };
    popup_menu(app.blueprint().changes.entries(vec![choice(Order::Added), choice(Order::Name)]))
}

impl BlueprintApp {
    /// Whether the overflow menu of a list has entries.
    pub(crate) fn has_menu(&self, data_type: usize) -> bool {
        let blueprint = self.blueprint();
        let kind = &blueprint.types[data_type];
        kind.delete.trash
            || kind.search.is_some() && blueprint.changes.search_in_menu
            || kind.play.is_some_and(|play| play.history)
            || kind.block
            || blueprint.converter.is_some()
            || !blueprint.settings.is_empty()
            || !blueprint.texts.is_empty()
    }
}

/// The overflow menu of a list.
pub(crate) fn more_menu(app: &BlueprintApp, data_type: usize) -> View<Msg> {
    let blueprint = app.blueprint();
    let mut items = Vec::new();
    if blueprint.types[data_type].search.is_some() && blueprint.changes.search_in_menu {
        let Tag { id, desc } = app.names(data_type).tag(Part::Search);
        items.push(popup_item(desc, Msg::Search(data_type)).id(id).desc(desc));
    }
    if blueprint.types[data_type].delete.trash {
        items.push(popup_item("Trash", Msg::Trash(data_type)));
    }
    if !blueprint.settings.is_empty() {
        items.push(popup_item("Settings", Msg::Settings));
    }
    let kind = &blueprint.types[data_type];
    if kind.play.is_some_and(|play| play.history) {
        items.push(popup_item(HISTORY, Msg::History(data_type)));
    }
    if kind.block {
        items.push(popup_item(BLOCKED, Msg::Blocked(data_type)));
    }
    if let Some(converter) = &blueprint.converter {
        items.push(popup_item(converter.title.0, Msg::Converter));
    }
    for (place, shown) in blueprint.texts.iter().enumerate() {
        items.push(popup_item(shown.title.0, Msg::Text(place)));
    }
    popup_menu(blueprint.changes.entries(items))
}

/// Goes on to the form of a new object.
pub(crate) const START_EMPTY: &str = "Start empty";
/// Closes what says that something was saved.
pub(crate) const OK: &str = "OK";

/// The dialog that asks how a new object is to be made.
pub(crate) fn how(app: &BlueprintApp, data_type: usize, owner: Option<ObjectId>, env: &Env<'_>) -> View<Msg> {
    let words = dialog_message("How would you like to begin?");
    let buttons = vec![("Cancel", Msg::Close), (START_EMPTY, Msg::Begin(data_type, owner))];
    dialog(app.names(data_type).headings[0], vec![words], env.accent, buttons)
}

/// The dialog that says that something was saved.
pub(crate) fn saved(env: &Env<'_>) -> View<Msg> {
    dialog("Saved", vec![dialog_message("What you entered was saved.")], env.accent, vec![(OK, Msg::Close)])
}

/// The dialog that asks whether to delete objects.
pub(crate) fn confirm_delete(app: &BlueprintApp, ids: &[ObjectId], env: &Env<'_>) -> View<Msg> {
    let data_type = ids.first().and_then(|id| app.type_of(*id)).unwrap_or(0);
    let [one, several] = app.names(data_type).questions;
    let (heading, words) = match ids {
        [only] => {
            let name = app.store.get(*only).map_or("", |object| object.name());
            (one, format!("{name}{}", app.deleted_as_well(*only, data_type, env.language)))
        }
        _ => {
            let words = app.say(env.language, "{count} are selected.");
            (several, words.replace("{count}", &ids.len().to_string()))
        }
    };
    let buttons = vec![("Cancel", Msg::Close), ("Delete", Msg::Confirmed(ids.to_vec()))];
    dialog(heading, vec![dialog_message(words)], env.accent, buttons)
}

/// The dialog that asks whether to reset the settings.
pub(crate) fn confirm_reset(env: &Env<'_>) -> View<Msg> {
    let words = dialog_message("Everything on this page is set back. What you have made stays.");
    dialog("Reset settings?", vec![words], env.accent, vec![("Cancel", Msg::Close), ("Reset", Msg::Reset)])
}

/// The dialog that asks whether to discard changes.
pub(crate) fn discard(env: &Env<'_>) -> View<Msg> {
    let buttons = vec![("Keep editing", Msg::Close), ("Discard", Msg::CloseBoth)];
    dialog(
        "Discard changes?",
        vec![dialog_message("What you have entered will be lost.")],
        env.accent,
        buttons,
    )
}

/// The activity of a page of text.
pub(crate) fn text_activity(place: usize) -> &'static str {
    keep(format!("Text{}Activity", place + 1))
}
