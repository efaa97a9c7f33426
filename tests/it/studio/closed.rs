//! A window that is closed in the middle of something: it ends, nothing that was made is lost, and what ended
//! early is not shown as a success.
#![allow(clippy::disallowed_methods)]

use std::path::Path;

use egui::{Key, Modifiers};
use egui_kittest::Harness;

use taproof_results::report::{ExportKind, FindingTrace};
use taproof_studio::app::Studio;
use taproof_studio::command::{Command, FileCommand, FileQuestion};
use taproof_studio::phone::{TakeOver, TraceSource};
use taproof_studio::record::RecordPhase;
use taproof_studio::replay::{HistoryCommand, ReplayCommand};
use taproof_testing::driver::{ask, click, found_workspace, type_into, wait, window_on};
use taproof_testing::hand::{Hand, id, text};

/// Ends the program as the window manager does.
fn close(mut harness: Harness<'static, Studio>) {
    eframe::App::on_exit(harness.state_mut(), None);
}

/// What the workspace says of its campaigns: how each ended, and its findings.
fn ends(folder: &Path) -> Vec<(Option<String>, u32)> {
    let path = folder.join("workspace/results.sqlite");
    let results = rusqlite::Connection::open(path).unwrap();
    let ask = "SELECT end, (SELECT count(*) FROM findings WHERE campaign = campaigns.id) FROM campaigns ORDER BY id";
    let mut rows = results.prepare(ask).unwrap();
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// A window in which two steps towards a new folder are recorded.
fn recording(workspace: &Path) -> Hand {
    let mut hand = Hand::open(workspace);
    hand.key(Modifiers::COMMAND, Key::R);
    hand.tap(&id("org.taproof.files:id/sd_main_fab"));
    hand.tap(&text("Folder"));
    hand
}

#[test]
fn in_the_middle_of_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("workspace");
    let hand = recording(&workspace);
    let lines = hand.state().record.lines.len();
    assert_eq!((hand.state().record.phase, lines), (RecordPhase::Recording, 2));
    close(hand.harness);
    let again = Hand::open(&workspace);
    assert_eq!(again.state().record.lines.len(), lines, "the steps are there again");
    assert_ne!(again.state().record.phase, RecordPhase::Idle);
    close(again.harness);
}

#[test]
fn in_the_middle_of_a_trial() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("workspace");
    let mut hand = recording(&workspace);
    hand.type_text("k7");
    hand.tap(&id("android:id/button1"));
    hand.key(Modifiers::COMMAND, Key::R);
    let dmf = hand.state().record.kept_dmf().unwrap();
    // More passes would let it end.
    hand.harness.key_press(Key::T);
    hand.harness.step();
    assert!(hand.state().trial.plan.is_some(), "it was begun");
    close(hand.harness);
    let again = Hand::open(&workspace);
    assert_eq!(again.state().record.kept_dmf(), Some(dmf), "the recording is there again");
    assert!(again.state().trial.report.is_none(), "what was not tried to the end says nothing");
    close(again.harness);
}

#[test]
fn in_the_middle_of_campaigns() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = window_on(folder.path());
    click(&mut harness, "Fuzz");
    click(&mut harness, "Options");
    for seed in ["1", "2"] {
        type_into(&mut harness, "Seed", seed);
        click(&mut harness, "Start");
        wait(&mut harness, "the line of the campaign", 60, |state| state.campaigns.folded);
        click(&mut harness, "New campaign");
    }
    wait(&mut harness, "findings of both", 300, |state| {
        state.campaigns.list.len() == 2 && state.campaigns.list.iter().all(|it| !it.found.findings.is_empty())
    });
    let state = &harness.state().state;
    let shown: Vec<u32> =
        state.campaigns.list.iter().rev().map(|it| it.found.findings.len() as u32).collect();
    close(harness);
    let ends = ends(folder.path());
    assert_eq!(ends.len(), 2);
    for ((end, kept), shown) in ends.iter().zip(shown) {
        assert!(*kept >= shown, "{kept} of {shown} findings");
        assert!(
            end.as_deref().is_some_and(|end| !["budget", "exhausted"].contains(&end)),
            "an early end is said: {end:?}"
        );
    }
    let harness = window_on(folder.path());
    assert!(harness.state().state.history.rows().len() as u32 >= ends.iter().map(|(_, kept)| kept).sum());
    close(harness);
}

#[test]
#[ignore = "takes long"]
fn in_the_middle_of_a_replay_that_plays_and_leads_the_phone() {
    let folder = found_workspace();
    let mut harness = window_on(folder.path());
    let row =
        harness.state().state.history.rows().iter().max_by_key(|row| row.minimal_steps).unwrap().clone();
    ask(&mut harness, Command::History(HistoryCommand::Open(row.key.clone())));
    wait(&mut harness, "the finding", 30, |state| state.replay.is_some());
    ask(
        &mut harness,
        Command::TakeOver(TakeOver::At(
            TraceSource::Finding(row.key.clone(), FindingTrace::Minimal),
            row.minimal_steps as usize,
        )),
    );
    ask(&mut harness, Command::Replay(ReplayCommand::Play));
    close(harness);
    let harness = window_on(folder.path());
    let found = harness.state().state.history.get(&row.key).unwrap();
    assert!(found.seen && found.title == row.title);
    close(harness);
}

#[test]
fn in_the_middle_of_an_export_and_of_a_question() {
    let folder = found_workspace();
    let mut harness = window_on(folder.path());
    let row = harness.state().state.history.rows()[0].clone();
    ask(&mut harness, Command::History(HistoryCommand::Open(row.key)));
    wait(&mut harness, "the finding", 30, |state| state.replay.is_some());
    click(&mut harness, "Export");
    click(&mut harness, &format!("{}\u{2026}", ExportKind::Html.label()));
    wait(&mut harness, "the question", 30, |state| state.chooser.is_some());
    let path = folder.path().join("page.html");
    type_into(&mut harness, "Name of the file", path.to_str().unwrap());
    click(&mut harness, "Save");
    wait(&mut harness, "the export", 30, |state| !state.exports.is_empty() || state.message.is_some());
    close(harness);
    // Whole or not there: never a part, and nothing left beside it.
    if let Ok(page) = std::fs::read_to_string(&path) {
        assert!(page.trim_end().ends_with("</html>"));
    }
    let beside = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let parts: Vec<_> = beside.filter(|name| name.to_string_lossy().contains("page.html.")).collect();
    assert!(parts.is_empty(), "{parts:?}");
    let mut harness = window_on(folder.path());
    ask(&mut harness, Command::File(FileCommand::Ask(Box::new(FileQuestion::walk()))));
    assert!(harness.state().state.chooser.is_some());
    close(harness);
}
