//! Frames of scrcpy: the mirror of a phone behind real adb shows them, and the phone serves clients of scrcpy.
#![allow(clippy::disallowed_methods)]

use std::cell::Cell;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use taproof_adb::scrcpy::{Scid, SearchPlaces};
use taproof_adb::{AdbPhone, ControlMethod};
use taproof_screen::format::{ServerVersion, VideoSize};
use taproof_screen::{Event, Gesture, Key, Layout, Selector};
use taproof_served::Program;
use taproof_studio::mirror::{DeviceMaker, MirrorDevice};
use taproof_testing::device::adb::{ServedPhone, find, patience};
use taproof_testing::device::scrcpy_client::Client;
use taproof_testing::rig::Rig;

const NOTES: &str = "org.taproof.notes";
const SCRCPY: &str = "scrcpy, H.264";
const SCREENCAP: &str = "screencap, raw";

/// What a person has who installed scrcpy.
struct Installed {
    folder: tempfile::TempDir,
}

impl Installed {
    fn new(prints: &str) -> Installed {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("scrcpy");
        std::fs::write(&program, format!("#!/bin/sh\necho '{prints}'\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::write(folder.path().join("scrcpy-server"), b"PK a server").unwrap();
        Installed { folder }
    }

    fn places(&self) -> SearchPlaces {
        let path = self.folder.path().as_os_str().to_owned();
        SearchPlaces::from_environment(|name| (name == "PATH").then(|| path.clone()))
    }
}

fn mirror(phone: &ServedPhone, installed: &Installed) -> Rig {
    let (server, serial) = (phone.own.server.clone(), phone.serial.clone());
    let places = installed.places();
    let make: DeviceMaker = Arc::new(move || {
        let phone =
            AdbPhone::open(&server, &serial, ControlMethod::Uiautomator2, Arc::new(|| false))?.alone();
        Ok(MirrorDevice::Live(Box::new(phone.with_scrcpy_in(places.clone()))))
    });
    Rig::new(make)
}

fn comes_from(rig: &mut Rig, name: &str) {
    rig.wait(|rig| rig.shown().source.is_some_and(|source| source.name == name));
}

fn now(phone: &ServedPhone) -> Arc<Layout> {
    phone.served.lock().layout().unwrap()
}

/// Another tool taps, not a hand.
fn tap(phone: &ServedPhone, words: &str) {
    let at = find(&now(phone), words).center();
    phone.text(&["shell", "input", "tap", &at.x.to_string(), &at.y.to_string()]);
}

/// What the mirror shows, once it is what the phone shows; whether a frame of scrcpy was shown before.
fn agrees(rig: &mut Rig, phone: &ServedPhone) -> bool {
    let there = now(phone);
    let frame = Cell::new(false);
    rig.wait(|rig| {
        let shown = rig.shown();
        let width = shown.picture.as_ref().map_or(0, |picture| picture.size.width);
        frame.set(frame.get() || width == 720);
        !shown.stale && shown.frame.layout.widgets() == there.widgets()
    });
    frame.get()
}

/// Looks on for so long: nothing changes by itself.
fn rests(rig: &mut Rig, span: Duration) {
    let end = Instant::now() + span;
    while Instant::now() < end {
        rig.look();
        assert!(!rig.shown().stale, "the screen is said to have changed by itself");
        assert_eq!(rig.shown().picture.as_ref().unwrap().size.width, 1080, "a frame is shown");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn frames_show_what_changes_by_itself_and_nothing_else() {
    let Some(phone) = ServedPhone::new(NOTES) else { return };
    let installed = Installed::new("scrcpy 3.3.4 <https://github.com/Genymobile/scrcpy>");
    let mut rig = mirror(&phone, &installed);
    comes_from(&mut rig, SCRCPY);
    // Events of the owner are his, however late their frames come.
    let open = Selector { content_desc: Some("Open navigation drawer".to_owned()), ..Selector::default() };
    for _ in 0..3 {
        let drawer = Event::on(&rig.shown().frame.layout, open.clone(), Gesture::Tap).unwrap();
        rig.perform(drawer);
        rests(&mut rig, Duration::from_millis(700));
        rig.perform(Event::Key(Key::Back));
        rests(&mut rig, Duration::from_millis(700));
    }
    assert_eq!(rig.performed.len(), 6);
    // Another tool: shown right after the owner's event, when an exact picture must settle the doubt,
    rig.perform(Event::on(&rig.shown().frame.layout, open, Gesture::Tap).unwrap());
    phone.text(&["shell", "input", "keyevent", "BACK"]);
    agrees(&mut rig, &phone);
    // and by a frame when nothing is in doubt any more.
    let shown = (2..20).any(|seconds| {
        std::thread::sleep(Duration::from_secs(seconds));
        if seconds % 2 == 0 {
            tap(&phone, "Open navigation drawer");
        } else {
            phone.text(&["shell", "input", "keyevent", "BACK"]);
        }
        agrees(&mut rig, &phone)
    });
    assert!(shown, "no frame of scrcpy was ever shown");
    assert_eq!(rig.performed.len(), 7, "what others did is no step");
    assert_eq!(rig.shown().source.unwrap().name, SCRCPY);
    // A screen that is turned has frames of another size.
    phone.text(&[
        "shell",
        "settings put system accelerometer_rotation 0; settings put system user_rotation 1",
    ]);
    agrees(&mut rig, &phone);
    assert!(now(&phone).rotation().sideways());
    assert_eq!(rig.shown().source.unwrap().name, SCRCPY);
}

#[test]
fn a_server_that_dies_is_replaced_and_comes_back() {
    let Some(phone) = ServedPhone::new(NOTES) else { return };
    // The program and the server are of different versions, as after half an update: the server says so.
    phone.served.lock().faults.scrcpy = Some(ServerVersion::from_name("4.1").unwrap());
    let installed = Installed::new("scrcpy 4.0 <https://github.com/Genymobile/scrcpy>");
    let mut rig = mirror(&phone, &installed);
    comes_from(&mut rig, SCRCPY);
    let processes = phone.text(&["shell", "ps -A"]);
    assert!(processes.contains("app_process"), "{processes}");
    let jars = phone.text(&["shell", "ls /data/local/tmp"]);
    assert!(!jars.contains("scrcpy"), "the server removes its file: {jars}");
    let programs = phone.served.lock().programs.all().to_vec();
    let server = programs.iter().find(|running| running.program == Program::Scrcpy).unwrap();
    phone.text(&["shell", "kill", &server.pid.to_string()]);
    comes_from(&mut rig, SCREENCAP);
    tap(&phone, "Open navigation drawer");
    agrees(&mut rig, &phone);
    comes_from(&mut rig, SCRCPY);
    phone.text(&["shell", "input", "keyevent", "BACK"]);
    agrees(&mut rig, &phone);
    // A finger on the glass is a step, though frames show its work before it is told.
    let at = find(&now(&phone), "Search").center();
    let send = |rest: &str| format!("sendevent /dev/input/event0 {rest}; ");
    let spot = send(&format!("3 53 {}", at.x)) + &send(&format!("3 54 {}", at.y)) + &send("0 0 0");
    let finger = [send("3 57 7"), spot, send("3 57 -1"), send("0 0 0")].concat();
    phone.text(&["shell", &finger]);
    rig.wait(|rig| rig.performed.len() == 1);
    agrees(&mut rig, &phone);
    assert_eq!(rig.news.problem, None);
    // The mirror is closed: its server ends.
    drop(rig);
    let ended = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        !phone.text(&["shell", "ps -A"]).contains("app_process")
    });
    assert!(ended, "the server runs on");
}

#[test]
fn without_a_server_that_works_the_next_source_serves() {
    let Some(phone) = ServedPhone::new(NOTES) else { return };
    let installed = Installed::new("scrcpy 1.25 <https://github.com/Genymobile/scrcpy>");
    let mut rig = mirror(&phone, &installed);
    comes_from(&mut rig, SCREENCAP);
    tap(&phone, "Open navigation drawer");
    agrees(&mut rig, &phone);
    assert_eq!(rig.shown().source.unwrap().name, SCREENCAP);
}

#[test]
fn the_phone_serves_clients_of_each_format() {
    let Some(phone) = ServedPhone::new(NOTES) else { return };
    for (number, version) in ["2.1", "3.3.4", "4.1"].into_iter().enumerate() {
        let version = ServerVersion::from_name(version).unwrap();
        let mut client = Client::new(&phone, version, Scid::new(number as u32));
        let first = client.picture(|_| true);
        assert_eq!((first.width, first.height), (720, 1280));
        tap(&phone, "Open navigation drawer");
        client.picture(|picture| picture.rgba != first.rgba);
        phone.text(&["shell", "input", "keyevent", "BACK"]);
        let turn = |quarters: u8| format!("settings put system user_rotation {quarters}");
        phone.text(&["shell", "settings put system accelerometer_rotation 0;", &turn(1)]);
        client.picture(|picture| (picture.width, picture.height) == (1280, 720));
        assert_eq!(client.video.session(), Some(VideoSize { width: 1280, height: 720 }));
        phone.text(&["shell", &turn(0)]);
        client.picture(|picture| picture.height == 1280);
    }
}

#[test]
fn a_client_that_wants_what_is_not_served_is_told() {
    let Some(phone) = ServedPhone::new(NOTES) else { return };
    let jar = "/data/local/tmp/scrcpy-server.jar";
    phone.link().push(b"PK", jar, 0o644, 0, &patience()).unwrap();
    let line = format!("CLASSPATH={jar} app_process / com.genymobile.scrcpy.Server 3.3.4 audio=false");
    let (out, err, code) = phone.adb(&["shell", &line]);
    let said = String::from_utf8_lossy(&out).into_owned() + &err;
    assert!(code == Some(1) && said.contains("only serves control=false"), "{said}");
}
