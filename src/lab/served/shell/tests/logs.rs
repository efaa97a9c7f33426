//! Tests of the log: buffers, formats, filters, crashes.

use super::{START, find, out, run, served_with, tap};
use crate::{Like, Served};
use taproof_screen::Event;

fn perform(served: &Served, event: Event) {
    served.lock().device.perform(&event).unwrap();
}

/// A phone whose notes app has just crashed.
pub(super) fn crashed(like: Like) -> Served {
    let served = served_with(like, "org.taproof.notes", &["notes-rotate-after-search"]);
    run(&served, "am start -n org.taproof.notes/.MainActivity");
    tap(&served, "action_search");
    tap(&served, "search_field");
    out(&served, "input text e");
    perform(&served, Event::Rotate);
    served
}

#[test]
fn a_crash_stands_in_its_buffers() {
    let served = crashed(Like::Android14);
    assert!(out(&served, "dumpsys window").contains("u0 Application Error: org.taproof.notes}"));
    let crash = out(&served, "logcat -d -b crash -v threadtime");
    assert!(crash.contains(" E AndroidRuntime: FATAL EXCEPTION: main\n"), "{crash}");
    assert!(crash.contains(" E AndroidRuntime: Process: org.taproof.notes, PID: "));
    assert!(crash.contains(" E AndroidRuntime: \tat org.taproof.notes."));
    assert!(!out(&served, "logcat -d -b main").contains("FATAL"));
    assert_eq!(out(&served, "logcat -d").matches("FATAL").count(), 1);
    let events = out(&served, "logcat -d -b events -v brief");
    assert!(
        events.starts_with("I/am_crash( 1500): [") && events.contains(",0,org.taproof.notes,"),
        "{events}"
    );
    let system = out(&served, "logcat -d -b system");
    assert!(system.contains("I ActivityManager: Process org.taproof.notes (pid "));
    let all = out(&served, "logcat -d -b main -b system -b crash -b events");
    assert!(
        all.contains("--------- beginning of crash\n") && all.contains("--------- beginning of events\n")
    );
}

#[test]
fn the_old_device_has_no_crash_buffer() {
    let served = crashed(Like::Android44);
    let main = out(&served, "logcat -d -v time AndroidRuntime:E '*:S'");
    assert!(main.starts_with("--------- beginning of /dev/log/main\n"), "{main}");
    assert!(main.contains(" E/AndroidRuntime( "), "{main}");
    assert!(run(&served, "logcat -b crash -d").err.contains("Unable to open log device '/dev/log/crash'"));
}

#[test]
fn lines_are_chosen() {
    let served = crashed(Like::Android14);
    let count = |line: &str| out(&served, line).lines().filter(|line| !line.starts_with("---")).count();
    assert_eq!(count("logcat -d -s ActivityTaskManager"), 2);
    assert_eq!(count("logcat -d ActivityTaskManager:W '*:S'"), 0);
    assert_eq!(count("logcat -d ActivityTaskManager:I *:S"), 2);
    assert_eq!(count("logcat -t 1"), 1);
    assert_eq!(count("logcat -d -v brief"), count("logcat -d -v threadtime"));
    assert_eq!(count("logcat -d -b events -T '01-05 09:00:00.000'"), 1);
    assert_eq!(count("logcat -d -b events -T '12-05 09:00:00.000'"), 0);
    assert!(run(&served, "logcat -d -T nonsense").code != 0);
    out(&served, "logcat -c");
    assert_eq!((count("logcat -d"), count("logcat -d -b events")), (0, 1));
    out(&served, "logcat -b events -c");
    assert_eq!(count("logcat -d -b events"), 0);
}

#[test]
fn an_app_that_does_not_answer_is_told_of() {
    let served = served_with(Like::Android14, "org.taproof.files", &["files-search-hidden"]);
    out(&served, START);
    let at = find(&served, "Documents");
    out(&served, &format!("input swipe {0} {1} {0} {1} 800", at.x, at.y));
    tap(&served, "action_overflow");
    tap(&served, "Hide");
    tap(&served, "Search");
    out(&served, "input text music; input keyevent 66");
    out(&served, "input tap 500 500");
    assert!(out(&served, "dumpsys window").contains("u0 Application Not Responding: org.taproof.files}"));
    let events = out(&served, "logcat -d -b events");
    assert!(
        events.contains(" I am_anr  : [0,") && events.contains(",org.taproof.files,545832518,"),
        "{events}"
    );
    assert!(
        out(&served, "logcat -d -b system")
            .contains("E ActivityManager: ANR in org.taproof.files (org.taproof.files/.")
    );
}
