//! `taproof scan`: cards and a page for an app without a specification.

use std::collections::BTreeSet;

use serde_json::Value;

use taproof_testing::program::{json, run};

fn scanned(app: &str, build: &str) -> (Option<i32>, Value) {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), &["scan", "--app", app, "--build", build, "--events", "1800", "--json"]);
    let said = json(&done);
    let page = std::fs::read_to_string(said["page"].as_str().unwrap()).unwrap();
    for card in said["bugs"].as_array().unwrap() {
        assert!(page.contains("<h2>Bugs</h2>"), "the page has no cards");
        assert!(!card["findings"].as_array().unwrap().is_empty(), "{card}");
    }
    (done.status.code(), said)
}

#[test]
#[ignore = "takes long"]
fn a_faulty_app_gives_cards_that_join_the_findings_of_a_bug() {
    let (code, said) = scanned("tasks", "faulty");
    assert_eq!(code, Some(1));
    let cards = said["bugs"].as_array().unwrap();
    let mut bugs = BTreeSet::new();
    let mut findings = 0;
    for card in cards {
        let by_detour = !card["relations"].as_array().unwrap().is_empty();
        assert!(!by_detour || !card["by_hand"].as_str().unwrap().is_empty(), "{card}");
        for finding in card["findings"].as_array().unwrap() {
            findings += 1;
            let attributed = finding["attributed_bugs"].as_array().unwrap();
            bugs.extend(attributed.iter().map(|bug| bug.as_str().unwrap().to_owned()));
        }
    }
    assert!(cards.len() >= 5 && cards.len() <= bugs.len(), "{} cards of {bugs:?}", cards.len());
    assert!(findings > cards.len(), "nothing was joined");
    assert!(bugs.len() >= 5, "{bugs:?}");
}

#[test]
fn a_sound_app_gives_no_bug_and_no_suspicion() {
    let (code, said) = scanned("tasks", "sound");
    let count = |key: &str| said[key].as_array().unwrap().len();
    assert_eq!((code, count("bugs"), count("suspicions")), (Some(0), 0, 0), "{said}");
}
