//! Tests of starting, stopping, installing and driving apps on a current phone.

use super::{DIARY, FILES, Ran, START, create_folder, layout, new_phone, out, run, run_with, shows, tap};
use crate::Served;
use taproof_engine::device::{AppData, AppId};
use taproof_screen::{Event, SystemEvent};

#[test]
fn apps_start_in_the_words_of_android() {
    let served = new_phone();
    let start = |line: &str| {
        let ran = run(&served, line);
        format!("{}{}", ran.out, ran.err)
    };
    let cold = start("am start -W -n org.taproof.files/.MainActivity");
    assert_eq!(
        cold,
        "Starting: Intent { cmp=org.taproof.files/.MainActivity }\nStatus: ok\nLaunchState: COLD\n\
         Activity: org.taproof.files/.MainActivity\nTotalTime: 1800\nWaitTime: 1804\nComplete\n"
    );
    assert!(
        start("am start -W -n org.taproof.files/.MainActivity")
            .contains("intent has been delivered to currently running top-most instance.")
    );
    out(&served, "input keyevent 3");
    let hot = start(
        "am start -W -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -n org.taproof.files/org.taproof.files.MainActivity",
    );
    assert!(
        hot.contains("LaunchState: HOT") && hot.contains("its current task has been brought to the front")
    );
    assert_eq!(start("am start -S org.taproof.files").lines().next(), Some("Stopping: org.taproof.files"));
    assert!(
        start("am start -a android.intent.action.MAIN -c android.intent.category.HOME")
            .starts_with("Starting: ")
    );
    assert!(layout(&served).activity().contains("launcher"));
    let missing = run(&served, "am start -n org.taproof.files/.Nope");
    assert_eq!(
        (missing.err.as_str(), missing.code),
        (
            "Error type 3\nError: Activity class {org.taproof.files/org.taproof.files.Nope} does not exist.\n",
            1
        )
    );
}

#[test]
fn am_start_is_the_launch_of_the_device() {
    let served = new_phone();
    let app = AppId(FILES.to_owned());
    for (line, data) in [
        ("pm clear org.taproof.files; am start -n org.taproof.files/.MainActivity", AppData::Clear),
        ("am start -S -n org.taproof.files/.MainActivity", AppData::Keep),
    ] {
        let twin = new_phone();
        run(&twin, START);
        run(&served, START);
        let before = (served.lock().device.now(), twin.lock().device.now());
        out(&served, line);
        twin.lock().device.launch(&app, data).unwrap();
        let (frame, expected) =
            (served.lock().device.observe().unwrap(), twin.lock().device.observe().unwrap());
        assert_eq!(frame.layout, expected.layout);
        assert_eq!(frame.at.since(before.0), expected.at.since(before.1), "{line}");
    }
}

#[test]
fn apps_stop_and_lose_their_data() {
    let served = new_phone();
    out(&served, START);
    create_folder(&served, "Errands");
    assert!(shows(&served, "Errands"));
    out(&served, &format!("am force-stop {FILES}; {START}"));
    assert!(shows(&served, "Errands"));
    assert_eq!(out(&served, "pm clear org.taproof.files"), "Success\n");
    assert_eq!(
        run(&served, "pm clear org.nope"),
        Ran { out: "Failed\n".into(), err: String::new(), code: 1 }
    );
    out(&served, START);
    assert!(!shows(&served, "Errands"));
    assert_eq!(run(&served, "am force-stop org.nope").code, 0);
}

#[test]
fn a_process_that_is_killed_comes_back() {
    let served = new_phone();
    out(&served, START);
    tap(&served, "Search");
    let running = || !out(&served, "pidof org.taproof.files || true").is_empty();
    assert!(running());
    run(&served, "input keyevent 3; am kill org.taproof.files");
    assert!(!running());
    run(&served, START);
    assert!(running());
    let twin = new_phone();
    out(&twin, START);
    tap(&twin, "Search");
    twin.lock().device.perform(&Event::System(SystemEvent::ProcessDeath)).unwrap();
    assert_eq!(layout(&served), layout(&twin));
}

