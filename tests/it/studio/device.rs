//! A device in the window: found, chosen, tapped, recorded on, tried, fuzzed, replayed, unplugged and plugged in again.
#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use taproof_adb::host::AdbServer;
use taproof_campaign::{EndReason, Target};
use taproof_engine::device::Build;
use taproof_served::{Latency, Like};
use taproof_studio::app::StudioOptions;
use taproof_studio::command::Command;
use taproof_studio::fuzz::CampaignPhase;
use taproof_studio::record::RecordPhase;
use taproof_studio::state::{Place, StudioState};
use taproof_testing::device::adb::{ServedPhone, patience};
use taproof_testing::driver::{bundled_phone, click, open_blind, replay_button, type_into};
use taproof_testing::hand::{Hand, id, text};

const FILES: &str = "org.taproof.files";
/// The device that the window is to find; set for the process that has the window.
const SERIAL: &str = "TAPROOF_TEST_WINDOW_SERIAL";
/// What the process with the window prints to have the device unplugged, and plugged in again.
const UNPLUG: &str = "unplug the device";
const PLUG: &str = "plug the device in";
const NONE: Modifiers = Modifiers::NONE;

/// The window finds its adb server by the environment, which no test may change for its neighbours: it runs in a process
/// of its own.
#[test]
#[ignore = "takes long"]
fn a_device_is_used_as_the_bundled_phone_is() {
    if let Ok(serial) = std::env::var(SERIAL) {
        return use_device(&serial);
    }
    let Some(mut phone) = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off) else {
        return;
    };
    let mut window = std::process::Command::new(std::env::current_exe().unwrap());
    let test = "studio::device::a_device_is_used_as_the_bundled_phone_is";
    window.args(["--exact", test, "--include-ignored", "--nocapture"]);
    window.env(SERIAL, &phone.serial).env("ANDROID_ADB_SERVER_PORT", phone.own.port());
    window
        .env_remove("ADB_SERVER_SOCKET")
        .env_remove("ANDROID_ADB_SERVER_ADDRESS")
        .env_remove("ANDROID_SERIAL");
    let animations =
        |phone: &ServedPhone| phone.text(&["shell", "settings get global window_animation_scale"]);
    let before = animations(&phone);
    assert_ne!(before.trim(), "0");
    let mut window = window.stdout(Stdio::piped()).spawn().unwrap();
    let mut passed = false;
    for line in BufReader::new(window.stdout.take().unwrap()).lines().map(Result::unwrap) {
        match line.as_str() {
            UNPLUG => phone.unplug(),
            PLUG => phone.plug(),
            line => passed |= line.contains("1 passed"),
        }
    }
    assert!(window.wait().unwrap().success() && passed);
    assert_eq!(animations(&phone), before, "whoever closes the window leaves the device as it was");
}

fn use_device(serial: &str) {
    let folder = tempfile::tempdir().unwrap();
    let options = StudioOptions { devices: true, ..bundled_phone(folder.path()) };
    let mut hand = Hand::in_window(open_blind(options));
    let lists = |state: &StudioState| {
        state.devices.list.iter().any(|device| device.ready && device.packages.iter().any(|it| it == FILES))
    };
    hand.wait("the device", 60, lists);
    let is_called = |state: &StudioState| {
        state.apps.iter().any(|app| app.device.is_some() && app.label == "Files" && app.icon.is_some())
    };
    hand.wait("the labels of its apps", 60, is_called);
    hand.click("App on the phone");
    hand.click(&format!("Files on {serial}"));
    hand.key(NONE, Key::Escape);
    assert_eq!(hand.state().settings.target.device.as_deref(), Some(serial));
    hand.wait("its screen", 60, |state| {
        shows(state, "Documents") && state.mirror.shown.as_ref().unwrap().source.is_some()
    });

    check(&mut hand, serial);
    record(&mut hand);
    fuzz(&mut hand, serial);
    away_and_back(&mut hand, serial);
    away_while_lent(&mut hand, serial);
}

/// Whether the screen has a widget of this text, and none of it is old.
fn shows(state: &StudioState, words: &str) -> bool {
    let fresh = state.mirror.shown.as_ref().is_some_and(|shown| !shown.stale);
    fresh && state.mirror.layout().is_some_and(|layout| text(words).resolve(layout).first().is_some())
}

