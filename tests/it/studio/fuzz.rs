//! The place Fuzz: engines are picked and set, run side by side, paused, compared and resumed.
#![allow(clippy::disallowed_methods)]

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use std::process::{Command as Program, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use taproof_campaign::{ComparisonRule, EndReason, Oracles, Reference};
use taproof_engine::{EngineConfig, GenieConfig, StateId};
use taproof_results::store::{own_rules_path, read_model, read_rules};
use taproof_screen::StepRole;
use taproof_spec::RuleEntry;
use taproof_studio::app::Studio;
use taproof_studio::command::{Command, FileCommand, FilePurpose, RuleChange};
use taproof_studio::fuzz::{CampaignCommand, CampaignPhase, Compared, CurveAxis, FuzzView, earlier_end};
use taproof_studio::replay::{HistoryCommand, HistoryRow, ReplayCommand, ReplayState};
use taproof_studio::state::{Place, StudioState};
use taproof_testing::driver::{ask, click, found_workspace, shown, type_into, wait, window, window_on};
use taproof_testing::results::{database, kept};

/// A window that shows Fuzz.
fn fuzz() -> (Harness<'static, Studio>, tempfile::TempDir) {
    let (mut hand, folder) = window(None);
    wait(&mut hand, "the phone", 60, shown);
    click(&mut hand, "Fuzz");
    click(&mut hand, "Options");
    assert_eq!(hand.state().state.settings.place, Place::Fuzz);
    (hand, folder)
}

/// Clicks the box of an engine, whose name may be that of a button, too.
fn pick(hand: &mut Harness<'_, Studio>, engine: &str) {
    hand.get_by_role_and_label(Role::CheckBox, engine).click_accesskit();
    hand.run_steps(3);
}

#[test]
fn three_engines_are_picked_and_run_side_by_side() {
    let (mut hand, _folder) = fuzz();
    type_into(&mut hand, "events", "3,000");
    for engine in ["PBFDroid", "Fastbot2", "Monkey"] {
        pick(&mut hand, engine);
    }
    click(&mut hand, "Start");
    let campaign = &hand.state().state.campaigns.list[0];
    let names: Vec<&str> = campaign.runs.iter().map(|run| run.label.as_str()).collect();
    assert_eq!(names, ["PBFDroid full", "Fastbot2 both", "Monkey"]);
    click(&mut hand, "Numbers");
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
#[ignore = "takes long"]
fn an_app_without_a_specification_is_scanned_and_its_bugs_are_cards() {
    let (mut hand, _folder) = fuzz();
    assert!(hand.query_by_label("Scan").is_some(), "it stands beside Start for every app");
    click(&mut hand, "App to test");
    click(&mut hand, "Tasks");
    type_into(&mut hand, "events", "600");
    click(&mut hand, "Scan");
    wait(&mut hand, "the end", 120, |state| !state.campaigns.list[0].alive());
    wait(&mut hand, "a bug", 60, |state| !state.campaigns.list[0].carded().is_empty());
    assert!(hand.query_by_label_contains("Bugs (").is_some());
    let campaign = &hand.state().state.campaigns.list[0];
    let names: Vec<&str> = campaign.plan.engines.iter().map(|engine| engine.name()).collect();
    assert_eq!(names, ["keep"]);
    let card = &campaign.carded()[0];
    assert!(card.screens.len() >= 2 && !card.relations.is_empty(), "{}", card.title);
    let replay = format!("Replay {}", card.title);
    click(&mut hand, &replay);
    wait(&mut hand, "its trace", 60, |state| state.replay.is_some());
    assert_eq!(hand.state().state.settings.place, Place::Replay);
}

#[test]
fn a_setting_that_does_not_fit_is_said_before_start() {
    let (mut hand, _folder) = fuzz();
    let start_is_off = |hand: &Harness<'_, Studio>| hand.get_by_label("Start").accesskit_node().is_disabled();
    let auto = |hand: &Harness<'_, Studio>| hand.state().state.campaigns.form.auto();
    assert!(auto(&hand));
    pick(&mut hand, "Genie");
    assert!(!auto(&hand) && !start_is_off(&hand));
    pick(&mut hand, "Genie");
    assert!(auto(&hand), "without any, they take turns");
    pick(&mut hand, "Genie");
    click(&mut hand, "Settings");
    type_into(&mut hand, "Genie max_detour", "many");
    assert!(start_is_off(&hand));
    let usual = GenieConfig::default().max_detour;
    let wanted = format!("Give a whole number from 0, such as {usual}");
    let said = hand.query_all_by_label_contains(&wanted).count();
    assert_eq!(said, 2, "under the field, and with the engine's name in the form");
    click(&mut hand, &format!("Set max_detour back to {usual}"));
    assert!(!start_is_off(&hand));
    click(&mut hand, "Genie preset");
    click(&mut hand, "paper");
    let genie = hand.state().state.campaigns.form.engines.iter().find(|engine| engine.name == "genie");
    assert_eq!(genie.unwrap().typed["max_detour"], "8");
}

#[test]
fn what_fastbot2_learns_is_kept_in_files_and_begun_with_again() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("workspace");
    let model = folder.path().join("own.model");
    let mut hand = window_on(folder.path());
    wait(&mut hand, "the phone", 60, shown);
    click(&mut hand, "Fuzz");
    click(&mut hand, "Options");
    type_into(&mut hand, "events", "600");
    click(&mut hand, "Fastbot2");
    click(&mut hand, "Settings");
    type_into(&mut hand, "Fastbot2 model", model.to_str().unwrap());
    let mut learned = Vec::new();
    for campaign in 1..=2 {
        click(&mut hand, "Start");
        wait(&mut hand, "the start", 60, |state| state.campaigns.list.len() == campaign);
        wait(&mut hand, "the end", 120, |state| !state.campaigns.list[0].alive());
        let plan = &hand.state().state.campaigns.list[0].plan;
        let EngineConfig::Fastbot2(config) = &plan.engines[0] else { panic!() };
        assert_eq!(config.model, model.to_str().unwrap());
        assert_eq!(config.prior.is_some(), campaign == 2, "the first begins with nothing");
        let app = plan.app.clone();
        let own = taproof_results::store::model_path(&workspace, &app);
        wait(&mut hand, &format!("the files of campaign {campaign}"), 60, |_| {
            let read = [&model, &own].map(|path| read_model(path).ok());
            read.iter().all(|read| read.as_ref().is_some_and(|read| !learned.contains(read)))
        });
        learned.push(read_model(&model).unwrap());
        click(&mut hand, "New campaign");
        assert_eq!(read_model(&own).unwrap(), learned[campaign - 1], "the workspace has it, too");
    }
    std::fs::write(&model, "no model").unwrap();
    click(&mut hand, "Start");
    wait(&mut hand, "what is wrong", 60, |state| {
        let text = state.message.as_ref().map_or("", |message| message.text.as_str());
        text.contains("was not started") && text.contains("own.model")
    });
    assert_eq!(hand.state().state.campaigns.list.len(), 2);
}

/// A campaign that is resumed ends again: what its engines learned must not count twice.
#[test]
fn what_is_learned_is_kept_once_all_engines_have_ended() {
    let (mut hand, folder) = fuzz();
    type_into(&mut hand, "events", "4,000");
    click(&mut hand, "Fastbot2");
    click(&mut hand, "Monkey");
    click(&mut hand, "Start");
    click(&mut hand, "Numbers");
    click(&mut hand, "Pause Monkey");
    wait(&mut hand, "Fastbot2's end", 120, |state| !state.campaigns.list[0].runs[0].alive());
    let campaign = &hand.state().state.campaigns.list[0];
    assert_eq!(campaign.runs[1].phase, CampaignPhase::Paused);
    let own = taproof_results::store::model_path(&folder.path().join("workspace"), &campaign.plan.app);
    // The disk thread does one thing after the other: what it was asked before is done once it answers this.
    ask(&mut hand, CampaignCommand::Compare(Some(Compared::Kept(1))));
    wait(&mut hand, "an answer", 30, |state| state.campaigns.curves.kept.is_some());
    assert!(!own.exists(), "the campaign goes on");
    click(&mut hand, "Cancel Monkey");
    wait(&mut hand, "the model", 60, |_| own.exists());
}

/// Recorded traces, oracles and pictures are chosen as `--from`, `--oracles` and `--no-pictures` do, and the same plan is the
/// same campaign from both.
#[test]
fn a_campaign_of_the_window_is_that_of_its_command() {
    let folder = found_workspace();
    let mut hand = window_on(folder.path());
    click(&mut hand, "Fuzz");
    click(&mut hand, "Options");
    wait(&mut hand, "the findings", 30, |state| !state.history.rows().is_empty());
    let state = &hand.state().state;
    let of_app = |row: &&HistoryRow| row.app == state.campaigns.form.target.app;
    let newest = state.history.rows().iter().find(of_app).unwrap().clone();
    click(&mut hand, "Begin with no recorded trace");
    click(&mut hand, &format!("{}: {}", newest.id, newest.title));
    hand.key_press(egui::Key::Escape);
    hand.run_steps(2);
    click(&mut hand, "Pictures of findings");
    pick(&mut hand, "PBFDroid");
    let mut form = hand.state().state.campaigns.form.clone();
    (form.oracles, form.events) = (Oracles::Own, "1,500".to_owned());
    ask(&mut hand, Command::EditForm(Box::new(form)));
    let useless =
        |hand: &Harness<'_, Studio>| hand.query_by_label_contains("not begin with recorded traces").is_some();
    assert!(useless(&hand), "PBFDroid begins each test at the app's start");
    click(&mut hand, "PBFDroid");
    click(&mut hand, "Fastbot2");
    assert!(!useless(&hand));
    click(&mut hand, "Start");
    wait(&mut hand, "the start", 60, |state| !state.campaigns.list.is_empty());
    wait(&mut hand, "the end", 120, |state| !state.campaigns.list[0].alive());
    let campaign = &hand.state().state.campaigns.list[0];
    assert_eq!((campaign.plan.oracles, campaign.plan.confirm.pictures), (Oracles::Own, false));
    assert!(!campaign.plan.seed_traces.is_empty());
    let words = campaign.plan.command_words();
    assert!(words.windows(2).any(|pair| *pair == ["--from".to_owned(), newest.id.to_string()]), "{words:?}");
    let mut program = Program::new(taproof_testing::program::path());
    let program = program.args(&words[1..]).args(["--json", "--no-pictures", "--workspace"]);
    let output = program.arg(folder.path().join("workspace")).output().unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let fingerprint = format!("{:016x}", campaign.fingerprint().unwrap());
    assert_eq!(summary["fingerprint"], fingerprint.as_str(), "{words:?}");
}

#[test]
#[ignore = "takes long"]
fn curves_are_compared_with_a_campaign_of_the_workspace() {
    let folder = found_workspace();
    let mut hand = window_on(folder.path());
    click(&mut hand, "Fuzz");
    click(&mut hand, "Options");
    // Its list has a heading of the same name as the field.
    wait(&mut hand, "the list", 30, |state| state.campaigns.kept.len() == 2);
    let mut form = hand.state().state.campaigns.form.clone();
    form.events = "1,500".to_owned();
    ask(&mut hand, Command::EditForm(Box::new(form)));
    click(&mut hand, "Start");
    wait(&mut hand, "the end", 120, |state| !state.campaigns.list[0].alive());
    assert_eq!(hand.state().state.campaigns.list[0].id.0, 3, "numbers go on after those of the workspace");
    click(&mut hand, "Numbers");
    assert!(hand.query_by_label("Compare with another campaign").is_some());
    ask(&mut hand, CampaignCommand::Compare(Some(Compared::Kept(1))));
    wait(&mut hand, "its curves", 30, |state| {
        state.campaigns.curve_lines().iter().any(|line| line.compared && !line.points.is_empty())
    });
    let campaigns = &hand.state().state.campaigns;
    assert_eq!(campaigns.curves.compared, Some(Compared::Kept(1)));
    ask(&mut hand, CampaignCommand::Axis(CurveAxis::Time));
    let lines = hand.state().state.campaigns.curve_lines();
    assert!(
        lines.iter().all(|line| line.points.iter().all(|point| point[0] < 1_000.0)),
        "seconds, not events"
    );
}

#[test]
#[ignore = "takes long"]
fn states_are_found_by_what_they_show() {
    let (mut hand, _folder) = fuzz();
    type_into(&mut hand, "events", "1,500");
    click(&mut hand, "PBFDroid");
    click(&mut hand, "Monkey");
    click(&mut hand, "Start");
    wait(&mut hand, "the end", 120, |state| !state.campaigns.list[0].alive());
    ask(&mut hand, CampaignCommand::Show(FuzzView::States));
    wait(&mut hand, "the graph", 30, |state| state.campaigns.graph.view.is_some());
    assert!(hand.query_by_label_contains("States: ").is_some());
    type_into(&mut hand, "Search the states", "search");
    let graph = &hand.state().state.campaigns.graph;
    let (hits, selected): (Vec<StateId>, _) = (graph.hits.clone(), graph.selected);
    assert!(!hits.is_empty() && selected == Some(hits[0]), "{hits:?}");
    assert!(hand.query_by_label_contains("Transitions (").is_some(), "the chosen state is shown large");
    if hits.len() > 1 {
        click(&mut hand, "Next state found");
        assert_eq!(hand.state().state.campaigns.graph.selected, Some(hits[1]));
    }
    type_into(&mut hand, "Search the states", "no state shows this");
    assert!(hand.query_by_label_contains("no state shows it").is_some());
}

#[test]
fn a_campaign_that_cannot_be_written_down_fails_and_shows_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("workspace");
    drop(taproof_results::store::Workspace::open(&workspace).unwrap());
    let full =
        "CREATE TRIGGER full BEFORE INSERT ON findings BEGIN SELECT RAISE(ABORT, 'no room for it'); END";
    database(&workspace).execute_batch(full).unwrap();
    let mut hand = window_on(folder.path());
    click(&mut hand, "Fuzz");
    click(&mut hand, "Options");
    type_into(&mut hand, "events", "4,000");
    click(&mut hand, "Start");
    wait(&mut hand, "its failure", 120, |state| {
        let campaign = &state.campaigns.list[0];
        campaign.failed.is_some() && !campaign.alive()
    });
    let campaign = &hand.state().state.campaigns.list[0];
    assert!(matches!(campaign.phase(), CampaignPhase::Ended(EndReason::NotWritten(_))));
    assert!(campaign.end_sentence().unwrap().contains("no room for it"));
    assert!(campaign.found.findings.is_empty(), "what is not committed is not listed as found");
    let unsaved = campaign.unsaved[0].clone();
    for needed in [" steps (the test", "   1 ", "taproof fuzz --app org.taproof.files"] {
        assert!(unsaved.contains(needed), "{unsaved}");
    }
    let told = hand.query_all_by_label_contains("could not be saved").count();
    assert_eq!(told, hand.state().state.campaigns.list[0].unsaved.len(), "each in full");
    database(&workspace).execute_batch("DROP TRIGGER full").unwrap();
    wait(&mut hand, "that it can go on", 30, |state| {
        state.campaigns.earlier().any(|campaign| campaign.id == 1 && campaign.is_interrupted())
    });
    click(&mut hand, "New campaign");
    click(&mut hand, "Resume campaign 1");
    wait(&mut hand, "what it finds again", 120, |state| {
        let newest = &state.campaigns.list[0];
        newest.failed.is_none() && !newest.found.findings.is_empty()
    });
}

