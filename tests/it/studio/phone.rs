//! The phone in the window, by pointer and keyboard: touching, typing, going back, branching, keeping.
#![allow(clippy::disallowed_methods)]

use taproof_testing::driver;

use std::path::Path;
use std::sync::Arc;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use taproof_campaign::retrace;
use taproof_engine::device::Build;
use taproof_phone::BundledPhones;
use taproof_results::store::open_trace;
use taproof_screen::{AppHealth, Event, Frame, Gesture, Key, Likeness, WidgetIdx};
use taproof_studio::app::Studio;
use taproof_studio::command::{Command, FileCommand, FilePurpose};
use taproof_studio::mirror::{PathPosition, ReachedBy, Shown};
use taproof_studio::phone::{KeepCommand, TakeOver, TestDraft, TraceSource};
use taproof_studio::state::StudioState;
use taproof_testing::driver::{ask, click, place_of, shown, types_keys_only, wait};

type Window = Harness<'static, Studio>;

fn window() -> (Window, tempfile::TempDir) {
    let (mut harness, folder) = driver::window(None);
    wait(&mut harness, "the phone", 60, shown);
    (harness, folder)
}

/// Lets the phone do what it was told.
fn settle(harness: &mut Window) {
    harness.run_steps(2);
    wait(harness, "the phone to settle", 60, |state| !state.mirror.busy());
    assert_eq!(harness.state().state.mirror.problem, None);
}

fn find(harness: &Window, what: impl Fn(&taproof_screen::Widget) -> bool) -> Option<WidgetIdx> {
    let layout = harness.state().state.mirror.layout().unwrap();
    layout.iter().find(|(_, widget)| what(widget)).map(|(idx, _)| idx)
}

fn press(harness: &mut Window, at: egui::Pos2) {
    harness.hover_at(at);
    harness.step();
    harness.drag_at(at);
    harness.step();
}

fn tap(harness: &mut Window, what: impl Fn(&taproof_screen::Widget) -> bool) {
    let at = place_of(harness, find(harness, what).expect("the widget is there"));
    press(harness, at);
    harness.drop_at(at);
    settle(harness);
}

fn text_is(text: &'static str) -> impl Fn(&taproof_screen::Widget) -> bool {
    move |widget| &*widget.text == text
}

fn stands(state: &StudioState) -> (usize, ReachedBy) {
    let shown = state.mirror.shown.as_ref().unwrap();
    (shown.place.step, shown.standing)
}

fn last_event(harness: &Window) -> Event {
    harness.state().state.mirror.walked.steps.last().unwrap().event.clone()
}

/// Opens the dialog that asks for a folder's name.
fn name_a_folder(harness: &mut Window) {
    tap(harness, |widget| widget.short_id() == Some("sd_main_fab"));
    tap(harness, text_is("Folder"));
    wait(harness, "the name field", 60, |state| {
        state.mirror.layout().unwrap().widgets().iter().any(|widget| widget.is_text_field())
    });
}

fn field_text(harness: &Window) -> String {
    let layout = harness.state().state.mirror.layout().unwrap();
    layout.widgets().iter().find(|widget| widget.is_text_field()).unwrap().text.to_string()
}

#[test]
fn text_of_any_script_is_typed_and_taken_back() {
    let (mut harness, _folder) = window();
    name_a_folder(&mut harness);
    tap(&mut harness, |widget| widget.is_text_field());
    for text in ["Ü", "名", "б"] {
        harness.event(egui::Event::Text(text.to_owned()));
        settle(&mut harness);
    }
    assert_eq!(field_text(&harness), "Ü名б");
    harness.key_press(egui::Key::Backspace);
    settle(&mut harness);
    assert_eq!(field_text(&harness), "Ü名");
    assert_eq!(last_event(&harness), Event::Key(Key::Delete));
    harness.event(egui::Event::Paste("x y".to_owned()));
    settle(&mut harness);
    assert_eq!(field_text(&harness), "Ü名x y");
}

#[test]
fn a_text_that_cannot_be_typed_is_told_at_the_field_with_what_changes_that() {
    let (mut harness, _folder) = window();
    name_a_folder(&mut harness);
    tap(&mut harness, |widget| widget.is_text_field());
    types_keys_only(&mut harness);
    let steps = |harness: &Window| harness.state().state.mirror.walked.steps.len();
    let before = steps(&harness);
    let told = "This phone cannot type \u{201c}\u{e4}\u{201d}";
    assert!(harness.query_by_label(told).is_none());
    harness.event(egui::Event::Paste("L\u{e4}den".to_owned()));
    settle(&mut harness);
    assert!(harness.query_by_label(told).is_some());
    assert_eq!(steps(&harness), before, "nothing of it was sent");

    harness.event(egui::Event::Text("b".to_owned()));
    settle(&mut harness);
    assert!(harness.query_by_label(told).is_none(), "what can be typed is");
    assert_eq!((steps(&harness), field_text(&harness).as_str()), (before + 1, "b"));

    types_keys_only(&mut harness);
    harness.event(egui::Event::Text("\u{e4}".to_owned()));
    settle(&mut harness);
    click(&mut harness, "Start the server, so that emulator-1 types any text");
    let started = "Starting the uiautomator2 server on emulator-1\u{2026}";
    let mut messages = harness.state().state.messages.newest_first();
    assert!(messages.any(|logged| logged.message.text == started));
}

