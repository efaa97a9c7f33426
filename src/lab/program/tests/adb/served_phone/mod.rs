//! The served phone and other people's tools: the real `adb`, and the unmodified python packages uiautomator2 and
//! adbutils.

use taproof_testing::device::adb;

use std::path::Path;
use std::process::Command;

use taproof_engine::device::Build;
use taproof_screen::format::parse_hierarchy;
use taproof_served::{Latency, Like};

use taproof_testing::device::adb::ServedPhone;

const FILES: &str = "org.taproof.files";

#[test]
fn the_real_adb_does_what_people_do_with_it() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let listed = phone.own.adb(&["devices", "-l"]).0;
    let listed = String::from_utf8(listed).unwrap();
    assert!(listed.contains(&phone.serial) && listed.contains("model:Taproof_bundled_phone"), "{listed}");
    assert_eq!(phone.text(&["get-state"]).trim(), "device");

    let (out, err, code) = phone.adb(&["shell", "echo out; echo err >&2; exit 7"]);
    assert_eq!((out.as_slice(), err.as_str(), code), (b"out\n".as_slice(), "err\n", Some(7)));
    assert_eq!(phone.adb(&["shell", "nothing"]).2, Some(127));

    let picture = phone.adb(&["exec-out", "screencap", "-p"]).0;
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"), "{:?}", &picture[..20.min(picture.len())]);
    let raw = phone.adb(&["exec-out", "screencap"]).0;
    assert_eq!(raw.len(), 16 + 1080 * 1920 * 4);
    let dump = phone.adb(&["exec-out", "uiautomator", "dump", "/dev/tty"]).0;
    assert!(String::from_utf8_lossy(&dump).ends_with("UI hierchary dumped to: /dev/tty\n"));
    let layout = parse_hierarchy(&dump).unwrap().layout;
    assert!(layout.widgets().iter().any(|widget| &*widget.text == "Documents"));
}

#[test]
fn files_and_ports_and_apps_through_the_real_adb() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let content: Vec<u8> = (0..200_000_u32).map(|number| (number % 251) as u8).collect();
    std::fs::write(path("one.bin"), &content).unwrap();
    phone.text(&["push", &path("one.bin"), "/sdcard/one.bin"]);
    phone.text(&["pull", "/sdcard/one.bin", &path("back.bin")]);
    assert_eq!(std::fs::read(path("back.bin")).unwrap(), content);
    assert_ne!(phone.adb(&["pull", "/sdcard/missing.bin", &path("no.bin")]).2, Some(0));

    let port = phone.text(&["forward", "tcp:0", "tcp:9008"]);
    assert!(port.trim().parse::<u16>().is_ok(), "{port}");
    assert!(phone.text(&["forward", "--list"]).contains("tcp:9008"));
    phone.text(&["forward", "--remove-all"]);

    let apk = phone.text(&["shell", "pm", "path", FILES]);
    let apk = apk.trim().strip_prefix("package:").unwrap().to_owned();
    phone.text(&["pull", &apk, &path("files.apk")]);
    let installed = phone.text(&["install", "-r", &path("files.apk")]);
    assert!(installed.contains("Success"), "{installed}");
    std::fs::write(path("no.apk"), b"text").unwrap();
    let (out, err, code) = phone.adb(&["install", &path("no.apk")]);
    let said = String::from_utf8_lossy(&out).into_owned() + &err;
    assert!(code != Some(0) && said.contains("INSTALL_PARSE_FAILED"), "{said}");

    phone.text(&["shell", "am", "force-stop", FILES]);
    phone.text(&["shell", "am", "start", "-n", &format!("{FILES}/.MainActivity")]);
    let log = phone.text(&["logcat", "-d"]);
    assert!(log.lines().all(|line| !line.is_empty()));
}

