//! Tests of Files, operated through the phone as by a person, in the sound build and with each bug.

use super::super::hand::{Hand, outline};
use super::manifest::MANIFEST;
use crate::{BugSet, Package};
use taproof_screen::{AppHealth, Event, Key};

fn files(bugs: &[&str]) -> Hand {
    Hand::on(MANIFEST.package, &BugSet::of(bugs.iter().copied()))
}

fn create(hand: &mut Hand, kind: &str, name: &str) {
    hand.tap("sd_main_fab");
    hand.tap(kind);
    hand.write("singleedittext_input", name);
    hand.tap("Create");
}

fn search(hand: &mut Hand, query: &str) {
    hand.tap("Search");
    hand.write("search_edit_text", query);
    hand.perform(&Event::Key(Key::ImeAction));
}

/// Opens the menu of the first row.
fn row_menu(hand: &mut Hand, command: &str) {
    hand.tap("properties");
    hand.tap(command);
}

fn rename_to(hand: &mut Hand, name: &str) {
    hand.write("singleedittext_input", name);
    hand.tap("button1");
}

fn select(hand: &mut Hand, name: &str, command: &str) {
    hand.long_press(name);
    hand.tap("action_overflow");
    hand.tap(command);
}

fn drawer(hand: &mut Hand, place: &str) {
    hand.tap("Open navigation drawer");
    if !hand.shows(place) {
        hand.scroll_down("drawer_list");
    }
    hand.tap(place);
}

fn rows(hand: &mut Hand) -> Vec<String> {
    hand.texts("firstline")
}

#[test]
fn the_manifest_names_every_bug_once() {
    let manifest = super::Files::manifest();
    assert_eq!(manifest.bugs.len(), 3);
    assert!(manifest.bugs.iter().all(|bug| bug.id.starts_with("files-")));
}

#[test]
fn a_new_folder_stands_in_its_place_and_opens() {
    let mut hand = files(&[]);
    assert_eq!(hand.texts("fullpath"), ["/storage/emulated/0"]);
    create(&mut hand, "Folder", "Errands");
    let shown = rows(&mut hand);
    let place = shown.iter().position(|name| name == "Errands").unwrap();
    assert_eq!((shown[place - 1].as_str(), shown[place + 1].as_str()), ("Download", "Music"));
    hand.tap("Errands");
    assert_eq!(hand.texts("fullpath"), ["/storage/emulated/0/Errands"]);
    assert!(hand.shows("empty_view"), "{}", outline(&hand.layout()));
    create(&mut hand, "File", "a.txt");
    assert_eq!(rows(&mut hand), ["a.txt"]);
    hand.back();
    assert_eq!(hand.texts("toolbar_title"), ["Internal storage"]);
}

#[test]
fn a_refused_name_changes_nothing() {
    let mut hand = files(&[]);
    let before = rows(&mut hand);
    for (name, error) in
        [("Music", "“Music” already exists here"), ("", "Enter a name"), ("a/b", "This name is not allowed")]
    {
        create(&mut hand, "Folder", name);
        assert_eq!(hand.texts("textinput_error"), [error]);
        hand.perform(&Event::Key(Key::ImeAction));
        assert_eq!(hand.texts("textinput_error"), [error]);
        hand.tap("Cancel");
        assert_eq!(rows(&mut hand), before);
    }
    select(&mut hand, "Music", "Rename");
    rename_to(&mut hand, "Pictures");
    assert_eq!(hand.texts("textinput_error"), ["“Pictures” already exists here"]);
    hand.tap("Cancel");
    assert_eq!(rows(&mut hand), before);
}

#[test]
fn results_come_by_relevance_and_take_renames() {
    let mut hand = files(&[]);
    for name in ["my note", "notebook", "Note", "note"] {
        create(&mut hand, "Folder", name);
    }
    search(&mut hand, "note");
    assert_eq!(rows(&mut hand), ["note", "Note", "notebook", "my note"]);
    row_menu(&mut hand, "Rename");
    rename_to(&mut hand, "note 2");
    assert_eq!(rows(&mut hand), ["Note", "note 2", "notebook", "my note"]);
    row_menu(&mut hand, "Delete");
    hand.tap("button1");
    assert_eq!(rows(&mut hand), ["note 2", "notebook", "my note"]);
    row_menu(&mut hand, "Hide");
    assert_eq!(rows(&mut hand), ["notebook", "my note"]);
    hand.tap("notebook");
    assert_eq!(hand.texts("fullpath"), ["/storage/emulated/0/notebook"]);
}

#[test]
fn a_search_finds_what_lies_deep_but_nothing_on_the_other_storage() {
    let mut hand = files(&[]);
    search(&mut hand, "GRAND");
    assert_eq!(rows(&mut hand), ["grandma.txt"]);
    hand.tap("grandma.txt");
    assert_eq!(hand.texts("toolbar_title"), ["grandma.txt"]);
    hand.back();
    hand.tap("Navigate up");
    search(&mut hand, "thumbnails");
    assert!(hand.shows("empty_view"));
}

#[test]
fn hidden_ones_are_neither_listed_nor_found_until_shown() {
    let mut hand = files(&[]);
    create(&mut hand, "Folder", "secret");
    select(&mut hand, "secret", "Hide");
    assert!(!hand.shows("secret"));
    search(&mut hand, "secret");
    assert!(hand.shows("empty_view"));
    hand.tap("Navigate up");
    drawer(&mut hand, "Settings");
    hand.tap("switch_hidden");
    hand.back();
    assert!(hand.shows("secret"));
    search(&mut hand, "secret");
    assert_eq!(rows(&mut hand), ["secret"]);
    row_menu(&mut hand, "Unhide");
    hand.tap("Navigate up");
    drawer(&mut hand, "Hidden files");
    assert!(hand.shows("empty_view"));
}