/// Searches the events of the campaign that is shown.
fn find_events(hand: &mut Harness<'_, Studio>) {
    let found = |state: &StudioState| match &state.campaigns.events.answer {
        Some(Ok(found)) if !state.campaigns.events.reading => Some((found.found, found.all)),
        _ => None,
    };
    ask(hand, CampaignCommand::Show(FuzzView::Events));
    wait(hand, "the events", 60, |state| found(state).is_some());
    let (listed, all) = found(&hand.state().state).unwrap();
    assert!(listed == all && all >= 1_000, "{listed} of {all}");
    type_into(hand, "Search events", "Search notes");
    wait(hand, "those with these words", 60, |state| found(state).is_some_and(|(listed, _)| listed < all));
    let events = &hand.state().state.campaigns.events;
    let Some(Ok(answer)) = &events.answer else { panic!("{:?}", events.answer) };
    assert!(!answer.events.is_empty() && answer.all == all);
    assert!(
        answer.events.iter().all(|event| format!("{}{}", event.event, event.page).contains("Search notes"))
    );
    type_into(hand, "Search events", "nothing does this");
    wait(hand, "that there is none", 60, |state| found(state).is_some_and(|(listed, _)| listed == 0));
    assert!(hand.query_by_label("No such event").is_some());
}

