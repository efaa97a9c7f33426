//! Bugs instead of findings: cards are corrected by hand, which is kept, and Replay lists a row for each bug.
#![allow(clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};

use taproof_campaign::BugState;
use taproof_results::store::{BugFilter, Facet};
use taproof_studio::app::Studio;
use taproof_studio::command::Command;
use taproof_studio::fuzz::{BugCard, CampaignCommand, CampaignState, FuzzView};
use taproof_studio::replay::{CorrectionChange, HistoryCommand, HistoryLine};
use taproof_studio::state::{Place, StudioState};
use taproof_testing::driver::{ask, click, found_workspace, shown, type_into, wait, window, window_on};

fn campaign<'h>(hand: &'h Harness<'_, Studio>) -> &'h CampaignState {
    &hand.state().state.campaigns.list[0]
}

/// A window with a campaign in Notes that has ended.
fn ended() -> (Harness<'static, Studio>, tempfile::TempDir) {
    let (mut hand, folder) = window(None);
    wait(&mut hand, "the phone", 60, shown);
    click(&mut hand, "Fuzz");
    type_into(&mut hand, "events", "4000");
    click(&mut hand, "Start");
    wait(&mut hand, "the end", 240, |state| {
        state.campaigns.list.first().is_some_and(|campaign| !campaign.alive() && campaign.carded().len() > 1)
    });
    (hand, folder)
}

/// The first finding of each card.
fn firsts(hand: &Harness<'_, Studio>) -> Vec<String> {
    campaign(hand).carded().iter().map(|card| card.findings[0].id.clone()).collect()
}

fn joined(hand: &Harness<'_, Studio>) -> usize {
    campaign(hand).carded().iter().map(|card| card.findings.len()).max().unwrap()
}

