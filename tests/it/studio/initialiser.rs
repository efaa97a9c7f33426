//! What is done first in every test, by the window: recorded in Record, shown and taken back in Fuzz.
#![allow(clippy::disallowed_methods)]

use taproof_testing::first;

use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use taproof_results::store::{
    StoredInitialiser, open_trace, read_initialiser, save_trace, write_initialiser,
};
use taproof_studio::command::Command;
use taproof_studio::phone::{KeepCommand, TakeOver, TraceSource, opened_trace};
use taproof_studio::record::RecordPhase;
use taproof_studio::state::Place;
use taproof_testing::driver::{ask, click, type_into};
use taproof_testing::first::{FILES, FOLDER, READY, folder_first, shows_folder};
use taproof_testing::hand::{Hand, id, text};

/// Records how a folder is made.
fn record_folder(hand: &mut Hand) {
    hand.key(Modifiers::COMMAND, Key::R);
    hand.tap(&id("org.taproof.files:id/sd_main_fab"));
    hand.tap(&text("Folder"));
    hand.type_text(FOLDER);
    hand.tap(&id("android:id/button1"));
    hand.key(Modifiers::COMMAND, Key::R);
    assert_eq!(hand.state().record.phase, RecordPhase::Review);
}

fn says(hand: &Hand, words: &str) -> bool {
    hand.harness.query_all_by_label_contains(words).next().is_some()
}

fn start_is_off(hand: &Hand) -> bool {
    hand.harness.get_by_label("Start").accesskit_node().is_disabled()
}

#[test]
#[ignore = "takes long"]
fn recorded_steps_are_done_first_in_every_test() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    let button = hand.harness.query_by_label("Do first in every test");
    assert!(button.is_none(), "there are no steps");
    record_folder(&mut hand);
    hand.click("Do first in every test");
    assert!(hand.state().message.as_ref().unwrap().text.contains("Every test of Files begins with"));
    let form = &hand.state().campaigns.form;
    let steps = hand.state().record.initial_steps();
    assert_eq!(form.first_of(FILES).steps.as_ref(), &steps);
    assert_eq!(steps.len(), 4);
    assert!(shows_folder(&steps.last().unwrap().after));
    let wanted = form.initialiser(FILES).unwrap();
    hand.order(Command::Go(Place::Fuzz));
    hand.click("Options");
    assert!(says(&hand, "Before each test"));

    // What is waited for is checked like any other field.
    type_into(&mut hand.harness, "Ready when", "//*[@text=");
    assert!(start_is_off(&hand) && says(&hand, "Ready when: At letter 11 an XPath has "));
    type_into(&mut hand.harness, "Ready when", READY);
    assert!(!start_is_off(&hand));
    let stored = || read_initialiser(folder.path(), FILES).ok().flatten();
    let kept = || stored().map(|stored| stored.initialiser);
    hand.wait("the file", 30, |_| kept().is_some_and(|kept| kept.ready.is_some()));
    assert_eq!(kept().unwrap().steps, wanted.unwrap().steps);

    // A campaign runs with them.
    type_into(&mut hand.harness, "events", "600");
    click(&mut hand.harness, "Start");
    hand.wait("the end", 120, |state| !state.campaigns.list.is_empty() && !state.campaigns.list[0].alive());
    let campaign = &hand.state().campaigns.list[0];
    assert_eq!(campaign.plan.initialiser.as_deref(), kept().as_ref());
    for finding in &campaign.found.findings {
        assert!(shows_folder(&finding.minimal.trace.first().layout), "{}", finding.title);
    }

    // A command and kept data are stored as well; the plan of a campaign has no command.
    click(&mut hand.harness, "New campaign");
    type_into(&mut hand.harness, "Run", "true");
    click(&mut hand.harness, "Keep the app\u{2019}s data");
    hand.wait("the command", 30, |_| {
        stored().is_some_and(|stored| {
            stored.before_test.as_deref() == Some("true") && stored.initialiser.keep_data
        })
    });
    type_into(&mut hand.harness, "Run", " ");
    click(&mut hand.harness, "Keep the app\u{2019}s data");
    hand.wait("that they are gone", 30, |_| {
        stored().is_some_and(|stored| stored.before_test.is_none() && !stored.initialiser.keep_data)
    });

    // Removing can be undone, and both reach the workspace.
    click(&mut hand.harness, "Do no step first");
    assert!(says(&hand, "no steps"));
    type_into(&mut hand.harness, "Ready when", " ");
    hand.wait("that the file is gone", 30, |_| kept().is_none());
    for _ in 0..2 {
        hand.order(taproof_studio::fuzz::CampaignCommand::TurnForm(true).into());
    }
    hand.wait("the file", 30, |_| kept().is_some_and(|kept| kept.steps == steps && kept.ready.is_some()));
}

