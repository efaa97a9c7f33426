//! Tests of Diary, operated through the phone as by a person, in the sound build and with each bug.

use super::super::hand::{Hand, outline};
use super::{Diary, MANIFEST};
use crate::{BugSet, Package};

fn diary(bugs: &[&str]) -> Hand {
    Hand::on(MANIFEST.package, &BugSet::of(bugs.iter().copied()))
}

fn create(hand: &mut Hand, name: &str) {
    hand.tap("Add Activity");
    hand.write("edit_activity_name", name);
    hand.tap("Save");
}

fn note(hand: &mut Hand, text: &str) {
    hand.tap("Edit Note");
    hand.write("noteText", text);
    // In landscape, the keyboard leaves no space for the buttons.
    hand.back();
    hand.tap("OK");
}

fn picture(hand: &mut Hand) {
    hand.tap("Attach Picture");
    if hand.shows("ALLOW") {
        hand.tap("ALLOW");
    }
    hand.tap("Shutter");
}

fn go(hand: &mut Hand, place: &str) {
    hand.tap("Open Navigation");
    hand.tap(place);
}

#[test]
fn the_manifest_names_every_activity_and_bug_once() {
    let manifest = Diary::manifest();
    assert_eq!(manifest.bugs.len(), 5);
    assert!(manifest.bugs.iter().all(|bug| bug.id.starts_with("diary-")));
    assert_eq!(manifest.activities[0], "MainActivity");
}

#[test]
fn a_new_activity_is_saved_started_and_shown_first() {
    let mut hand = diary(&[]);
    create(&mut hand, "Reading");
    assert_eq!(hand.texts("current_activity"), ["Reading"]);
    assert_eq!(hand.texts("activity_name")[0], "Reading");
    hand.tap("Cooking");
    assert_eq!(hand.texts("current_activity"), ["Cooking"]);
    assert!(hand.shows("Duration: 1 sec"), "{}", outline(&hand.layout()));
    go(&mut hand, "Diary");
    assert_eq!(hand.texts("activity_name"), ["Cooking", "Reading"]);
    assert_eq!(hand.texts("separator"), ["Today"]);
}

#[test]
fn a_refused_name_changes_nothing() {
    let mut hand = diary(&[]);
    create(&mut hand, "Cooking");
    assert_eq!(hand.texts("textinput_error"), ["Activity with name Cooking already exists."]);
    hand.write("edit_activity_name", " ");
    hand.tap("Save");
    assert_eq!(hand.texts("textinput_error"), ["An activity needs a name."]);
    hand.tap("Navigate up");
    assert_eq!(hand.texts("activity_name").len(), 8);
    assert_eq!(hand.texts("current_activity"), ["<No Activity>"]);
}

#[test]
fn in_landscape_the_keyboard_leaves_room_for_answers() {
    let mut hand = diary(&[]);
    hand.rotate();
    create(&mut hand, "Cooking");
    assert_eq!(hand.texts("textinput_error").len(), 1, "the refusal can be read");
    hand.tap("Navigate up");
    hand.long_press("Cinema");
    hand.tap("Delete Activity");
    hand.tap("Search");
    hand.write("search_src_text", "Gard");
    assert_eq!(hand.texts("activity_name"), ["Gardening"], "not covered by the offer to undo");
    hand.tap("Collapse");
    hand.tap("Cooking");
    assert_eq!(hand.texts("current_activity"), ["Cooking"], "the keyboard went with the search");
}

#[test]
fn rotation_keeps_what_is_typed() {
    let mut hand = diary(&[]);
    hand.tap("Add Activity");
    hand.write("edit_activity_name", "Rea");
    hand.rotate();
    assert_eq!(hand.texts("edit_activity_name"), ["Rea"]);
    hand.tap("Save");
    assert_eq!(hand.texts("current_activity"), ["Rea"]);
    note(&mut hand, "sideways");
    assert!(hand.shows("sideways"));
    hand.rotate();
    assert!(hand.shows("sideways"));
}

#[test]
fn a_deleted_activity_comes_back_with_undo_for_a_while() {
    for (bugs, back) in [(&[][..], true), (&["diary-undo-delete"][..], false)] {
        let mut hand = diary(bugs);
        create(&mut hand, "Reading");
        hand.long_press("select_card_view");
        assert_eq!(hand.texts("edit_activity_name"), ["Reading"]);
        hand.tap("Delete Activity");
        assert_eq!(hand.texts("current_activity"), ["<No Activity>"]);
        assert!(!hand.shows("Reading"));
        hand.tap("UNDO");
        assert_eq!((hand.shows("Reading"), hand.shows("UNDO")), (back, false));
    }
    let mut hand = diary(&[]);
    hand.long_press("select_card_view");
    hand.tap("Delete Activity");
    for _ in 0..10 {
        hand.tap("toolbar_title");
    }
    assert!(!hand.shows("UNDO"));
}

#[test]
fn a_renamed_activity_opens_its_own_page() {
    for (bugs, opened) in [(&[][..], "Swimming laps"), (&["diary-abandoned-new"][..], "")] {
        let mut hand = diary(bugs);
        go(&mut hand, "Edit Activities");
        hand.tap("Swimming");
        hand.write("edit_activity_name", "Swimming laps");
        hand.tap("Save");
        hand.tap("Swimming laps");
        assert_eq!(hand.texts("edit_activity_name"), ["Swimming laps"], "nothing was abandoned yet");
        hand.tap("Navigate up");
        hand.tap("Add Activity");
        hand.back();
        hand.tap("Cooking");
        assert_eq!(hand.texts("edit_activity_name"), ["Cooking"], "it was never renamed");
        hand.back();
        hand.tap("Swimming laps");
        assert_eq!(hand.texts("edit_activity_name"), [opened]);
        hand.write("edit_activity_name", "Diving");
        hand.tap("Save");
        assert!(hand.shows("Diving") && !hand.shows("Swimming laps"));
    }
}