#[test]
#[ignore = "takes long"]
fn a_wrong_card_is_corrected_by_hand_and_nothing_moves_under_the_pointer() {
    let (mut hand, folder) = ended();
    let before = firsts(&hand);
    let titles: Vec<String> =
        campaign(&hand).carded().iter().map(|card: &BugCard| card.title.clone()).collect();
    let (count, listed) = (before.len(), hand.state().state.history.bugs());

    // Two cards are merged.
    click(&mut hand, &format!("Correct {}", titles[1]));
    hand.get_by_label_contains("The same bug as").click_accesskit();
    hand.run_steps(3);
    hand.get_all_by_label(&titles[0]).last().unwrap().click_accesskit();
    hand.run_steps(3);
    wait(&mut hand, "the merged card", 30, |state| state.campaigns.list[0].carded().len() == count - 1);
    let together = joined(&hand);
    assert!(together > 1);
    wait(&mut hand, "the row", 30, |state| state.history.bugs() == listed - 1);

    // What comes while the pointer is on the cards waits behind a button.
    let first = format!("Replay {}", campaign(&hand).carded().iter().next().unwrap().title);
    let place = |hand: &Harness<'_, Studio>| hand.get_all_by_label(&first).next().unwrap().rect();
    let replay = place(&hand);
    hand.hover_at(replay.center() + egui::vec2(0.0, 40.0));
    hand.run_steps(2);
    let app = campaign(&hand).plan.app.clone();
    ask(&mut hand, CampaignCommand::Correct(app, CorrectionChange::UndoLast));
    hand.hover_at(replay.center() + egui::vec2(0.0, 40.0));
    wait(&mut hand, "the card of its own", 30, |state| state.campaigns.list[0].carded().len() == count);
    assert_eq!(firsts(&hand), before);
    let cards = |hand: &Harness<'_, Studio>| hand.query_all_by_label_contains("Correct ").count();
    assert_eq!(cards(&hand), count - 1);
    assert_eq!(place(&hand), replay);
    click(&mut hand, "1 new");
    assert_eq!(cards(&hand), count);
    assert!(hand.query_by_label("1 new").is_none());

    // A finding is split from its card; this is kept, and Replay lists it as a bug.
    click(&mut hand, &format!("Correct {}", titles[1]));
    hand.get_by_label_contains("The same bug as").click_accesskit();
    hand.run_steps(3);
    hand.get_all_by_label(&titles[0]).last().unwrap().click_accesskit();
    wait(&mut hand, "the merged card", 30, |state| state.campaigns.list[0].carded().len() == count - 1);
    let card = campaign(&hand).carded().iter().find(|card| card.findings.len() == together).unwrap();
    let (other, shown) = (card.findings[1].title.clone(), card.title.clone());
    hand.hover_at(egui::pos2(1.0, 1.0));
    hand.run_steps(3);
    ask(&mut hand, Command::Go(Place::Replay));
    wait(&mut hand, "the row", 30, |state| state.history.bugs() == listed - 1);
    click(&mut hand, &format!("List the findings of {shown}"));
    let of_bug = |line: &HistoryLine| matches!(line, HistoryLine::Finding(_));
    assert_eq!(hand.state().state.history.lines().iter().filter(|line| of_bug(line)).count(), together - 1);
    ask(&mut hand, Command::Go(Place::Fuzz));
    hand.get_all_by_label(&format!("Another bug: {other}")).next().unwrap().click_accesskit();
    wait(&mut hand, "two bugs", 30, |state| state.campaigns.list[0].carded().len() == count);
    wait(&mut hand, "two rows", 30, |state| state.history.bugs() == listed);

    // Two statements are kept; the latest is taken back.
    click(&mut hand, "Undo the last correction of bugs");
    wait(&mut hand, "one bug", 30, |state| state.campaigns.list[0].carded().len() == count - 1);
    wait(&mut hand, "one row", 30, |state| state.history.bugs() == listed - 1);

    // What is no bug is on no card, and comes back where that is taken back.
    let (bugs, none) = (count - 1, campaign(&hand).carded().iter().next().unwrap().title.clone());
    click(&mut hand, &format!("Not a bug: {none}"));
    wait(&mut hand, "one card less", 30, |state| state.campaigns.list[0].carded().len() == bugs - 1);
    wait(&mut hand, "one row less", 30, |state| state.history.bugs() == listed - 2);
    click(&mut hand, "1 that you said to be no bug");
    click(&mut hand, &format!("New: {none}"));
    wait(&mut hand, "the card", 30, |state| state.campaigns.list[0].carded().len() == bugs);
    wait(&mut hand, "its row", 30, |state| state.history.bugs() == listed - 1);
    drop(hand);

    let hand = window_on(folder.path());
    assert_eq!(hand.state().state.history.bugs(), listed - 1, "what was said is kept");
}

