//! Tests of Tasks, operated through the phone as by a person.

mod detours;

use super::MANIFEST;
use crate::BugSet;
use crate::apps::hand::{Hand, outline};
use detours::{
    DETOURS, Named, SCREENS, a_new_name, a_reminder, add_task, around, background, call, cancelled_dialog,
    checked, closed_menu, dark, death, filters, language, look_at_settings, menu, offline, permission,
    rotate_and_back, sort_by_title, the_editor, the_open_tasks, the_search, the_selection, upright, write,
};
use taproof_engine::device::Device;
use taproof_screen::{SystemEvent, WidgetFlags};

fn tasks(bugs: &[&str]) -> Hand {
    Hand::on(MANIFEST.package, &BugSet::of(bugs.iter().copied()))
}

/// What a person notices of the screen.
fn seen(hand: &mut Hand) -> Vec<String> {
    let layout = hand.layout();
    let state = |flags: WidgetFlags| {
        [WidgetFlags::CHECKED, WidgetFlags::SELECTED, WidgetFlags::ENABLED].map(|flag| flags.has(flag))
    };
    let widgets = layout.iter().map(|(_, widget)| {
        let (id, flags) = (widget.resource_id.as_deref().unwrap_or(""), state(widget.flags));
        format!("{id} {:?} {:?} {:?} {flags:?}", widget.text, widget.content_desc, widget.hint)
    });
    std::iter::once(layout.activity().to_string()).chain(widgets).collect()
}

#[test]
fn a_sound_build_loses_nothing_in_any_detour_on_any_screen() {
    for (screen, go) in SCREENS {
        let mut hand = tasks(&[]);
        go(&mut hand);
        let before = seen(&mut hand);
        for (detour, walk) in DETOURS {
            // The network would be back.
            if screen == "waiting task" && ["offline", "airplane"].contains(&detour) {
                continue;
            }
            walk(&mut hand);
            upright(&mut hand);
            assert_eq!(seen(&mut hand), before, "{detour} on {screen}:\n{}", outline(&hand.layout()));
        }
    }
}

/// Each bug with the detours in which it shows.
const SHOWN_BY: [(&str, &[&str]); 37] = [
    ("tasks-rotate-notes", &["rotate and back", "rotate and stay"]),
    ("tasks-rotate-selection", &["rotate and back", "rotate and stay"]),
    ("tasks-landscape-important", &["rotate and stay"]),
    ("tasks-background-search", &["background", "destroyed", "permission"]),
    ("tasks-death-draft", &["death", "permission"]),
    ("tasks-dark-filter", &["dark"]),
    ("tasks-offline-twice", &["offline", "airplane"]),
    ("tasks-language-order", &["language"]),
    ("tasks-cancel-renames", &["cancelled dialog"]),
    ("tasks-menu-unchecks", &["closed menu"]),
    ("tasks-call-notes", &["call"]),
    ("tasks-peek-loses-page", &["look at settings"]),
    ("tasks-font-important", &["font size"]),
    ("tasks-screen-name", &["screen off"]),
    ("tasks-split-search", &["split screen"]),
    ("tasks-destroyed-filter", &["destroyed"]),
    ("tasks-again-notes", &["back and again"]),
    ("tasks-restart-new", &["restart"]),
    ("tasks-scroll-places", &["scroll"]),
    ("tasks-select-completes", &["select", "select all"]),
    ("tasks-toggle-notes", &["tick and untick"]),
    ("tasks-clear-open", &["type and clear"]),
    ("tasks-choice-reverses", &["choose again"]),
    ("tasks-undo-notes", &["change and undo", "undo and redo"]),
    ("tasks-display-title", &["display size"]),
    ("tasks-panel-selection", &["battery", "notifications"]),
    ("tasks-airplane-list", &["airplane"]),
    ("tasks-hours-search", &["hours"]),
    ("tasks-zone-reopens", &["time zone"]),
    ("tasks-location-filter", &["location"]),
    ("tasks-quiet-important", &["do not disturb"]),
    ("tasks-storage-notes", &["low storage"]),
    ("tasks-filter-order", &["other filter"]),
    ("tasks-all-filter", &["select all"]),
    ("tasks-redo-important", &["undo and redo"]),
    ("tasks-search-important", &["from the search"]),
    ("tasks-permission-draft", &["permission"]),
];

