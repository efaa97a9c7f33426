//! What is done on the phone without recording it is proposed: accepted it is a recording, dismissed it is
//! put aside.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, dead_code)]

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use taproof_campaign::Target;
use taproof_engine::device::Build;
use taproof_spec::{CanFail, DmfKind};
use taproof_studio::command::Command;
use taproof_studio::record::{ProposalCard, RecordPhase};
use taproof_studio::state::StudioState;
use taproof_testing::hand::{Hand, id, text};

const NONE: Modifiers = Modifiers::NONE;

fn cards(state: &StudioState) -> Vec<&ProposalCard> {
    state.proposals.open(&state.settings.target.app, &state.record)
}

fn titles(state: &StudioState) -> Vec<String> {
    cards(state).iter().map(|card| card.title()).collect()
}

/// The sound build, so that what is proposed is what the app should do.
fn open(folder: &std::path::Path) -> Hand {
    let mut hand = Hand::open(folder);
    hand.click("Without");
    hand.wait("the sound build", 60, |state| !state.mirror.busy());
    hand
}

/// Makes a folder; nothing is recorded.
fn make_folder(hand: &mut Hand, name: &str) {
    hand.tap(&id("org.taproof.files:id/sd_main_fab"));
    hand.tap(&text("Folder"));
    hand.type_text(name);
    hand.tap(&id("android:id/button1"));
}

/// Deletes the folder of that row, which is held by its date, not by its name.
fn delete_folder(hand: &mut Hand, date: &str) {
    hand.press_long(&text(date));
    hand.tap(&id("org.taproof.files:id/delete"));
    hand.tap(&id("android:id/button1"));
}

#[test]
fn what_was_done_is_proposed_accepted_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = open(folder.path());
    make_folder(&mut hand, "k7");
    hand.wait("a card", 60, |state| !cards(state).is_empty());
    delete_folder(&mut hand, "2026-01-05 09:00");
    hand.wait("two cards", 60, |state| cards(state).len() == 2);
    // The newest is on top.
    let said = ["This looks like: delete folder", "This looks like: add folder"];
    assert_eq!(titles(hand.state()), said);
    for title in said {
        hand.harness.get_by_label(title);
    }
    let card = ProposalCard::clone(cards(hand.state())[1]);
    assert_eq!(card.objects, "\u{201c}k7\u{201d} is new");
    assert_eq!(card.steps.len(), 4, "{:?}", card.steps);
    assert_eq!(card.steps[2], "type \u{201c}k7\u{201d}");
    let truths = card.proposal.draft.truths();
    assert!(truths.iter().all(|truth| !matches!(truth.can_fail, CanFail::No { .. })), "{truths:#?}");

    hand.pointer = 0;
    hand.click("Accept add folder");
    let record = &hand.state().record;
    assert_eq!(record.phase, RecordPhase::Review);
    assert_eq!((record.kind(), record.data_type().as_str()), (DmfKind::Create, "folder"));
    assert_eq!(record.lines.len(), 4);
    assert_eq!(record.dmf(), Some(&card.proposal.draft.dmf), "the review shows what was proposed");
    assert_eq!(record.refusals(), Vec::<String>::new());
    // It is corrected with the tools of every recording.
    hand.click("Delete");
    assert_eq!(hand.state().record.kind(), DmfKind::Delete);
    hand.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(hand.state().record.kind(), DmfKind::Create);

    hand.key(NONE, Key::T);
    hand.wait("the trial", 300, |state| state.trial.report.is_some() || state.trial.problem.is_some());
    assert!(hand.state().trial.report.as_ref().unwrap().all_held(), "{:#?}", hand.state().trial.runs);
    hand.key(NONE, Key::S);
    hand.wait("what was saved", 60, |state| state.record.kept.is_some());
    let dmf = hand.state().record.kept_dmf().unwrap();
    let package = hand.state().record.target.app.clone();
    hand.wait("the document", 60, |state| {
        let own = state.documents.list.iter().filter(|document| !document.shipped && document.app == package);
        own.flat_map(|document| &document.spec.dmfs).any(|kept| *kept == dmf)
    });

    // The other one is at hand, and what was saved does not come back.
    assert_eq!(titles(hand.state()), ["This looks like: delete folder"]);
    hand.click("Show proposals");
    hand.click("Accept delete folder");
    let record = &hand.state().record;
    assert_eq!((record.kind(), record.objects[0].text.as_str()), (DmfKind::Delete, "k7"));
    hand.key(NONE, Key::T);
    hand.wait("the trial", 300, |state| !state.trial.is_running());
    assert!(hand.state().trial.report.as_ref().unwrap().all_held(), "{:#?}", hand.state().trial.runs);
    hand.click("Discard the recording");
    assert_eq!(titles(hand.state()), ["This looks like: delete folder"]);
}

