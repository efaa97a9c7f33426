//! The place Record by pointer and keyboard alone: a DMF is recorded, tried, saved and fuzzed with.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, dead_code)]

mod import;
mod proposals;
mod record_all;

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable, by};

use taproof_campaign::{Finding, Harm};
use taproof_results::report::{Mark, replay_frame};
use taproof_screen::Event;
use taproof_spec::{DmfKind, Severity, Spec, WidgetState, lint};
use taproof_studio::command::Command;
use taproof_studio::record::{RecordCommand, RecordPhase};
use taproof_studio::state::StudioState;
use taproof_testing::driver;
use taproof_testing::hand::{Hand, id, text};

const NONE: Modifiers = Modifiers::NONE;

fn fab() -> taproof_screen::Selector {
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
    hand.key(Modifiers::COMMAND, Key::R);
    assert_eq!(hand.state().record.phase, RecordPhase::Recording);
    make_folder(hand, "k7");
    hand.key(Modifiers::COMMAND, Key::R);
    assert_eq!(hand.state().record.phase, RecordPhase::Review);
}

#[test]
fn a_function_is_recorded_tried_saved_and_fuzzed_with() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    hand.click("Without");
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
    let package = hand.state().record.target.app.clone();
    hand.wait("the document", 60, |state| {
        let own = state.documents.list.iter().filter(|document| !document.shipped && document.app == package);
        own.flat_map(|document| &document.spec.dmfs).any(|kept| *kept == dmf)
    });
    let spec = Spec { dmfs: vec![dmf.clone()], ..Spec::default() };
    let errors: Vec<_> = lint(&spec).into_iter().filter(|it| it.code.severity() == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn a_recording_ends_with_what_the_phone_was_asked_for_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    hand.key(Modifiers::COMMAND, Key::R);
    hand.tap(&fab());
    hand.tap(&text("Folder"));
    let studio = hand.harness.state_mut();
    studio.queue(Command::Perform(Event::Type("k7".to_owned())));
    studio.queue(Command::Record(RecordCommand::End));
    hand.settle();
    hand.wait("the end", 30, |state| state.record.phase == RecordPhase::Review);
    let lines = &hand.state().record.lines;
    assert!(lines.len() == 3 && lines[2].typed.as_deref() == Some("k7"), "{lines:#?}");
}

#[test]
fn undo_takes_back_what_was_done_and_the_phone_goes_along() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    hand.key(Modifiers::COMMAND, Key::R);
    hand.tap(&fab());
    hand.tap(&text("Folder"));
    assert_eq!(hand.state().record.lines.len(), 2);
    hand.key(Modifiers::COMMAND, Key::Z);
    hand.wait("one step", 30, |state| state.record.lines.len() == 1 && !state.mirror.busy());
    let menu = |state: &taproof_studio::state::StudioState| {
        state.mirror.layout().unwrap().widgets().iter().any(|widget| &*widget.text == "Folder")
    };
    hand.wait("the menu", 30, menu);
    hand.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    hand.wait("two steps", 30, |state| state.record.lines.len() == 2);
    hand.type_text("k7");
    hand.tap(&id("android:id/button1"));
    hand.key(Modifiers::COMMAND, Key::R);
    assert_eq!(hand.state().record.lines.len(), 4);
    hand.click("Step 2: tap \u{201c}Folder\u{201d}  #sd_label");
    hand.wait("the menu", 30, menu);
    hand.key(NONE, Key::Delete);
    let record = &hand.state().record;
    assert_eq!(record.lines.len(), 3);
    assert!(record.lines[1].torn, "the step behind it starts on another screen");
    hand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(hand.state().record.lines.len(), 4);
    assert!(hand.state().record.lines.iter().all(|line| !line.torn));
}

#[test]
fn what_is_typed_after_an_undo_goes_into_the_phone() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    hand.key(Modifiers::COMMAND, Key::R);
    hand.tap(&fab());
    hand.tap(&text("Folder"));
    hand.type_keys("k7");
    hand.wait("the text", 30, |state| state.record.lines.len() == 3);
    hand.point("Undo (Ctrl+Z)");
    hand.wait("the field", 30, |state| state.record.lines.len() == 2 && state.mirror.takes_text());
    assert!(hand.phone_has_focus());
    hand.type_keys("trips");
    let record = &hand.state().record;
    assert_eq!((record.phase, record.kept.clone()), (RecordPhase::Recording, None));
    assert!(
        record.lines.len() == 3 && record.lines[2].typed.as_deref() == Some("trips"),
        "{:#?}",
        record.lines
    );
    // Letters are no shortcuts either once the focus is elsewhere, as long as the phone shows its keyboard.
    hand.harness.get_by_label("Find widgets").focus();
    hand.harness.run_steps(2);
    hand.point("End");
    hand.wait("the end", 30, |state| state.record.phase == RecordPhase::Review);
    assert!(hand.state().mirror.takes_text());
    hand.type_keys("rts");
    let state = hand.state();
    assert_eq!((state.record.phase, state.record.kept.clone()), (RecordPhase::Review, None));
    assert!(state.trial.plan.is_none() && !folder.path().join("specs").exists());
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
    assert!(matches!(added[0].can_fail, taproof_spec::CanFail::No { .. }), "{:#?}", added[0]);
    let drafted = record.dmf().unwrap().postconditions.len();
    assert_eq!(record.kept_dmf().unwrap().postconditions.len(), drafted - 1);
}

