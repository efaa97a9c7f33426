//! A phone behind real adb in the mirror: it shows what happens on the phone without it, and touches on the phone itself
//! become steps.
#![allow(clippy::disallowed_methods)]

use std::sync::Arc;

use taproof_adb::{AdbPhone, ControlMethod};
use taproof_engine::device::{AppId, Build, Typeable};
use taproof_screen::{Event, Gesture, Key, Layout, PxPoint, PxRect, event_sentence};
use taproof_served::{Latency, Like, Served, agent, uiautomator2};
use taproof_studio::mirror::{DeviceMaker, MirrorCommand, MirrorDevice, Opening, ReachedBy};
use taproof_testing::device::adb::{ServedPhone, find};
use taproof_testing::rig::Rig;

const NOTES: &str = "org.taproof.notes";

fn maker(phone: &ServedPhone) -> DeviceMaker {
    maker_by(phone, ControlMethod::Uiautomator2)
}

fn maker_by(phone: &ServedPhone, by: ControlMethod) -> DeviceMaker {
    let (server, serial) = (phone.own.server.clone(), phone.serial.clone());
    Arc::new(move |unwanted| {
        let phone = AdbPhone::open(&server, &serial, by, Arc::clone(unwanted))?.alone();
        Ok(MirrorDevice::Live(Box::new(phone)))
    })
}

/// A finger on the glass, line by line as the kernel would tell it.
fn finger(phone: &ServedPhone, from: PxPoint, seconds: &str, to: PxPoint) {
    let send = |rest: &str| format!("sendevent /dev/input/event0 {rest}; ");
    let at = |point: PxPoint| send(&format!("3 53 {}", point.x)) + &send(&format!("3 54 {}", point.y));
    let script = [
        send("3 57 7"),
        at(from),
        send("0 0 0"),
        format!("sleep {seconds}; "),
        at(to),
        send("0 0 0"),
        send("3 57 -1"),
        send("0 0 0"),
    ];
    phone.text(&["shell", &script.concat()]);
}

fn middle(bounds: PxRect) -> PxPoint {
    PxPoint { x: i32::midpoint(bounds.left, bounds.right), y: i32::midpoint(bounds.top, bounds.bottom) }
}

fn now(phone: &ServedPhone) -> Arc<Layout> {
    phone.served.lock().layout().unwrap()
}

/// What the mirror shows, once it is what the phone shows.
fn agrees(rig: &mut Rig, phone: &ServedPhone) {
    let there = now(phone);
    rig.wait(|rig| {
        let shown = rig.shown();
        !shown.stale && shown.frame.layout.widgets() == there.widgets()
    });
}

#[test]
fn a_screen_that_changes_by_itself_is_shown() {
    shows_what_changes(ControlMethod::Shell, "screencap, raw");
}

#[test]
fn the_agent_tells_when_a_screen_changes_by_itself() {
    shows_what_changes(ControlMethod::Agent, "agent, JPEG");
}

fn shows_what_changes(by: ControlMethod, source: &str) {
    let Some(phone) = ServedPhone::new(NOTES) else { return };
    let mut rig = Rig::new(maker_by(&phone, by));
    rig.wait(|rig| rig.shown().source.is_some());
    let typeable = if by == ControlMethod::Shell { Typeable::Keys } else { Typeable::Anything };
    assert_eq!(rig.shown().typeable, typeable);
    assert_eq!(rig.shown().source.unwrap().name, source);
    // Another tool taps, not a hand: nothing is recorded, everything is shown.
    for words in ["Open navigation drawer", "Settings"] {
        let at = middle(find(&now(&phone), words));
        phone.text(&["shell", "input", "tap", &at.x.to_string(), &at.y.to_string()]);
        agrees(&mut rig, &phone);
    }
    // What is done here then begins where the phone is.
    let seen = Arc::clone(&rig.shown().frame.layout);
    rig.perform(Event::Key(Key::Back));
    assert_eq!(rig.performed.len(), 1);
    assert_eq!(rig.performed[0].before.frame.layout.widgets(), seen.widgets());
    assert!(rig.shown().picture.is_some());
}

