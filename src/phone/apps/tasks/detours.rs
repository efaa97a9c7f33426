//! What the tests of Tasks do: neutral detours, and ways to all screens.

use crate::apps::hand::Hand;
use taproof_core::model::{Event, Rotation, SystemEvent};

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

/// Something that a person does, with its name in messages.
pub(super) type Named = (&'static str, fn(&mut Hand));

/// The detours. All but "rotate and stay" end where they began.
pub(super) const DETOURS: [Named; 12] = [
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

pub(super) fn the_editor(hand: &mut Hand) {
    hand.tap("Buy a birthday present");
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
pub(super) const SCREENS: [Named; 13] = [
    ("list", the_list),
    ("open tasks", the_open_tasks),
    ("selection", the_selection),
    ("search", the_search),
    ("editor", the_editor),
    ("new task", a_new_task),
    ("unsaved changes", unsaved_changes),
    ("new list", a_new_list),
    ("new name", a_new_name),
    ("lists", the_lists),
    ("deletion", a_deletion),
    ("settings", the_settings),
    ("waiting task", a_task_that_waits),
];