#[test]
fn another_window_finds_them_and_names_a_file_that_it_cannot_read() {
    let folder = tempfile::tempdir().unwrap();
    let stored = StoredInitialiser { initialiser: (*folder_first()).clone(), ..StoredInitialiser::default() };
    let path = write_initialiser(folder.path(), FILES, &stored).unwrap();
    let hand = Hand::open(folder.path());
    assert_eq!(hand.state().campaigns.form.initialiser(FILES), Ok(Some(folder_first())));
    drop(hand);
    assert_eq!(read_initialiser(folder.path(), FILES).unwrap(), Some(stored));
    std::fs::write(&path, "{").unwrap();
    let hand = Hand::open(folder.path());
    assert!(hand.state().message.as_ref().unwrap().text.contains("org.taproof.files.json"));
    drop(hand);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{", "it is left as it is");
}

#[test]
fn try_it_begins_behind_them_and_does_not_do_them_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    hand.click("Without");
    hand.wait("the sound build", 60, |state| !state.mirror.busy());
    record_folder(&mut hand);
    hand.click("Do first in every test");
    let first = hand.state().campaigns.form.initialiser(FILES).unwrap().unwrap();
    // Another function is recorded behind those steps.
    hand.key(Modifiers::COMMAND, Key::R);
    hand.tap(&text(FOLDER));
    hand.key(Modifiers::COMMAND, Key::R);
    let record = &hand.state().record;
    assert!(record.lead.len() > first.steps.len(), "it was typed letter by letter");
    assert!(record.lead_up(Some(&first)).is_empty(), "they are done anyway");
    assert_eq!(record.lead_up(None).len(), record.lead.len());
    ask(&mut hand.harness, Command::Record(taproof_studio::record::RecordCommand::Try));
    hand.wait("the trial", 120, |state| state.trial.report.is_some() || state.trial.problem.is_some());
    let report = hand.state().trial.report.as_ref().unwrap();
    assert_eq!(report.plan.initialiser.as_ref(), Some(&first));
    let trace = report.kept().unwrap().trace.as_ref().unwrap();
    assert!(shows_folder(&trace.first().layout));
}

#[test]
fn a_trace_is_led_along_and_kept_behind_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    let saved = taproof_campaign::SavedTrace { initialiser: Some(folder_first()), ..first::kept_trace() };
    let none = taproof_campaign::SavedTrace { steps: Vec::new(), frames: Vec::new(), ..saved };
    hand.order(Command::TakeOver(TakeOver::At(TraceSource::Given(opened_trace(&none)), 0)));
    hand.wait("the folder", 60, |state| state.mirror.layout().is_some_and(|layout| shows_folder(layout)));
    assert_eq!(hand.state().mirror.walked.steps.len(), 0, "the steps are no part of the way");
    hand.tap(&text(FOLDER));
    let kept = taproof_studio::phone::saved_way(&hand.state().mirror.walked, 1).unwrap();
    assert_eq!(kept.initialiser, Some(folder_first()));
    // What is recorded there, and done first in its turn, begins with them.
    hand.order(KeepCommand::Function(0).into());
    assert_eq!(hand.state().record.initial_steps().len(), folder_first().steps.len() + 1);
    let path = folder.path().join("kept.json");
    save_trace(&path, &kept).unwrap();
    assert_eq!(open_trace(&path).unwrap().initialiser, kept.initialiser);
}
