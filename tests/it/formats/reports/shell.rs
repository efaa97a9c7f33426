//! Scripts for a shell with adb.

use std::path::PathBuf;
use std::process::Command;

use super::evidence::{
    APP, AROUND, HOSTILE, TYPABLE, export, export_around, facts, file, finding, finding_of, succeed,
};
use taproof_results::report::{ExportKind, export_finding, no_progress};
use taproof_screen::{Event, SystemEvent};

/// Takes the place of adb: a device's shell that has commands of ours in place of its own.
const ADB: &str = r#"#!/bin/sh
set -eu
[ "$1" = shell ]
PATH="$STUBS:$PATH" exec sh -c "$(printf '%s' "$2" | sed "s|/data/local/tmp|$PHONE|g")"
"#;

/// Takes the place of a command on the device: notes the words that reach it, each behind an `=`.
const STUB: &str = r#"#!/bin/sh
printf '%s' "${0##*/}" >>"$PHONE/log"
for word in "$@"; do printf '\036%s' "$word" >>"$PHONE/log"; done
printf '\035' >>"$PHONE/log"
[ "${0##*/}" != "$FAILS" ] || exit 1
case "${0##*/} $*" in
  'settings get global airplane_mode_on' | 'settings get global zen_mode') echo 0 ;;
  'settings get secure location_mode') echo 3 ;;
  'settings get system time_12_24') echo 24 ;;
  'wm density') echo 'Physical density: 480' ;;
  getprop*) echo GMT ;;
esac
case "${0##*/} ${1:-}" in
  'wm size') echo 'Physical size: 1080x1920' ;;
  'pm path') echo 'package:/data/app/base.apk' ;;
  'cmd uimode') echo 'Night mode: no' ;;
  'dumpsys package') echo '      android.permission.CAMERA: granted=true, flags=[ ]' ;;
  'uiautomator dump') [ ! -f "$PHONE/screen" ] || cp "$PHONE/screen" "$2" ;;
esac
"#;

/// A dump of a screen with these rows.
pub(super) fn dump(rows: &[&str]) -> String {
    let row = |text: &&str| {
        let mut written = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        written = written.replace('"', "&quot;").replace('\n', "&#10;");
        format!(
            "<node index=\"0\" text=\"{written}\" resource-id=\"org.ex:id/row\" \
             class=\"android.widget.TextView\" package=\"org.ex\" content-desc=\"\" />"
        )
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">{rows}</hierarchy>"
    )
}

/// A folder with a phone that adb reaches.
pub(super) struct AdbPhone {
    folder: tempfile::TempDir,
}

impl AdbPhone {
    pub(super) fn new() -> AdbPhone {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let stubs = folder.path().join("stubs");
        std::fs::create_dir(&stubs).unwrap();
        let runnable =
            |path: PathBuf| std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
        runnable(file(folder.path(), "adb", ADB));
        runnable(file(folder.path(), "sleep", "#!/bin/sh\n"));
        for stub in [
            "input",
            "am",
            "pm",
            "monkey",
            "settings",
            "wm",
            "uiautomator",
            "ime",
            "svc",
            "dumpsys",
            "cmd",
            "getprop",
        ] {
            runnable(file(&stubs, stub, STUB));
        }
        AdbPhone { folder }
    }

    /// Runs a script while the phone shows this and one of its commands fails; its exit code and what it says.
    pub(super) fn run(&self, script: &[u8], screen: Option<&str>, fails: &str) -> (i32, String) {
        let folder = self.folder.path();
        let path = file(folder, "script.sh", script);
        succeed(Command::new("sh").arg("-n").arg(&path));
        match screen {
            Some(screen) => drop(file(folder, "screen", screen)),
            None => std::fs::remove_file(folder.join("screen")).unwrap_or(()),
        }
        let output = Command::new("sh")
            .arg(&path)
            .current_dir(folder)
            .env("PATH", format!("{}:{}", folder.display(), std::env::var("PATH").unwrap()))
            .env("STUBS", folder.join("stubs"))
            .env("PHONE", folder)
            .env("FAILS", fails)
            .output()
            .unwrap();
        assert!(!folder.join("hacked").exists(), "a text was run");
        let told = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8_lossy(&told).into_owned())
    }
}

