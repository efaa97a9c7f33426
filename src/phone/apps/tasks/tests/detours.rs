//! What the tests of Tasks do: neutral detours, and ways to all screens.

use crate::apps::hand::Hand;
use taproof_screen::{Event, Rotation, SystemEvent, WidgetFlags};

pub(super) fn around(hand: &mut Hand, what: SystemEvent) {
    hand.perform(&Event::System(what));
}

/// Writes into a field and closes the keyboard.
pub(super) fn write(hand: &mut Hand, field: &str, text: &str) {
    hand.write(field, text);
    hand.back();
}

pub(super) fn add_task(hand: &mut Hand, title: &str) {
    hand.tap("fab");
    write(hand, "edit_title", title);
    hand.tap("action_save");
}

pub(super) fn menu(hand: &mut Hand, item: &str) {
    hand.tap("action_more");
    hand.tap(item);
}

pub(super) fn sort_by_title(hand: &mut Hand) {
    hand.tap("action_sort");
    hand.tap("sort_title");
}

pub(super) fn rotate_and_back(hand: &mut Hand) {
    hand.rotate();
    upright(hand);
}

pub(super) fn upright(hand: &mut Hand) {
    while hand.layout().rotation() != Rotation::default() {
        hand.rotate();
    }
}

pub(super) fn rotate_and_stay(hand: &mut Hand) {
    hand.rotate();
}

pub(super) fn background(hand: &mut Hand) {
    around(hand, SystemEvent::Background);
}

pub(super) fn death(hand: &mut Hand) {
    around(hand, SystemEvent::ProcessDeath);
}

pub(super) fn permission(hand: &mut Hand) {
    around(hand, SystemEvent::RevokePermission);
    around(hand, SystemEvent::GrantPermission);
}

pub(super) fn dark(hand: &mut Hand) {
    around(hand, SystemEvent::DarkMode);
    around(hand, SystemEvent::DarkMode);
}

pub(super) fn offline(hand: &mut Hand) {
    around(hand, SystemEvent::NetworkOff);
    around(hand, SystemEvent::NetworkOn);
}

pub(super) fn language(hand: &mut Hand) {
    for _ in 0..3 {
        around(hand, SystemEvent::Locale);
    }
}

pub(super) fn call(hand: &mut Hand) {
    around(hand, SystemEvent::IncomingCall);
    hand.tap("DECLINE");
}

pub(super) fn battery(hand: &mut Hand) {
    around(hand, SystemEvent::LowBattery);
    hand.tap("GOT IT");
}

pub(super) fn font_size(hand: &mut Hand) {
    around(hand, SystemEvent::FontScale);
    around(hand, SystemEvent::FontScale);
}

pub(super) fn screen_off(hand: &mut Hand) {
    around(hand, SystemEvent::ScreenOff);
}

pub(super) fn split_screen(hand: &mut Hand) {
    around(hand, SystemEvent::SplitScreen);
    around(hand, SystemEvent::SplitScreen);
}

pub(super) fn destroyed(hand: &mut Hand) {
    around(hand, SystemEvent::ActivityDeath);
}

/// Switches a setting of the system and switches it back.
fn twice(hand: &mut Hand, what: SystemEvent) {
    around(hand, what);
    around(hand, what);
}

pub(super) fn display_size(hand: &mut Hand) {
    twice(hand, SystemEvent::DisplaySize);
}

pub(super) fn notifications(hand: &mut Hand) {
    around(hand, SystemEvent::Notifications);
    hand.back();
}

pub(super) fn airplane(hand: &mut Hand) {
    twice(hand, SystemEvent::AirplaneMode);
}

pub(super) fn hours(hand: &mut Hand) {
    twice(hand, SystemEvent::HourFormat);
}

pub(super) fn time_zone(hand: &mut Hand) {
    twice(hand, SystemEvent::TimeZone);
}

pub(super) fn location(hand: &mut Hand) {
    twice(hand, SystemEvent::Location);
}

pub(super) fn do_not_disturb(hand: &mut Hand) {
    twice(hand, SystemEvent::DoNotDisturb);
}

pub(super) fn low_storage(hand: &mut Hand) {
    twice(hand, SystemEvent::LowStorage);
}

pub(super) fn cancelled_dialog(hand: &mut Hand) {
    if hand.shows("action_more") {
        menu(hand, "menu_rename_list");
        hand.back();
    }
}

pub(super) fn closed_menu(hand: &mut Hand) {
    if hand.shows("action_more") {
        hand.tap("action_more");
        hand.back();
    }
}

