//! Tests of events around the apps: the effect of each, that sound apps survive all of them, and that no effect of a
//! test remains once the next one has cleared the app.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::hand::{Hand, outline};
use super::{APPS, phone_with, shown_strings};
use crate::{BugSet, Fonts, Phone};
use taproof_engine::device::{AppData, AppId, Device};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{
    AppHealth, Direction, Event, Frame, Gesture, Key, PxPoint, Selector, SystemEvent, TouchTarget,
    WidgetFlags,
};

fn hand(app: &str) -> Hand {
    Hand::on(&format!("org.taproof.{app}"), &BugSet::none())
}

impl Hand {
    fn around(&mut self, what: SystemEvent) {
        self.perform(&Event::System(what));
    }

    fn press(&mut self, key: Key) {
        self.perform(&Event::Key(key));
    }

    fn package(&mut self) -> String {
        self.layout().widgets()[0].package.to_string()
    }

    /// The text of the widget that has the keyboard focus.
    fn focused(&mut self) -> String {
        let layout = self.layout();
        let focused = layout.iter().find(|(_, widget)| widget.flags.has(WidgetFlags::FOCUSED));
        focused.map_or_else(String::new, |(_, widget)| format!("{}{}", widget.text, widget.content_desc))
    }
}

#[test]
fn calls_and_the_battery_come_in_front_and_go() {
    let mut hand = hand("notes");
    let before = hand.layout();
    hand.around(SystemEvent::LowBattery);
    assert_eq!(hand.package(), "com.android.systemui");
    hand.around(SystemEvent::IncomingCall);
    assert_eq!(hand.package(), "com.android.dialer");
    hand.tap("ANSWER");
    assert!(hand.shows("In a call with 555 0123"));
    hand.tap("HANG UP");
    assert_eq!(hand.package(), "com.android.systemui", "it waited below");
    hand.back();
    assert_eq!(hand.layout(), before);
    hand.around(SystemEvent::IncomingCall);
    hand.tap("DECLINE");
    assert_eq!(hand.layout(), before);
    hand.around(SystemEvent::NetworkOff);
    assert_eq!(hand.layout(), before, "this app needs no network");
    assert!(!hand.phone.scene().network);
}

#[test]
fn language_and_dark_mode_create_activities_anew() {
    for what in [SystemEvent::Locale, SystemEvent::DarkMode, SystemEvent::ProcessDeath] {
        for (bugs, crashes) in [(&[][..], false), (&["notes-rotate-while-editing"][..], true)] {
            let mut hand = Hand::on("org.taproof.notes", &BugSet::of(bugs.iter().copied()));
            hand.tap("Welcome to Notes");
            hand.tap("Edit");
            hand.write("edit_body", "changed");
            hand.around(what);
            assert_eq!(hand.crashed(), crashes, "{what:?}");
            if !crashes {
                assert_eq!(hand.texts("edit_body"), ["changed"], "{what:?}: what stands in a field is saved");
            }
        }
    }
    let mut hand = hand("diary");
    hand.tap("Cooking");
    hand.around(SystemEvent::Locale);
    hand.tap("Attach Picture");
    hand.tap("ZULASSEN");
    assert!(hand.layout().activity().ends_with(".CameraActivity"));
}

#[test]
fn a_process_that_ended_in_the_background_comes_back_as_it_was_saved() {
    let mut hand = hand("files");
    hand.tap("More options");
    hand.tap("Details");
    hand.tap("Close");
    hand.tap("Search");
    hand.write("search_edit_text", "pdf");
    hand.press(Key::ImeAction);
    let found = hand.texts("firstline");
    assert!(!found.is_empty());
    hand.around(SystemEvent::ProcessDeath);
    assert!(hand.layout().activity().ends_with(".SearchActivity"));
    assert_eq!(hand.texts("firstline"), found, "it was looked for again");
    hand.back();
    hand.tap("properties");
    hand.tap("Cut");
    assert!(hand.shows("paste_bar"));
    hand.around(SystemEvent::Background);
    assert!(hand.shows("paste_bar"), "the process went on");
    hand.around(SystemEvent::ProcessDeath);
    assert!(!hand.shows("paste_bar"), "the clipboard is memory only");
    assert!(hand.layout().activity().ends_with(".MainActivity"), "{}", outline(&hand.layout()));
}

#[test]
fn a_permission_that_was_taken_back_is_asked_for_again() {
    let mut hand = hand("diary");
    hand.tap("Cooking");
    hand.tap("Attach Picture");
    hand.tap("ALLOW");
    hand.around(SystemEvent::RevokePermission);
    assert!(hand.shows("ALLOW"), "the camera is open and not allowed any more");
    hand.tap("ALLOW");
    assert!(hand.layout().activity().ends_with(".CameraActivity"));
    hand.around(SystemEvent::RevokePermission);
    hand.tap("DENY");
    assert!(hand.shows("Open Navigation"));
}

#[test]
fn keys_reach_what_a_finger_reaches() {
    let mut hand = hand("files");
    hand.press(Key::Menu);
    assert!(hand.shows("Select all"));
    hand.press(Key::Menu);
    assert!(!hand.shows("Select all"));
    hand.press(Key::Tab);
    assert_eq!(hand.focused(), "Open navigation drawer");
    hand.press(Key::DpadRight);
    assert_eq!(hand.focused(), "Search");
    hand.press(Key::DpadCenter);
    assert!(hand.layout().activity().ends_with(".SearchActivity"));
    hand.perform(&Event::Type("pdf".to_owned()));
    hand.press(Key::DpadLeft);
    hand.press(Key::Delete);
    assert_eq!(hand.texts("search_edit_text"), ["pf"], "the cursor moved");
    hand.press(Key::Enter);
    assert!(hand.shows("search_count"));
    hand.press(Key::DpadDown);
    hand.press(Key::DpadDown);
    assert_ne!(hand.focused(), "");
    hand.tap("search_count");
    assert!(!hand.focused().contains("Clear"));
}