#[test]
fn what_changes_under_a_finger_is_its_doing() {
    let Some(phone) = ServedPhone::new(NOTES) else { return };
    let mut rig = Rig::new(maker(&phone));
    rig.wait(|rig| rig.shown().source.is_some());
    let send = |rest: &str| {
        phone.text(&["shell", &format!("sendevent /dev/input/event0 {rest}")]);
    };
    ["3 57 7", "3 53 900", "3 54 1500", "0 0 0"].into_iter().for_each(send);
    let at = middle(find(&now(&phone), "Open navigation drawer"));
    let (x, y) = (at.x.to_string(), at.y.to_string());
    // The finger is told within moments: a change before that is one by itself.
    let is_its_doing = (0..20).any(|try_no| {
        let before = rig.shown().picture.clone();
        let input = if try_no % 2 == 0 { vec!["tap", &x, &y] } else { vec!["keyevent", "BACK"] };
        phone.text(&[&["shell", "input"], &input[..]].concat());
        rig.wait(|rig| rig.shown().picture != before);
        let stale = rig.shown().stale;
        if stale {
            agrees(&mut rig, &phone);
        }
        !stale
    });
    assert!(is_its_doing, "the layout is read when the finger is lifted");
    assert!(rig.performed.is_empty());
    ["3 57 -1", "0 0 0"].into_iter().for_each(send);
    rig.wait(|rig| rig.performed.len() == 1);
    agrees(&mut rig, &phone);
    assert_eq!(rig.news.problem, None, "there is no doubt what was touched");
}

#[test]
fn touches_on_the_phone_are_steps_with_their_widgets() {
    touches(ControlMethod::Shell);
}

#[test]
fn touches_are_steps_beside_the_uiautomator2_server_too() {
    touches(ControlMethod::Uiautomator2);
}

#[test]
fn touches_are_steps_beside_the_agent_too() {
    touches(ControlMethod::Agent);
}

fn touches(by: ControlMethod) {
    // In the app with its bugs nothing is found.
    let Some(phone) = ServedPhone::with(NOTES, &Build::Sound, Like::default(), Latency::Off) else { return };
    if by == ControlMethod::Uiautomator2 {
        uiautomator2::start(&phone.served, uiautomator2::PORT).unwrap();
    }
    let mut rig = Rig::new(maker_by(&phone, by));
    let mut steps = 0;
    let touch = |rig: &mut Rig, steps: &mut usize, from: PxPoint, seconds: &str, to: PxPoint| {
        finger(&phone, from, seconds, to);
        *steps += 1;
        let steps = *steps;
        rig.wait(|rig| rig.performed.len() == steps);
        agrees(rig, &phone);
        let step = Arc::clone(&rig.performed[steps - 1]);
        event_sentence(&step.event, &step.before.frame.layout)
    };
    let mut said = Vec::new();
    let at = middle(find(&now(&phone), "Search"));
    said.push(touch(&mut rig, &mut steps, at, "0", at));
    // The keys of the keyboard: w and e stand in its first of four rows, the last of the last row searches.
    let keys = phone.served.lock().device.keyboard().unwrap().unwrap();
    let key = |column: i32, row: i32| {
        let (wide, high) = (keys.width() / 10, keys.height() / 4);
        PxPoint { x: keys.left + column * wide + wide / 2, y: keys.top + row * high + high / 2 }
    };
    for at in [key(1, 0), key(2, 0)] {
        said.push(touch(&mut rig, &mut steps, at, "0", at));
    }
    said.push(touch(&mut rig, &mut steps, key(9, 3), "0", key(9, 3)));
    let row = middle(find(&now(&phone), "Welcome to Notes"));
    said.push(touch(&mut rig, &mut steps, row, "0.7", row));
    phone.text(&["shell", "sendevent /dev/input/event0 1 158 1; sendevent /dev/input/event0 1 158 0"]);
    steps += 1;
    rig.wait(|rig| rig.performed.len() == steps);
    assert_eq!(rig.performed[5].event, Event::Key(Key::Back));
    agrees(&mut rig, &phone);
    let to = PxPoint { x: row.x, y: row.y + 400 };
    finger(&phone, row, "0", to);
    rig.wait(|rig| rig.performed.len() == steps + 1);
    assert!(matches!(rig.performed[6].event, Event::Widget { gesture: Gesture::Drag(end), .. } if end == to));
    assert_eq!(
        said,
        [
            "Tap ImageButton “Search”  #action_search",
            "Enter “w” into EditText “Search notes”  #search_field",
            "Enter “we” into EditText “w”  #search_field",
            "Press the keyboard’s action key",
            "Press TextView “Welcome to Notes”  #result_title long",
        ]
    );
}

#[test]
fn another_phone_takes_its_place_whoever_looks_at_this_one() {
    let Some(phone) = ServedPhone::new(NOTES) else { return };
    let mut rig = Rig::new(maker(&phone));
    let animations = || phone.text(&["shell", "settings get global window_animation_scale"]);
    for _ in 0..5 {
        rig.wait(|rig| rig.shown().source.is_some());
        rig.run(MirrorCommand::Use(maker(&phone)));
        assert_eq!(animations(), "0\n", "who left put back what is used again");
    }
    drop(rig);
    assert_ne!(animations(), "0\n");
}

