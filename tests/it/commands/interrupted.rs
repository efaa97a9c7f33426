//! The program is asked to end in the middle of a campaign, and confirms findings within a budget: what was seen is
//! stored and told, whatever happens to it afterwards.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use taproof_results::store::Workspace;
use taproof_testing::program::{code, errors, json, run, taproof};

const APP: [&str; 8] =
    ["fuzz", "--app", "notes", "--engine", "pbfdroid,keep", "--no-pictures", "--seed", "1"];

/// Sends a signal once the campaign has stored a finding, and returns how the program ended.
fn signalled(folder: &Path, signal: &str) -> Output {
    let words = [&APP[..], &["--events", "1000000000"]].concat();
    let child = taproof(folder, &words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let workspace = folder.join("results");
    while !Workspace::open_to_read(&workspace)
        .is_ok_and(|workspace| !workspace.findings(None).unwrap().is_empty())
    {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

#[test]
fn a_campaign_that_is_asked_to_end_says_what_it_found() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let output = signalled(folder.path(), signal);
        assert_eq!(code(&output), 3, "{signal}: {}", errors(&output));
        let summary = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(summary.contains("end: cancelled"), "{signal}: {summary}");
        let workspace = Workspace::open_to_read(&folder.path().join("results")).unwrap();
        assert_eq!(workspace.campaign(1).unwrap().end.as_deref(), Some("cancelled"));
        for finding in workspace.findings(Some(1)).unwrap() {
            assert!(summary.contains(&finding.name), "{signal}: {summary}");
        }
    }
}

#[test]
fn findings_beyond_the_budget_for_re_executions_are_only_seen() {
    let folder = tempfile::tempdir().unwrap();
    let words = |share| [&APP[..], &["--events", "2000", "--json", "--confirm-share", share]].concat();
    let only_seen = run(folder.path(), &words("0"));
    let confirmed = run(folder.path(), &words("1000000"));
    assert_eq!((code(&only_seen), code(&confirmed)), (1, 1));
    let told = errors(&only_seen);
    assert!(told.contains("finding 1 at event") && !told.contains("came back"), "{told}");
    let (only_seen, confirmed) = (json(&only_seen), json(&confirmed));
    // Confirming happens on devices of its own.
    assert_eq!(only_seen["fingerprint"], confirmed["fingerprint"]);
    let states = |summary: &serde_json::Value| -> Vec<(u64, bool)> {
        let findings = summary["findings"].as_array().unwrap().iter();
        findings
            .map(|found| (found["tries"].as_u64().unwrap(), found["finished"].as_bool().unwrap()))
            .collect()
    };
    let (seen, done) = (states(&only_seen), states(&confirmed));
    assert!(!seen.is_empty() && seen.iter().all(|state| *state == (0, false)), "{seen:?}");
    assert!(done.iter().all(|state| *state == (3, true)), "{done:?}");

    let workspace = Workspace::open_to_read(&folder.path().join("results")).unwrap();
    let stored = workspace.load_finding("1").unwrap().finding;
    assert_eq!(stored.minimal.trace, stored.witness.trace);
    let listed = run(folder.path(), &["findings", "1"]);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.contains("seen once, not confirmed yet"), "{listed}");
}

#[test]
fn a_finding_that_was_only_seen_is_confirmed_and_minimised_later() {
    let folder = tempfile::tempdir().unwrap();
    let words = |share| [&APP[..], &["--events", "600", "--json", "--confirm-share", share]].concat();
    run(folder.path(), &words("0"));
    let campaign = json(&run(folder.path(), &words("1000000")));
    let part = run(folder.path(), &["minimise", "1", "--events", "180", "--json"]);
    let part = json(&part);
    assert_eq!((&part["hits"], &part["finished"]), (&1.into(), &false.into()));
    let whole = json(&run(folder.path(), &["minimise", "1", "--json"]));
    let mut findings = campaign["findings"].as_array().unwrap().iter();
    let expected = findings.find(|found| found["id"] == whole["id"]).unwrap();
    for what in ["hits", "tries", "finished"] {
        assert_eq!(whole[what], expected[what], "{what}");
    }
    let steps = |found: &serde_json::Value| found["minimal_steps"].as_u64().unwrap();
    assert!(steps(&whole) <= steps(&part) && steps(&whole) < whole["steps"].as_u64().unwrap());
    let replayed = json(&run(folder.path(), &["replay", "1", "--times", "2", "--json"]));
    assert_eq!((&replayed["hits"], &replayed["times"]), (&2.into(), &2.into()));
    let workspace = Workspace::open_to_read(&folder.path().join("results")).unwrap();
    let stored = workspace.load_finding("1").unwrap().finding;
    assert_eq!((stored.finished, stored.minimal.trace.len() as u64), (true, steps(&whole)));
}

#[test]
#[ignore = "takes long"]
fn progress_is_told_where_standard_error_is_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let words =
        ["fuzz", "--app", "notes", "--engine", "pbfdroid", "--events", "2000", "--progress-seconds", "0"];
    let output = run(folder.path(), &words);
    let told = errors(&output);
    assert!(told.contains("of 2,000 events"), "{told}");
}

/// Sends SIGINT once the program has said that it wants to hear of it, and returns how it ended.
#[cfg(target_os = "linux")]
fn interrupted(folder: &Path, words: &[&str]) -> Output {
    let mut child = taproof(folder, words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let listens = || {
        let status = std::fs::read_to_string(&status).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(caught.trim(), 16).unwrap() & 2 != 0
    };
    while !listens() {
        assert_eq!(child.try_wait().unwrap(), None, "{words:?} ended by itself");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn replays_and_trials_end_when_they_are_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &[&APP[..], &["--events", "600"]].concat());
    let replayed = interrupted(folder.path(), &["replay", "1", "--times", "1000000"]);
    assert_eq!(code(&replayed), 3, "{}", errors(&replayed));
    assert!(
        errors(&replayed).contains("the replay ended early; nothing was judged"),
        "{}",
        errors(&replayed)
    );
    let file = format!("{}/specs/notes/dmf_notes.json", env!("CARGO_MANIFEST_DIR"));
    let tried = interrupted(folder.path(), &["spec", "try", &file, "--app", "notes", "--runs", "1000"]);
    assert_eq!(code(&tried), 3, "{}", errors(&tried));
    let said = String::from_utf8_lossy(&tried.stdout).into_owned();
    assert!(said.contains("It was stopped after"), "{said}");
}
