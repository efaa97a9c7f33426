//! The program is killed with `kill -9` in the middle of a campaign and lets it go on: the same fingerprint, the same
//! findings as without the kill.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(unix)]

#[path = "common/program.rs"]
mod program;
#[path = "common/results.rs"]
mod results;

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use program::{code, errors, json, run, taproof};
use results::{database, kept};
use serde_json::Value;
use taproof::determinism::Rng;
use taproof::store::Workspace;
use tempfile::TempDir;

const EVENTS: u64 = 2000;

/// The workspace that the program keeps in a folder.
fn workspace_in(folder: &TempDir) -> PathBuf {
    folder.path().join("results")
}

/// Lets the program run until a checkpoint lies behind so many events and a moment more, and kills it.
fn kill(workspace: &Path, mut child: Child, events: u64, chance: &mut Rng) {
    while kept(workspace) < events && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_millis(chance.below(60) as u64));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The folder of a campaign that was killed so many times, always when it had come further; nothing if a machine
/// busy with other things let it come to its end before.
fn killed(words: &[&str], kills: usize, events: u64, chance: &mut Rng) -> Option<TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let mut started = words.to_vec();
    for nth in 0..kills as u64 {
        let part = events * 3 / 4 / kills as u64;
        let at = part * nth + 1 + chance.below(part as usize) as u64;
        let child =
            taproof(folder.path(), &started).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        kill(&workspace_in(&folder), child, at, chance);
        let campaign = Workspace::open(&workspace_in(&folder)).unwrap().campaign(1).unwrap();
        if campaign.end.as_deref() != Some("interrupted") {
            return None;
        }
        started = vec!["fuzz", "--resume", "1", "--json", "--checkpoint-millis", "20"];
    }
    Some(folder)
}

/// What a campaign came to, but for the time that it took.
fn outcome(summary: &Value) -> Value {
    let mut summary = summary.clone();
    let parts = summary["engines"].as_array_mut().unwrap().iter_mut();
    for part in parts {
        part["seconds"].take();
        part["events_per_second"].take();
    }
    summary["seconds"].take();
    summary["events_per_second"].take();
    summary
}

/// Kills a campaign of these engines so many times, always when it has come further, and compares.
fn check(engines: &str, kills: usize, events: u64, extra: &[&str]) {
    let events = events.to_string();
    let words = ["fuzz", "--app", "notes", "--engine", engines, "--events", &events, "--seed", "3"];
    let words = [&words[..], &["--no-pictures", "--json", "--checkpoint-millis", "20"], extra].concat();
    let folder = tempfile::tempdir().unwrap();
    let whole = run(folder.path(), &words);
    assert!(code(&whole) <= 1, "{}", errors(&whole));
    let whole = json(&whole);

    let mut chance = Rng::from_seed(9).fork(engines);
    let all = whole["events"].as_u64().unwrap();
    let folder = (0..20).find_map(|_| killed(&words, kills, all, &mut chance));
    let folder = folder.expect("it always ended before it could be killed");
    let seconds = |of: &str| -> f64 {
        let query =
            format!("SELECT total(millis) / 1000.0 FROM (SELECT max(millis) AS millis FROM coverage {of})");
        database(&workspace_in(&folder)).query_row(&query, [], |row| row.get(0)).unwrap()
    };
    let before = seconds("");
    let resumed = run(folder.path(), &["fuzz", "--resume", "1", "--json"]);
    assert!(code(&resumed) <= 1, "{}", errors(&resumed));
    let resumed = json(&resumed);
    assert_eq!(outcome(&resumed), outcome(&whole), "{engines}");
    assert!(before > 0.0 && resumed["seconds"].as_f64().unwrap() >= before * 0.9, "{before} {resumed}");
    // Its curve goes on, too: no sample lies before an earlier one.
    let samples = Workspace::open(&workspace_in(&folder)).unwrap().load_campaign(1).unwrap().outcome.curve;
    let of_one = samples.chunk_by(|one, other| one.run == other.run);
    for curve in of_one {
        assert!(curve.windows(2).all(|pair| pair[0].millis <= pair[1].millis), "{engines}: {curve:?}");
    }
    assert_eq!(kept(&workspace_in(&folder)), 0, "what has ended does not go on");
    let again = run(folder.path(), &["fuzz", "--resume", "1"]);
    assert_eq!(code(&again), 2);
    assert!(errors(&again).contains("was not interrupted"), "{}", errors(&again));
}

#[test]
fn pbfdroid_is_killed_twice() {
    check("pbfdroid", 2, EVENTS, &[]);
}

#[test]
fn genie_is_killed() {
    check("genie", 1, EVENTS, &[]);
}

#[test]
fn odin_is_killed_twice() {
    check("odin", 2, EVENTS, &[]);
}

#[test]
fn fastbot2_is_killed() {
    check("fastbot2", 1, EVENTS, &[]);
}

#[test]
fn timemachine_is_killed_twice() {
    check("timemachine", 2, EVENTS, &[]);
}

#[test]
fn monkey_is_killed() {
    check("monkey", 1, EVENTS, &["--set", "monkey.test_length=100"]);
}

#[test]
fn all_are_killed_side_by_side() {
    check("all", 1, 600, &[]);
}