/// Whether the disk holds the recording with all that is in it now.
fn kept(folder: &std::path::Path, text: &str) -> bool {
    let files = std::fs::read_dir(folder.join("drafts")).into_iter().flatten().flatten();
    let mut recordings = files.filter(|file| file.file_name().to_string_lossy().ends_with(".recording"));
    let holds =
        |held: Vec<u8>| text.is_empty() || held.windows(text.len()).any(|part| part == text.as_bytes());
    recordings.any(|file| std::fs::read(file.path()).is_ok_and(holds))
}

#[test]
fn a_recording_outlives_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    hand.key(Modifiers::COMMAND, Key::R);
    hand.tap(&fab());
    hand.tap(&text("Folder"));
    hand.type_text("k7");
    hand.wait("the draft", 30, |_| kept(folder.path(), "k7"));
    let (recording, draft) = (hand.state().record.recording.clone(), hand.state().record.draft.clone());
    // Nobody says goodbye: the program is gone in the middle of it.
    drop(hand);

    let mut hand = Hand::open(folder.path());
    hand.wait("the recording", 30, |state| state.record.phase == RecordPhase::Review);
    assert_eq!(hand.state().record.recording, recording);
    assert_eq!(hand.state().record.draft, draft);
    hand.click("Go on recording");
    hand.wait("the phone", 30, |state| {
        state
            .mirror
            .layout()
            .is_some_and(|layout| layout.widgets().iter().any(|widget| &*widget.text == "k7"))
    });
    hand.tap(&id("android:id/button1"));
    hand.click("End");
    let record = &hand.state().record;
    assert!(record.lines.len() == 4 && record.lines.iter().all(|line| !line.torn), "{:#?}", record.lines);
    assert_eq!(record.refusals(), Vec::<String>::new());
    hand.key(NONE, Key::S);
    hand.wait("nothing to keep", 30, |_| !kept(folder.path(), ""));
}

#[test]
fn widgets_are_found_by_a_query_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    let find = |hand: &mut Hand, query: &str| {
        driver::type_into(&mut hand.harness, "Find widgets", query);
        hand.harness.run_steps(2);
        hand.state().matches.len()
    };
    assert_eq!(find(&mut hand, "id:sd_main_fab"), 1);
    let rows = find(&mut hand, "//*[@resource-id='org.taproof.files:id/firstline']");
    assert!(rows > 1 && hand.harness.query_by_label(&format!("{rows} found")).is_some());
    let in_tree = |hand: &Hand| {
        let named = by()
            .role(Role::TreeItem)
            .predicate(|node| node.label().is_some_and(|name| name.ends_with(", found")));
        hand.harness.query_all(named).map(|node| node.rect()).collect::<Vec<_>>()
    };
    hand.harness.run_steps(2);
    let marked = in_tree(&hand);
    let tree = hand.harness.get_by_label("Widget tree").rect();
    assert!(!marked.is_empty(), "the first is scrolled to and marked");
    assert!(marked.iter().any(|row| row.top() > tree.bottom() && row.bottom() < 460.0), "{marked:?}");
    assert_eq!(find(&mut hand, "text:\"open"), 0);
    assert!(hand.harness.query_by_label_contains("Try a word").is_some(), "it says what is wrong");
}