#[test]
fn what_a_proposal_takes_the_place_of_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = open(folder.path());
    make_folder(&mut hand, "k7");
    delete_folder(&mut hand, "2026-01-05 09:00");
    hand.wait("two cards", 60, |state| cards(state).len() == 2);
    hand.click("Accept add folder");
    hand.click("Search");
    hand.click("Show proposals");
    hand.click("Accept delete folder");
    let told = hand.state().message.as_ref().unwrap().text.clone();
    assert_eq!(told, "The recording that was not saved is put aside. Undo brings it back.");
    let kind = |hand: &Hand| (hand.state().record.kind(), hand.state().record.phase);
    let (review, undo) = (RecordPhase::Review, Key::Z);
    assert_eq!(kind(&hand), (DmfKind::Delete, review));
    hand.key(Modifiers::COMMAND, undo);
    assert_eq!(kind(&hand), (DmfKind::Search, review), "with what was said of it");
    hand.key(Modifiers::COMMAND, undo);
    assert_eq!(kind(&hand), (DmfKind::Create, review), "and what can be undone of it");
    for _ in 0..2 {
        hand.key(Modifiers::COMMAND, Key::Y);
    }
    assert_eq!(kind(&hand), (DmfKind::Delete, review));
    hand.click("Discard the recording");
    assert_eq!(hand.state().record.phase, RecordPhase::Idle);
    hand.key(Modifiers::COMMAND, undo);
    assert_eq!(kind(&hand), (DmfKind::Delete, review));
}

#[test]
fn what_was_dismissed_stays_so_until_it_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = open(folder.path());
    make_folder(&mut hand, "k7");
    hand.wait("a card", 60, |state| !cards(state).is_empty());
    hand.click("Dismiss add folder");
    assert_eq!(titles(hand.state()), Vec::<String>::new());
    // Doing it once more changes nothing.
    make_folder(&mut hand, "m8");
    hand.wait("the newer way", 60, |state| state.proposals.cards.iter().any(|card| card.proposal.count == 2));
    assert_eq!(titles(hand.state()), Vec::<String>::new());
    hand.click("Show dismissed (1)");
    hand.harness.get_by_label("This looks like: add folder");
    hand.click("Take back add folder");
    assert_eq!(titles(hand.state()), ["This looks like: add folder"]);
}

#[test]
fn what_is_recorded_is_not_proposed() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = open(folder.path());
    hand.key(Modifiers::COMMAND, Key::R);
    make_folder(&mut hand, "k7");
    assert!(hand.state().proposals.cards.is_empty());
    hand.key(Modifiers::COMMAND, Key::R);
    hand.wait("the way to be looked at", 60, |state| !state.proposals.cards.is_empty());
    assert_eq!(titles(hand.state()), Vec::<String>::new());
    // Without the recording it is one of the things that were done.
    hand.click("Discard the recording");
    assert_eq!(titles(hand.state()), ["This looks like: add folder"]);
}

/// Makes a note in Notes, which is shown from then on; nothing is recorded.
fn note_is_proposed(hand: &mut Hand) {
    hand.order(Command::UseApp(Target::bundled("org.taproof.notes", Build::Sound)));
    let notes = |name: &str| id(&format!("org.taproof.notes:id/{name}"));
    hand.tap(&notes("fab"));
    hand.tap(&notes("menu_new_note"));
    hand.tap(&notes("edit_title"));
    hand.type_text("tea");
    hand.tap(&notes("action_save"));
    hand.wait("a card", 60, |state| !cards(state).is_empty());
    hand.harness.run_steps(2);
    hand.harness.get_by_label(&titles(hand.state())[0]);
}

#[test]
fn a_recording_of_another_app_does_not_hide_what_is_proposed() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = open(folder.path());
    hand.key(Modifiers::COMMAND, Key::R);
    make_folder(&mut hand, "k7");
    hand.key(Modifiers::COMMAND, Key::R);
    let first = hand.state().record.lines[0].name();
    hand.click(&first);
    note_is_proposed(&mut hand);
    hand.harness.get_by_label("A recording of Files waits");
    assert!(hand.harness.query_by_label_contains("Step 1").is_none(), "its steps are not beside another app");
    assert_eq!(hand.state().record.lines.len(), 4, "it is kept");
}

#[test]
fn a_saved_recording_does_not_wait_for_its_app() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = open(folder.path());
    hand.key(Modifiers::COMMAND, Key::R);
    make_folder(&mut hand, "k7");
    hand.key(Modifiers::COMMAND, Key::R);
    hand.key(NONE, Key::S);
    hand.wait("what was saved", 60, |state| state.record.kept.is_some());
    note_is_proposed(&mut hand);
    assert!(hand.state().record.is_idle());
    assert!(hand.harness.query_by_label_contains("waits").is_none());
}
