//! The place Record by pointer and keyboard alone: a DMF is recorded, tried, saved and fuzzed with.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, dead_code)]

#[path = "common/hand.rs"]
mod hand;

use egui::{Key, Modifiers};

use hand::{Hand, id, text};
use taproof::spec::{DmfKind, Severity, Spec, lint};
use taproof::state::{CampaignPhase, RecordPhase};

const NONE: Modifiers = Modifiers::NONE;

fn fab() -> taproof::model::Selector {
    id("org.taproof.files:id/sd_main_fab")
}

/// Makes a folder on the phone.
fn make_folder(hand: &mut Hand, name: &str) {
    hand.tap(&fab());
    hand.tap(&text("Folder"));
    hand.type_text(name);
    hand.tap(&id("android:id/button1"));
}

/// Records "create folder".
fn record_folder(hand: &mut Hand) {
    hand.key(NONE, Key::R);
    assert_eq!(hand.state().record.phase, RecordPhase::Recording);
    make_folder(hand, "k7");
    hand.key(NONE, Key::R);
    assert_eq!(hand.state().record.phase, RecordPhase::Review);
}

#[test]
fn a_function_is_recorded_tried_saved_and_fuzzed_with() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    hand.click("Sound");
    hand.wait("the sound build", 60, |state| !state.mirror.busy());
    hand.pointer = 0;
    record_folder(&mut hand);
    let record = &hand.state().record;
    assert_eq!((record.kind(), record.data_type().as_str()), (DmfKind::Create, "folder"));
    let said: Vec<String> =
        record.lines.iter().map(|line| format!("{} {}", line.verb, line.widget)).collect();
    assert_eq!(record.lines.len(), 4, "{said:?}");
    assert!(record.lines.iter().all(|line| line.alone() && !line.torn), "{:#?}", record.lines);
    assert_eq!(record.objects[0].text, "k7");
    assert_eq!(record.refusals(), Vec::<String>::new());
    assert!(record.conditions.iter().all(|side| !side.is_empty()));
    let steps = record.lines.len();

    hand.key(NONE, Key::T);
    hand.wait("the trial", 300, |state| state.trial.report.is_some() || state.trial.problem.is_some());
    assert_eq!(hand.state().trial.problem, None);
    assert!(hand.state().trial.report.as_ref().unwrap().all_held(), "{:#?}", hand.state().trial.runs);

    let dmf = hand.state().record.kept_dmf().unwrap();
    hand.key(NONE, Key::S);
    hand.wait("what was saved", 60, |state| state.record.kept.is_some());
    assert!(hand.pointer <= steps + 4, "{} pointer actions for {steps} steps", hand.pointer);
    let package = hand.state().record.app.clone();
    hand.wait("the document", 60, |state| {
        let own = state.documents.list.iter().filter(|document| !document.shipped && document.app == package);
        own.flat_map(|document| &document.spec.dmfs).any(|kept| *kept == dmf)
    });
    let spec = Spec { dmfs: vec![dmf.clone()], ..Spec::default() };
    let errors: Vec<_> = lint(&spec).into_iter().filter(|it| it.code.severity() == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let _ = CampaignPhase::Running;
}

#[test]
fn undo_takes_back_what_was_done_and_the_phone_goes_along() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    hand.key(NONE, Key::R);
    hand.tap(&fab());
    hand.tap(&text("Folder"));
    assert_eq!(hand.state().record.lines.len(), 2);
    hand.key(Modifiers::COMMAND, Key::Z);
    hand.wait("one step", 30, |state| state.record.lines.len() == 1 && !state.mirror.busy());
    let menu = |state: &taproof::state::StudioState| {
        state.mirror.layout().unwrap().widgets().iter().any(|widget| &*widget.text == "Folder")
    };
    hand.wait("the menu", 30, menu);
    hand.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    hand.wait("two steps", 30, |state| state.record.lines.len() == 2);
    hand.type_text("k7");
    hand.tap(&id("android:id/button1"));
    hand.key(NONE, Key::R);
    assert_eq!(hand.state().record.lines.len(), 4);
    hand.click("Step 2: tap \u{201c}Folder\u{201d}  #sd_label");
    hand.wait("the menu", 30, menu);
    hand.click("Delete the step (Delete)");
    let record = &hand.state().record;
    assert_eq!(record.lines.len(), 3);
    assert!(record.lines[1].torn, "the step behind it starts on another screen");
    hand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(hand.state().record.lines.len(), 4);
    assert!(hand.state().record.lines.iter().all(|line| !line.torn));
}

#[test]
fn a_step_is_recorded_again_and_the_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    record_folder(&mut hand);
    hand.click("Step 2: tap \u{201c}Folder\u{201d}  #sd_label");
    hand.click("Again");
    hand.wait("the recording", 30, |state| {
        state.record.phase == RecordPhase::Recording && !state.mirror.busy()
    });
    hand.tap(&text("File"));
    let record = &hand.state().record;
    assert_eq!(record.phase, RecordPhase::Review);
    assert_eq!(record.lines.len(), 4);
    assert_eq!(record.recording.steps[1].events.len(), 1);
    assert!(record.lines[1].widget.contains("File"), "{:#?}", record.lines);
    assert!(record.lines[2].torn, "what followed starts on the screen of a folder");
}

#[test]
fn a_condition_that_cannot_fail_is_refused_and_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    record_folder(&mut hand);
    hand.click("Add to After: a widget that must show");
    hand.settle();
    hand.tap(&fab());
    let record = &hand.state().record;
    let added: Vec<_> = record.conditions[1].iter().filter(|line| line.added.is_some()).collect();
    assert_eq!(added.len(), 1, "{:#?}", record.conditions[1]);
    assert!(matches!(added[0].can_fail, taproof::spec::CanFail::No { .. }), "{:#?}", added[0]);
    let drafted = record.dmf().unwrap().postconditions.len();
    assert_eq!(record.kept_dmf().unwrap().postconditions.len(), drafted - 1);
}