/// The device is checked in the panel of phones, and is in its place again afterwards.
fn check(hand: &mut Hand, serial: &str) {
    hand.click("App on the phone");
    hand.click("Look for phones\u{2026}");
    hand.click(&format!("Check {serial}"));
    let check = |state: &StudioState| state.devices.checks.get(serial).cloned().unwrap_or_default();
    hand.wait("the first answer", 60, |state| !check(state).answers.is_empty());
    hand.wait("all answers", 120, |state| check(state).ended.is_some());
    let done = check(hand.state());
    assert!(done.ended == Some(Ok(())) && done.answers.len() > 8, "{done:?}");
    assert!(hand.harness.query_by_label_contains("A campaign can run on it").is_some());
    hand.key(NONE, Key::Escape);
    assert!(!hand.state().devices.panel);
    hand.wait("the device again", 60, is_back);
}

/// Whether the window has its device again, and shows it.
fn is_back(state: &StudioState) -> bool {
    state.lent_phone().is_none() && is_shown(state) && !state.mirror.busy()
}

fn record(hand: &mut Hand) {
    hand.key(Modifiers::COMMAND, Key::R);
    hand.tap(&id("org.taproof.files:id/sd_main_fab"));
    hand.tap(&text("Folder"));
    hand.type_text("k7");
    hand.tap(&id("android:id/button1"));
    hand.wait("the folder", 60, |state| shows(state, "k7"));
    hand.key(Modifiers::COMMAND, Key::R);
    assert_eq!(hand.state().record.phase, RecordPhase::Review);
    let lines = &hand.state().record.lines;
    assert!(lines.len() == 4 && lines.iter().all(|line| line.alone() && !line.torn), "{lines:#?}");
    // Nothing is cleared unasked.
    hand.key(NONE, Key::T);
    assert!(hand.harness.query_by_label("Clear the data of Files?").is_some());
    hand.click("Cancel");
    assert!(hand.state().asked_about_data.is_none() && hand.state().trial.plan.is_none());
    hand.key(NONE, Key::T);
    hand.click("Clear and start");
    hand.wait("the trial", 300, |state| state.trial.report.is_some() || state.trial.problem.is_some());
    assert_eq!(hand.state().trial.problem, None);
    let report = hand.state().trial.report.as_ref().unwrap();
    assert!(report.all_held(), "{:?} {:?}", report.end, hand.state().trial.runs);
    hand.wait("the device again", 60, is_back);
    let cleared = |state: &StudioState| {
        state.messages.newest_first().any(|it| it.message.text.contains("was cleared once more"))
    };
    hand.wait("that it is told", 60, cleared);
}

fn fuzz(hand: &mut Hand, serial: &str) {
    hand.order(Command::Go(Place::Fuzz));
    if hand.state().campaigns.form.target.device.is_none() {
        click(&mut hand.harness, "App to test");
        click(&mut hand.harness, &format!("{FILES} on {serial}"));
    }
    // Enough that a part of them minimises a finding.
    type_into(&mut hand.harness, "events", "3000");
    click(&mut hand.harness, "Start");
    assert!(hand.state().asked_about_data.is_none(), "the answer is remembered for this app on this device");
    // The phone that is tested is the phone that is shown, and nobody touches it.
    assert_eq!(hand.state().settings.target.device.as_deref(), Some(serial));
    hand.order(Command::Go(Place::Record));
    hand.wait("what the campaign sees", 60, |state| {
        state.lent_phone().is_some_and(|lent| lent.frame.is_some() && lent.user == "tested by campaign 1")
    });
    hand.harness.run_steps(2);
    assert!(hand.harness.query_by_label("Screen of the tested phone").is_some());
    assert!(hand.harness.query_by_label("Phone screen").is_none());
    hand.key(Modifiers::COMMAND, Key::R);
    assert_ne!(hand.state().record.phase, RecordPhase::Recording, "there is no phone to record on");
    hand.order(Command::Go(Place::Fuzz));
    // A device has one owner at a time.
    hand.order(Command::UseApp(Target::installed(FILES, serial)));
    // The message of this may be followed by that of a finding at once.
    let problem = hand.state().in_use().problem(serial).unwrap();
    assert!(problem.contains(&format!(" has {serial}")), "{problem}");
    assert!(hand.state().lent_phone().is_some());
    click(&mut hand.harness, "New campaign");
    click(&mut hand.harness, "Start");
    assert_eq!(hand.state().campaigns.list.len(), 1);
    hand.wait("the end", 300, |state| !state.campaigns.list.is_empty() && !state.campaigns.list[0].alive());
    let campaign = &hand.state().campaigns.list[0];
    assert_eq!(campaign.phase(), CampaignPhase::Ended(EndReason::BudgetSpent));
    // A finding is shown once it is written, which may be after the end.
    let confirmed = |state: &StudioState| {
        state.campaigns.list[0].found.findings.iter().find(|finding| finding.finished).cloned()
    };
    hand.wait("what is wrong with Files", 60, |state| confirmed(state).is_some());
    let finding = confirmed(hand.state()).unwrap();
    let button = replay_button(hand.state(), &finding);
    click(&mut hand.harness, &button);
    hand.wait("the finding", 60, |state| state.replay.is_some());
    hand.key(NONE, Key::End);
    assert!(hand.harness.query_by_label_contains("Screen before").is_some());
    hand.wait("its picture", 60, |state| {
        state.replay.as_ref().unwrap().pictures.values().any(Option::is_some)
    });
    hand.wait("the device again", 60, is_back);
}