pub(super) fn look_at_settings(hand: &mut Hand) {
    if hand.shows("action_more") {
        menu(hand, "menu_settings");
        hand.back();
    }
}

/// Whether the list is in sight with all its tasks, and nothing is selected.
fn lists_all(hand: &mut Hand) -> bool {
    let online = hand.texts("sync_state").iter().all(|state| !state.starts_with("Offline"));
    online && hand.shows("action_more") && hand.texts("task_title").len() >= 6
}

/// The title in the editor of a task, if nothing was changed there.
fn unchanged(hand: &mut Hand) -> Option<String> {
    (hand.shows("Edit task") && !hand.shows("action_undo")).then(|| hand.texts("edit_title").concat())
}

pub(super) fn back_and_again(hand: &mut Hand) {
    if let Some(title) = unchanged(hand) {
        hand.back();
        hand.tap(&title);
    }
}

pub(super) fn restart(hand: &mut Hand) {
    if lists_all(hand) {
        hand.perform(&Event::Relaunch);
    }
}

pub(super) fn scroll_away(hand: &mut Hand) {
    if hand.shows("search_results") {
        hand.scroll_down("search_results");
        hand.scroll_up("search_results");
    }
}

pub(super) fn select_one(hand: &mut Hand) {
    if lists_all(hand) {
        hand.long_press("Pay the electricity bill");
        hand.back();
    }
}

pub(super) fn tick_and_untick(hand: &mut Hand) {
    if lists_all(hand) && hand.shows("Water the plants") {
        hand.tap("task_check");
        hand.tap("task_check");
    }
}

pub(super) fn type_and_clear(hand: &mut Hand) {
    if hand.texts("search_query") == [""] {
        hand.write("search_query", "qz");
        write(hand, "search_query", "");
    }
}

pub(super) fn choose_again(hand: &mut Hand) {
    if hand.shows("action_sort") {
        hand.tap("action_sort");
        let chosen = ["sort_added", "sort_title", "sort_important"];
        let chosen = chosen.into_iter().find(|id| checked(hand, id) == [true]);
        hand.tap(chosen.expect("an order is chosen"));
    }
}

pub(super) fn change_and_undo(hand: &mut Hand) {
    if hand.shows("check_important") {
        hand.tap("check_important");
        hand.tap("action_undo");
    }
}

pub(super) fn other_filter(hand: &mut Hand) {
    if hand.shows("action_more") {
        let chosen = match &*filters(hand)[0] {
            "All" => "filter_all",
            "Open" => "filter_open",
            _ => "filter_done",
        };
        hand.tap(if chosen == "filter_done" { "filter_open" } else { "filter_done" });
        hand.tap(chosen);
    }
}

pub(super) fn select_all(hand: &mut Hand) {
    if hand.shows("action_more") && hand.shows("Water the plants") {
        hand.long_press("Water the plants");
        hand.tap("action_select_all");
        hand.back();
    }
}

pub(super) fn undo_and_redo(hand: &mut Hand) {
    if hand.shows("action_undo") {
        let (ticked, notes) = (checked(hand, "check_important"), hand.texts("edit_notes").concat());
        hand.tap("action_undo");
        if checked(hand, "check_important") == ticked {
            write(hand, "edit_notes", &notes);
        } else {
            hand.tap("check_important");
        }
    }
}

pub(super) fn from_the_search(hand: &mut Hand) {
    if let Some(title) = unchanged(hand) {
        hand.back();
        hand.tap("action_search");
        write(hand, "search_query", &title);
        hand.tap("result_row");
    }
}

/// The labels of the selected filters.
pub(super) fn filters(hand: &mut Hand) -> Vec<String> {
    let layout = hand.layout();
    let chips = layout.iter().filter(|(_, widget)| widget.class.ends_with("Chip"));
    let selected = chips.filter(|(_, widget)| widget.flags.has(WidgetFlags::SELECTED));
    selected.map(|(_, widget)| widget.text.to_string()).collect()
}

pub(super) fn checked(hand: &mut Hand, id: &str) -> Vec<bool> {
    let layout = hand.layout();
    let named = layout.iter().filter(|(_, widget)| {
        widget.resource_id.as_deref().is_some_and(|known| known.rsplit('/').next() == Some(id))
    });
    named.map(|(_, widget)| widget.flags.has(WidgetFlags::CHECKED)).collect()
}