#[test]
fn each_bug_shows_in_its_detour_and_in_no_other_and_not_in_plain_use() {
    assert_eq!(
        SHOWN_BY.map(|(bug, _)| bug).to_vec(),
        MANIFEST.bugs.iter().map(|bug| bug.id).collect::<Vec<_>>()
    );
    for (bug, detours) in SHOWN_BY {
        let mut showed: Vec<&str> = Vec::new();
        for (screen, go) in SCREENS {
            let (mut sound, mut faulty) = (tasks(&[]), tasks(&[bug]));
            go(&mut sound);
            go(&mut faulty);
            assert_eq!(seen(&mut faulty), seen(&mut sound), "{bug} in plain use of {screen}");
            let (of_sound, of_faulty) =
                (sound.phone.save_snapshot().unwrap(), faulty.phone.save_snapshot().unwrap());
            for (detour, walk) in DETOURS {
                sound.phone.restore_snapshot(of_sound).unwrap();
                faulty.phone.restore_snapshot(of_faulty).unwrap();
                walk(&mut sound);
                walk(&mut faulty);
                if seen(&mut faulty) != seen(&mut sound) && !showed.contains(&detour) {
                    showed.push(detour);
                }
            }
        }
        assert_eq!(showed, detours, "{bug}");
    }
}

#[test]
fn no_bug_hides_another() {
    let all: Vec<&str> = MANIFEST.bugs.iter().map(|bug| bug.id).collect();
    for (bug, detours) in SHOWN_BY {
        let others: Vec<&str> = all.iter().copied().filter(|other| *other != bug).collect();
        let shows = |(_, go): &Named| {
            let walk = DETOURS.iter().find(|(detour, _)| *detour == detours[0]).unwrap().1;
            let [with, without] = [&all, &others].map(|bugs| {
                let mut hand = tasks(bugs);
                go(&mut hand);
                walk(&mut hand);
                seen(&mut hand)
            });
            with != without
        };
        assert!(SCREENS.iter().any(shows), "{bug}");
    }
}

/// What a screen shows after a detour with a bug, and in the sound build.
fn both(
    bug: &str,
    go: fn(&mut Hand),
    detour: fn(&mut Hand),
    look: impl Fn(&mut Hand) -> Vec<String>,
) -> [Vec<String>; 2] {
    assert!(MANIFEST.bugs.iter().any(|known| known.id == bug), "{bug}");
    [tasks(&[bug]), tasks(&[])].map(|mut hand| {
        go(&mut hand);
        detour(&mut hand);
        look(&mut hand)
    })
}

fn fields(hand: &mut Hand) -> Vec<String> {
    [hand.texts("edit_title"), hand.texts("edit_notes")].concat()
}

const TYPED: [&str; 2] = ["Buy two presents", "For Anna and Ben"];

#[test]
fn rotate_notes_empties_the_notes_and_keeps_the_title() {
    let [faulty, sound] = both("tasks-rotate-notes", the_editor, rotate_and_back, fields);
    assert_eq!(faulty, ["Buy two presents", ""]);
    assert_eq!(sound, TYPED);
}

#[test]
fn rotate_selection_ends_the_selection_mode() {
    let [faulty, sound] =
        both("tasks-rotate-selection", the_selection, rotate_and_back, |hand| hand.texts("toolbar_title"));
    assert_eq!(faulty, ["Home"]);
    assert_eq!(sound, ["2 selected"]);
}

#[test]
fn landscape_important_is_unchecked_while_the_phone_is_held_sideways() {
    for (bugs, sideways) in [(&["tasks-landscape-important"][..], false), (&[], true)] {
        let mut hand = tasks(bugs);
        hand.tap("Buy a birthday present");
        assert_eq!(checked(&mut hand, "check_important"), [true]);
        hand.rotate();
        assert_eq!(checked(&mut hand, "check_important"), [sideways]);
        upright(&mut hand);
        assert_eq!(checked(&mut hand, "check_important"), [true]);
        hand.back();
        assert!(hand.shows("filter_all"), "nothing has changed");
    }
}

#[test]
fn background_search_shows_all_tasks_again() {
    let look = |hand: &mut Hand| hand.texts("search_query");
    let [faulty, sound] = both("tasks-background-search", the_search, background, look);
    assert_eq!(faulty, [""]);
    assert_eq!(sound, ["order"]);
    let mut hand = tasks(&["tasks-background-search"]);
    the_search(&mut hand);
    let found = hand.texts("result_title");
    assert_eq!(found, ["Order a new keyboard"]);
    hand.tap("result_row");
    hand.back();
    assert_eq!(hand.texts("result_title"), found, "a look at a result is no departure");
    background(&mut hand);
    assert!(hand.texts("result_title").len() > 5);
}

