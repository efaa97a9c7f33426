//! Commands on a device through real adb: a campaign, what it found done again there, and a function tried there.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use taproof_served::{Latency, Like};
use taproof_testing::device::adb::ServedPhone;

const FILES: &str = "org.taproof.files";

struct Shell<'p> {
    phone: &'p ServedPhone,
    workspace: String,
}

impl Shell<'_> {
    fn taproof(&self, words: &[&str]) -> (String, String, Option<i32>) {
        let mut command = Command::new(taproof_testing::program::path());
        command.args(words).args(["--workspace", &self.workspace]);
        command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
        let command = command.env("ANDROID_ADB_SERVER_PORT", self.phone.own.port());
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(stdout), text(stderr), status.code())
    }
}

#[test]
fn what_was_found_on_a_device_is_done_again_there() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let folder = tempfile::tempdir().unwrap();
    let shell = Shell { phone: &phone, workspace: folder.path().display().to_string() };
    let on = ["--device", &phone.serial, "--package", FILES];
    let fuzz = [&["fuzz"], &on[..], &["--engine", "pbfdroid", "--events", "300"]].concat();
    // Nobody is there to ask whether the app's data may be cleared.
    let (said, err, code) = shell.taproof(&fuzz);
    assert_eq!((said.as_str(), code), ("", Some(2)), "{err}");
    assert!(err.contains("--clear-data") && err.contains("--keep-data"), "{err}");
    let fuzz = [&fuzz[..], &["--clear-data"]].concat();
    let (said, err, code) = shell.taproof(&fuzz);
    assert!(err.contains(&format!("{FILES} on {} was cleared once more", phone.serial)), "{err}");
    assert_eq!(code, Some(1), "it finds something: {said}{err}");
    let (said, _, _) = shell.taproof(&["campaigns"]);
    assert!(said.contains(&phone.serial), "a device has no build: {said}");
    let page = folder.path().join("page.html");
    let export = ["export", "1", "--format", "html", "--out", page.to_str().unwrap()];
    assert_eq!(shell.taproof(&export).2, Some(0));
    let page = std::fs::read_to_string(page).unwrap();
    let seen_on = "<dt>Seen on</dt><dd><bdi>Taproof bundled phone, Android 14 (API level 34)</bdi>";
    assert!(page.contains(seen_on), "where it was seen");
    assert!(page.contains("<dt>Version of the app</dt><dd><bdi>1.0 (1)</bdi>"), "of what");
    // By itself on the device that it was found on, and wherever it is asked for.
    let clear = "--clear-data";
    for more in [&[clear][..], &["--device", &phone.serial, clear], &["--build", "faulty"]] {
        let (said, err, code) = shell.taproof(&[&["replay", "1"], more].concat());
        assert_eq!((said.lines().last(), code), (Some("reproduced"), Some(0)), "{more:?}: {said}{err}");
    }
    let (said, err, code) = shell.taproof(&["replay", "1", "--build", "sound"]);
    assert_eq!((said.lines().last(), code), (Some("not reproduced"), Some(1)), "{said}{err}");
    let (_, err, code) = shell.taproof(&["replay", "1", "--device", "no-such-phone"]);
    assert_ne!(code, Some(0));
    assert!(err.contains("no-such-phone"), "{err}");
}

#[test]
fn a_campaign_that_cannot_go_on_says_why() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let folder = tempfile::tempdir().unwrap();
    let shell = Shell { phone: &phone, workspace: folder.path().join("workspace").display().to_string() };
    let fuzz = |serial: &str, package: &str| {
        let words = ["fuzz", "--device", serial, "--package", package, "--engine", "monkey", "--events", "5"];
        let words = [&words[..], &["--clear-data"]].concat();
        shell.taproof(&words)
    };
    // Of what cannot begin nothing is kept.
    let (said, err, code) = fuzz("no-such-phone", FILES);
    assert_eq!((said.as_str(), code), ("", Some(2)), "{err}");
    assert!(
        err.contains("no device is called \"no-such-phone\"; there is ") && err.contains(&phone.serial),
        "{err}"
    );
    let (said, err, code) = fuzz(&phone.serial, "org.no.such");
    assert_eq!((said.as_str(), code), ("", Some(2)), "{err}");
    assert!(err.contains(&format!("\"org.no.such\" is not installed on {}", phone.serial)), "{err}");
    assert!(!folder.path().join("workspace").exists());
    // Nobody can know before that the app never gets ready.
    let ready = ["initialiser", "set", "--package", FILES, "--ready", "//*[@text='never']"];
    assert_eq!(shell.taproof(&ready).2, Some(0));
    let (said, err, code) = fuzz(&phone.serial, FILES);
    assert_eq!(code, Some(3), "{err}");
    assert!(said.contains("end: device") && !said.contains("broken"), "{said}");
    assert!(err.contains("Monkey ended early: ") && err.contains("nothing on the screen matches"), "{err}");
}

