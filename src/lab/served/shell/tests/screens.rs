//! Tests of dumps, pictures and input on a current phone.

use std::sync::Arc;

use super::{START, find, layout, new_phone, out, run, run_with, shows, tap};
use crate::{DumpFault, Latency, Like, Served, agent, uiautomator2};
use taproof_phone::apps::phone_with;
use taproof_phone::{BugSet, Fonts};
use taproof_screen::format::parse_hierarchy;
use taproof_screen::{Event, Gesture, PxPoint, Selector, TouchTarget};

#[test]
fn a_dump_is_the_layout() {
    let served = new_phone();
    out(&served, START);
    let file = "/data/local/tmp/u.xml";
    let printed = out(&served, &format!("rm -f {file}; uiautomator dump {file} && cat {file}"));
    let (status, xml) = printed.split_once('\n').unwrap();
    assert_eq!(status, "UI hierchary dumped to: /data/local/tmp/u.xml");
    let read = parse_hierarchy(xml.as_bytes()).unwrap().layout;
    assert_eq!(read.widgets(), layout(&served).widgets());
    assert_eq!(
        out(&served, "uiautomator dump; ls /sdcard/window_dump.xml").lines().next(),
        Some("UI hierchary dumped to: /sdcard/window_dump.xml")
    );
    assert_eq!(*served.read("/sdcard/window_dump.xml").unwrap(), xml.as_bytes());
}

#[test]
fn a_dump_to_the_terminal_needs_one() {
    let served = new_phone();
    out(&served, START);
    let with = run_with(&served, "uiautomator dump /dev/tty", b"", true);
    assert!(
        with.out.starts_with(
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
        )
    );
    assert!(with.out.ends_with("</hierarchy>UI hierchary dumped to: /dev/tty\n"));
    let without = run(&served, "uiautomator dump /dev/tty");
    assert_eq!((without.out.as_str(), without.code), ("UI hierchary dumped to: /dev/tty\n", 0));
}

#[test]
fn a_dialog_hides_what_is_below_and_how_large_the_screen_is() {
    let served = new_phone();
    out(&served, START);
    tap(&served, "sd_main_fab");
    tap(&served, "Folder");
    let xml = run_with(&served, "uiautomator dump /dev/tty", b"", true).out;
    assert!(xml.contains("<hierarchy rotation=\"0\"><node"), "no size stands there");
    assert!(!xml.contains("listView") && xml.contains("singleedittext_input"));
    let compressed = run_with(&served, "uiautomator dump --compressed /dev/tty", b"", true).out;
    assert!(compressed.matches("<node").count() < xml.matches("<node").count());
    for text in ["singleedittext_input", "Create", "Cancel"] {
        assert!(compressed.contains(text), "{text}");
    }
}

#[test]
fn only_one_may_dump() {
    let served = new_phone();
    uiautomator2::start(&served, uiautomator2::PORT).unwrap();
    let ran = run(&served, "uiautomator dump");
    assert!(ran.err.contains("already registered!") && ran.out.is_empty(), "{ran:?}");
    uiautomator2::stop(&served);
    assert_eq!(run(&served, "uiautomator dump").code, 0);
}

#[test]
fn dumps_fail_as_they_do_on_phones() {
    let served = new_phone();
    for (fault, err, code) in [
        (DumpFault::NeverIdle, "ERROR: could not get idle state.\n", 0),
        (DumpFault::NullRoot, "ERROR: null root node returned by UiTestAutomationBridge.\n", 0),
        (DumpFault::Killed, "Killed\n", 137),
    ] {
        served.lock().faults.dumps = Some((fault, 2));
        let old = run(&served, "uiautomator dump /sdcard/w.xml");
        assert_eq!((old.err.as_str(), old.code), (err, code));
        assert_ne!(run(&served, "uiautomator dump /sdcard/w.xml").err, "");
        assert!(served.stat("/sdcard/w.xml").is_err(), "a failed dump writes nothing");
        assert_eq!(run(&served, "uiautomator dump").err, "");
    }
    assert_eq!(out(&served, "uiautomator dump /system/x.xml"), "UI hierchary dumped to: /system/x.xml\n");
}

