//! Tests of the differences on Android 4.4.

use std::sync::Arc;

use super::{START, out, run, run_with, served};
use crate::wire::Services;
use crate::{Like, Served, ServedServices};

fn old_phone() -> Served {
    served(Like::Android44)
}

#[test]
fn a_program_needs_a_folder_to_be_compiled_to() {
    let served = old_phone();
    out(&served, "echo x > /data/local/tmp/own.jar");
    let said = |data: &str| {
        let line = format!("{data}CLASSPATH=/data/local/tmp/own.jar app_process / org.ex.Main");
        run(&served, &line).err
    };
    assert_eq!(said(""), "Aborted\n");
    assert_eq!(said("ANDROID_DATA=/data/local/tmp/d "), "Aborted\n", "not there");
    out(&served, "mkdir -p /data/local/tmp/d/dalvik-cache");
    assert!(said("ANDROID_DATA=/data/local/tmp/d ").contains("Could not find class 'org.ex.Main'"));
}

#[test]
fn a_failed_dump_leaves_the_older_file() {
    let served = old_phone();
    out(&served, "echo older > /data/local/tmp/w.xml");
    served.lock().faults.dumps = Some((crate::DumpFault::NullRoot, 1));
    let ran = run(&served, "uiautomator dump /data/local/tmp/w.xml");
    assert_eq!(
        (ran.err.as_str(), ran.code),
        ("ERROR: null root node returned by UiTestAutomationBridge.\n", 0)
    );
    assert_eq!(out(&served, "cat /data/local/tmp/w.xml"), "older\n");
    assert_eq!(
        out(&served, "uiautomator dump"),
        "UI hierchary dumped to: /storage/emulated/legacy/window_dump.xml\n"
    );
}

#[test]
fn an_empty_field_shows_what_it_asks_for() {
    let served = old_phone();
    out(&served, START);
    let layout = served.lock().layout().unwrap();
    let search =
        layout.widgets().iter().find(|widget| &*widget.content_desc == "Search").unwrap().bounds.center();
    out(&served, &format!("input tap {} {}", search.x, search.y));
    let layout = served.lock().layout().unwrap();
    let field = layout.widgets().iter().find(|widget| widget.is_text_field()).unwrap().clone();
    assert_eq!((&*field.text, field.hint.is_empty()), ("", false));
    let xml = run_with(&served, "uiautomator dump /dev/tty", b"", true).out;
    assert!(xml.contains(&format!("text=\"{}\"", field.hint)) && !xml.contains(" hint="));
}

#[test]
fn the_picture_is_never_turned_but_the_dump_is() {
    let served = old_phone();
    out(&served, START);
    out(&served, "settings put system user_rotation 1");
    let picture = served.lock().picture(true).unwrap();
    assert_eq!((picture.size.width, picture.size.height), (1080, 1920));
    let seen = served.lock().picture(false).unwrap();
    assert_eq!((seen.size.width, seen.size.height), (1920, 1080));
    let xml = run_with(&served, "uiautomator dump /dev/tty", b"", true).out;
    assert!(xml.contains("<hierarchy rotation=\"1\">") && xml.contains("bounds=\"[0,0][1920,"));
    let (mut raw, mut err) = (Vec::new(), Vec::new());
    served.shell("screencap", &mut std::io::empty(), &mut raw, &mut err, true);
    assert_eq!((raw.len(), &raw[..8]), (12 + 1080 * 1920 * 4, &[56, 4, 0, 0, 128, 7, 0, 0][..]));
}

#[test]
fn input_knows_less() {
    let served = old_phone();
    for line in ["input draganddrop 1 2 3 4", "input motionevent DOWN 1 2", "input tap", "input text a b"] {
        let ran = run(&served, line);
        assert!(
            ran.err.starts_with("Error: ") && ran.err.contains("Usage: input [<source>] <command>"),
            "{ran:?}"
        );
    }
    assert_eq!(run(&served, "input text é").code, 1);
}

#[test]
fn lists_have_the_old_shape() {
    let served = old_phone();
    assert!(served.read("/data/app/org.taproof.files-1.apk").unwrap().starts_with(b"PK"));
    assert!(out(&served, "dumpsys window windows").contains("mFocusedApp=AppWindowToken{"));
    assert!(out(&served, "dumpsys activity activities").contains("mFocusedActivity: ActivityRecord{"));
    assert!(out(&served, "getprop").contains("[ro.build.version.sdk]: [19]\n"));
    run(&served, START);
    let log = out(&served, "logcat -d");
    assert!(
        log.starts_with("--------- beginning of /dev/log/system\nI/ActivityManager( 1500): START u0 {"),
        "{log}"
    );
    let apk = served.read("/data/app/org.taproof.files-1.apk").unwrap();
    served.write("/data/local/tmp/a.apk", 0o644, 0, apk.to_vec()).unwrap();
    assert_eq!(
        out(&served, "pm 'install' '/data/local/tmp/a.apk'"),
        "\tpkg: /data/local/tmp/a.apk\nSuccess\n"
    );
}

#[test]
fn the_wire_is_told_what_it_is() {
    let identity = |like| ServedServices(Arc::new(served(like))).identity();
    let (old, new) = (identity(Like::Android44), identity(Like::Android14));
    assert_eq!((old.features.len(), old.max_data, old.crlf_shell), (0, 4096, true));
    assert!(new.features.contains(&"shell_v2") && new.max_data == 1 << 20 && !new.crlf_shell);
}