fn away_and_back(hand: &mut Hand, serial: &str) {
    hand.order(Command::Go(Place::Record));
    let server = AdbServer::from_environment(&|name| std::env::var(name).ok()).unwrap();
    server.disconnect(serial, &patience()).unwrap();
    hand.wait("that it is gone", 60, |state| state.mirror.gone && state.devices.list.is_empty());
    server.connect(serial, &patience()).unwrap();
    hand.wait("that it is back", 60, |state| !state.mirror.gone && !state.mirror.busy() && lists_one(state));
    // The status line may be empty again by now.
    assert!(hand.state().messages.newest_first().any(|it| it.message.text.contains("is back")));
    hand.wait("its screen", 60, is_shown);
}

/// A campaign is cancelled while its device is away: the window is not left with another phone under its name.
fn away_while_lent(hand: &mut Hand, serial: &str) {
    let server = AdbServer::from_environment(&|name| std::env::var(name).ok()).unwrap();
    hand.order(Command::Go(Place::Fuzz));
    type_into(&mut hand.harness, "events", "100000");
    click(&mut hand.harness, "Start");
    hand.wait("events", 60, |state| state.campaigns.list[0].events() > 0);
    println!("\n{UNPLUG}");
    hand.wait("that it is gone", 60, |state| !state.devices.list.iter().any(|device| device.ready));
    click(&mut hand.harness, "Cancel campaign 2");
    hand.wait("the end", 60, |state| !state.campaigns.list[0].alive());
    hand.wait("that it is told", 60, |state| {
        state.lent_phone().is_none() && state.mirror.gone && !state.mirror.busy()
    });
    assert_eq!(hand.state().settings.target.device.as_deref(), Some(serial));
    assert!(hand.state().mirror.shown.is_none(), "no other phone has its name");
    // Another app can be used meanwhile.
    hand.order(Command::Go(Place::Record));
    hand.order(Command::UseApp(Target::bundled("org.taproof.notes", Build::Sound)));
    hand.wait("its screen", 60, |state| !state.mirror.gone && state.mirror.layout().is_some());
    let steps = hand.state().mirror.walked.steps.len();
    let widgets = hand.state().mirror.layout().unwrap().widgets();
    let at = widgets.iter().find(|widget| widget.clickable()).unwrap().bounds.center();
    hand.tap_at(at);
    assert_eq!(
        (hand.state().mirror.problem.clone(), hand.state().mirror.walked.steps.len()),
        (None, steps + 1)
    );
    hand.order(Command::UseApp(Target::installed(FILES, serial)));
    hand.wait("that it is away", 60, |state| state.mirror.gone);
    println!("\n{PLUG}");
    let limit = patience();
    while server.connect(serial, &limit).is_err() {
        limit.pause(Duration::from_millis(100), "the device to be plugged in").unwrap();
    }
    hand.wait("its screen", 60, |state| lists_one(state) && is_shown(state));
}

/// Whether the device is there and gives pictures; its screen need not be at rest.
fn is_shown(state: &StudioState) -> bool {
    !state.mirror.gone && state.mirror.shown.as_ref().is_some_and(|shown| shown.source.is_some())
}

fn lists_one(state: &StudioState) -> bool {
    state.devices.list.len() == 1
}