#[test]
fn a_resting_finger_presses_long_and_a_moving_one_drags() {
    let (mut harness, _folder) = window();
    let row = find(&harness, |widget| widget.long_clickable()).expect("a row");
    let at = place_of(&harness, row);
    press(&mut harness, at);
    for _ in 0..60 {
        harness.step();
    }
    harness.drop_at(at);
    settle(&mut harness);
    let gesture = |event: Event| match event {
        Event::Widget { gesture, .. } => gesture,
        other => panic!("{other:?}"),
    };
    assert_eq!(gesture(last_event(&harness)), Gesture::LongPress);

    click(&mut harness, "Restart the app");
    settle(&mut harness);
    let room = harness.get_by_label("Phone screen").rect();
    let (from, to) = (room.center() + egui::vec2(0.0, 120.0), room.center() - egui::vec2(0.0, 120.0));
    press(&mut harness, from);
    harness.hover_at(to);
    harness.step();
    harness.drop_at(to);
    settle(&mut harness);
    let Gesture::Drag(end) = gesture(last_event(&harness)) else { panic!("no drag") };
    let screen = harness.state().state.mirror.layout().unwrap().screen();
    assert!(end.y < screen.height / 2, "{end:?}");

    let before = harness.state().state.mirror.walked.steps.len();
    harness.hover_at(room.center());
    harness.step();
    let delta = egui::vec2(0.0, -120.0);
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta,
        phase: egui::TouchPhase::Move,
        modifiers: egui::Modifiers::NONE,
    });
    for _ in 0..20 {
        harness.step();
    }
    settle(&mut harness);
    assert!(harness.state().state.mirror.walked.steps.len() > before, "the wheel scrolls");
    assert!(matches!(gesture(last_event(&harness)), Gesture::Drag(_)));
}

#[test]
fn the_phone_goes_back_and_a_click_makes_a_branch() {
    let (mut harness, _folder) = window();
    name_a_folder(&mut harness);
    let after = harness.state().state.mirror.layout().unwrap().clone();
    let last = harness.state().state.mirror.walked.steps.len();
    click(&mut harness, "Put the phone back before the last step (Alt+Left)");
    settle(&mut harness);
    assert_eq!(stands(&harness.state().state), (last - 1, ReachedBy::Snapshot));
    assert!(harness.query_by_label_contains("restored from snapshot").is_some());
    let words = format!("Event {} of {last}. Click to go on.", last - 1);
    assert!(harness.query_by_label_contains(&words).is_some());
    harness.key_press(egui::Key::Escape);
    settle(&mut harness);
    assert_eq!(stands(&harness.state().state).0, last);
    assert_eq!(*harness.state().state.mirror.layout().unwrap(), after);
    harness.key_press_modifiers(egui::Modifiers::ALT, egui::Key::ArrowLeft);
    settle(&mut harness);
    click(&mut harness, "Rotate");
    settle(&mut harness);
    assert_eq!(stands(&harness.state().state), (last, ReachedBy::Live));
    assert_eq!(last_event(&harness), Event::Rotate);
    assert_eq!(harness.state().state.mirror.walked.steps.len(), last);
}

#[test]
fn the_widgets_under_a_point_are_at_hand() {
    let (mut harness, _folder) = window();
    let idx = find(&harness, |widget| widget.short_id() == Some("sd_main_fab")).unwrap();
    let at = place_of(&harness, idx);
    harness.hover_at(at);
    harness.step();
    for pressed in [true, false] {
        harness.event(egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Secondary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        });
        harness.step();
    }
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("Widgets at this point").is_some());
    let layout = harness.state().state.mirror.layout().unwrap().clone();
    let parent = layout.widget(idx).parent.unwrap();
    ask(&mut harness, Command::Select(Some(idx)));
    harness.key_press(egui::Key::Escape);
    harness.run_steps(2);
    harness.key_press_modifiers(egui::Modifiers::ALT, egui::Key::ArrowUp);
    harness.run_steps(3);
    assert_eq!(harness.state().state.selected, Some(parent));
    assert_eq!(harness.state().state.mirror.walked.steps.len(), 0, "nothing was touched");
}

