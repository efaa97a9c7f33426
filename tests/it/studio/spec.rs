//! Specifications in the window: opened, edited, undone, saved, closed; and what is left after a kill.
#![allow(clippy::disallowed_methods)]

use std::path::Path;
use std::sync::Arc;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use taproof_studio::app::Studio;
use taproof_studio::command::Command;
use taproof_studio::specs::{DocumentCommand, DocumentQuestion, SpecDocument, SpecEdit};
use taproof_studio::state::{RecordView, StudioState};
use taproof_testing::driver::{Blind, ask, bundled_phone, click, open, types_keys_only, wait};

type Window = Harness<'static, Studio>;

/// A large window on a workspace, with its specification in sight.
fn window(workspace: &Path) -> Window {
    let mut harness = open(
        Harness::builder().with_size(egui::vec2(1600.0, 1000.0)).renderer(Blind),
        bundled_phone(workspace),
    );
    wait(&mut harness, "the phone", 30, |state| state.mirror.shown.is_some());
    ask(&mut harness, Command::GoRecord(RecordView::Specification));
    harness
}

fn shown(state: &StudioState) -> &SpecDocument {
    state.documents.shown(&state.settings.target.app).unwrap()
}

/// Opens a copy of the shipped specification of Notes.
fn opened(folder: &Path) -> (Window, std::path::PathBuf) {
    let path = folder.join("dmf_mine.json");
    std::fs::copy("specs/notes/dmf_notes.json", &path).unwrap();
    let mut harness = window(&folder.join("workspace"));
    ask(&mut harness, Command::Document(DocumentCommand::Open(path.clone())));
    wait(&mut harness, "the document", 30, |state| state.documents.list.iter().any(|it| it.name == "mine"));
    (harness, path)
}

#[test]
fn a_specification_is_edited_undone_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let (mut harness, path) = opened(folder.path());
    let before = std::fs::read_to_string(&path).unwrap();
    let names = |harness: &Window| shown(&harness.state().state).spec.dmfs.len();
    let dmfs = names(&harness);
    click(&mut harness, "Copy the function");
    assert_eq!(names(&harness), dmfs + 1);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    harness.run_steps(3);
    assert_eq!(names(&harness), dmfs);
    assert_eq!(shown(&harness.state().state).main().file.source(), before, "to the byte");
    harness.key_press_modifiers(egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, egui::Key::Z);
    harness.run_steps(3);
    assert_eq!(names(&harness), dmfs + 1);
    click(&mut harness, "Save");
    wait(&mut harness, "the file", 30, |state| !shown(state).unsaved());
    assert_ne!(std::fs::read_to_string(&path).unwrap(), before);
    // Behind our back.
    let others = format!("{before}\n");
    std::fs::write(&path, &others).unwrap();
    click(&mut harness, "Remove the function");
    click(&mut harness, "Save");
    wait(&mut harness, "the question", 30, |state| {
        matches!(state.documents.question, Some(DocumentQuestion::ChangedOnDisk(..)))
    });
    click(&mut harness, "Cancel");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), others);
}

#[test]
fn a_text_that_the_phone_cannot_type_is_told_at_its_step() {
    let folder = tempfile::tempdir().unwrap();
    let shipped = std::fs::read_to_string("specs/notes/dmf_notes.json").unwrap();
    let path = folder.path().join("dmf_mine.json");
    std::fs::write(&path, shipped.replacen("\"random\"", "\"Gr\u{fc}\u{df}e\"", 1)).unwrap();
    let mut harness = window(&folder.path().join("workspace"));
    ask(&mut harness, Command::Document(DocumentCommand::Open(path)));
    wait(&mut harness, "the document", 30, |state| state.documents.list.iter().any(|it| it.name == "mine"));
    let told = "This phone cannot type \u{201c}\u{fc}\u{201d}";
    assert!(harness.query_by_label(told).is_none(), "the bundled phone types any text");
    types_keys_only(&mut harness);
    harness.run_steps(2);
    assert!(harness.query_by_label(told).is_some());
    assert!(harness.query_by_label("Start the server, so that emulator-1 types any text").is_some());
}

#[test]
fn json_that_cannot_be_read_leaves_the_form_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (mut harness, _path) = opened(folder.path());
    let (id, text) = {
        let document = shown(&harness.state().state);
        (document.id, document.json.text.clone())
    };
    let typed = |text: String| Command::Document(DocumentCommand::Edit(id, Box::new(SpecEdit::Json(text))));
    let spec = Arc::clone(&shown(&harness.state().state).spec);
    ask(&mut harness, typed(text[..text.len() - 2].to_owned()));
    assert_eq!(shown(&harness.state().state).spec, spec);
    assert!(harness.query_by_label_contains("The JSON cannot be read").is_some());
    click(&mut harness, "Take it back");
    assert_eq!(shown(&harness.state().state).json.text, text);
    ask(&mut harness, typed(text.replace("\"proportion\": \"", "\"proportion\": \"4")));
    assert_ne!(shown(&harness.state().state).spec, spec);
}

#[test]
fn what_was_not_saved_comes_back_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let (mut harness, _path) = opened(folder.path());
    click(&mut harness, "Copy the function");
    let spec = Arc::clone(&shown(&harness.state().state).spec);
    let drafts = folder.path().join("workspace/drafts");
    let kept = move |_: &StudioState| {
        let entries = std::fs::read_dir(&drafts).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|it| it == "json")).count() == 1
    };
    // Time stands still in a window that nobody draws: it is given.
    for _ in 0..200 {
        harness.step();
    }
    wait(&mut harness, "the draft", 30, kept);
    drop(harness);
    let mut harness = window(&folder.path().join("workspace"));
    wait(&mut harness, "the draft", 30, |state| state.documents.list.iter().any(|it| it.name == "mine"));
    assert_eq!(shown(&harness.state().state).spec, spec);
    assert!(shown(&harness.state().state).unsaved());
    assert!(harness.state().state.message.as_ref().unwrap().text.contains("restored"));
}

#[test]
fn closing_with_changes_asks() {
    let folder = tempfile::tempdir().unwrap();
    let (mut harness, _path) = opened(folder.path());
    click(&mut harness, "Copy the function");
    click(&mut harness, "Close the document");
    click(&mut harness, "Cancel");
    assert!(shown(&harness.state().state).unsaved());
    let events = |harness: &mut Window| {
        let viewport = harness.input_mut().viewports.entry(egui::ViewportId::ROOT).or_default();
        viewport.events.push(egui::ViewportEvent::Close);
        harness.step();
        harness.input_mut().viewports.entry(egui::ViewportId::ROOT).or_default().events.clear();
        harness.run_steps(2);
    };
    events(&mut harness);
    assert!(matches!(harness.state().state.documents.question, Some(DocumentQuestion::Quit(_))));
    click(&mut harness, "Don\u{2019}t save");
    assert!(!harness.state().state.documents.list.iter().any(|it| it.name == "mine"));
}
