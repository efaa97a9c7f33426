//! Exported scripts of findings show their bugs on the served phone: as people run them, through the real `adb` and the
//! unmodified python package uiautomator2.

use std::path::Path;
use std::process::Command;

use taproof_engine::device::Build;
use taproof_served::{Helper, Latency, Like};

use taproof_results::store::{StoredInitialiser, write_initialiser};

use taproof_testing::device::adb::ServedPhone;
use taproof_testing::first::{FILES, folder_first};

/// Scripts that are run; the shortest findings come first, as scripts wait after each step.
const FINDINGS: usize = 2;

fn taproof(words: &[&str]) -> String {
    let mut command = Command::new(taproof_testing::program::path());
    let command = command.args(words).env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    let output = command.output().unwrap();
    assert!(output.status.code().is_some_and(|code| code < 2), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The ids of the shortest findings of a campaign on Files.
fn findings(workspace: &str) -> Vec<String> {
    let words =
        ["fuzz", "--app", "files", "--events", "3000", "--no-pictures", "--json", "--workspace", workspace];
    let summary: serde_json::Value = serde_json::from_str(&taproof(&words)).unwrap();
    let found = summary["findings"].as_array().unwrap().iter();
    let mut found: Vec<(u64, String)> = found
        .filter(|finding| finding["oracle"] == "property")
        .map(|finding| {
            (finding["minimal_steps"].as_u64().unwrap(), finding["id"].as_str().unwrap().to_owned())
        })
        .collect();
    found.sort();
    found.into_iter().take(FINDINGS).map(|(_, id)| id).collect()
}

/// Exports the findings in a format and runs each; 1 says that the bug was seen, 2 that the format cannot say what was
/// expected: an order, for a shell script.
fn all_show(format: &str, first: bool, run: impl Fn(&ServedPhone, &Path) -> Command) {
    let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off) else { return };
    // Shell scripts need it for texts that no key has.
    let keyboard = "com.android.adbkeyboard/.AdbIME";
    let helper = Helper { service: None, keyboard: Some(keyboard.to_owned()) };
    phone.served.lock().helpers.insert("com.android.adbkeyboard".to_owned(), helper);
    phone.text(&["shell", "ime", "enable", keyboard]);
    phone.text(&["shell", "ime", "set", keyboard]);
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("workspace").display().to_string();
    if first {
        let stored =
            StoredInitialiser { initialiser: (*folder_first()).clone(), ..StoredInitialiser::default() };
        write_initialiser(Path::new(&workspace), FILES, &stored).unwrap();
    }
    let findings = findings(&workspace);
    assert_eq!(findings.len(), FINDINGS);
    let mut shown = 0;
    for finding in findings {
        let script = folder.path().join(&finding);
        let out = script.display().to_string();
        taproof(&["export", &finding, "--format", format, "--out", &out, "--workspace", &workspace]);
        let output = run(&phone, &script)
            .env("ANDROID_ADB_SERVER_PORT", phone.own.port())
            .env("HOME", folder.path())
            .output()
            .unwrap();
        let said =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        println!("{finding}: {}", said.lines().last().unwrap_or_default());
        let cannot_say =
            format == "adb" && said.contains("cannot judge this") && said.contains("from top to bottom");
        assert_eq!(output.status.code(), Some(if cannot_say { 2 } else { 1 }), "{finding}: {said}");
        shown += usize::from(!cannot_say);
    }
    assert!(shown > 0);
}

fn shell(phone: &ServedPhone, script: &Path) -> Command {
    let mut command = Command::new("sh");
    // The served phone has settled when an input command returns.
    command
        .arg(script)
        .env("ANDROID_SERIAL", &phone.serial)
        .env("ADB", &phone.own.program.path)
        .env("SETTLE", "0");
    command
}

#[test]
fn shell_scripts_show_their_bugs() {
    all_show("adb", false, shell);
}

#[test]
fn shell_scripts_show_their_bugs_behind_first_steps() {
    all_show("adb", true, shell);
}

/// Runs scripts where there is a python with the package uiautomator2.
fn python_scripts(first: bool) {
    let Some(python) = std::env::var("TAPROOF_PYTHON").ok().filter(|path| !path.is_empty()) else {
        taproof_testing::skipped("no TAPROOF_PYTHON with the package uiautomator2");
        return;
    };
    all_show("uiautomator2", first, |phone, script| {
        let mut command = Command::new(&python);
        command.arg(script).args(["--serial", &phone.serial]);
        command
    });
}

#[test]
fn python_scripts_show_their_bugs() {
    python_scripts(false);
}

#[test]
fn python_scripts_show_their_bugs_behind_first_steps() {
    python_scripts(true);
}