/// Takes a way over, clicks on from its middle, and keeps the branch.
#[test]
fn a_way_is_taken_over_branched_and_kept_as_a_test() {
    let (mut harness, folder) = window();
    name_a_folder(&mut harness);
    tap(&mut harness, |widget| widget.is_text_field());
    harness.event(egui::Event::Paste("new one".to_owned()));
    settle(&mut harness);
    let path = harness.state().state.mirror.walked.path;
    let steps = harness.state().state.mirror.walked.steps.clone();
    // Another phone comes in the place of this one; the way is taken over all the same.
    let settings = harness.state().state.settings.clone();
    ask(&mut harness, Command::UseApp(settings.target.clone()));
    settle(&mut harness);
    ask(&mut harness, Command::TakeOver(TakeOver::At(TraceSource::Path(path), 3)));
    wait(&mut harness, "the way", 60, |state| {
        state.takeover.as_ref().is_some_and(|taken| taken.path.is_some())
    });
    settle(&mut harness);
    let state = &harness.state().state;
    assert_eq!(stands(state), (3, ReachedBy::Reexecuted));
    assert_eq!(*state.mirror.layout().unwrap(), steps[2].after.frame.layout);
    let taken = state.takeover.as_ref().unwrap();
    assert_eq!((taken.prefix, taken.diverged.len()), (steps.len(), 0));
    assert_eq!(taken.likeness(2, 3), Some(Likeness::Same));
    assert!(harness.query_by_label_contains("done again, 3 events").is_some());
    // A branch.
    harness.event(egui::Event::Paste("branch".to_owned()));
    settle(&mut harness);
    let taken = harness.state().state.takeover.as_ref().unwrap();
    assert!(taken.branched() && taken.prefix == 3, "{}", taken.prefix);
    tap(&mut harness, |widget| widget.text.eq_ignore_ascii_case("create"));
    assert!(find(&harness, text_is("branch")).is_some(), "the folder is there");

    ask(&mut harness, KeepCommand::Test);
    assert!(harness.query_by_label_contains("\u{201c}branch\u{201d} is shown").is_some());
    click(&mut harness, "Pick something that must be shown");
    assert!(harness.query_by_label("Click what must be shown.").is_some());
    let row = place_of(&harness, find(&harness, text_is("branch")).unwrap());
    let walked = harness.state().state.mirror.walked.steps.len();
    press(&mut harness, row);
    harness.drop_at(row);
    harness.run_steps(3);
    let state = &harness.state().state;
    assert_eq!(state.mirror.walked.steps.len(), walked, "a pick touches nothing");
    let demands = &state.keep.as_ref().unwrap().demands;
    assert!(demands.last().unwrap().1, "what is picked is demanded");
    let saved = Arc::new(state.keep.as_ref().unwrap().finished());
    let file = folder.path().join("branch.json");
    // Who is asked for a file may look at the test once more.
    click(&mut harness, "Keep the test\u{2026}");
    assert!(harness.state().state.chooser.is_some());
    assert!(harness.query_by_label("Keep the test\u{2026}").is_none(), "one question at a time");
    ask(&mut harness, Command::File(FileCommand::Cancel));
    assert_eq!(harness.state().state.keep.as_ref().map(TestDraft::finished).as_ref(), Some(&*saved));
    click(&mut harness, "Keep the test\u{2026}");
    let chosen = FileCommand::Chosen(FilePurpose::SaveTrace(saved), file.clone());
    ask(&mut harness, Command::File(chosen));
    wait(&mut harness, "the file", 60, |state| {
        state.message.as_ref().is_some_and(|message| message.text.starts_with("Kept."))
    });
    assert_eq!(harness.state().state.keep, None);
    passes(&file, &Build::Faulty);

    // It is opened again and stepped through.
    let chosen = FileCommand::Chosen(FilePurpose::OpenTrace, file);
    ask(&mut harness, Command::File(chosen));
    wait(&mut harness, "the trace", 60, |state| {
        state
            .takeover
            .as_ref()
            .is_some_and(|taken| matches!(taken.source, TraceSource::Given(_)) && taken.path.is_some())
    });
    settle(&mut harness);
    let shown = harness.state().state.mirror.shown.clone().unwrap();
    assert_eq!((shown.place.step, shown.ahead), (0, walked));
    ask(&mut harness, Command::Stand(PathPosition { step: walked, ..shown.place }));
    settle(&mut harness);
    assert!(find(&harness, text_is("branch")).is_some());
    assert!(harness.state().state.takeover.as_ref().unwrap().diverged.is_empty());
    // The steps become those of a recording.
    ask(&mut harness, KeepCommand::Function(3));
    let record = &harness.state().state.record;
    assert_eq!((record.lead.len(), record.recording.steps.len()), (3, walked - 3));
}