#[test]
fn a_shell_script_hands_texts_through_two_shells() {
    let phone = AdbPhone::new();
    let shown = dump(&[TYPABLE]);
    let (ended, told) = phone.run(export(TYPABLE, ExportKind::AdbShell).as_bytes(), Some(&shown), "");
    assert!(ended == 0 && told.ends_with("As it should be.\n"), "{ended}\n{told}");
    let log = std::fs::read_to_string(phone.folder.path().join("log")).unwrap();
    let calls: Vec<Vec<&str>> = log.split('\u{1d}').map(|call| call.split('\u{1e}').collect()).collect();
    let typed: Vec<String> = calls
        .iter()
        .filter_map(|call| match call[..] {
            ["input", "text", text] => Some(text.replace("%s", " ")),
            ["input", "keyevent", "KEYCODE_ENTER"] => Some("\n".to_owned()),
            _ => None,
        })
        .collect();
    // Once into the field, once typed; then the keyboard's action key, which is the enter key, too.
    assert_eq!(typed.concat(), format!("{TYPABLE}{TYPABLE}\n"));
    assert!(calls.contains(&vec!["pm", "clear", APP]) && calls.contains(&vec!["input", "tap", "540", "300"]));
    let (ended, told) = phone.run(export(HOSTILE, ExportKind::AdbShell).as_bytes(), Some(&shown), "");
    assert!(ended == 2 && told.contains("cannot be typed"), "{ended}\n{told}");
}

#[test]
fn a_shell_script_ends_with_what_it_saw_and_with_2_where_it_saw_nothing() {
    let phone = AdbPhone::new();
    let script = export(TYPABLE, ExportKind::AdbShell);
    let (one, two) = (dump(&[TYPABLE, "other"]), dump(&[TYPABLE, TYPABLE]));
    let half = two.replace("</hierarchy>", "");
    let unseen = "uiautomator does not say what is on the screen";
    for (screen, fails, code, told) in [
        (Some(one.as_str()), "", 0, "As it should be."),
        (Some(&two), "", 1, "BUG: "),
        (Some(&dump(&["other"])), "", 1, "BUG: "),
        (Some(&half), "", 2, unseen),
        (Some(""), "", 2, unseen),
        // The last run's dump, which was as it should be, must not be taken for this run's.
        (Some(&one), "", 0, "As it should be."),
        (None, "", 2, "taproof.xml"),
        (Some(&two), "uiautomator", 2, ""),
        (Some(&one), "wm", 2, "no device"),
        (Some(&one), "pm", 2, "not installed"),
        (Some(&one), "monkey", 2, ""),
        (Some(&one), "input", 2, ""),
    ] {
        let (ended, said) = phone.run(script.as_bytes(), screen, fails);
        assert!(ended == code && said.contains(told), "{fails}: {ended}\n{said}");
    }
    // The specification has no such function, so only a person can say whether it is as it should be.
    let eyes = export_finding(&finding("a"), &facts("b"), ExportKind::AdbShell, &mut no_progress).unwrap();
    let (ended, said) = phone.run(&eyes, Some(&dump(&["a"])), "");
    assert!(ended == 2 && said.matches("look at the screen: ").count() == 2, "{ended}\n{said}");
}

#[test]
fn a_shell_script_does_what_happens_around_the_app_and_puts_it_back() {
    let phone = AdbPhone::new();
    let (ended, told) = phone.run(export_around(ExportKind::AdbShell).as_bytes(), Some(&dump(&["a"])), "");
    assert!(ended == 0 && told.contains("As it should be.\n"), "{ended}\n{told}");
    let log = std::fs::read_to_string(phone.folder.path().join("log")).unwrap();
    let calls: Vec<String> = log.split('\u{1d}').map(|call| call.replace('\u{1e}', " ")).collect();
    for command in AROUND.into_iter().chain(["input keyevent KEYCODE_DPAD_UP"]) {
        assert!(calls.iter().any(|call| call == command), "{command}\n{calls:?}");
    }
    let reset = calls.iter().rposition(|call| call == "dumpsys battery reset");
    assert!(reset > calls.iter().position(|call| call == "dumpsys battery set level 5"), "{calls:?}");
    // The console of an emulator is needed for a call, and this phone has none.
    let called = finding_of("a", vec![Event::System(SystemEvent::IncomingCall)]);
    let script = export_finding(&called, &facts("a"), ExportKind::AdbShell, &mut no_progress).unwrap();
    let (ended, told) = phone.run(&script, Some(&dump(&["a"])), "");
    assert!(ended == 2 && told.contains("only an emulator can be called"), "{ended}\n{told}");
}
