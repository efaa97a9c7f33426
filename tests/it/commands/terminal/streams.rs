//! Streams that are full, closed, or that nobody reads any more.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use taproof_testing::program::{code, errors, json, run, taproof};

/// A campaign that tells of several findings, one after the other.
const FUZZ: [&str; 8] = ["fuzz", "--app", "diary", "--no-pictures", "--seed", "2", "--events", "700"];

fn full() -> Stdio {
    Stdio::from(File::options().write(true).open("/dev/full").unwrap())
}

/// A pipe whose reader has gone.
fn unread() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    Stdio::from(writer)
}

/// The campaign ended with its findings, and the workspace knows that.
fn assert_ended(folder: &Path, output: &Output, what: &str) {
    assert_eq!(code(output), 1, "{what}: {}", errors(output));
    let summary = json(output);
    assert_eq!(summary["end"], "budget", "{what}");
    assert_kept(folder, summary["findings"].as_array().unwrap().len(), what);
}

fn assert_kept(folder: &Path, findings: usize, what: &str) {
    let kept = &json(&run(folder, &["campaigns", "--json"]))["campaigns"][0];
    assert!(findings > 0, "{what}");
    assert_eq!((&kept["end"], &kept["findings"]), (&Value::from("budget"), &Value::from(findings)), "{what}");
}

fn fuzz_json(folder: &Path) -> Command {
    taproof(folder, &[&FUZZ[..], &["--json"]].concat())
}

#[test]
fn a_campaign_does_not_depend_on_who_hears_its_progress() {
    for (what, stream) in [("full", full()), ("unread", unread()), ("null", Stdio::null())] {
        let folder = tempfile::tempdir().unwrap();
        let output = fuzz_json(folder.path()).stderr(stream).output().unwrap();
        assert_ended(folder.path(), &output, what);
    }
}

#[test]
fn a_campaign_goes_on_when_the_reader_leaves_after_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = fuzz_json(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(running.stderr.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.contains(" events in all by "), "{first}");
    assert_ended(folder.path(), &running.wait_with_output().unwrap(), "left");
}

#[test]
fn a_campaign_needs_no_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    let program = fuzz_json(folder.path());
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$0\" \"$@\" 2>&-"]).arg(program.get_program()).args(program.get_args());
    shell.current_dir(folder.path()).env("TAPROOF_WORKSPACE", folder.path().join("results"));
    assert_ended(folder.path(), &shell.output().unwrap(), "closed");
}

/// Commands that print, and how they end when everything is well.
fn printing() -> Vec<(Vec<&'static str>, i32)> {
    let others: [(&[&str], i32); 15] = [
        (&["findings"], 0),
        (&["findings", "--json"], 0),
        (&["campaigns"], 0),
        (&["compare", "1", "1", "--json"], 0),
        (&["replay", "1"], 0),
        (&["export", "1", "--format", "html", "--force"], 0),
        (&["apps"], 0),
        (&["apps", "--json"], 0),
        (&["dump", "--app", "files"], 0),
        (&["spec", "fmt", "dmf.json"], 0),
        (&["spec", "check", "dmf.json"], 0),
        (&["--help"], 0),
        (&["--version"], 0),
        (&["help", "fuzz"], 0),
        (&["fuzz", "--help"], 0),
    ];
    let mut all: Vec<(Vec<&str>, i32)> = Vec::from(others.map(|(words, code)| (words.to_vec(), code)));
    all.push((FUZZ.to_vec(), 1));
    all.push(([&FUZZ[..], &["--json"]].concat(), 1));
    all
}

/// Runs each of them with standard output going there; where and how each ended.
fn run_all(stdout: fn() -> Stdio) -> Vec<(Vec<&'static str>, i32, Output)> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let spec = taproof_phone::apps::shipped_specs("diary").find(|spec| spec.path.contains("/dmf_")).unwrap();
    std::fs::write(folder.join("dmf.json"), spec.text).unwrap();
    assert_eq!(code(&run(folder, &FUZZ)), 1);
    let ended = printing().into_iter().map(|(words, well)| {
        let output = taproof(folder, &words).stdout(stdout()).output().unwrap();
        (words, well, output)
    });
    ended.collect()
}

#[test]
fn a_result_that_cannot_be_written_is_a_failure() {
    for (words, _, output) in run_all(full) {
        assert_eq!(code(&output), 3, "{words:?}: {}", errors(&output));
        let told = errors(&output);
        let told = told.lines().last().unwrap_or_default();
        assert!(
            told.starts_with("taproof: cannot write to standard output: No space left"),
            "{words:?}: {told}"
        );
    }
}

#[test]
fn a_pipe_that_nobody_reads_changes_no_exit_code() {
    for (words, well, output) in run_all(unread) {
        assert_eq!(code(&output), well, "{words:?}: {}", errors(&output));
        assert!(!errors(&output).contains("standard output"), "{words:?}: {}", errors(&output));
    }
}
