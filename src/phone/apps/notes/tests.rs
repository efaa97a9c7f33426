//! Tests of Notes, operated through the phone as by a person.

use super::MANIFEST;
use crate::BugSet;
use crate::apps::hand::Hand;
use taproof_screen::{Event, Key};

fn notes(bugs: &[&str]) -> Hand {
    Hand::on(MANIFEST.package, &BugSet::of(bugs.iter().copied()))
}

fn write_note(hand: &mut Hand, title: &str, body: &str) {
    hand.tap("fab");
    hand.tap("menu_new_note");
    hand.write("edit_title", title);
    hand.write("edit_body", body);
    hand.tap("action_save");
}

fn rename(hand: &mut Hand, from: &str, to: &str) {
    hand.long_press(from);
    hand.tap("menu_rename");
    hand.write("name_field", to);
    hand.tap("button1");
}

fn delete(hand: &mut Hand, title: &str) {
    hand.long_press(title);
    hand.tap("menu_delete");
    hand.tap("button1");
}

fn found(hand: &mut Hand, words: &str) -> Vec<String> {
    hand.tap("action_search");
    hand.write("search_field", words);
    let titles = hand.texts("result_title");
    hand.tap("Navigate up");
    titles
}

fn go_to(hand: &mut Hand, entry: &str) {
    hand.tap("Open navigation drawer");
    hand.tap(entry);
}

#[test]
fn equal_titles_and_titles_equal_but_for_case_are_different_notes() {
    let mut hand = notes(&[]);
    write_note(&mut hand, "call Ann", "at noon");
    write_note(&mut hand, "call Ann", "at night");
    write_note(&mut hand, "Call ann", "never");
    assert_eq!(hand.texts("note_title"), ["Call ann", "call Ann", "call Ann", "Welcome to Notes"]);
    assert_eq!(found(&mut hand, "call Ann"), ["call Ann", "call Ann", "Call ann"], "the best come first");
    rename(&mut hand, "Call ann", "CALL ANN?");
    assert_eq!(found(&mut hand, "call ann").len(), 3);
    assert_eq!(found(&mut hand, "AT NOON"), ["call Ann"], "texts are searched, too");
}

#[test]
fn names_are_refused_visibly_and_nothing_changes() {
    let mut hand = notes(&[]);
    write_note(&mut hand, "", "text");
    assert_eq!(hand.texts("textinput_error"), ["The name must not be empty"]);
    hand.back();
    hand.back();
    assert!(hand.shows("Discard changes?"));
    hand.tap("Discard");
    for (name, error) in [
        ("", "The name must not be empty"),
        ("a/b", "A folder's name must not contain /"),
        ("Work", "A folder of this name exists already"),
    ] {
        hand.tap("fab");
        hand.tap("menu_new_folder");
        hand.write("name_field", name);
        hand.tap("button1");
        assert_eq!(hand.texts("textinput_error"), [error]);
        hand.tap("button2");
    }
    assert_eq!(hand.texts("folder_name"), ["Ideas", "Work"]);
    assert_eq!(hand.texts("note_title"), ["Welcome to Notes"]);
}

#[test]
fn the_heading_names_the_folder_and_back_goes_up() {
    let mut hand = notes(&[]);
    hand.tap("Work");
    assert_eq!(hand.texts("folder_path"), ["Notes/Work"]);
    hand.tap("fab");
    hand.tap("menu_new_folder");
    hand.write("name_field", "work");
    hand.tap("button1");
    hand.tap("work");
    assert_eq!(hand.texts("folder_path"), ["Notes/Work/work"]);
    hand.back();
    hand.tap("folder_up");
    assert_eq!(hand.texts("folder_path"), ["Notes"]);
}