#[test]
fn bugs_are_triaged_by_keys_clicks_and_menus() {
    let folder = found_workspace();
    let mut hand = window_on(folder.path());
    ask(&mut hand, Command::Go(Place::Replay));
    wait(&mut hand, "the list", 30, |state| state.history.bugs() > 2);
    let press = |hand: &mut Harness<'_, Studio>, modifiers: Modifiers, key: Key| {
        hand.key_press_modifiers(modifiers, key);
        hand.run_steps(3);
    };
    let states = |state: &StudioState| -> Vec<BugState> {
        let mut states: Vec<BugState> = state.history.listed_bugs().iter().map(|bug| bug.state).collect();
        states.sort();
        states.dedup();
        states
    };
    let bugs = hand.state().state.history.bugs();

    // By keys, and taken back.
    press(&mut hand, Modifiers::NONE, Key::ArrowDown);
    press(&mut hand, Modifiers::NONE, Key::Num3);
    wait(&mut hand, "a known bug", 30, |state| states(state) == [BugState::New, BugState::Known]);
    press(&mut hand, Modifiers::COMMAND, Key::Z);
    wait(&mut hand, "none again", 30, |state| states(state) == [BugState::New]);

    // Several at once, by the menu of one of them.
    let rows = |hand: &Harness<'_, Studio>| -> Vec<(String, egui::Rect)> {
        let words = by().predicate(|node| node.label().is_some_and(|label| label.starts_with("State of ")));
        hand.query_all(words).map(|node| (node.accesskit_node().label().unwrap(), node.rect())).collect()
    };
    let [first, second] = [0, 1].map(|row| rows(&hand)[row].clone());
    let click_at = |hand: &mut Harness<'_, Studio>, at: egui::Pos2, modifiers: Modifiers| {
        hand.hover_at(at);
        hand.run_steps(2);
        let button = egui::PointerButton::Primary;
        for pressed in [true, false] {
            hand.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
        }
        hand.run_steps(4);
    };
    let left = egui::vec2(-60.0, 0.0);
    click_at(&mut hand, second.1.center() + left, Modifiers::COMMAND);
    assert_eq!(hand.state().state.history.chosen(None).len(), 2);
    click_at(&mut hand, first.1.center(), Modifiers::NONE);
    hand.get_by_label_contains("2 bugs");
    hand.get_all_by_label_contains("Fixed").next().unwrap().click_accesskit();
    wait(&mut hand, "two of them", 30, |state| state.history.bugs() == bugs - 2);
    assert!(hand.query_by_label("List fixed").is_some());

    // What stands on screens is searched; only those that are fixed.
    let mut filter = BugFilter { search: "no such words anywhere".to_owned(), ..BugFilter::default() };
    ask(&mut hand, Command::History(HistoryCommand::Filter(Box::new(filter.clone()))));
    assert!(hand.query_by_label("Show all bugs").is_some());
    filter.search = "new note".to_owned();
    ask(&mut hand, Command::History(HistoryCommand::Filter(Box::new(filter))));
    wait(&mut hand, "what is on screens", 30, |state| !state.history.lines().is_empty());
    let facets = [(Facet::State, BTreeSet::from(["fixed".to_owned()]))].into();
    let fixed = BugFilter { facets, ..BugFilter::default() };
    ask(&mut hand, Command::History(HistoryCommand::Filter(Box::new(fixed))));
    let is_bug = |line: &&HistoryLine| matches!(line, HistoryLine::Bug(_));
    assert_eq!(hand.state().state.history.lines().iter().filter(is_bug).count(), 2);
    drop(hand);
    let mut hand = window_on(folder.path());
    wait(&mut hand, "what was said is kept", 30, |state| state.history.bugs() == bugs - 2);
}

#[test]
#[ignore = "takes long"]
fn nothing_moves_while_one_looks_elsewhere() {
    let (mut hand, _folder) = window(None);
    wait(&mut hand, "the phone", 60, shown);
    click(&mut hand, "Fuzz");
    type_into(&mut hand, "events", "4000");
    click(&mut hand, "Start");
    wait(&mut hand, "the end", 240, |state| {
        state.campaigns.list.first().is_some_and(|campaign| !campaign.alive() && campaign.carded().len() > 1)
    });
    hand.run_steps(3);
    let line = hand.get_by_label("New campaign").rect();
    click(&mut hand, "New campaign");
    let place = |hand: &Harness<'_, Studio>| hand.get_by_label("Start").rect();
    let before = place(&hand);
    let buttons = |hand: &Harness<'_, Studio>| -> Vec<(String, i32)> {
        let named = by().predicate(|node| node.label().is_some_and(|it| it.starts_with("Replay ")));
        let cards = hand
            .query_all(named)
            .map(|node| (node.accesskit_node().label().unwrap(), node.rect().top() as i32));
        cards.collect()
    };
    let cards = buttons(&hand);
    for view in [FuzzView::Numbers, FuzzView::Bugs] {
        ask(&mut hand, CampaignCommand::Show(view));
    }
    assert_eq!(buttons(&hand), cards);
    ask(&mut hand, Command::Go(Place::Record));
    ask(&mut hand, Command::Go(Place::Fuzz));
    assert_eq!((place(&hand), buttons(&hand)), (before, cards));
    click(&mut hand, "Fold the sentence and the list");
    assert_eq!(hand.get_by_label("New campaign").rect(), line);
}