#[test]
fn death_draft_loses_the_title_only() {
    let [faulty, sound] = both("tasks-death-draft", the_editor, death, fields);
    assert_eq!(faulty, ["Buy a birthday present", "For Anna and Ben"]);
    assert_eq!(sound, TYPED);
}

#[test]
fn permission_draft_loses_what_is_typed_where_notifications_were_allowed() {
    let all = |hand: &mut Hand| {
        let reminded = checked(hand, "check_remind").iter().map(bool::to_string).collect();
        [fields(hand), reminded].concat()
    };
    let [faulty, sound] = both("tasks-permission-draft", a_reminder, permission, all);
    assert_eq!(faulty, ["Buy a birthday present", "For Anna, by Friday", "false"]);
    assert_eq!(sound, [&TYPED[..], &["true"]].concat());
    let [faulty, _] = both("tasks-permission-draft", the_editor, permission, fields);
    assert_eq!(faulty, TYPED, "no permission was taken");
    let [faulty, _] = both("tasks-permission-draft", a_reminder, death, fields);
    assert_eq!(faulty, TYPED, "the end of the process alone loses nothing");
}

#[test]
fn what_is_typed_in_one_field_is_undone_at_once() {
    let mut hand = tasks(&[]);
    let title = |hand: &mut Hand| hand.texts("edit_title").concat();
    hand.tap("Water the plants");
    hand.write("edit_title", "Water the plants");
    assert!(!hand.shows("action_undo"), "nothing has changed");
    for text in ["", "T", "Te", "Tea"] {
        hand.write("edit_title", text);
    }
    write(&mut hand, "edit_notes", "green");
    hand.tap("action_undo");
    assert_eq!(title(&mut hand), "Tea");
    hand.tap("action_undo");
    assert_eq!(title(&mut hand), "Water the plants");
    assert!(!hand.shows("action_undo"), "nothing has changed");
}

#[test]
fn a_reminder_needs_a_permission() {
    let mut hand = tasks(&[]);
    let reminded = |hand: &mut Hand| checked(hand, "check_remind");
    hand.tap("Water the plants");
    hand.tap("check_remind");
    assert!(hand.shows("Allow Tasks to send you notifications?"));
    hand.tap("DENY");
    assert_eq!(reminded(&mut hand), [false]);
    assert!(!hand.shows("action_undo"), "nothing has changed");
    hand.tap("check_remind");
    hand.tap("ALLOW");
    assert_eq!(reminded(&mut hand), [true]);
    hand.tap("action_undo");
    assert_eq!(reminded(&mut hand), [false]);
    hand.tap("check_remind");
    assert_eq!(reminded(&mut hand), [true], "it may now");
    hand.tap("action_save");
    hand.tap("Water the plants");
    assert_eq!(reminded(&mut hand), [true]);
    hand.tap("check_remind");
    assert_eq!(reminded(&mut hand), [false]);
}

#[test]
fn dark_filter_and_a_peek_show_all_tasks() {
    for (bug, detour) in
        [("tasks-dark-filter", dark as fn(&mut Hand)), ("tasks-peek-loses-page", look_at_settings)]
    {
        let [faulty, sound] = both(bug, the_open_tasks, detour, filters);
        assert_eq!(faulty, ["All"], "{bug}");
        assert_eq!(sound, ["Open"], "{bug}");
    }
}

#[test]
fn offline_twice_copies_what_was_sent_before() {
    let rows = |hand: &mut Hand| {
        hand.tap("filter_open");
        sort_by_title(hand);
        hand.texts("task_title")
    };
    let add = |hand: &mut Hand| add_task(hand, "A call");
    let [faulty, sound] = both("tasks-offline-twice", add, offline, rows);
    assert_eq!(faulty[..2], ["A call", "A call"]);
    assert_eq!(sound[..2], ["A call", "Book a dentist appointment"]);
    assert_eq!(faulty.len(), sound.len() + 1);
}

#[test]
fn what_is_changed_offline_waits_for_the_network() {
    let mut hand = tasks(&[]);
    around(&mut hand, SystemEvent::NetworkOff);
    assert_eq!(hand.texts("sync_state"), ["Offline, all tasks synced"]);
    hand.tap("task_check");
    assert_eq!(hand.texts("sync_state"), ["Offline, 1 task not synced"]);
    add_task(&mut hand, "Call Ann");
    assert_eq!(hand.texts("sync_state"), ["Offline, 2 tasks not synced"]);
    assert_eq!(hand.texts("task_unsynced"), ["Not synced"; 2]);
    death(&mut hand);
    assert_eq!(hand.texts("sync_state"), ["Offline, 2 tasks not synced"]);
    let rows = hand.texts("task_title");
    around(&mut hand, SystemEvent::NetworkOn);
    assert_eq!(hand.texts("sync_state"), ["All tasks synced"]);
    assert!(!hand.shows("task_unsynced"));
    assert_eq!(hand.texts("task_title"), rows);
}