#[test]
fn a_function_is_tried_on_a_device() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let folder = tempfile::tempdir().unwrap();
    let shell = Shell { phone: &phone, workspace: folder.path().display().to_string() };
    let spec = taproof_testing::root().join("specs/files/dmf_files.json");
    let words = ["spec", "try", spec.to_str().unwrap(), "--dmf", "delete folder", "--runs", "2"];
    let (here, _, code) = shell.taproof(&[&words[..], &["--app", "files"]].concat());
    assert_eq!(code, Some(0), "{here}");
    let (there, err, code) = shell
        .taproof(&[&words[..], &["--device", &phone.serial, "--package", FILES, "--clear-data"]].concat());
    assert_eq!((there.as_str(), code), (here.as_str(), Some(0)), "{err}");
}

#[test]
fn a_campaign_brings_the_server_along_if_it_is_asked_to() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let folder = tempfile::tempdir().unwrap();
    let jar = folder.path().join("u2.jar");
    let workspace = folder.path().join("workspace").display().to_string();
    let run = || {
        let mut command = Command::new(taproof_testing::program::path());
        command.args([
            "fuzz",
            "--device",
            &phone.serial,
            "--package",
            FILES,
            "--uiautomator2",
            "--clear-data",
        ]);
        command.args(["--engine", "monkey", "--events", "60", "--workspace", &workspace]);
        command.env("ANDROID_ADB_SERVER_PORT", phone.own.port()).env("TAPROOF_U2_JAR", &jar);
        command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
        let Output { status, stderr, .. } = command.output().unwrap();
        (String::from_utf8(stderr).unwrap(), status.code())
    };
    let (err, code) = run();
    assert_eq!(code, Some(2));
    assert!(err.contains("u2.jar"), "it says what it looked for: {err}");
    // The served phone runs its own server, whatever the file holds.
    std::fs::write(&jar, "a jar").unwrap();
    let (err, code) = run();
    assert!(matches!(code, Some(0 | 1)), "{err}");
    assert!(err.contains("the uiautomator2 server runs"), "{err}");
    assert_eq!(phone.served.lock().dumps, 0, "layouts came from the server");
    // It went with the campaign.
    let dumped = || phone.adb(&["shell", "uiautomator dump"]).2 == Some(0);
    assert!((0..200).any(|_| dumped()), "it still holds the screen");
}

#[test]
fn what_came_of_a_campaign_is_printed_before_the_device_is_put_back() {
    // Each setting that is put back takes a second.
    let start = Duration::from_millis(200);
    let Some(phone) = ServedPhone::starting_in(FILES, (Like::Android14, Latency::Off), start) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(taproof_testing::program::path());
    command.args(["fuzz", "--device", &phone.serial, "--package", FILES, "--engine", "monkey"]);
    command.args(["--events", "2", "--keep-data", "--control", "shell", "--workspace"]);
    command.arg(folder.path().join("workspace")).env("XDG_STATE_HOME", folder.path());
    command.env("ANDROID_ADB_SERVER_PORT", phone.own.port()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let scale = || phone.served.lock().setting("global", "window_animation_scale").map(str::to_owned);
    let mut at_summary = None;
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
        if line.contains("2 events") {
            at_summary = scale();
        }
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(at_summary.as_deref(), Some("0"), "not put back yet");
    assert_eq!(scale().as_deref(), Some("1.0"));
}