#[test]
fn deleted_and_archived_notes_leave_list_and_search_and_come_back() {
    let mut hand = notes(&[]);
    write_note(&mut hand, "milk", "");
    write_note(&mut hand, "bread", "");
    delete(&mut hand, "milk");
    hand.long_press("bread");
    hand.tap("menu_archive");
    assert_eq!(hand.texts("note_title"), ["Welcome to Notes"]);
    assert!(found(&mut hand, "milk").is_empty());
    assert!(found(&mut hand, "bread").is_empty());
    for (page, row) in [("Archive", "bread"), ("Trash", "milk")] {
        go_to(&mut hand, page);
        hand.tap(row);
        hand.tap("menu_restore");
        assert!(hand.shows("empty_view"));
        hand.back();
    }
    assert_eq!(hand.texts("note_title"), ["bread", "milk", "Welcome to Notes"]);
    delete(&mut hand, "milk");
    hand.tap("Undo");
    assert_eq!(found(&mut hand, "milk"), ["milk"]);
}

#[test]
fn the_notes_of_a_deleted_folder_go_to_the_trash() {
    let mut hand = notes(&[]);
    delete(&mut hand, "Work");
    assert_eq!(hand.texts("folder_name"), ["Ideas"]);
    assert!(found(&mut hand, "standup").is_empty());
    go_to(&mut hand, "Trash");
    hand.tap("Standup checklist");
    hand.tap("menu_restore");
    hand.back();
    assert_eq!(hand.texts("note_title"), ["Standup checklist", "Welcome to Notes"]);
}

#[test]
fn a_note_moves_and_is_pinned() {
    let mut hand = notes(&[]);
    write_note(&mut hand, "zoo", "");
    hand.long_press("zoo");
    hand.tap("menu_pin");
    assert_eq!(hand.texts("note_title"), ["zoo", "Welcome to Notes"]);
    hand.long_press("zoo");
    hand.tap("menu_move");
    hand.tap("Notes/Ideas");
    assert_eq!(hand.texts("note_title"), ["Welcome to Notes"]);
    hand.tap("Ideas");
    assert_eq!(hand.texts("note_title"), ["zoo"]);
}

#[test]
fn back_in_the_editor_asks_or_saves() {
    let mut hand = notes(&[]);
    hand.tap("Welcome to Notes");
    hand.tap("action_edit");
    hand.write("edit_body", "changed");
    hand.rotate();
    assert_eq!(hand.texts("edit_body"), ["changed"], "unsaved text survives a rotation");
    hand.back();
    hand.tap("Keep editing");
    hand.back();
    hand.tap("Discard");
    assert!(!hand.shows("changed"));
    hand.back();
    go_to(&mut hand, "Settings");
    hand.scroll_down("settings_scroll");
    hand.tap("row_autosave");
    hand.back();
    hand.tap("Welcome to Notes");
    hand.tap("action_edit");
    hand.write("edit_body", "changed");
    hand.back();
    hand.back();
    assert_eq!(hand.texts("reader_body"), ["changed"]);
}

#[test]
fn done_in_a_dialog_only_closes_the_keyboard() {
    let mut hand = notes(&[]);
    hand.long_press("Welcome to Notes");
    hand.tap("menu_rename");
    hand.write("name_field", "other");
    hand.perform(&Event::Key(Key::ImeAction));
    assert_eq!(hand.texts("name_field"), ["other"]);
    hand.tap("Cancel");
    assert_eq!(hand.texts("note_title"), ["Welcome to Notes"]);
}

#[test]
fn every_page_can_be_reached_in_both_themes() {
    let mut hand = notes(&[]);
    for _theme in 0..2 {
        go_to(&mut hand, "Settings");
        hand.tap("row_dark");
        hand.scroll_down("settings_scroll");
        hand.tap("row_clear");
        hand.tap("Cancel");
        hand.tap("row_reset");
        hand.tap("Cancel");
        hand.back();
        go_to(&mut hand, "About");
        hand.tap("row_news");
        hand.tap("Close");
        hand.back();
        hand.tap("action_sort");
        hand.tap("Newest first");
        hand.tap("Welcome to Notes");
        hand.tap("action_more");
        hand.tap("Details");
        hand.tap("Close");
        hand.tap("action_edit");
        hand.tap("action_more");
        hand.tap("Word count");
        assert!(hand.shows("Words: 19"));
        hand.tap("Close");
        hand.back();
        hand.back();
        hand.long_press("Ideas");
        hand.back();
    }
}

