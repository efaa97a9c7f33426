//! The place Fuzz: engines are picked and set, run side by side, paused, compared and resumed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

#[path = "common/window.rs"]
mod driver;

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use driver::{click, shown, type_into, wait, window};
use taproof::app::Studio;
use taproof::state::{CampaignPhase, Place};

/// A window that shows Fuzz.
fn fuzz() -> (Harness<'static, Studio>, tempfile::TempDir) {
    let (mut hand, folder) = window(None);
    wait(&mut hand, "the phone", 60, shown);
    click(&mut hand, "Fuzz");
    assert_eq!(hand.state().state.settings.place, Place::Fuzz);
    (hand, folder)
}

#[test]
fn three_engines_are_picked_and_run_side_by_side() {
    let (mut hand, _folder) = fuzz();
    type_into(&mut hand, "Events", "3,000");
    click(&mut hand, "Fastbot2");
    click(&mut hand, "Monkey");
    click(&mut hand, "Start");
    let campaign = &hand.state().state.campaigns.list[0];
    let names: Vec<&str> = campaign.runs.iter().map(|run| run.label.as_str()).collect();
    assert_eq!(names, ["PBFDroid full", "Fastbot2", "Monkey"]);
    click(&mut hand, "Pause Monkey");
    let phase =
        |hand: &Harness<'_, Studio>, run: usize| hand.state().state.campaigns.list[0].runs[run].phase.clone();
    assert!(matches!(phase(&hand, 2), CampaignPhase::Paused | CampaignPhase::Ended(_)));
    wait(&mut hand, "the end of the others", 120, |state| {
        state.campaigns.list[0].runs[..2].iter().all(|run| !run.alive())
    });
    if phase(&hand, 2) == CampaignPhase::Paused {
        click(&mut hand, "Cancel Monkey");
    }
    wait(&mut hand, "the end", 60, |state| !state.campaigns.list[0].alive());
    assert!(hand.query_by_label_contains("All engines").is_some(), "the table has a row for all");
}

#[test]
fn a_setting_that_does_not_fit_is_said_before_start() {
    let (mut hand, _folder) = fuzz();
    let start_is_off = |hand: &Harness<'_, Studio>| hand.get_by_label("Start").accesskit_node().is_disabled();
    click(&mut hand, "PBFDroid");
    assert!(start_is_off(&hand));
    assert!(hand.query_by_label_contains("Engines: Pick at least one").is_some());
    click(&mut hand, "Genie");
    assert!(!start_is_off(&hand));
    click(&mut hand, "Settings");
    type_into(&mut hand, "Genie seeds", "many");
    assert!(start_is_off(&hand));
    let said = hand.query_all_by_label_contains("Give a whole number from 0, such as 20").count();
    assert_eq!(said, 2, "under the field, and with the engine's name in the form");
    click(&mut hand, "Set seeds back to 20");
    assert!(!start_is_off(&hand));
}