#[test]
fn what_is_deleted_can_be_restored() {
    let mut hand = files(&[]);
    hand.long_press("Music");
    hand.tap("Pictures");
    assert_eq!(hand.texts("toolbar_title"), ["2 selected"]);
    hand.tap("Delete");
    hand.tap("button1");
    assert!(!hand.shows("Music") && !hand.shows("Pictures"));
    drawer(&mut hand, "Trash bin");
    assert_eq!(rows(&mut hand), ["Music", "Pictures"]);
    hand.tap("Music");
    hand.tap("Restore");
    hand.tap("Empty trash bin");
    hand.tap("button1");
    assert!(hand.shows("empty_view"));
    hand.back();
    assert!(hand.shows("Music") && !hand.shows("Pictures"));
}

#[test]
fn copies_and_moves_refuse_what_is_taken() {
    let mut hand = files(&[]);
    hand.long_press("Music");
    hand.tap("Copy");
    hand.tap("Paste");
    assert_eq!(rows(&mut hand).iter().filter(|name| *name == "Music").count(), 1);
    select(&mut hand, "Music", "Cut");
    hand.tap("Documents");
    hand.tap("Paste");
    assert!(hand.shows("Music"));
    hand.tap("Go up");
    assert!(!hand.shows("Music"));
    select(&mut hand, "Documents", "Cut");
    hand.tap("Documents");
    hand.tap("Paste");
    hand.tap("Go up");
    assert!(hand.shows("Documents"));
}

#[test]
fn back_never_writes() {
    let mut hand = files(&[]);
    hand.tap("read me.txt");
    hand.write("editor_text", "changed");
    hand.back();
    hand.back();
    assert!(hand.shows("Save changes?"));
    hand.back();
    assert_eq!(hand.texts("editor_text"), ["changed"]);
    hand.tap("Save");
    assert_eq!(hand.texts("editor_status"), ["Saved"]);
    hand.write("editor_text", "changed again");
    hand.tap("Navigate up");
    hand.tap("Discard");
    assert_eq!(hand.texts("fullpath"), ["/storage/emulated/0"]);
    hand.tap("read me.txt");
    assert_eq!(hand.texts("editor_text"), ["changed"]);
    hand.write("editor_text", "at last");
    hand.tap("Navigate up");
    hand.tap("button1");
    hand.tap("read me.txt");
    assert_eq!(hand.texts("editor_text"), ["at last"]);
}

#[test]
fn lists_are_sorted_as_chosen() {
    let mut hand = files(&[]);
    hand.tap("overflow");
    hand.tap("Sort by");
    hand.tap("Descending");
    hand.tap("Sort");
    assert_eq!(rows(&mut hand)[0], "Ringtones");
    drawer(&mut hand, "Settings");
    hand.scroll_down("settings_list");
    hand.tap("Reset settings");
    hand.tap("Reset");
    hand.back();
    assert_eq!(rows(&mut hand)[0], "Documents");
}

#[test]
fn the_drawer_leads_everywhere() {
    let mut hand = files(&[]);
    select(&mut hand, "Music", "Details");
    assert_eq!(hand.texts("t5"), ["Music"]);
    hand.tap("Close");
    row_menu(&mut hand, "Add bookmark");
    drawer(&mut hand, "SD card");
    assert_eq!(hand.texts("fullpath"), ["/storage/17F4-2A0C"]);
    drawer(&mut hand, "Documents");
    assert_eq!(hand.texts("fullpath"), ["/storage/emulated/0/Documents"]);
    drawer(&mut hand, "Images");
    hand.tap("beach.jpg");
    hand.tap("Next");
    assert_eq!(hand.texts("toolbar_title"), ["dunes.jpg"]);
    hand.back();
    hand.back();
    drawer(&mut hand, "About");
    hand.back();
    hand.back();
    hand.back();
    assert!(matches!(hand.frame().health, AppHealth::LeftApp(_)));
}

#[test]
fn renaming_on_the_results_leaves_the_old_name() {
    let mut hand = files(&["files-rename-on-results"]);
    create(&mut hand, "Folder", "alpha");
    hand.tap("alpha");
    create(&mut hand, "File", "inside");
    hand.back();
    search(&mut hand, "alpha");
    row_menu(&mut hand, "Rename");
    rename_to(&mut hand, "alpha 2");
    assert_eq!(rows(&mut hand), ["alpha"]);
    hand.tap("firstline");
    assert!(hand.shows("empty_view"));
    hand.back();
    assert!(hand.shows("alpha") && !hand.shows("alpha 2"));
    // From the list of the folder it works.
    select(&mut hand, "alpha", "Rename");
    rename_to(&mut hand, "alpha 3");
    assert!(hand.shows("alpha 3") && !hand.shows("alpha"));
}

#[test]
fn a_search_beside_a_hidden_folder_never_ends() {
    let mut hand = files(&["files-search-hidden"]);
    search(&mut hand, "music");
    assert_eq!(rows(&mut hand), ["Music"]);
    hand.tap("Navigate up");
    select(&mut hand, "Documents", "Hide");
    search(&mut hand, "music");
    assert!(hand.shows("search_progress"), "{}", outline(&hand.layout()));
    hand.tap("Search");
    assert!(matches!(hand.frame().health, AppHealth::NotResponding(_)));
}

#[test]
fn results_come_in_creation_order() {
    let mut hand = files(&["files-results-order"]);
    create(&mut hand, "Folder", "my note");
    create(&mut hand, "Folder", "note");
    search(&mut hand, "note");
    assert_eq!(rows(&mut hand), ["my note", "note"]);
}