#[test]
fn the_real_adb_uninstalls_and_installs_again() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("files.apk").display().to_string();
    let apk = phone.text(&["shell", "pm", "path", FILES]);
    phone.text(&["pull", apk.trim().strip_prefix("package:").unwrap(), &file]);
    assert!(phone.text(&["uninstall", FILES]).contains("Success"));
    assert!(!phone.text(&["shell", "pm", "list", "packages"]).contains(FILES));
    assert_ne!(phone.adb(&["uninstall", FILES]).2, Some(0));
    assert!(phone.text(&["install", &file]).contains("Success"));
    assert!(phone.text(&["shell", "pm", "list", "packages"]).contains(FILES));
}

#[test]
fn the_real_adb_is_answered_by_the_daemon() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    assert_eq!(phone.text(&["root"]), "adbd cannot run as root in production builds\n");
    assert!(phone.text(&["remount"]).contains("Not running as root"));
    phone.text(&["shell", "log", "-t", "TAG", "hello"]);
    let log = phone.text(&["logcat", "-d"]);
    assert!(log.contains(" I TAG     : hello"), "{log}");
    assert!(phone.text(&["tcpip", "5555"]).contains("restarting in TCP mode port: 5555"));
    phone.text(&["wait-for-device"]);
    phone.text(&["shell", "am", "start", "-n", &format!("{FILES}/.MainActivity")]);
    for reboot in [["reboot"].as_slice(), &["shell", "reboot"]] {
        phone.served.lock().rebooted = false;
        phone.adb(reboot);
        // The server sees the end of the connection, and connects again by itself.
        phone.text(&["wait-for-device"]);
        assert!(phone.served.lock().rebooted, "{reboot:?}");
        assert_eq!(phone.adb(&["shell", "pidof", FILES]).2, Some(1));
    }
}

#[test]
fn hostile_text_never_runs() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    // Quoted wrong it does: this shell runs what it is told.
    let text = phone.text(&["shell", "echo $(echo ran)"]);
    assert_eq!(text, "ran\n");
    let link = phone.link();
    for text in
        ["'; reboot; '", "$(reboot)", "`reboot`", "a\nreboot\n", "%s", "\u{1f600}", "\u{5e9}\u{5dc}", "-n"]
    {
        let line = taproof_adb::host::command(&["echo", "-n", text]).unwrap();
        assert_eq!(link.shell(&line, &adb::patience()).unwrap().text(), text);
    }
    assert!(!phone.served.lock().rebooted);
}

#[test]
fn an_old_android_answers_as_one() {
    let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::Android44, Latency::Off) else { return };
    let (out, _, code) = phone.adb(&["shell", "echo one; exit 3"]);
    assert_eq!((out.as_slice(), code), (b"one\r\n".as_slice(), Some(0)));
    assert_ne!(phone.adb(&["exec-out", "screencap", "-p"]).2, Some(0));
    assert!(phone.text(&["shell", "cmd"]).contains("not found"));
}

/// The python with the package, as `.ci/run` makes it.
fn python() -> Option<String> {
    let python = std::env::var("TAPROOF_PYTHON").ok().filter(|path| !path.is_empty());
    if python.is_none() {
        taproof_testing::skipped("no TAPROOF_PYTHON with the package uiautomator2");
    }
    python
}

/// Runs a script on a phone with Files in front; it must end well.
fn run_client(script: &str) {
    let Some(python) = python() else { return };
    let Some(phone) = ServedPhone::with(FILES, &Build::Sound, Like::default(), Latency::Off) else { return };
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adb/served_phone").join(script);
    let output = Command::new(python)
        .arg(script)
        .args([phone.serial.as_str(), &folder.path().display().to_string()])
        .env("ANDROID_ADB_SERVER_PORT", phone.own.port())
        .env("HOME", folder.path())
        .output()
        .unwrap();
    println!("{}", String::from_utf8_lossy(&output.stdout));
    println!("{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
}

#[test]
fn python_uiautomator2_drives_the_phone() {
    run_client("uiautomator2_client.py");
}

#[test]
fn python_adbutils_drives_the_phone() {
    run_client("adbutils_client.py");
}
