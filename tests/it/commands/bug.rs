//! `taproof bug`: which findings show the same bug is corrected, and what is none is dismissed, for every kind of result.

use std::path::Path;

use serde_json::Value;
use taproof_testing::program::{code, errors, json, run};

const FUZZ: [&str; 7] = ["fuzz", "--app", "notes", "--events", "2500", "--no-pictures", "--json"];

/// The result of a campaign, the same one each time.
fn fuzz(folder: &Path) -> Value {
    let output = run(folder, &FUZZ);
    assert_eq!(code(&output), 1, "{}", errors(&output));
    json(&output)
}

/// The ids of the findings on each card of a list.
fn cards(result: &Value, list: &str) -> Vec<Vec<String>> {
    let id = |finding: &Value| finding["id"].as_str().unwrap().to_owned();
    let bugs = result[list].as_array().unwrap();
    bugs.iter().map(|bug| bug["findings"].as_array().unwrap().iter().map(id).collect()).collect()
}

fn said(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, words);
    assert_eq!(code(&output), 0, "{words:?}: {}", errors(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// How many bugs the page and the JUnit file of the first campaign hold.
fn exported(folder: &Path) -> [usize; 2] {
    let file = |format: &str| {
        let path = folder.join(format);
        let out = ["--out", path.to_str().unwrap(), "--force"];
        said(folder, &[&["export", "--campaign", "1", "--format", format][..], &out].concat());
        std::fs::read_to_string(path).unwrap()
    };
    let page = file("html");
    let heading = page.split("\u{2717} ").nth(1).unwrap();
    let junit = file("junit");
    let failures = junit.matches("<failure ").count() + junit.matches("<error ").count();
    [heading.split(' ').next().unwrap().parse().unwrap(), failures]
}

#[test]
#[ignore = "takes long"]
fn what_a_person_says_of_bugs_holds_for_every_result_and_later_campaigns() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let first = fuzz(folder);
    let before = cards(&first, "bugs");
    assert_eq!((cards(&first, "dismissed").len(), first["suspicions"].is_array()), (0, true));
    let (one, other, none) = (before[0][0].as_str(), before[1][0].as_str(), before[2][0].as_str());
    let bugs = exported(folder);

    let words = ["bug", none, "--state", "not-a-bug", "--note", "so meant", "--baseline", "baseline.json"];
    let dismissed = said(folder, &words);
    assert!(dismissed.starts_with("not a bug: "), "{dismissed}");
    assert_eq!(exported(folder), bugs.map(|bugs| bugs - 1));
    let baseline = std::fs::read_to_string(folder.join("baseline.json")).unwrap();
    assert!(baseline.contains("\"state\": \"not-a-bug\""), "{baseline}");
    assert!(said(folder, &["bug", "precision"]).contains(": 0 of 1 true (0 %)\n"));
    let listed = |words: &[&str]| json(&run(folder, &[&["findings", "--bugs", "--json"], words].concat()));
    let of = |list: &Value, part: &str| list[part].as_array().unwrap().len();
    let none_of = listed(&["--state", "not-a-bug"]);
    assert_eq!((of(&none_of, "dismissed"), of(&none_of, "bugs")), (1, 0));
    assert_eq!(none_of["dismissed"][0]["note"], "so meant");
    assert_eq!(of(&listed(&["--search", "SO meant"]), "dismissed"), 1, "notes are searched");
    let on_screen = listed(&["--search", "new note"]);
    assert!(of(&on_screen, "bugs") > 0 && of(&on_screen, "bugs") <= of(&listed(&[]), "bugs"));
    assert_eq!(code(&run(folder, &["findings", "--state", "bogus"])), 2);

    said(folder, &["bug", one, other, "--state", "known"]);
    let known = listed(&["--state", "known", "--sort", "often"]);
    assert_eq!(of(&known, "bugs"), 2);
    assert!(known["bugs"][0]["first"]["at"].is_i64() && known["bugs"][0]["times"].as_i64() > Some(0));
    said(folder, &["bug", one, other, "--take-back"]);

    said(folder, &["export", one, "--format", "markdown", "--out", "ticket.md"]);
    let ticket = std::fs::read_to_string(folder.join("ticket.md")).unwrap();
    let parts = ["### Steps", "### Expected", "### Observed", "### Environment", "- Date: 2", "seed 1"];
    assert!(parts.iter().all(|part| ticket.contains(part)), "{ticket}");
    let names: Vec<&str> =
        ticket.lines().filter_map(|line| line.strip_prefix("![")?.split(['(', ')']).nth_back(1)).collect();
    assert_eq!(names.len(), 2, "{ticket}");
    assert!(names.iter().all(|name| folder.join(name).is_file()), "{names:?}");
    let link = said(folder, &["bug", "link", one, "--pattern", "https://ex.org/?t={title}&b={body}"]);
    assert!(link.starts_with("https://ex.org/?t=") && link.contains("Environment"), "{link}");
    assert_eq!(code(&run(folder, &["bug", "link", one, "--pattern", "ex.org"])), 2);

    let merged = said(folder, &["bug", "merge", other, one]);
    assert!(merged.starts_with(&format!("{other} is the same bug as {one}; campaign 1 has ")), "{merged}");
    assert_eq!(exported(folder), bugs.map(|bugs| bugs - 2));
    let later = fuzz(folder);
    let again = cards(&later, "bugs");
    assert!(again.iter().flatten().all(|id| id != none), "it is not shown again");
    assert!(cards(&later, "dismissed").iter().flatten().any(|id| id == none));
    let back = said(folder, &["bug", none, "--take-back"]);
    assert!(back.starts_with("taken back: not a bug: "), "{back}");
    assert_eq!(code(&run(folder, &["bug", none, "--take-back"])), 2, "nothing is left");
    assert_eq!(exported(folder), bugs.map(|bugs| bugs - 1));
    let joined = again.iter().find(|card| card.iter().any(|id| id == one)).unwrap();
    assert!(joined.iter().any(|id| id == other), "a later campaign");

    for (words, named) in [
        (["bug", "merge", other, one], "on one card already"),
        (["bug", "merge", "no-such-finding", one], "no-such-finding"),
    ] {
        let output = run(folder, &words);
        assert_eq!(code(&output), 2);
        assert!(errors(&output).contains(named), "{}", errors(&output));
    }

    said(folder, &["bug", "split", other]);
    assert_eq!(exported(folder), bugs);
    let listed = said(folder, &["bug", "list", "notes"]);
    assert_eq!(listed, format!("{other} is the same bug as {one}\n{other} is a bug of its own\n"));
    assert_eq!(code(&run(folder, &["bug", "split", other])), 2, "it is alone");

    let undone = said(folder, &["bug", "undo", "org.taproof.notes"]);
    assert_eq!(undone, format!("taken back: {other} is a bug of its own\n"));
    said(folder, &["bug", "undo", "notes"]);
    assert_eq!(exported(folder), bugs);
    assert_eq!(code(&run(folder, &["bug", "undo", "notes"])), 2, "nothing is left");
}
