//! The window around the three places: commands by name, files, what is kept.
#![allow(clippy::disallowed_methods)]

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use taproof_studio::app::Studio;
use taproof_studio::command::{Command, FileCommand, FileKind, FilePurpose, FileQuestion};
use taproof_studio::shell::Sheet;
use taproof_studio::state::{Message, News, Place};
use taproof_testing::driver::{click, shown, wait, window};

fn press(harness: &mut Harness<'_, Studio>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(3);
}

fn type_text(harness: &mut Harness<'_, Studio>, field: &str, text: &str) {
    harness.get_by_label(field).type_text(text);
    harness.run_steps(3);
}

#[test]
fn the_palette_finds_a_command_and_goes_to_its_place() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    press(&mut harness, Modifiers::COMMAND, Key::K);
    assert_eq!(harness.state().state.window.sheet, Some(Sheet::Palette));
    type_text(&mut harness, "Type what you want to do", "next step");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert!(
        harness.state().state.window.sheet.is_some(),
        "what cannot be done stays in sight with its reason"
    );
    assert!(harness.query_by_label("Open a finding first.").is_some());
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(harness.state().state.window.sheet, None);

    press(&mut harness, Modifiers::COMMAND, Key::K);
    type_text(&mut harness, "Type what you want to do", "replay");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(harness.state().state.settings.place, Place::Replay);
    assert_eq!(harness.state().state.settings.recent_actions, ["go-replay"]);
}

#[test]
fn the_help_has_keys_words_and_the_version() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    harness.get_by_label_contains("Show the help").click();
    harness.run_steps(3);
    harness.get_by_label("Ctrl+K");
    click(&mut harness, "Words");
    harness.run_steps(2);
    harness.get_by_label_contains("look before you report it");
    click(&mut harness, "About");
    harness.run_steps(2);
    harness.get_by_label_contains("Nothing leaves this computer");
}

#[test]
fn keys_are_left_to_who_has_the_focus() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    press(&mut harness, Modifiers::COMMAND, Key::Num2);
    assert_eq!(harness.state().state.settings.place, Place::Fuzz);
    press(&mut harness, Modifiers::NONE, Key::F1);
    assert_eq!(harness.state().state.window.sheet, Some(Sheet::Help));
    press(&mut harness, Modifiers::COMMAND, Key::Num1);
    assert_eq!(harness.state().state.settings.place, Place::Fuzz, "the sheet has the keys");
    click(&mut harness, "Close");
    assert_eq!(harness.state().state.window.sheet, None);
    press(&mut harness, Modifiers::COMMAND, Key::Comma);
    click(&mut harness, "125 %");
    click(&mut harness, "Reduce motion");
    let settings = &harness.state().state.settings;
    assert!(settings.scale == 125 && settings.reduce_motion);
    click(&mut harness, "Close");
    press(&mut harness, Modifiers::COMMAND, Key::Plus);
    assert_eq!(harness.state().state.settings.scale, 150);
    press(&mut harness, Modifiers::COMMAND, Key::Num0);
    assert_eq!(harness.state().state.settings.scale, 100);
}

#[test]
fn a_message_about_a_file_finds_room_in_a_low_and_narrow_window() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    let message = Message { file: Some("/tmp/a.html".into()), ..Message::new(News::Done, "Written") };
    for width in [1280.0, 640.0, 400.0, 300.0] {
        harness.state_mut().state.message = Some(message.clone());
        harness.set_size(egui::vec2(width, 400.0));
        harness.run_steps(3);
    }
}

/// Asks for a file as a panel would.
fn ask(harness: &mut Harness<'_, Studio>, kind: FileKind) {
    let question = FileQuestion {
        purpose: FilePurpose::OpenWalk,
        kind,
        title: "A question for a file".to_owned(),
        name: String::new(),
        extensions: vec!["json"],
    };
    harness.state_mut().queue(Command::File(FileCommand::Ask(Box::new(question))));
    harness.run_steps(3);
    wait(harness, "the folder", 30, |state| {
        state.chooser.as_ref().is_some_and(|chooser| chooser.entries.is_some())
    });
}

#[test]
fn a_file_is_chosen_in_the_window() {
    let (mut harness, folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    std::fs::write(folder.path().join("spec.json"), "{}").unwrap();
    let folder = folder.path().to_str().unwrap().to_owned();

    ask(&mut harness, FileKind::Open);
    type_text(&mut harness, "File name or path", &folder);
    press(&mut harness, Modifiers::NONE, Key::Enter);
    wait(&mut harness, "the folder", 30, |state| {
        state.chooser.as_ref().is_some_and(|chooser| chooser.folder.to_str() == Some(&folder))
    });
    click(&mut harness, "spec.json");
    click(&mut harness, "Open");
    wait(&mut harness, "the answer", 30, |state| state.chooser.is_none());
    assert_eq!(harness.state().state.settings.recent_folders[0].to_str(), Some(folder.as_str()));

    ask(&mut harness, FileKind::Save);
    type_text(&mut harness, "Name of the file", "spec");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    wait(&mut harness, "the warning", 30, |state| {
        state.chooser.as_ref().is_some_and(|chooser| chooser.replace.is_some())
    });
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.state().state.chooser.is_some(), "only the warning goes");
    click(&mut harness, "Cancel");
    assert!(harness.state().state.chooser.is_none());
}

#[test]
fn one_question_at_a_time_and_escape_ends_it() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    ask(&mut harness, FileKind::Folder);
    harness.state_mut().queue(Command::File(FileCommand::Ask(Box::new(FileQuestion::walk()))));
    harness.run_steps(3);
    let state = &harness.state().state;
    assert_eq!(state.chooser.as_ref().unwrap().question.title, "A question for a file");
    assert!(state.message.as_ref().unwrap().kind == News::Failed);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.state().state.chooser.is_none());
}