#[test]
fn a_long_press_opens_the_page_of_its_tile() {
    for (bugs, opened) in [(&[][..], "Cinema"), (&["diary-long-press-minority"][..], "Reading")] {
        let mut hand = diary(bugs);
        create(&mut hand, "Reading");
        hand.long_press("Cinema");
        assert_eq!(hand.texts("edit_activity_name"), ["Cinema"], "no note was written yet");
        hand.back();
        note(&mut hand, "chapter 3");
        hand.long_press("Officework");
        assert_eq!(hand.texts("edit_activity_name"), ["Officework"], "only the next tile is wrong");
        hand.back();
        hand.long_press("Cinema");
        assert_eq!(hand.texts("edit_activity_name"), [opened]);
    }
}

#[test]
fn an_invalid_date_is_refused_and_survives_a_rotation() {
    for (bugs, crashes) in [(&[][..], false), (&["diary-rotate-bad-date"][..], true)] {
        let mut hand = diary(bugs);
        hand.tap("Cooking");
        go(&mut hand, "Diary");
        hand.tap("Search");
        hand.write("search_date", "2026-01-05");
        hand.tap("search_go");
        assert_eq!(hand.texts("activity_name"), ["Cooking"]);
        hand.rotate();
        hand.rotate();
        hand.write("search_date", "tomorrow");
        hand.tap("search_go");
        assert_eq!(hand.texts("textinput_error"), ["tomorrow is not a date. Try 2026-01-31."]);
        hand.rotate();
        assert_eq!((hand.crashed(), hand.shows("textinput_error")), (crashes, !crashes));
    }
}

#[test]
fn search_finds_notes_and_says_when_there_is_nothing() {
    let mut hand = diary(&[]);
    go(&mut hand, "Diary");
    assert_eq!(hand.texts("empty_text"), ["Nothing done yet"]);
    hand.back();
    hand.tap("Cooking");
    note(&mut hand, "Soup of the day");
    hand.tap("Cleaning");
    go(&mut hand, "Diary");
    hand.tap("Search");
    hand.write("search_src_text", "soup");
    hand.tap("search_go");
    assert_eq!(hand.texts("note"), ["Soup of the day"]);
    hand.write("search_src_text", "stew");
    hand.tap("search_go");
    assert_eq!(hand.texts("empty_text"), ["Nothing found"]);
    hand.back();
    assert_eq!(hand.texts("activity_name"), ["Cleaning", "Cooking"]);
}

#[test]
fn the_picture_that_was_chosen_is_deleted() {
    for (bugs, left) in [(&[][..], (0, 1)), (&["diary-wrong-picture"][..], (1, 0))] {
        let mut hand = diary(bugs);
        hand.tap("Cooking");
        picture(&mut hand);
        assert_eq!(hand.texts("picture").len(), 1, "{}", outline(&hand.layout()));
        hand.tap("Cleaning");
        assert!(hand.texts("picture").is_empty());
        picture(&mut hand);
        go(&mut hand, "Diary");
        hand.tap("Cooking");
        hand.tap("Picture");
        hand.tap("Delete Picture");
        hand.tap("Delete picture");
        hand.back();
        assert_eq!(hand.texts("picture").len(), left.0);
        hand.back();
        hand.tap("Cleaning");
        assert_eq!(hand.texts("picture").len(), left.1);
    }
}

#[test]
fn the_camera_asks_and_takes_no_for_an_answer() {
    let mut hand = diary(&[]);
    hand.tap("Attach Picture");
    assert!(hand.shows("Open Navigation"), "nothing is running");
    hand.tap("Cooking");
    hand.tap("Attach Picture");
    hand.tap("DENY");
    assert!(hand.shows("Open Navigation"));
    hand.tap("Attach Picture");
    hand.tap("ALLOW");
    assert!(hand.layout().activity().ends_with(".CameraActivity"));
}

#[test]
fn tiles_can_be_searched() {
    let mut hand = diary(&[]);
    hand.tap("Search");
    hand.write("search_src_text", "IM");
    assert_eq!(hand.texts("activity_name"), ["Swimming"]);
    hand.write("search_src_text", "xyz");
    assert_eq!(hand.texts("empty_text"), ["No such activity"]);
    hand.back();
    hand.back();
    assert_eq!(hand.texts("activity_name").len(), 8);
}

#[test]
fn entries_are_deleted_and_all_data_too() {
    let mut hand = diary(&[]);
    hand.tap("Cooking");
    hand.tap("Stop");
    go(&mut hand, "Diary");
    hand.tap("Cooking");
    hand.tap("More options");
    hand.tap("Delete entry");
    hand.tap("Delete entry");
    assert_eq!(hand.texts("empty_text"), ["Nothing done yet"]);
    hand.back();
    create(&mut hand, "Reading");
    go(&mut hand, "Statistics");
    assert_eq!(hand.texts("activity_name"), ["Reading"]);
    hand.back();
    go(&mut hand, "Settings");
    hand.scroll_down("recycler_view");
    hand.tap("Export");
    assert!(hand.shows("1 entry written to diary.csv"));
    hand.tap("Delete all data");
    hand.tap("Delete all");
    hand.back();
    assert!(!hand.shows("Reading") && hand.shows("<No Activity>"));
}