/// A random event on something that the screen shows.
fn any_event(frame: &Frame, rng: &mut Rng) -> Event {
    let layout = &frame.layout;
    let at = |rng: &mut Rng| PxPoint {
        x: rng.below(layout.screen().width as usize) as i32,
        y: rng.below(layout.screen().height as usize) as i32,
    };
    let clickable: Vec<PxPoint> = layout
        .widgets()
        .iter()
        .filter(|widget| widget.flags.has(WidgetFlags::CLICKABLE))
        .map(|widget| widget.bounds.center())
        .collect();
    let on = |at, gesture| Event::Widget {
        target: TouchTarget { selector: Selector::default(), at, screen: layout.screen() },
        gesture,
    };
    let gesture = match rng.below(10) {
        0..6 => Gesture::Tap,
        6 => Gesture::LongPress,
        7 => Gesture::SetText(["", "a", "Notes", "x/y", "2026-01-05", "?"][rng.below(6)].to_owned()),
        8 => Gesture::Swipe([Direction::Up, Direction::Down, Direction::Left][rng.below(3)]),
        _ => Gesture::Drag(at(rng)),
    };
    match rng.below(40) {
        0..24 => on(rng.pick(&clickable).copied().unwrap_or_default(), gesture),
        24..28 => on(at(rng), gesture),
        28..30 => Event::Type("b c".to_owned()),
        30..34 => Event::Key(Key::ALL[rng.below(Key::ALL.len())]),
        34 => Event::Rotate,
        35 => Event::Wait(DeviceDuration(rng.below(12_000) as u64)),
        36 => Event::Relaunch,
        _ => Event::System(SystemEvent::ALL[rng.below(SystemEvent::ALL.len())]),
    }
}

#[test]
fn sound_apps_survive_whatever_happens_around_them() {
    let fonts = Arc::new(Fonts::new());
    let mut missing: Vec<String> = Vec::new();
    for app in APPS {
        let mut strings = BTreeSet::new();
        for seed in 0..4 {
            let mut rng = Rng::from_seed(seed);
            let mut phone = phone_with(&fonts, app.manifest().package, &BugSet::none());
            let id = AppId(app.manifest().package.to_owned());
            strings = phone.app_file(&id).unwrap().strings().unwrap();
            phone.launch(&id, AppData::Clear).unwrap();
            for step in 0..2500 {
                if step % 500 == 499 {
                    phone.launch(&id, AppData::Keep).unwrap();
                }
                let event = any_event(&phone.observe().unwrap(), &mut rng);
                phone.perform(&event).unwrap();
                let frame = phone.observe().unwrap();
                let alive = matches!(frame.health, AppHealth::Running | AppHealth::LeftApp(_));
                assert!(alive, "{id:?}, seed {seed}, step {step}, {event:?}: {:?}", frame.health);
                let loads = frame.layout.widgets().iter().any(|w| &*w.class == "android.widget.ProgressBar");
                assert!(!loads, "{id:?}, seed {seed}, step {step}, {event:?}: loads for ever");
            }
        }
        let shown = shown_strings::of(app.manifest().package).into_iter();
        missing.extend(
            shown
                .filter(|text| !strings.contains(*text))
                .map(|text| format!("{}: {text}", app.manifest().label)),
        );
    }
    assert!(missing.is_empty(), "not in strings.txt:\n{}", missing.join("\n"));
}

/// Uses the phone randomly before the test that counts.
fn live(phone: &mut Phone, rng: &mut Rng) {
    for _ in 0..rng.between(1, 4) {
        let app = APPS[rng.below(APPS.len())].manifest().package;
        let data = if rng.chance(1, 2) { AppData::Clear } else { AppData::Keep };
        phone.launch(&AppId(app.to_owned()), data).unwrap();
        for _ in 0..rng.below(400) {
            let event = any_event(&phone.observe().unwrap(), rng);
            phone.perform(&event).unwrap();
        }
    }
}

#[test]
fn a_cleared_app_knows_nothing_of_the_tests_before_it() {
    let fonts = Arc::new(Fonts::new());
    for app in APPS {
        for (seed, bugs) in [(1, BugSet::none()), (2, BugSet::all(app.manifest())), (3, BugSet::none())] {
            let (package, mut rng) = (app.manifest().package, Rng::from_seed(seed));
            let id = AppId(package.to_owned());
            let mut used = phone_with(&fonts, package, &bugs);
            for round in 0..4 {
                live(&mut used, &mut rng);
                let mut fresh = phone_with(&fonts, package, &bugs);
                fresh.resume_clock(used.now());
                for phone in [&mut used, &mut fresh] {
                    phone.launch(&id, AppData::Clear).unwrap();
                }
                for step in 0..500 {
                    let (frame, other) = (used.observe().unwrap(), fresh.observe().unwrap());
                    let same = frame.layout == other.layout
                        && frame.at == other.at
                        && format!("{:?}", frame.health) == format!("{:?}", other.health);
                    assert!(same, "{package}, seed {seed}, round {round}, step {step}");
                    if step % 100 == 0 {
                        assert_eq!(used.screenshot().unwrap(), fresh.screenshot().unwrap());
                    }
                    let event = any_event(&frame, &mut rng);
                    used.perform(&event).unwrap();
                    fresh.perform(&event).unwrap();
                }
            }
        }
    }
}