#[test]
fn packages_are_listed() {
    let served = new_phone();
    assert_eq!(
        out(&served, "pm list packages -3"),
        "package:io.github.ylimit.droidbotapp\npackage:org.taproof.diary\npackage:org.taproof.files\npackage:org.taproof.notes\npackage:org.taproof.tasks\n"
    );
    assert_eq!(out(&served, "pm list packages files"), "package:org.taproof.files\n");
    assert_eq!(
        out(&served, "pm list packages -f files"),
        "package:/data/app/org.taproof.files-1/base.apk=org.taproof.files\n"
    );
    assert!(out(&served, "pm list packages ''").contains("package:com.android.systemui\n"));
    assert_eq!(out(&served, "pm path org.taproof.files"), "package:/data/app/org.taproof.files-1/base.apk\n");
    assert_eq!((run(&served, "pm path nope").out.as_str(), run(&served, "pm path nope").code), ("", 1));
    assert_eq!(
        out(&served, "cmd package resolve-activity --brief org.taproof.files"),
        "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\norg.taproof.files/.MainActivity\n"
    );
    assert_eq!(out(&served, "cmd package resolve-activity --brief org.nope"), "No activity found\n");
    let text = out(&served, "dumpsys package org.taproof.diary");
    for part in [
        "versionName=1.0\n",
        "versionCode=1 minSdk=21 targetSdk=34\n",
        "pkgFlags=[ HAS_CODE",
        "android.permission.CAMERA: granted=false",
        "firstInstallTime=2026-01-05 09:00:00",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(
        out(&served, "dumpsys package org.nope").lines().last(),
        Some("Unable to find package: org.nope")
    );
}

#[test]
fn permissions_are_given_and_taken() {
    let served = new_phone();
    let granted = |served: &Served| served.lock().app(DIARY).unwrap().permissions[0].1;
    out(&served, "pm grant org.taproof.diary android.permission.CAMERA");
    assert!(granted(&served));
    out(&served, "pm revoke org.taproof.diary android.permission.CAMERA");
    assert!(!granted(&served));
    for (line, err) in [
        (
            "pm grant org.taproof.diary android.permission.SEND_SMS",
            "SecurityException: Package org.taproof.diary has not requested permission android.permission.SEND_SMS",
        ),
        (
            "pm grant org.nope android.permission.CAMERA",
            "IllegalArgumentException: Unknown package: org.nope",
        ),
        ("pm grant org.taproof.diary NOPE", "IllegalArgumentException: Unknown permission: NOPE"),
    ] {
        let ran = run(&served, line);
        assert!(
            ran.err.contains(err)
                && ran.err.contains("Exception occurred while executing 'grant'")
                && ran.code == 255,
            "{ran:?}"
        );
    }
}

#[test]
fn apps_are_installed_from_a_stream_or_a_file() {
    let served = new_phone();
    let apk = served.read("/data/app/org.taproof.diary-1/base.apk").unwrap();
    let line = format!("cmd package 'install' '-r' '-g' -S {}", apk.len());
    assert_eq!(run_with(&served, &line, &apk, true).out, "Success\n");
    assert!(served.lock().app(DIARY).unwrap().permissions[0].1, "-g gives them all");
    let garbage = run_with(&served, "cmd package install -S 7", b"garbage and more", true);
    assert_eq!(
        (garbage.out.as_str(), garbage.code),
        (
            "Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse /data/app/vmdl1.tmp/base.apk: it is no APK]\n",
            1
        )
    );
    let short = run_with(&served, "cmd package install -S 100", b"PK", true);
    assert_eq!((short.code, short.err.contains("2 of 100 bytes")), (1, true));
    let huge = run_with(&served, "cmd package install -S 99999999999", b"PK", true);
    assert!(huge.out.starts_with("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE"));
    served.write("/data/local/tmp/a.apk", 0o644, 0, apk.to_vec()).unwrap();
    assert_eq!(out(&served, "pm install -r /data/local/tmp/a.apk"), "Success\n");
    let mut foreign = apk.to_vec();
    let names: Vec<usize> =
        (0..foreign.len()).filter(|at| foreign[*at..].starts_with(b"assets/taproof-app")).collect();
    names.iter().for_each(|at| foreign[*at] = b'x');
    served.write("/data/local/tmp/b.apk", 0o644, 0, foreign).unwrap();
    assert!(
        run(&served, "pm install /data/local/tmp/b.apk")
            .out
            .starts_with("Failure [INSTALL_FAILED_INVALID_APK: it is an app for a real phone")
    );
    assert_eq!(
        run(&served, "pm uninstall com.android.shell").out,
        "Failure [DELETE_FAILED_INTERNAL_ERROR]\n"
    );
    assert_eq!(out(&served, "pm uninstall io.github.ylimit.droidbotapp"), "Success\n");
    assert!(!out(&served, "pm list packages").contains("droidbot"));
}

#[test]
fn a_monkey_starts_an_app_and_plays_no_more() {
    let served = new_phone();
    let started = out_of(&served, "monkey -p org.taproof.files -c android.intent.category.LAUNCHER 1");
    assert!(started.contains("Events injected: 1\n## Network stats: elapsed time="), "{started}");
    assert!(layout(&served).activity().starts_with("org.taproof.files/"));
    assert_eq!(
        run(&served, "monkey -p org.nope -c android.intent.category.LAUNCHER 1").out.lines().last(),
        Some("** No activities found to run, monkey aborted.")
    );
    let played = run(&served, "monkey -p org.taproof.files -s 7 60");
    assert!(
        played.err.contains("** Error: this device only starts apps") && played.code == 255,
        "{played:?}"
    );
}

fn out_of(served: &Served, line: &str) -> String {
    let ran = run(served, line);
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.out
}
