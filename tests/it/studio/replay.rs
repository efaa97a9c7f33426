//! The place Replay: findings of earlier runs are found, opened, stepped through and exported.
#![allow(clippy::disallowed_methods)]

use std::path::Path;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use taproof_engine::device::Build;
use taproof_results::report::FindingTrace;
use taproof_studio::app::Studio;
use taproof_studio::command::Command;
use taproof_studio::phone::Judgement;
use taproof_studio::replay::{DiffKind, HistoryCommand, HistoryRow, ReplayState, Speed};
use taproof_studio::state::Place;
use taproof_testing::driver::{
    ask, click, found_workspace as workspace, replay_button, shown, type_into, wait, window, window_on,
};

/// A window that shows the findings of an earlier run.
fn second_window(folder: &Path) -> Harness<'static, Studio> {
    let mut harness = window_on(folder);
    ask(&mut harness, Command::Go(Place::Replay));
    harness
}

fn press(harness: &mut Harness<'_, Studio>, key: Key) {
    harness.key_press_modifiers(Modifiers::NONE, key);
    harness.run_steps(3);
}

fn replay<'a>(harness: &'a Harness<'_, Studio>) -> &'a ReplayState {
    harness.state().state.replay.as_ref().unwrap()
}

/// Opens the newest property finding of several steps whose last screen shows what is wrong.
fn open_one(harness: &mut Harness<'_, Studio>) -> HistoryRow {
    let rows = harness.state().state.history.rows();
    let shows_it = |row: &&HistoryRow| row.oracle == "property" && row.title.contains("still is shown");
    let row = rows.iter().filter(shows_it).find(|row| row.minimal_steps > 2).unwrap().clone();
    type_into(harness, "Search bugs", &row.key.name);
    assert_eq!(harness.state().state.history.lines().len(), 1, "the bug that it shows");
    ask(harness, Command::History(HistoryCommand::Open(row.key.clone())));
    wait(harness, "the finding", 30, |state| state.replay.is_some());
    row
}

#[test]
fn a_finding_that_was_only_seen_is_minimised_in_the_window() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 60, shown);
    click(&mut harness, "Fuzz");
    click(&mut harness, "Options");
    type_into(&mut harness, "events", "2000");
    type_into(&mut harness, "Confirm with at most", "0");
    click(&mut harness, "Start");
    wait(&mut harness, "the end", 120, |state| {
        state.campaigns.list.first().is_some_and(|campaign| !campaign.alive())
    });
    let state = &harness.state().state;
    let button = replay_button(state, &state.campaigns.list[0].found.findings[0]);
    click(&mut harness, &button);
    wait(&mut harness, "the finding", 30, |state| state.replay.is_some());
    let seen = replay(&harness).finding.clone();
    assert_eq!((seen.finished, seen.confirmation.counts()), (false, (0, 0)));
    click(&mut harness, "Minimise");
    wait(&mut harness, "the finding, minimised", 120, |state| {
        state.replay.as_ref().is_some_and(|replay| replay.finding.finished)
    });
    let known = replay(&harness).finding.clone();
    assert_eq!((known.id.clone(), known.confirmation.counts()), (seen.id.clone(), (3, 3)));
    assert!(known.minimal.trace.len() < seen.minimal.trace.len());
    assert!(harness.state().state.minimising.is_none());
    assert!(harness.query_by_label("Minimise").is_none(), "nothing is left to do");
    let listed = &harness.state().state.campaigns.list[0].found.findings;
    assert!(listed.iter().any(|finding| finding.id == known.id && finding.finished));
}