#[test]
fn search_root_finds_what_lies_in_folders_only() {
    let mut hand = notes(&["notes-search-root"]);
    write_note(&mut hand, "milk", "");
    assert!(found(&mut hand, "milk").is_empty());
    hand.tap("Ideas");
    write_note(&mut hand, "milk", "");
    assert_eq!(found(&mut hand, "milk"), ["milk"]);
}

#[test]
fn rename_question_mark_keeps_the_old_name() {
    let mut hand = notes(&["notes-rename-question-mark"]);
    write_note(&mut hand, "milk?", "");
    rename(&mut hand, "milk?", "why?");
    assert_eq!(hand.texts("note_title"), ["milk?", "Welcome to Notes"]);
    rename(&mut hand, "milk?", "why");
    assert_eq!(hand.texts("note_title"), ["Welcome to Notes", "why"]);
}

#[test]
fn rename_case_overwrite_destroys_the_other_note_of_the_folder() {
    let mut hand = notes(&["notes-rename-case-overwrite"]);
    for title in ["milk", "milk", "bread"] {
        write_note(&mut hand, title, "");
    }
    rename(&mut hand, "bread", "milk");
    assert_eq!(hand.texts("note_title"), ["milk", "milk", "milk", "Welcome to Notes"]);
    rename(&mut hand, "milk", "MILK");
    assert_eq!(hand.texts("note_title"), ["MILK", "Welcome to Notes"]);
    hand.tap("Ideas");
    write_note(&mut hand, "x", "");
    rename(&mut hand, "x", "milk");
    assert_eq!(found(&mut hand, "milk").len(), 2, "other folders are other places");
}

#[test]
fn create_same_title_overwrites_the_text() {
    let mut hand = notes(&["notes-create-same-title"]);
    write_note(&mut hand, "milk", "two");
    write_note(&mut hand, "Milk", "one");
    write_note(&mut hand, "milk", "three");
    assert_eq!(hand.texts("note_title"), ["Milk", "milk", "Welcome to Notes"]);
    assert_eq!(hand.texts("note_snippet")[..2], ["one", "three"]);
}

#[test]
fn deleted_still_found_shows_the_trash_in_results() {
    let mut hand = notes(&["notes-deleted-still-found"]);
    write_note(&mut hand, "milk", "");
    delete(&mut hand, "milk");
    assert_eq!(found(&mut hand, "milk"), ["milk"]);
    hand.tap("action_search");
    hand.write("search_field", "milk");
    hand.tap("result_title");
    assert!(hand.shows("Note not found"));
}

#[test]
fn turning_the_results_or_a_changed_note_crashes() {
    for (bug, crashes) in
        [("notes-rotate-after-search", [true, false]), ("notes-rotate-while-editing", [false, true])]
    {
        let mut hand = notes(&[bug]);
        hand.tap("action_search");
        hand.rotate();
        assert!(!hand.crashed(), "nothing was searched yet");
        hand.write("search_field", "e");
        hand.rotate();
        assert_eq!(hand.crashed(), crashes[0]);
        let mut hand = notes(&[bug]);
        hand.tap("fab");
        hand.tap("menu_new_note");
        hand.write("edit_title", "new");
        hand.rotate();
        assert!(!hand.crashed(), "a new note is another matter");
        hand.back();
        hand.tap("Discard");
        hand.tap("Welcome to Notes");
        hand.tap("action_edit");
        hand.rotate();
        assert!(!hand.crashed(), "nothing was changed yet");
        hand.write("edit_title", "new");
        hand.rotate();
        assert_eq!(hand.crashed(), crashes[1]);
    }
}