/// The places of all controls that have a name which no other has.
fn controls(hand: &Harness<'_, Studio>) -> BTreeMap<String, egui::Rect> {
    let roles = [Role::Button, Role::CheckBox, Role::ComboBox, Role::TextInput, Role::Tab];
    let named = by()
        .predicate(move |node| roles.contains(&node.role()) && node.label().is_some_and(|it| !it.is_empty()));
    let mut places: BTreeMap<String, Vec<egui::Rect>> = BTreeMap::new();
    for node in hand.query_all(named) {
        places.entry(node.accesskit_node().label().unwrap()).or_default().push(node.rect());
    }
    places.into_iter().filter(|(_, rects)| rects.len() == 1).map(|(name, rects)| (name, rects[0])).collect()
}

#[test]
#[ignore = "takes long"]
fn no_control_moves_under_the_pointer_while_a_campaign_runs() {
    let (mut hand, _folder) = window(None);
    wait(&mut hand, "the phone", 60, shown);
    click(&mut hand, "Fuzz");
    type_into(&mut hand, "events", "10000000");
    click(&mut hand, "Start");
    wait(&mut hand, "a bug", 240, |state| {
        state.campaigns.list.first().is_some_and(|campaign| !campaign.carded().is_empty())
    });
    let views = [FuzzView::Bugs, FuzzView::Numbers, FuzzView::States, FuzzView::Inside, FuzzView::Events];
    let views = views.map(|view| (format!("{view:?}"), Command::from(CampaignCommand::Show(view))));
    let others = [Place::Record, Place::Replay].map(|place| (format!("{place:?}"), Command::Go(place)));
    for (name, command) in views.into_iter().chain(others) {
        ask(&mut hand, command);
        hand.hover_at(egui::pos2(640.0, 400.0));
        hand.run_steps(10);
        let (mut older, mut before) = (BTreeMap::new(), controls(&hand));
        for _ in 0..200 {
            hand.step();
            std::thread::sleep(Duration::from_millis(10));
            let now = controls(&hand);
            // What floats is measured in a frame in which it is not drawn yet.
            for (control, place) in now.iter().filter(|(control, _)| older.contains_key(*control)) {
                let moved = before.get(control).map_or(0.0, |was| (place.min - was.min).abs().max_elem());
                assert!(moved <= 2.0, "{name}: {control} moved from {:?} to {place:?}", before[control]);
            }
            older = std::mem::replace(&mut before, now);
        }
    }
    assert!(campaign(&hand).alive(), "it ran all the time");
}

#[test]
#[ignore = "takes long"]
fn what_could_not_run_is_shown_by_a_click_and_states_are_counted_once() {
    let (mut hand, _folder) = ended();
    let shown = campaign(&hand);
    let together = shown.together.as_ref().unwrap();
    assert_eq!((shown.states(), shown.activities()), (together.states, together.activities));
    assert!(shown.runs.iter().all(|run| run.counts.states <= together.states));
    let line = shown.functions_line().unwrap();
    assert!(line.could_not_run > 0);
    let (counts, reason) = shown
        .properties()
        .iter()
        .find_map(|counts| Some((counts.name.clone(), counts.not_executed.keys().next()?.1.to_string())))
        .unwrap();
    assert!(hand.query_by_label_contains(&reason).is_none());
    click(&mut hand, "Why functions could not run");
    let words = campaign(&hand).function_words(&counts);
    assert!(hand.query_all_by_label(&words).next().is_some(), "{words}");
    assert!(hand.query_all_by_label_contains(&reason).next().is_some(), "{counts}: {reason}");
}
