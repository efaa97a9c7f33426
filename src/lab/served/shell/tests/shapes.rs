//! Compares the old device's output with that of a real one: each line must have the same shape.

use std::collections::BTreeSet;

use super::{START, captured, run, served};
use crate::Like;

/// A line without the parts that differ between two devices: names, numbers, handles.
fn shape(line: &str) -> String {
    let in_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '$' | '-' | '\'');
    let mut out = String::new();
    for word in line.split_inclusive(|c: char| !in_word(c)) {
        let body = word.trim_end_matches(|c: char| !in_word(c));
        let digits = body.chars().any(|c| c.is_ascii_digit());
        let dotted = body.contains('.') && body.chars().any(|c| c.is_ascii_lowercase());
        let kept = match body {
            "true" | "false" => "B",
            _ if dotted => "P",
            _ if digits => "0",
            body => body,
        };
        out.push_str(kept);
        out.push_str(word.get(body.len()..).unwrap_or_default());
    }
    let plain = out
        .replace("Li-ion", "")
        .replace("=null", "=P/P")
        .replace("STOPPED", "RESUMED")
        .replace("SYSTEM ", "");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lines of ours whose shape the real device did not print, up to this share in percent.
fn check(command: &str, file: &str, strangers_percent: usize) {
    let phone = served(Like::Android44);
    run(&phone, START);
    let Some(captured) = captured(file) else { return };
    let known: BTreeSet<String> = captured.lines().map(shape).collect();
    let ran = run(&phone, command);
    let lines: Vec<&str> =
        ran.out.lines().chain(ran.err.lines()).filter(|line| !line.trim().is_empty()).collect();
    let strange: Vec<&&str> = lines.iter().filter(|line| !known.contains(&shape(line))).collect();
    let most = lines.len() * strangers_percent / 100;
    assert!(
        !lines.is_empty() && strange.len() <= most,
        "{command}: {} of {}:\n{strange:#?}",
        strange.len(),
        lines.len()
    );
}

#[test]
fn activities() {
    check("dumpsys activity activities", "dumpsys_activity_activities.txt", 0);
}

#[test]
fn windows() {
    check("dumpsys window windows", "dumpsys_window_windows.txt", 0);
    check("dumpsys window policy", "dumpsys_window_policy.txt", 0);
}

#[test]
fn screen_and_power() {
    check("dumpsys display", "dumpsys_display.txt", 0);
    check("dumpsys battery", "dumpsys_battery.txt", 0);
    check("dumpsys power", "dumpsys_power.txt", 0);
    check("input keyevent 26; dumpsys power", "dumpsys_power_off.txt", 0);
}

#[test]
fn input() {
    // The real device had neither a touch screen nor an on-screen keyboard.
    check("dumpsys input", "dumpsys_input.txt", 20);
    check("dumpsys input_method", "dumpsys_input_method.txt", 60);
}

#[test]
fn packages_and_processes() {
    check("pm list packages", "pm_list_packages.txt", 0);
    // The path of a user's app differs from that of a system app.
    check("dumpsys package org.taproof.files", "dumpsys_package_calculator2.txt", 15);
    let Some(captured) = captured("ps.txt") else { return };
    let ours = run(&served(Like::Android44), "ps").out;
    assert_eq!(ours.lines().next(), captured.lines().next());
    let columns = |text: &str| text.lines().map(|line| line.split_whitespace().count()).max();
    assert_eq!(columns(&ours), columns(&captured));
    let place =
        |text: &str| text.lines().find(|line| line.ends_with("systemui")).and_then(|line| line.find(" S "));
    assert_eq!(place(&ours), place(&captured), "names stand in the same column");
}

#[test]
fn starting_and_dumping() {
    for (command, file) in [
        ("am start -n org.taproof.files/.MainActivity", "am_start_deskclock.txt"),
        ("am start -n com.nope/.Nope; echo rc=0", "am_start_missing.txt"),
        ("am start -a android.intent.action.VIEW -d http://example.com/", "am_start_noresolve.txt"),
        ("cmd; echo rc=0", "cmd_missing.txt"),
        ("uiautomator dump /data/local/tmp/w.xml", "uiautomator_dump_stdout.txt"),
        ("uiautomator dump", "uiautomator_default_path.txt"),
    ] {
        let Some(captured) = captured(file) else { return };
        let ran = run(&served(Like::Android44), command);
        let ours = format!("{}{}", ran.out, ran.err);
        let known: BTreeSet<String> = captured.lines().map(shape).collect();
        let strange: Vec<&str> = ours.lines().filter(|line| !known.contains(&shape(line))).collect();
        assert!(!ours.is_empty() && strange.is_empty(), "{command}: {strange:#?}");
    }
}

#[test]
fn the_missing_class_and_the_address_are_told_word_for_word() {
    let phone = served(Like::Android44);
    for (command, file) in [
        ("am start -n com.nope/.Nope 2>&1; echo rc=0", "am_start_missing.txt"),
        ("am start -a android.intent.action.VIEW -d http://example.com/ 2>&1", "am_start_noresolve.txt"),
        ("cmd 2>&1; echo rc=0", "cmd_missing.txt"),
        ("uiautomator dump /data/local/tmp/w.xml", "uiautomator_dump_stdout.txt"),
        ("uiautomator dump", "uiautomator_default_path.txt"),
    ] {
        let Some(captured) = captured(file) else { return };
        assert_eq!(run(&phone, command).out, captured, "{command}");
    }
}

#[test]
fn log() {
    check("logcat -d -v threadtime", "logcat_threadtime.txt", 40);
}
