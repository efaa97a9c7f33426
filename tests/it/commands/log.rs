//! The log: where it is, what gets there, and which variables choose it.

use std::path::{Path, PathBuf};

use taproof_testing::program::{code, errors, run, taproof};

const FUZZ: [&str; 6] = ["fuzz", "--app", "diary", "--events", "60", "--no-pictures"];

fn path(folder: &Path) -> PathBuf {
    folder.join(".state/taproof/taproof.log")
}

#[test]
fn the_log_is_in_the_folder_of_states() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let log = run(folder, &["log", "--last", "9"]);
    assert_eq!(String::from_utf8(log.stdout).unwrap(), format!("{}\n", path(folder).display()));
    run(folder, &["apps"]);
    assert!(!path(folder).exists(), "nothing happened that is logged");
    let fuzz = run(folder, &FUZZ);
    assert!(!errors(&fuzz).contains("INFO"), "{}", errors(&fuzz));
    let log = String::from_utf8(run(folder, &["log", "--last", "1"]).stdout).unwrap();
    let (first, last) = log.split_once('\n').unwrap();
    assert_eq!(first, path(folder).display().to_string());
    assert!(last.contains("the campaign has ended") && last.contains("events="), "{log}");
    let campaign = std::fs::read_to_string(path(folder)).unwrap();
    assert!(campaign.contains("taproof fuzz --app"), "the command that runs it again: {campaign}");
}

#[test]
fn rust_log_works_and_taproof_log_wins() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let said = |variables: &[(&str, &str)]| {
        let output = taproof(folder, &FUZZ).envs(variables.iter().copied()).output().unwrap();
        errors(&output)
    };
    assert!(said(&[("RUST_LOG", "taproof=info")]).contains("the campaign runs"));
    assert!(!said(&[("RUST_LOG", "taproof=info"), ("TAPROOF_LOG", "error")]).contains("the campaign runs"));
    assert!(said(&[("RUST_LOG", "error"), ("TAPROOF_LOG", "info")]).contains("the campaign runs"));
    let wrong = said(&[("TAPROOF_LOG", "taproof=loud")]);
    assert!(wrong.contains("TAPROOF_LOG=\"taproof=loud\" is ignored"), "{wrong}");
}

#[test]
fn a_folder_that_cannot_be_written_keeps_nobody_from_working() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let mut fuzz = taproof(folder.path(), &FUZZ);
    let output = fuzz.env("XDG_STATE_HOME", folder.path().join("file")).output().unwrap();
    assert!(code(&output) <= 1, "{}", errors(&output));
}