#[test]
fn a_phone_that_goes_away_is_shown_as_it_was_and_told_to_be_gone() {
    let Some(mut phone) = ServedPhone::new(NOTES) else { return };
    let mut rig = Rig::new(maker(&phone));
    let seen = Arc::clone(&rig.shown().frame.layout);
    phone.unplug();
    rig.wait(|rig| rig.news.gone);
    assert_eq!(rig.shown().frame.layout, seen);
    assert!(rig.news.problem.is_some());
    // Nothing is done to a phone that is not there, and it is not shown as live for that.
    rig.perform(Event::Key(Key::Back));
    assert!(rig.news.gone && rig.news.problem.is_some());
    assert!(rig.performed.is_empty());
    rig.send(MirrorCommand::Use(maker(&phone)));
    rig.wait(|rig| rig.news.done == rig.sent);
    assert!(rig.news.gone && rig.news.shown.is_none(), "what is not there is not shown");
    phone.plug();
    phone.connect();
    rig.run(MirrorCommand::Use(maker(&phone)));
    assert!(!rig.news.gone && rig.news.problem.is_none(), "{:?}", rig.news.problem);
}

#[test]
fn a_phone_goes_back_only_to_what_can_be_made_again() {
    let Some(phone) = ServedPhone::new(NOTES) else { return };
    let mut rig = Rig::new(maker(&phone));
    rig.perform(Event::Key(Key::Recents));
    assert!(!rig.shown().anew);
    rig.stand(0);
    assert!(rig.news.problem.as_ref().unwrap().contains("what the app held"), "{:?}", rig.news.problem);
    assert_eq!((rig.shown().place.step, rig.shown().standing), (1, ReachedBy::Live));
    let (make, app) = (maker(&phone), AppId(NOTES.to_owned()));
    rig.run(MirrorCommand::Open(Box::new(Opening { make, app, start: None, events: Vec::new(), step: 0 })));
    let start = Arc::clone(&rig.shown().frame.layout);
    let at = middle(find(&now(&phone), "Search"));
    let (frame, gesture) = (rig.shown().no, Gesture::Tap);
    rig.run(MirrorCommand::Touch { frame, at, gesture });
    assert_ne!(rig.shown().frame.layout.widgets(), start.widgets());
    rig.stand(1);
    assert_eq!(rig.shown().standing, ReachedBy::Live, "it stands there already");
    rig.stand(0);
    let shown = rig.shown();
    assert!(shown.anew && rig.news.problem.is_none(), "{:?}", rig.news.problem);
    assert_eq!((shown.standing, shown.redone, shown.place.step), (ReachedBy::Reexecuted, 0, 0));
    assert_eq!(shown.frame.layout.widgets(), start.widgets());
}

#[test]
fn a_phone_goes_on_without_the_server_that_ended() {
    let Some(phone) = ServedPhone::new(NOTES) else { return };
    uiautomator2::start(&phone.served, uiautomator2::PORT).unwrap();
    goes_on_without(&phone, ControlMethod::Uiautomator2, uiautomator2::stop);
}

#[test]
fn a_phone_goes_on_without_the_agent_that_ended() {
    let Some(phone) = ServedPhone::new(NOTES) else { return };
    goes_on_without(&phone, ControlMethod::Agent, agent::stop);
}

fn goes_on_without(phone: &ServedPhone, by: ControlMethod, stop: fn(&Served)) {
    let mut rig = Rig::new(maker_by(phone, by));
    let name = if by == ControlMethod::Agent { "agent" } else { "uiautomator2" };
    rig.wait(|rig| rig.shown().source.is_some_and(|source| source.name.starts_with(name)));
    stop(&phone.served);
    // The pictures come from the agent, too: their end is noticed first.
    if by == ControlMethod::Agent {
        rig.wait(|rig| rig.shown().source.is_some_and(|source| source.name == "screencap, raw"));
    }
    let at = middle(find(&now(phone), "Search"));
    let (frame, gesture) = (rig.shown().no, Gesture::Tap);
    rig.run(MirrorCommand::Touch { frame, at, gesture });
    assert_eq!(rig.news.problem, None);
    rig.perform(Event::Type("we".to_owned()));
    assert_eq!(rig.news.problem, None);
    agrees(&mut rig, phone);
    assert!(!rig.news.gone);
    assert_eq!(find(&rig.shown().frame.layout, "we"), find(&now(phone), "we"));
    rig.wait(|rig| rig.shown().source.is_some_and(|source| source.name == "screencap, raw"));
}
