//! A specification of one version of an app, on the next one, and the bugs of both.

use std::path::Path;

use serde_json::Value;

use taproof_testing::program::{code, errors, json, run};

/// Repairs the specification of Cards for its next version, and returns how its functions ended.
fn repaired(folder: &Path, build: &str, out: &str) -> (i32, Vec<(String, String)>) {
    let words = ["spec", "repair", "--app", "cards@2", "--from", "cards", "--build", build];
    let done = run(folder, &[&words[..], &["--out", out, "--json"]].concat());
    let functions = json(&done)["functions"].as_array().unwrap().clone();
    let text = |function: &Value, key: &str| function[key].as_str().unwrap().to_owned();
    (code(&done), functions.iter().map(|it| (text(it, "function"), text(it, "end"))).collect())
}

#[test]
fn a_specification_is_mended_for_the_next_version_of_its_app() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (end, functions) = repaired(folder, "sound", "repaired");
    let of = |end: &str| functions.iter().filter(|(_, it)| it == end).count();
    assert_eq!((end, of("may be a bug"), of("not mended")), (0, 0, 0), "{functions:?}");
    assert!(of("mended") > 0, "{functions:?}");
    let tried = |file: &str| {
        let words = ["spec", "try", file, "--app", "cards@2", "--build", "sound", "--dmf", "add card"];
        code(&run(folder, &words))
    };
    assert_eq!(tried("repaired/dmf_cards.json"), 0);
    let words = ["spec", "repair", "--app", "cards@2", "--from", "cards", "--out", "repaired"];
    let again = run(folder, &words);
    assert_eq!(code(&again), 2);
    assert!(errors(&again).contains("--overwrite"), "{}", errors(&again));
}

#[test]
fn a_bug_of_the_next_version_is_not_mended_away() {
    let folder = tempfile::tempdir().unwrap();
    let (sound, faulty) = ("sound", "faulty");
    let [(_, mended), (end, doubted)] = [sound, faulty].map(|build| repaired(folder.path(), build, build));
    let bugs: Vec<&String> =
        doubted.iter().filter(|(_, end)| end == "may be a bug").map(|(name, _)| name).collect();
    assert!(end == 1 && !bugs.is_empty(), "{doubted:?}");
    let holds = |name: &&String| {
        mended.iter().any(|(other, end)| other == *name && (end == "holds" || end == "mended"))
    };
    assert!(bugs.iter().all(holds), "{bugs:?}: {mended:?}");
}

#[test]
fn bugs_of_two_versions_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (app, bugs) in [("cards", "cards-list-stale"), ("cards@2", "")] {
        let words = ["fuzz", "--app", app, "--engine", "pbfdroid", "--events", "3000", "--no-pictures"];
        let build: &[&str] = if bugs.is_empty() { &["--build", "sound"] } else { &["--bugs", bugs] };
        let done = run(folder, &[&words[..], build].concat());
        assert!(code(&done) <= 1, "{}", errors(&done));
    }
    let told = json(&run(folder, &["compare", "1", "2", "--versions", "--json"]));
    let count = |what: &str| told[what].as_array().unwrap().len();
    assert_eq!((count("still"), count("new")), (0, 0), "{told}");
    assert!(count("gone") > 0, "{told}");
}