/// The whole way: record, try, save, check, fuzz, step through what was found.
#[test]
#[ignore = "takes long"]
fn from_a_recording_to_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    hand.click("Without");
    hand.wait("the sound build", 60, |state| !state.mirror.busy());
    record_folder(&mut hand);
    hand.key(NONE, Key::T);
    hand.wait("the trial", 300, |state| state.trial.report.is_some() || state.trial.problem.is_some());
    assert!(hand.state().trial.report.as_ref().unwrap().all_held(), "{:#?}", hand.state().trial.runs);
    hand.key(NONE, Key::S);
    let file = folder.path().join("specs/files/dmf_my_files.json");
    hand.wait("the file", 60, |_| file.is_file());
    let check = std::process::Command::new(taproof_testing::program::path())
        .args(["spec", "check"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));

    hand.click("Go to Fuzz");
    let documents = &hand.state().documents;
    let own = documents.own("org.taproof.files").unwrap().id;
    let shipped = documents.shipped("org.taproof.files").unwrap().id;
    let form = &hand.state().campaigns.form;
    assert_eq!(form.document, Some(own));
    assert_eq!(
        form.spec(documents).unwrap().ids(),
        [shipped, own],
        "both run, the person\u{2019}s own counts"
    );
    hand.click("Options");
    hand.click("Build to test");
    let faulty = hand.harness.get_all_by_label("With its bugs").last().unwrap();
    faulty.click_accesskit();
    hand.harness.run_steps(3);
    hand.click("Start");
    hand.wait("runs of what was recorded", 300, |state| {
        state.campaigns.list.first().is_some_and(|campaign| {
            campaign.properties().iter().any(|counts| counts.name == "add folder" && counts.held > 0)
        })
    });
    assert!(hand.harness.query_by_label_contains(" functions ran ").is_some(), "it is said above the bugs");
    hand.wait("a card about data", 300, |state| {
        let cards = state.campaigns.list.first().map(|campaign| campaign.carded());
        cards.is_some_and(|cards| cards.iter().any(|card| card.harm == Harm::DataLost))
    });
    let both_marks = |state: &StudioState| {
        let mut found = state.campaigns.list.first()?.found.findings.iter();
        let both = |finding: &&Arc<Finding>| {
            let last = finding.minimal.trace.len().saturating_sub(1);
            replay_frame(finding, last).is_some_and(|frame| {
                frame.touched.is_some() && frame.marks_after.values().any(|mark| *mark == Mark::Offending)
            })
        };
        found.find(both).map(|finding| driver::replay_button(state, finding))
    };
    hand.wait("a finding", 300, |state| both_marks(state).is_some());
    // While it runs, cards keep the titles that they were first drawn with.
    hand.click("Cancel campaign 1");
    hand.wait("the end", 60, |state| !state.campaigns.list[0].alive());
    let button = both_marks(hand.state()).unwrap();
    hand.click(&button);
    hand.wait("the finding", 30, |state| state.replay.is_some());
    hand.key(NONE, Key::End);
    assert!(hand.harness.query_by_label_contains("Screen before, touched: ").is_some());
    assert!(hand.harness.query_by_label_contains("Screen after, wrong: ").is_some());
    let steps = hand.state().replay.as_ref().unwrap().steps();
    for _ in 1..steps {
        hand.key(NONE, Key::ArrowLeft);
    }
    assert_eq!(hand.state().replay.as_ref().unwrap().step, 0);
}

/// Enters the folder Music and records there how one is made.
fn record_in_music(hand: &mut Hand) {
    hand.tap(&text("Music"));
    record_folder(hand);
}

#[test]
fn what_was_done_before_the_recording_leads_to_the_function() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    hand.click("Without");
    hand.wait("the sound build", 60, |state| !state.mirror.busy());
    record_in_music(&mut hand);
    let lead_in = |hand: &Hand| hand.state().record.kept_dmf().unwrap().lead_in.len();
    assert_eq!(lead_in(&hand), 1);
    // Folded until it is looked at.
    assert!(hand.harness.query_by_label_contains("Leave out: ").is_none());
    hand.click("1 step leads here from the fresh start");
    hand.settle();
    let label = hand.harness.query_by_label_contains("Leave out: ").unwrap();
    let label = label.accesskit_node().label().unwrap();
    hand.click(&label);
    assert_eq!(lead_in(&hand), 0);
    hand.click("take it back");
    assert_eq!(lead_in(&hand), 1);
    hand.key(NONE, Key::T);
    hand.wait("the trial", 300, |state| state.trial.report.is_some() || state.trial.problem.is_some());
    let report = hand.state().trial.report.as_ref().unwrap();
    assert!(report.all_held(), "{:#?}", report.runs);
    assert!(report.runs.iter().all(|run| run.way == "by its lead-in"), "{:#?}", report.runs);
}

#[test]
fn a_picked_condition_keeps_the_text_and_can_ask_for_a_state() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    record_in_music(&mut hand);
    let proposed = hand.state().record.conditions[0].iter().find(|line| line.selector.contains("Music"));
    let sentence = proposed.unwrap().sentence.clone();
    hand.click(&format!("Remove: {sentence}"));
    hand.click("Add to Before: a widget that must show");
    hand.settle();
    hand.tap(&text("Music"));
    let added = |hand: &Hand| {
        let line = hand.state().record.conditions[0].iter().find(|line| line.added.is_some());
        let line = line.unwrap().clone();
        let condition = hand.state().record.dmf().unwrap().preconditions.last().unwrap().clone();
        (line, condition)
    };
    let (line, condition) = added(&hand);
    assert!(line.selector.contains("text \"Music\""), "{line:?}");
    assert_eq!((condition.state, line.problem), (None, None));
    hand.click(&format!("State of: {}", line.sentence));
    hand.click("selected");
    let (line, condition) = added(&hand);
    assert_eq!(condition.state, Some(WidgetState::Selected));
    assert!(line.sentence.ends_with("is selected") && line.problem.is_some(), "{line:?}");
    // It outlives a crash.
    hand.wait("the draft", 30, |_| kept(folder.path(), "selected"));
    drop(hand);
    let mut hand = Hand::open(folder.path());
    hand.wait("the recording", 30, |state| state.record.phase == RecordPhase::Review);
    assert_eq!(added(&hand).1.state, Some(WidgetState::Selected));
}