fn passes(file: &Path, build: &Build) {
    let saved = open_trace(file).unwrap();
    assert!(saved.steps.iter().all(|step| match &step.event {
        Event::Widget { target, .. } => !target.selector.is_empty(),
        _ => true,
    }));
    let retraced = retrace(&saved, &mut BundledPhones::new(&saved.app, build), &|| false).unwrap();
    assert_eq!(retraced.first_difference(), None);
    assert!(retraced.passed() && retraced.judged.len() >= 2, "{:?}", retraced.judged);
}

#[test]
fn a_way_is_done_again_step_by_step() {
    let (mut harness, _folder) = window();
    name_a_folder(&mut harness);
    let (path, steps) = {
        let walked = &harness.state().state.mirror.walked;
        (walked.path, walked.steps.len())
    };
    ask(&mut harness, Command::TakeOver(TakeOver::Reexecute(TraceSource::Path(path), 1)));
    wait(&mut harness, "the end", 60, |state| {
        let again = state.takeover.as_ref().and_then(|taken| taken.reexecution);
        again.is_some_and(|again| again.done == again.total && !again.running)
    });
    let state = &harness.state().state;
    assert_eq!(stands(state), (steps, ReachedBy::Reexecuted));
    assert!(state.takeover.as_ref().unwrap().diverged.is_empty());
    let told = format!("done again, {steps} events");
    assert!(steps > 1 && harness.query_by_label_contains(&told).is_some(), "not the last step alone");
}

/// What the phone's header tells must not push the place away.
#[test]
fn the_column_of_the_phone_stays_as_wide_as_it_is() {
    let (mut harness, _folder) = window();
    let width = |harness: &Window| {
        let panel = egui::containers::panel::PanelState::load(&harness.ctx, egui::Id::new("phone"));
        panel.unwrap().outer_rect.width()
    };
    harness.run_steps(4);
    let before = width(&harness);
    let shown = Arc::clone(harness.state().state.mirror.shown.as_ref().unwrap());
    let health = AppHealth::LeftApp("com.android.launcher".into());
    harness.state_mut().state.mirror.shown = Some(Arc::new(Shown {
        no: shown.no,
        frame: Frame { health, ..shown.frame.clone() },
        picture: shown.picture.clone(),
        source: shown.source,
        stale: shown.stale,
        info: shown.info.clone(),
        typeable: shown.typeable,
        walk: None,
        place: shown.place,
        standing: ReachedBy::Reexecuted,
        redone: 23_000,
        anew: true,
        ahead: shown.ahead,
    }));
    harness.run_steps(20);
    for badge in ["done again, 23000 events", "another app in front"] {
        let badge = harness.get_by_label(badge).rect();
        assert!(badge.right() <= before, "{badge:?} reaches beyond {before}");
    }
    assert_eq!(width(&harness), before);
}

#[test]
fn a_movement_after_a_tap_shows_the_widget_under_the_pointer_again() {
    let (mut harness, _folder) = window();
    let widget = |harness: &Harness<'_, Studio>| {
        let layout = harness.state().state.mirror.layout().unwrap().clone();
        let mut leaves = layout.iter().filter(|(idx, widget)| widget.clickable() && layout.is_leaf(*idx));
        leaves.next().unwrap().0
    };
    let idx = widget(&harness);
    driver::tap(&mut harness, idx);
    wait(&mut harness, "the screen after the tap", 30, shown);
    // The pointer has rested for a while, so that a single movement has no speed.
    harness.run_steps(10);
    let nothing =
        |harness: &Harness<'_, Studio>| harness.query_by_label_contains("Point at the phone").is_some();
    assert!(nothing(&harness), "the touched widget is not covered by its label");
    let at = place_of(&harness, widget(&harness));
    harness.hover_at(at + egui::vec2(1.0, 0.0));
    harness.run_steps(3);
    assert!(!nothing(&harness));
}

#[test]
fn what_is_typed_while_no_field_has_the_focus_is_told() {
    let (mut harness, _folder) = window();
    let layout = harness.state().state.mirror.layout().unwrap().clone();
    let idx = layout.iter().find(|(idx, widget)| !widget.clickable() && layout.is_leaf(*idx)).unwrap().0;
    driver::tap(&mut harness, idx);
    wait(&mut harness, "the tap", 30, shown);
    let told = |harness: &Harness<'_, Studio>| {
        harness.query_by_label_contains("No field has the phone\u{2019}s focus").is_some()
    };
    assert!(!told(&harness));
    harness.event(egui::Event::Text("h".to_owned()));
    harness.run_steps(2);
    assert!(told(&harness));
    ask(&mut harness, Command::Perform(Event::Key(Key::Back)));
    wait(&mut harness, "another screen", 30, shown);
    assert!(!told(&harness), "only as long as the screen is the same");
}