/// Something that a person does, with its name in messages.
pub(super) type Named = (&'static str, fn(&mut Hand));

/// The detours. All but "rotate and stay" end where they began.
pub(super) const DETOURS: [Named; 37] = [
    ("rotate and back", rotate_and_back),
    ("rotate and stay", rotate_and_stay),
    ("background", background),
    ("death", death),
    ("dark", dark),
    ("offline", offline),
    ("language", language),
    ("call", call),
    ("battery", battery),
    ("cancelled dialog", cancelled_dialog),
    ("closed menu", closed_menu),
    ("look at settings", look_at_settings),
    ("font size", font_size),
    ("screen off", screen_off),
    ("split screen", split_screen),
    ("destroyed", destroyed),
    ("back and again", back_and_again),
    ("restart", restart),
    ("scroll", scroll_away),
    ("select", select_one),
    ("tick and untick", tick_and_untick),
    ("type and clear", type_and_clear),
    ("choose again", choose_again),
    ("change and undo", change_and_undo),
    ("display size", display_size),
    ("notifications", notifications),
    ("airplane", airplane),
    ("hours", hours),
    ("time zone", time_zone),
    ("location", location),
    ("do not disturb", do_not_disturb),
    ("low storage", low_storage),
    ("other filter", other_filter),
    ("select all", select_all),
    ("undo and redo", undo_and_redo),
    ("from the search", from_the_search),
    ("permission", permission),
];

pub(super) fn the_list(hand: &mut Hand) {
    add_task(hand, "Call Ann");
    hand.tap("task_check");
    sort_by_title(hand);
}

pub(super) fn the_open_tasks(hand: &mut Hand) {
    hand.tap("filter_open");
}

pub(super) fn the_selection(hand: &mut Hand) {
    hand.long_press("Water the plants");
    hand.tap("Pay the electricity bill");
}

pub(super) fn the_search(hand: &mut Hand) {
    hand.tap("action_search");
    write(hand, "search_query", "order");
}

pub(super) fn all_results(hand: &mut Hand) {
    hand.tap("action_search");
    hand.back();
}

pub(super) fn a_task(hand: &mut Hand) {
    hand.tap("Buy a birthday present");
}

pub(super) fn the_editor(hand: &mut Hand) {
    hand.tap("Buy a birthday present");
    write(hand, "edit_title", "Buy two presents");
    write(hand, "edit_notes", "For Anna and Ben");
}

/// The editor of a task with a reminder, which the app may show.
pub(super) fn a_reminder(hand: &mut Hand) {
    hand.tap("Buy a birthday present");
    hand.tap("check_remind");
    hand.tap("ALLOW");
    write(hand, "edit_title", "Buy two presents");
    write(hand, "edit_notes", "For Anna and Ben");
}

pub(super) fn a_new_task(hand: &mut Hand) {
    hand.tap("fab");
    hand.tap("action_save");
    write(hand, "edit_notes", "A thought");
    hand.tap("check_important");
}

pub(super) fn unsaved_changes(hand: &mut Hand) {
    the_editor(hand);
    hand.back();
}

pub(super) fn a_new_list(hand: &mut Hand) {
    menu(hand, "menu_new_list");
    write(hand, "list_name", "work");
    hand.tap("OK");
}

pub(super) fn a_new_name(hand: &mut Hand) {
    menu(hand, "menu_rename_list");
    write(hand, "list_name", "House");
}

pub(super) fn the_lists(hand: &mut Hand) {
    hand.tap("Lists");
    hand.tap("Work");
    hand.tap("Lists");
}

pub(super) fn a_deletion(hand: &mut Hand) {
    the_selection(hand);
    hand.tap("action_delete");
}

pub(super) fn the_settings(hand: &mut Hand) {
    menu(hand, "menu_settings");
    hand.tap("row_show_notes");
    hand.tap("row_completed_last");
}

pub(super) fn a_task_that_waits(hand: &mut Hand) {
    add_task(hand, "Call Ann");
    around(hand, SystemEvent::NetworkOff);
    hand.tap("task_check");
}

/// The ways to the screens, each with something to lose.
pub(super) const SCREENS: [Named; 16] = [
    ("list", the_list),
    ("open tasks", the_open_tasks),
    ("selection", the_selection),
    ("search", the_search),
    ("all results", all_results),
    ("task", a_task),
    ("editor", the_editor),
    ("reminder", a_reminder),
    ("new task", a_new_task),
    ("unsaved changes", unsaved_changes),
    ("new list", a_new_list),
    ("new name", a_new_name),
    ("lists", the_lists),
    ("deletion", a_deletion),
    ("settings", the_settings),
    ("waiting task", a_task_that_waits),
];
