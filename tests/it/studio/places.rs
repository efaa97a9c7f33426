//! The window without a display: the real program is driven through its accessible names and the pointer.
#![allow(clippy::disallowed_methods)]

use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use taproof_campaign::Finding;
use taproof_results::report::Mark;
use taproof_screen::{Gesture, PxPoint};
use taproof_studio::app::Studio;
use taproof_studio::mirror::{FrameNo, Mirror, MirrorCommand, MirrorDevice};
use taproof_studio::state::{Place, StudioState};
use taproof_testing::driver::{click, replay_button, shown, tap, tap_at_once, wait, window};

/// A finding that touches a widget in its last step and blames another.
fn with_both_marks(state: &StudioState) -> Option<std::sync::Arc<Finding>> {
    let campaign = state.campaigns.list.first()?;
    let both = |finding: &&std::sync::Arc<Finding>| {
        let last = finding.minimal.trace.len().saturating_sub(1);
        taproof_results::report::replay_frame(finding, last).is_some_and(|frame| {
            frame.touched.is_some() && frame.marks_after.values().any(|mark| *mark == Mark::Offending)
        })
    };
    // One that was only seen has no pictures yet.
    campaign.found.findings.iter().filter(|finding| finding.finished).find(both).cloned()
}

#[test]
#[ignore = "takes long"]
fn a_campaign_is_started_and_its_finding_stepped_through() {
    let (mut harness, folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    click(&mut harness, "Fuzz");
    assert_eq!(harness.state().state.settings.place, Place::Fuzz);
    let apps = &harness.state().state.apps;
    let app = apps.iter().find(|app| app.dmfs > 0).unwrap().clone();
    if harness.state().state.campaigns.form.target.app != app.package {
        click(&mut harness, "App to test");
        click(&mut harness, &app.label);
    }
    click(&mut harness, "Start");
    assert_eq!(harness.state().state.campaigns.list.len(), 1);
    wait(&mut harness, "a finding", 300, |state| with_both_marks(state).is_some());
    click(&mut harness, "Cancel campaign 1");
    wait(&mut harness, "the end", 60, |state| !state.campaigns.list[0].alive());

    let finding = with_both_marks(&harness.state().state).unwrap();
    let button = replay_button(&harness.state().state, &finding);
    click(&mut harness, &button);
    wait(&mut harness, "the finding", 30, |state| state.replay.is_some());
    let step = |harness: &Harness<'_, Studio>| harness.state().state.replay.as_ref().unwrap().step;
    assert_eq!(harness.state().state.settings.place, Place::Replay);
    // The disk may have told a smaller witness of it since.
    let finding = std::sync::Arc::clone(&harness.state().state.replay.as_ref().unwrap().finding);
    let last = finding.minimal.trace.len() - 1;
    assert_eq!(step(&harness), last, "the failing step");
    if last > 0 {
        click(&mut harness, "Previous step (Left)");
        assert_eq!(step(&harness), last - 1);
        click(&mut harness, "Next step (Right)");
        assert_eq!(step(&harness), last);
        harness.key_press(egui::Key::Home);
        harness.run_steps(3);
        assert_eq!(step(&harness), 0);
    }
    harness.key_press(egui::Key::End);
    harness.run_steps(3);
    assert_eq!(step(&harness), last);
    assert!(harness.query_by_label_contains("Screen before, touched: ").is_some());
    assert!(harness.query_by_label_contains("Screen after, wrong: ").is_some());
    let rows = harness.query_all_by_label_contains(", wrong").count();
    assert!(rows >= 2, "the mark is on the screen and in the tree");
    click(&mut harness, "Before");
    assert!(harness.query_all_by_label_contains(", touched").count() >= 2);
    wait(&mut harness, "the pictures", 30, |state| {
        state.replay.as_ref().unwrap().pictures.values().any(Option::is_some)
    });
    drop(harness);
    assert!(folder.path().join("workspace").is_dir(), "what is shown is kept");
}

#[test]
fn a_form_says_what_is_wrong_beside_its_field() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    click(&mut harness, "Fuzz");
    let field = harness.get_by_label("events");
    field.focus();
    harness.run_steps(2);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    harness.get_by_label("events").type_text("none");
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("Events: Give a number from 1").is_some());
    assert!(harness.get_by_label("Start").accesskit_node().is_disabled());
}

#[test]
fn the_phone_is_tapped_where_the_pointer_is() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    let layout = harness.state().state.mirror.layout().unwrap().clone();
    let (target, _) = layout
        .iter()
        .find(|(_, widget)| widget.clickable() && !widget.bounds.is_empty())
        .expect("the first screen has something to tap");
    let before = harness.state().state.mirror.frame_no();
    tap(&mut harness, target);
    wait(&mut harness, "another screen", 30, |state| state.mirror.frame_no() != before);
    click(&mut harness, "Back");
    wait(&mut harness, "the phone", 30, shown);
    let before = harness.state().state.mirror.frame_no();
    tap_at_once(&mut harness, target);
    wait(&mut harness, "another screen", 30, |state| state.mirror.frame_no() != before);
    click(&mut harness, "Rotate");
    wait(&mut harness, "a screen on its side", 30, |state| {
        state.mirror.layout().unwrap().rotation().sideways()
    });
    assert_eq!(harness.state().state.mirror.problem, None);
}

#[test]
fn a_touch_on_a_stale_frame_is_refused() {
    let phone = |_: &taproof_engine::worker::Unwanted| {
        let fonts = std::sync::Arc::new(taproof_phone::Fonts::new());
        Ok(MirrorDevice::Live(Box::new(taproof_phone::Phone::new(fonts))))
    };
    let mirror = Mirror::start(std::sync::Arc::new(phone), || ()).unwrap();
    let touch =
        MirrorCommand::Touch { frame: FrameNo(99), at: PxPoint { x: 1, y: 1 }, gesture: Gesture::Tap };
    assert!(mirror.send(touch).is_some());
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        assert!(Instant::now() < end);
        if let Some(news) = mirror.news().filter(|news| news.done == 1) {
            assert!(news.problem.unwrap().contains("The screen changed"));
            assert_eq!(news.shown.unwrap().no, FrameNo(1));
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_recorded_walk_shows_its_screens() {
    let Some(data) = taproof_testing::data() else { return };
    let (mut harness, _folder) = window(Some(data.join("android44/walks/activitydiary-create")));
    wait(&mut harness, "the walk", 30, shown);
    let at = |harness: &Harness<'_, Studio>| {
        harness.state().state.mirror.shown.as_ref().unwrap().walk.clone().unwrap().step
    };
    assert_eq!(at(&harness), 0);
    assert!(harness.state().state.mirror.shown.as_ref().unwrap().picture.is_some());
    assert!(
        harness.query_all_by_label_contains(", touched").next().is_some(),
        "the tree says what was touched"
    );
    click(&mut harness, "Next screen");
    wait(&mut harness, "the next screen", 30, |state| {
        state.mirror.shown.as_ref().unwrap().walk.as_ref().unwrap().step == 1
    });
    harness.key_press(egui::Key::PageUp);
    harness.run_steps(3);
    wait(&mut harness, "the first screen", 30, |state| {
        state.mirror.shown.as_ref().unwrap().walk.as_ref().unwrap().step == 0
    });
}

#[test]
fn a_window_at_rest_asks_for_nothing() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    harness.run_steps(5);
    let output = harness.output();
    let viewport = output.viewport_output.values().next().unwrap();
    assert!(viewport.repaint_delay > Duration::from_secs(1), "{:?}", viewport.repaint_delay);
}