#[test]
fn campaigns_of_earlier_runs_are_opened() {
    let folder = found_workspace();
    let mut hand = window_on(folder.path());
    click(&mut hand, "Fuzz");
    wait(&mut hand, "the earlier campaigns", 30, |state| state.campaigns.earlier().count() == 2);
    click(&mut hand, "Earlier campaign 1, Notes");
    wait(&mut hand, "its bugs", 60, |state| {
        state
            .campaigns
            .shown()
            .is_some_and(|campaign| campaign.row == Some(1) && !campaign.carded().is_empty())
    });
    let state = &hand.state().state;
    let campaign = state.campaigns.shown().unwrap();
    assert_eq!(campaign.carded().len(), state.history.bugs_in(1), "as many as Replay lists");
    assert!(campaign.events() >= 2_500 && !campaign.runs[0].samples.is_empty());
    let title = campaign.carded()[0].title.clone();
    assert!(hand.query_by_label("Earlier campaign 2, Files").is_some(), "the others stay where they are");
    click(&mut hand, "Numbers");
    assert!(hand.query_by_label_contains("All engines").is_some());
    ask(&mut hand, CampaignCommand::Show(FuzzView::States));
    assert!(hand.query_by_label("The states of earlier campaigns are not kept").is_some());
    click(&mut hand, "Engine");
    assert!(hand.query_by_label("Functions").is_some());
    find_events(&mut hand);

    ask(&mut hand, CampaignCommand::Show(FuzzView::Bugs));
    // Its other findings have such a button, too.
    hand.get_all_by_label(&format!("Replay {title}")).next().unwrap().click_accesskit();
    wait(&mut hand, "its finding", 60, |state| state.replay.is_some());

    // What cannot be read is said in its place; the others can still be opened.
    click(&mut hand, "Fuzz");
    let database = database(&folder.path().join("workspace"));
    database.execute("UPDATE campaigns SET plan = '{' WHERE id = 2", []).unwrap();
    click(&mut hand, "Earlier campaign 2, Files");
    wait(&mut hand, "the problem", 30, |state| {
        state.campaigns.opening.as_ref().is_some_and(|opening| opening.problem.is_some())
    });
    assert!(hand.query_by_label("Campaign 2 cannot be read").is_some());
    click(&mut hand, "Earlier campaign 1, Notes");
    wait(&mut hand, "the first again", 60, |state| state.campaigns.earlier_shown() == Some(1));
    assert!(hand.query_by_label("Campaign 2 cannot be read").is_none());
}

