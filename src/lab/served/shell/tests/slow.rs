//! A slow phone: each Java program starts a virtual machine, answers come late, and keys are lost.

use std::sync::Arc;
use std::time::Duration;

use super::{out, run};
use crate::{Latency, Like, Served};
use taproof_phone::apps::phone_with;
use taproof_phone::{BugSet, Fonts};

const START: Duration = Duration::from_secs(3);

/// Waits are only told by the device's clock.
fn slow(like: Like) -> Served {
    let phone = phone_with(&Arc::new(Fonts::new()), "org.taproof.files", &BugSet::default());
    Served::with(Box::new(phone), like, Latency::Told).slow(START)
}

/// How many virtual machines a line starts.
fn starts(served: &Served, line: &str) -> u64 {
    let before = served.lock().machine_starts;
    run(served, line);
    served.lock().machine_starts - before
}

#[test]
fn java_programs_start_a_virtual_machine() {
    for like in Like::ALL {
        let served = slow(like);
        for program in
            ["am", "pm", "input", "settings", "uiautomator", "svc", "content", "monkey", "wm", "ime"]
        {
            assert_eq!(starts(&served, program), 1, "{program}");
        }
        for native in
            ["getprop", "dumpsys window", "screencap", "cat /proc/uptime", "ps", "logcat -d", "cmd settings"]
        {
            assert_eq!(starts(&served, native), 0, "{native}");
        }
        assert_eq!(starts(&served, "for I in 1 2; do input tap 1 1; done; wm size | cat"), 3);
    }
}

#[test]
fn the_devices_clock_tells_how_long_a_start_took() {
    let served = slow(Like::Android44);
    let seconds = || out(&served, "cat /proc/uptime").split('.').next().unwrap().parse::<u64>().unwrap();
    let before = seconds();
    run(&served, "settings get global adb_enabled");
    assert!(seconds() >= before + START.as_secs());
    let before = seconds();
    served.lock().faults.late = Some((Duration::from_secs(100), 1));
    let late = seconds();
    assert!(late >= before + 100 && seconds() < late + 100, "one answer is late");
}

#[test]
fn an_old_phone_prints_its_usage_for_a_deletion() {
    let served = slow(Like::Android44);
    let said = run(&served, "settings delete global adb_enabled");
    assert!(said.err.starts_with("usage:  settings "), "{said:?}");
    assert_eq!(out(&served, "settings get global adb_enabled"), "1\n");
}

#[test]
fn lost_keys_are_accepted() {
    let served = slow(Like::Android44);
    run(&served, "am start -n org.taproof.files/.MainActivity");
    let search = |served: &Served| {
        let layout = served.lock().layout().unwrap();
        let button = layout.widgets().iter().find(|widget| &*widget.content_desc == "Search").unwrap();
        let at = button.bounds.center();
        run(served, &format!("input tap {} {}", at.x, at.y));
    };
    let shown = |served: &Served| {
        let layout = served.lock().layout().unwrap();
        let field = layout.widgets().iter().find(|widget| &*widget.class == "android.widget.EditText");
        field.map(|field| field.text.to_string())
    };
    search(&served);
    served.lock().faults.keys_lost = true;
    assert_eq!(run(&served, "input text abc; input keyevent 29").code, 0);
    assert_eq!(shown(&served).as_deref(), Some(""));
    served.lock().faults.keys_lost = false;
    run(&served, "input text abc; input keyevent 29");
    assert_eq!(shown(&served).as_deref(), Some("abca"));
    served.lock().faults.keys_lost = true;
    // The first hides the keyboard.
    run(&served, "input keyevent 4; input keyevent 4");
    assert_eq!(shown(&served), None, "the back key arrives");
}
