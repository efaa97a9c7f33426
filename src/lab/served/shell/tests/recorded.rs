//! The output of the served phone for the commands that the adb client parses, recorded in `tests/data/bundled-phone`:
//! the client's parsers are tested on those files.

use std::fmt::Write;
use std::path::Path;

use super::logs::crashed;
use super::{run, served_with};
use crate::Like;

const NOTES: &str = "org.taproof.notes";

/// Pairs of file and command. The foreground app is Notes.
const COMMANDS: [(&str, &str); 17] = [
    ("getprop", "getprop"),
    ("wm_size", "wm size"),
    ("wm_density", "wm density"),
    ("am_start", "am start -n org.taproof.notes/.MainActivity"),
    ("am_start_missing", "am start -n org.taproof.notes/.Nowhere"),
    ("dumpsys_window", "dumpsys window"),
    ("dumpsys_window_policy", "dumpsys window policy"),
    ("dumpsys_input_method", "dumpsys input_method"),
    ("dumpsys_power", "dumpsys power"),
    ("dumpsys_package", "dumpsys package org.taproof.notes"),
    ("pm_list_packages", "pm list packages"),
    ("pm_path", "pm path org.taproof.notes"),
    ("ps", "ps -A"),
    ("settings_get", "settings get global window_animation_scale"),
    ("settings_get_missing", "settings get global no_such_setting"),
    ("uptime", "cat /proc/uptime"),
    ("uiautomator_dump", "uiautomator dump; cat /sdcard/window_dump.xml"),
];

/// With `TAPROOF_RECORD` set this writes the files.
#[test]
fn the_phone_prints_what_was_recorded() {
    for (like, folder) in [(Like::Android14, "android-14"), (Like::Android44, "android-4.4")] {
        let served = served_with(like, NOTES, &[]);
        run(&served, "am start -n org.taproof.notes/.MainActivity");
        for (name, command) in COMMANDS {
            let ran = run(&served, command);
            check(folder, name, &format!("{}{}", ran.out, ran.err));
        }
        let mut log = String::new();
        for buffer in ["main", "system", "crash", "events"] {
            let ran = run(&crashed(like), &format!("logcat -d -b {buffer} -v threadtime"));
            write!(log, "{}", ran.out).unwrap();
        }
        check(folder, "logcat_crash", &log);
    }
}

fn check(folder: &str, name: &str, printed: &str) {
    let below = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/data/bundled-phone").join(folder);
    let path = below.join(name).with_extension("txt");
    if std::env::var_os("TAPROOF_RECORD").is_some() {
        std::fs::create_dir_all(&below).unwrap();
        std::fs::write(&path, printed).unwrap();
    }
    let recorded = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(printed, recorded, "{}: TAPROOF_RECORD=1 writes it anew", path.display());
}