#[test]
fn language_order_is_reset_for_good() {
    let titles = |hand: &mut Hand| hand.texts("task_title");
    let [faulty, sound] = both("tasks-language-order", sort_by_title, language, titles);
    assert_eq!(faulty[..2], ["Water the plants", "Pay the electricity bill"]);
    assert_eq!(sound[..2], ["Book a dentist appointment", "Buy a birthday present"]);
}

#[test]
fn cancel_renames_gives_the_first_name_back() {
    let title = |hand: &mut Hand| hand.texts("toolbar_title");
    let by_button = |hand: &mut Hand| {
        a_new_name(hand);
        hand.tap("Cancel");
    };
    for cancel in [cancelled_dialog as fn(&mut Hand), by_button] {
        let [faulty, sound] = both("tasks-cancel-renames", |_| {}, cancel, title);
        assert_eq!(faulty, ["My tasks"]);
        assert_eq!(sound, ["Home"]);
    }
    let mut hand = tasks(&["tasks-cancel-renames"]);
    a_new_name(&mut hand);
    hand.tap("OK");
    assert_eq!(title(&mut hand), ["House"], "renaming works");
}

#[test]
fn menu_unchecks_what_is_done_if_nothing_is_chosen() {
    let done = |hand: &mut Hand| {
        hand.tap("filter_done");
        hand.texts("task_title")
    };
    let [faulty, sound] = both("tasks-menu-unchecks", |_| {}, closed_menu, done);
    assert!(faulty.is_empty());
    assert_eq!(sound, ["Return the library books", "Clean the fridge"]);
    let mut hand = tasks(&["tasks-menu-unchecks"]);
    look_at_settings(&mut hand);
    hand.tap("action_more");
    death(&mut hand);
    assert_eq!(done(&mut hand), sound, "a choice was made, or the menu was not closed by the user");
}

#[test]
fn call_notes_empties_the_notes_when_the_call_is_over() {
    let [faulty, sound] = both("tasks-call-notes", the_editor, call, fields);
    assert_eq!(faulty, ["Buy two presents", ""]);
    assert_eq!(sound, TYPED);
}

#[test]
fn tasks_are_added_changed_completed_and_deleted() {
    let mut hand = tasks(&[]);
    hand.tap("fab");
    hand.tap("action_save");
    assert_eq!(hand.texts("textinput_error"), ["Enter a title"]);
    write(&mut hand, "edit_title", "Call Ann");
    hand.tap("check_important");
    hand.tap("action_save");
    hand.tap("action_sort");
    hand.tap("sort_important");
    assert!(hand.texts("task_title")[..3].contains(&"Call Ann".to_owned()));
    hand.tap("Call Ann");
    write(&mut hand, "edit_title", "Call Ben");
    hand.back();
    hand.tap("Keep editing");
    hand.tap("action_save");
    hand.long_press("Call Ben");
    hand.tap("action_done");
    hand.tap("filter_done");
    assert!(hand.shows("Call Ben"));
    menu(&mut hand, "menu_delete_completed");
    hand.tap("Delete");
    assert_eq!(hand.texts("empty_text"), ["Nothing is done yet"]);
    hand.tap("filter_all");
    hand.long_press("Water the plants");
    hand.back();
    assert!(hand.shows("action_more"), "Back ends the selection");
    hand.long_press("Water the plants");
    hand.tap("action_delete");
    hand.tap("Delete");
    assert!(!hand.shows("Water the plants"));
}

#[test]
fn lists_are_created_chosen_and_named() {
    let mut hand = tasks(&[]);
    for (name, error) in [("", "Enter a name"), ("WORK", "There is a list of this name")] {
        menu(&mut hand, "menu_new_list");
        write(&mut hand, "list_name", name);
        hand.tap("OK");
        assert_eq!(hand.texts("textinput_error"), [error]);
        hand.tap("Cancel");
    }
    menu(&mut hand, "menu_new_list");
    write(&mut hand, "list_name", "Garden");
    hand.tap("OK");
    assert_eq!(hand.texts("toolbar_title"), ["Garden"]);
    assert_eq!(hand.texts("empty_text"), ["Nothing to do"]);
    hand.tap("Lists");
    assert_eq!(hand.texts("list_title"), ["Home", "Work", "Garden"]);
    hand.tap("Work");
    assert_eq!(hand.texts("task_title").len(), 3);
}