#[test]
fn all_test_rules_are_edited_as_json() {
    let (mut hand, _folder) = fuzz();
    click(&mut hand, "Edit the test rules");
    type_into(&mut hand, "Test rules as JSON", r#"{"taproof_rules": 1, "deny": {"activity": []}}"#);
    assert!(hand.query_by_label_contains("unknown field `activity`").is_some());
    assert!(hand.get_by_label("Apply the rules").accesskit_node().is_disabled());
    type_into(&mut hand, "Test rules as JSON", r#"{"taproof_rules": 1, "deny": {"packages": ["org.pay"]}}"#);
    click(&mut hand, "Apply the rules");
    assert!(hand.query_by_label("Collected test rules: leaves 1 package").is_some());
    click(&mut hand, "Edit the test rules");
    click(&mut hand, "Leave them as they were");
    assert!(hand.query_by_label("Test rules as JSON").is_none());
    let form = &hand.state().state.campaigns.form;
    assert_eq!(form.rules_of(&form.target.app).own.summary(), "leaves 1 package");
}

#[test]
#[ignore = "takes long"]
fn test_rules_are_collected_on_the_phone_chosen_as_a_file_and_run() {
    let (mut hand, folder) = fuzz();
    let app = hand.state().state.settings.target.app.clone();
    let layout = hand.state().state.mirror.layout().unwrap().clone();
    let entry = layout.iter().find_map(|(idx, _)| RuleEntry::ignoring(&layout, idx)).unwrap();
    ask(&mut hand, Command::Rule(RuleChange::Add(entry)));
    assert!(hand.query_by_label("Collected test rules: ignores 1 part").is_some());
    let own = own_rules_path(&folder.path().join("workspace"), &app).unwrap();
    wait(&mut hand, "the file of the workspace", 30, |_| read_rules(&own).is_ok());

    // The phone shows where tests do not stay.
    let denied = RuleEntry::denying_activity(&layout).unwrap();
    ask(&mut hand, Command::Rule(RuleChange::Add(denied)));
    click(&mut hand, "Record");
    assert!(hand.query_by_label("tests leave this").is_some());
    ask(&mut hand, CampaignCommand::TurnForm(true));
    assert!(hand.query_by_label("tests leave this").is_none());
    click(&mut hand, "Fuzz");

    let file = folder.path().join("rules.json");
    std::fs::write(&file, r#"{"taproof_rules": 1, "deny": {"activity": []}}"#).unwrap();
    ask(&mut hand, Command::File(FileCommand::Chosen(FilePurpose::TestRules, file.clone())));
    let name = file.display().to_string();
    let said = |state: &StudioState| state.campaigns.rule_files.of(&name).map(|read| read.is_ok());
    wait(&mut hand, "the problem of the file", 30, |state| said(state) == Some(false));
    assert!(hand.query_by_label_contains("unknown field `activity`").is_some());
    std::fs::write(&file, r#"{"taproof_rules": 1, "deny": {"packages": ["org.pay"]}}"#).unwrap();
    click(&mut hand, "Record");
    click(&mut hand, "Fuzz");
    wait(&mut hand, "the file again", 30, |state| said(state) == Some(true));
    assert!(hand.query_by_label("rules.json: leaves 1 package").is_some());

    type_into(&mut hand, "events", "300");
    click(&mut hand, "Start");
    wait(&mut hand, "the campaign", 60, |state| !state.campaigns.list.is_empty());
    let rules = &hand.state().state.campaigns.list[0].plan.rules;
    let words: Vec<String> = rules.iter().flat_map(|rules| rules.command_words()).collect();
    assert_eq!(words, ["--test-rules", &name, "--test-rules", &own.display().to_string()]);
    wait(&mut hand, "its end", 120, |state| !state.campaigns.list[0].alive());

    drop(hand);
    let hand = window_on(folder.path());
    let rules = hand.state().state.campaigns.form.rules_of(&app);
    assert_eq!((rules.files, rules.own.ignore.len()), (vec![name], 1));
}

#[test]
#[ignore = "takes long"]
fn an_interrupted_campaign_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("workspace");
    let fuzz = ["fuzz", "--app", "files", "--engine", "monkey", "--events", "100000000", "--workspace"];
    let mut program = Program::new(taproof_testing::program::path());
    let mut child = program.args(fuzz).arg(&workspace).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    while kept(&workspace) == 0 {
        assert!(started.elapsed() < Duration::from_secs(60), "it keeps where it stands every five seconds");
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut hand = window_on(folder.path());
    click(&mut hand, "Fuzz");
    click(&mut hand, "Options");
    wait(&mut hand, "the list", 30, |state| !state.campaigns.kept.is_empty());
    let before = hand.state().state.campaigns.kept[0].clone();
    assert!(before.is_interrupted() && earlier_end(&before).contains("Interrupted after"), "{before:?}");
    click(&mut hand, "Resume campaign 1");
    wait(&mut hand, "it to go on", 60, |state| {
        state.campaigns.list.first().is_some_and(|campaign| campaign.events() > before.events)
    });
    let campaign = &hand.state().state.campaigns.list[0];
    assert_eq!((campaign.id.0, campaign.row), (1, Some(1)));
    click(&mut hand, "Cancel campaign 1");
    wait(&mut hand, "the end", 60, |state| !state.campaigns.list[0].alive());
    assert!(hand.query_by_label_contains("Cancelled after event").is_some(), "never shown as done");
}

#[test]
fn witness_and_reference_stand_beside_each_other() {
    let folder = found_workspace();
    let mut hand = window_on(folder.path());
    let row = hand.state().state.history.rows().iter().find(|row| row.minimal_steps > 2).unwrap().clone();
    ask(&mut hand, Command::Go(Place::Replay));
    ask(&mut hand, Command::History(HistoryCommand::Open(row.key)));
    wait(&mut hand, "the finding", 30, |state| state.replay.is_some());
    // The same finding, as if its second step were the detour of a mutant.
    let open = hand.state().state.replay.as_ref().unwrap();
    let mut finding = (*open.finding).clone();
    let (trace, mut seed) = (finding.minimal.trace.clone(), finding.minimal.clone());
    let without = |at: usize| trace.steps().iter().enumerate().filter(move |(place, _)| *place != at);
    seed.trace = taproof_screen::Trace::start(trace.first().clone());
    without(1).for_each(|(_, step)| seed.trace.push(step.clone()));
    let mut mutant = taproof_screen::Trace::start(trace.first().clone());
    for (at, step) in trace.steps().iter().enumerate() {
        let role = if at == 1 { StepRole::Inserted } else { StepRole::Seed };
        mutant.push(taproof_screen::Step { role, ..step.clone() });
    }
    finding.minimal.trace = mutant;
    let rule = ComparisonRule::Effects(taproof_engine::oracle::EffectComparison::default());
    finding.reference = Some(Reference { evidence: seed, rule });
    let source = open.source.clone();
    hand.state_mut().state.replay = Some(ReplayState::open(source, Arc::new(finding)));
    hand.run_steps(3);
    assert!(hand.query_by_label_contains("Screen reference before").is_some());
    assert!(hand.query_by_label_contains("Screen reference after").is_some());
    ask(&mut hand, Command::Replay(ReplayCommand::Goto(1)));
    assert!(hand.query_by_label_contains("Screen reference, waits").is_some(), "during the detour it waits");
    ask(&mut hand, Command::Replay(ReplayCommand::Last));
    assert!(hand.query_by_label_contains("Reference, step").is_some());
}

#[test]
fn what_the_options_say_is_in_one_line() {
    let (mut hand, _folder) = window(None);
    wait(&mut hand, "the phone", 60, shown);
    click(&mut hand, "Fuzz");
    let tasks = hand.state().state.apps.iter().find(|app| app.label == "Tasks").unwrap().package.clone();
    let mut form = hand.state().state.campaigns.form.clone();
    form.choose_app(&tasks);
    ask(&mut hand, Command::EditForm(Box::new(form)));
    let said = hand.get_by_label_contains("With its bugs").rect();
    assert!(said.height() < 20.0, "{said:?}");
}