#[test]
fn pictures_are_raw_or_png() {
    let served = new_phone();
    let (mut raw, mut err) = (Vec::new(), Vec::new());
    served.shell("screencap", &mut std::io::empty(), &mut raw, &mut err, true);
    let shot = served.lock().device.screenshot().unwrap();
    assert_eq!(raw[..16], [56, 4, 0, 0, 128, 7, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(raw[16..], shot.rgba[..]);
    let mut png = Vec::new();
    served.shell("screencap -p", &mut std::io::empty(), &mut png, &mut err, true);
    assert_eq!(image::load_from_memory(&png).unwrap().width(), 1080);
    out(&served, "screencap /sdcard/s.png; screencap -p /sdcard/s");
    assert!(served.read("/sdcard/s.png").unwrap().starts_with(b"\x89PNG"));
    assert_eq!(served.read("/sdcard/s.png"), served.read("/sdcard/s"));
    assert_eq!(
        run(&served, "screencap -p /system/s.png").err,
        "Error opening file: /system/s.png (Read-only file system)\n"
    );
    assert!(run(&served, "screencap -h").err.starts_with("usage: screencap"));
}

#[test]
fn touches_do_what_they_do_in_process() {
    let served = new_phone();
    out(&served, START);
    let twin = new_phone();
    out(&twin, START);
    let at = find(&served, "firstline");
    let event = |gesture| Event::Widget {
        target: TouchTarget { selector: Selector::default(), at, screen: twin.lock().device.info().screen },
        gesture,
    };
    for (line, gesture) in [
        (format!("input swipe {0} {1} {0} {1} 800", at.x, at.y), Gesture::LongPress),
        (
            format!("input swipe {0} {1} {0} {2} 300", at.x, at.y, at.y - 300),
            Gesture::Drag(PxPoint { y: at.y - 300, ..at }),
        ),
        (format!("input touchscreen tap {}.5 {}.9", at.x, at.y), Gesture::Tap),
        (format!("input swipe {0} {1} {0} {1} 100", at.x, at.y), Gesture::Tap),
        (
            format!("input draganddrop {0} {1} {0} {2}", at.x, at.y, at.y - 200),
            Gesture::Drag(PxPoint { y: at.y - 200, ..at }),
        ),
    ] {
        out(&served, &line);
        let event = event(gesture);
        twin.lock().device.perform(&event).unwrap();
        let (frame, expected) =
            (served.lock().device.observe().unwrap(), twin.lock().device.observe().unwrap());
        assert_eq!((frame.at, &frame.layout), (expected.at, &expected.layout), "{line}");
    }
}

#[test]
fn keys_arrive() {
    let served = new_phone();
    out(&served, START);
    tap(&served, "Search");
    out(&served, "input keyevent 29 30 31 9 62 77; input keyevent DEL; input text %sx");
    assert!(
        shows(&served, "abc2  x"),
        "{:?}",
        layout(&served).widgets().iter().map(|w| w.text.to_string()).collect::<Vec<_>>()
    );
    assert!(out(&served, "dumpsys input_method").contains("mInputShown=true"));
    out(&served, "input keyevent 111");
    assert!(out(&served, "dumpsys input_method").contains("mInputShown=false"));
    out(&served, "input keyevent --longpress 4; input keyevent HOME");
    assert!(
        out(&served, "dumpsys window").contains("mCurrentFocus=Window{")
            && layout(&served).activity().contains("launcher")
    );
    out(&served, "input keyevent APP_SWITCH");
    assert!(layout(&served).activity().ends_with("RecentsActivity"));
}

#[test]
fn a_dark_screen_takes_no_touch() {
    let served = new_phone();
    out(&served, &format!("{START}; input keyevent 26"));
    let before = served.lock().device.now();
    out(&served, "input tap 500 500; input keyevent BACK; input text a");
    assert_eq!(served.lock().device.now(), before);
    let power = out(&served, "dumpsys power");
    assert!(power.contains("mWakefulness=Asleep") && power.contains("mHoldingDisplaySuspendBlocker=false"));
    assert!(out(&served, "dumpsys window").contains("mCurrentFocus=null"));
    assert!(served.lock().picture(false).unwrap().rgba.chunks(4).all(|pixel| pixel == [0, 0, 0, 255]));
    out(&served, "input keyevent 224; input keyevent 224");
    assert!(out(&served, "dumpsys power").contains("mWakefulness=Awake"));
}

#[test]
fn wrong_arguments_are_told() {
    let served = new_phone();
    for (line, err, code) in [
        ("input tap 1", "Error: Invalid arguments for command: tap", 255),
        ("input tap a b", "Error: Invalid arguments for command: tap", 255),
        ("input swipe 1 2 3 4 x", "Error: Invalid arguments for command: swipe", 255),
        ("input nope", "Error: Unknown command: nope", 255),
        ("input", "Usage: input [<source>] <command>", 255),
        ("am nope", "Unknown command: nope", 255),
        ("pm nope", "Unknown command: nope", 255),
        ("am start", "unable to resolve Intent { flg=0x10000000 }", 1),
        ("am start -n nope", "Bad component name: nope", 255),
        ("settings get nope x", "Invalid namespace 'nope'", 255),
        ("wm size 100x100", "usage: wm size", 255),
        ("cmd nope", "cmd: Can't find service: nope", 20),
        ("dumpsys nope", "Can't find service: nope", 20),
        ("logcat -b nope -d", "Unknown -b buffer 'nope'", 1),
        ("logcat -v nope -d", "Invalid parameter \"nope\" to -v", 1),
        ("monkey -p x", "** Error: this device only starts apps", 255),
    ] {
        let ran = run(&served, line);
        assert!(ran.err.contains(err) && ran.code == code, "{line}: {ran:?}");
    }
}

#[test]
fn touch_screens_are_listed() {
    let served = new_phone();
    let text = out(&served, "getevent -lp");
    assert!(text.starts_with("add device 1: /dev/input/event0\n  name:     \"taproof_touchscreen\"\n"));
    assert!(text.contains("ABS_MT_POSITION_X     : value 0, min 0, max 1079, fuzz 0"), "{text}");
}

#[test]
fn one_record_says_which_program_holds_the_screen() {
    let served = new_phone();
    let server = "com.wetest.uia2.Main";
    uiautomator2::start(&served, 9009).unwrap();
    let table = out(&served, "ps -A");
    let row = table.lines().find(|line| line.ends_with(" app_process")).unwrap();
    let pid = row.split_whitespace().nth(1).unwrap();
    let line = out(&served, &format!("cat /proc/{pid}/cmdline"));
    assert_eq!(line, format!("app_process\0/\0{server}\0-p\x009009\0"));
    let busy = agent::start(&served, "one").unwrap_err();
    assert!(busy.ends_with(&format!("; it may be process {pid} ({server})")), "{busy}");
    let all = "for P in /proc/[0-9]*; do echo -n \"$P \"; cat \"$P/cmdline\" 2>/dev/null; echo; done";
    let listed = out(&served, all);
    assert!(listed.contains(&format!("\n/proc/{pid} app_process\0/\0{server}\0")), "{listed:?}");
    assert!(run(&served, "uiautomator dump").err.contains("already registered!"));
    out(&served, &format!("kill {pid}"));
    assert!(!uiautomator2::accepts(&served, 9009), "it was killed");
    assert_eq!(run(&served, &format!("kill {pid}")).code, 1);
    assert_eq!(agent::start(&served, "one").unwrap(), "READY one\n");
    let agent = served.lock().programs.holder().unwrap().pid;
    assert_ne!(agent.to_string(), pid);
    let refused = uiautomator2::start(&served, 9009).unwrap_err();
    assert_eq!(refused, uiautomator2::StartError::AlreadyRegistered);
    out(&served, &format!("kill {agent}"));
    assert!(out(&served, "uiautomator dump").contains("dumped to"));
    assert_eq!(served.lock().programs.all(), [], "a dump ends");
}

#[test]
fn a_dump_holds_the_screen_until_it_is_killed() {
    let phone = phone_with(&Arc::new(Fonts::new()), "org.taproof.files", &BugSet::default());
    let served = Served::with(Box::new(phone), Like::Android14, Latency::Emulator);
    let pid = std::thread::scope(|scope| {
        let dump = scope.spawn(|| run(&served, "uiautomator dump /sdcard/one.xml"));
        let holder = loop {
            if let Some(holder) = served.lock().programs.holder().cloned() {
                break holder;
            }
            std::thread::yield_now();
        };
        assert_eq!(holder.class(), "com.android.commands.uiautomator.Launcher");
        out(&served, &format!("kill {}", holder.pid));
        let dumped = dump.join().unwrap();
        assert_eq!((dumped.err.as_str(), dumped.code), ("Killed\n", 137));
        holder.pid
    });
    assert!(!served.lock().programs.has(pid) && served.read("/sdcard/one.xml").is_err());
}