#[test]
fn a_finding_of_an_earlier_run_is_stepped_through_with_keys() {
    let folder = workspace();
    let mut harness = second_window(folder.path());
    let unseen = harness.state().state.history.new_bugs();
    assert!(unseen > 1, "the command found something");
    let row = open_one(&mut harness);
    assert_eq!(harness.state().state.history.new_bugs(), unseen - 1);
    assert_eq!(replay(&harness).source.plan.app, row.app);

    let last = replay(&harness).steps() - 1;
    assert_eq!((last as u64 + 1, replay(&harness).step), (row.minimal_steps, last));
    press(&mut harness, Key::ArrowLeft);
    assert_eq!(replay(&harness).step, last - 1);
    press(&mut harness, Key::Home);
    press(&mut harness, Key::ArrowRight);
    assert_eq!(replay(&harness).step, 1);
    press(&mut harness, Key::End);
    assert_eq!(replay(&harness).step, last);
    let view = replay(&harness).view().unwrap();
    assert!(view.diff.rows.iter().any(|row| row.offending || row.kind == DiffKind::Missing));
    assert!(harness.query_by_label_contains("Screen after").is_some());
    let terms = "In the specification\u{2019}s words";
    assert!(harness.query_all_by_label_contains(terms).count() > 0, "the terms are folded");
    click(&mut harness, "Before");
    if replay(&harness).view().unwrap().frame.touched.is_some() {
        assert!(harness.query_all_by_label_contains("touched").count() >= 2, "on the screen and in the tree");
    }
    press(&mut harness, Key::Home);
    assert_eq!(replay(&harness).step, 0);

    press(&mut harness, Key::Plus);
    assert_eq!(replay(&harness).speed, Speed::Double);
    press(&mut harness, Key::Minus);
    press(&mut harness, Key::Minus);
    assert_eq!(replay(&harness).speed, Speed::Half);
    press(&mut harness, Key::Space);
    assert!(replay(&harness).playing);
    press(&mut harness, Key::Space);

    press(&mut harness, Key::W);
    let found = replay(&harness);
    assert_eq!(
        (found.way, found.steps() as u64, found.step as u64 + 1),
        (FindingTrace::Original, row.steps, row.steps)
    );
    click(&mut harness, "Close the finding");
    assert!(harness.state().state.replay.is_none());
    drop(harness);

    let harness = second_window(folder.path());
    assert_eq!(harness.state().state.history.new_bugs(), unseen - 1, "the workspace remembers what was seen");
}

#[test]
fn findings_are_searched_and_filtered() {
    let folder = workspace();
    let mut harness = second_window(folder.path());
    let all = harness.state().state.history.lines().len();
    type_into(&mut harness, "Search bugs", "nothing is called so");
    assert!(harness.state().state.history.lines().is_empty());
    click(&mut harness, "Show all bugs");
    assert_eq!(harness.state().state.history.lines().len(), all);
    click(&mut harness, "Filter bugs");
    click(&mut harness, "App");
    // The list of apps opens above the others of that name.
    harness.get_all_by_label("Files").last().unwrap().click_accesskit();
    harness.run_steps(3);
    let history = &harness.state().state.history;
    assert!(!history.lines().is_empty() && history.lines().len() < all);
}

#[test]
fn a_damaged_finding_says_so_in_its_place() {
    let folder = workspace();
    let path = folder.path().join("workspace/results.sqlite");
    let harm = "UPDATE findings SET detail = '{' WHERE oracle = 'property'";
    rusqlite::Connection::open(path).unwrap().execute_batch(harm).unwrap();
    let mut harness = second_window(folder.path());
    let rows = harness.state().state.history.rows();
    let row = rows.iter().find(|row| row.oracle == "property").unwrap().clone();
    ask(&mut harness, Command::History(HistoryCommand::Open(row.key)));
    wait(&mut harness, "the reason", 30, |state| {
        state.history.opening.as_ref().is_some_and(|opening| opening.problem.is_some())
    });
    assert!(harness.query_by_label_contains("damaged").is_some());
    assert!(harness.state().state.replay.is_none());
}

#[test]
fn an_empty_workspace_says_how_to_get_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = second_window(folder.path());
    click(&mut harness, "Start a campaign in Fuzz");
    assert_eq!(harness.state().state.settings.place, Place::Fuzz);
}

#[test]
#[ignore = "takes long"]
fn a_trace_is_done_again_on_the_build_that_is_chosen() {
    let folder = workspace();
    let mut harness = second_window(folder.path());
    open_one(&mut harness);
    let built = |harness: &Harness<'_, Studio>| harness.state().state.settings.target.build.clone();
    let again = |harness: &mut Harness<'_, Studio>| {
        click(harness, "Re-execute");
        wait(harness, "its end", 120, |state| {
            let taken = state.takeover.as_ref().and_then(|taken| taken.reexecution);
            shown(state) && taken.is_some_and(|again| again.done >= again.total)
        });
        wait(harness, "the judgement", 60, |state| {
            let judgement = state.takeover.as_ref().and_then(|taken| taken.judgement.as_ref());
            judgement.is_some_and(|judgement| *judgement != Judgement::Pending)
        });
    };
    let found_on = replay(&harness).source.plan.build.clone();
    again(&mut harness);
    assert_eq!((built(&harness), &found_on), (Build::Faulty, &Build::Faulty));
    assert!(harness.query_by_label_contains("The bug came back").is_some());
    click(&mut harness, "Without");
    wait(&mut harness, "the sound build", 60, shown);
    again(&mut harness);
    assert_eq!(built(&harness), Build::Sound);
    assert!(harness.query_by_label("The bug did not come back without the app\u{2019}s bugs").is_some());
}
