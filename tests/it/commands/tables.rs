//! `taproof export --tables`: all results as tables.

use taproof_testing::program::{code, errors, json, run};

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

fn lines(folder: &Path, table: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(table).with_extension("jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn tables_hold_what_the_lists_say() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for app in ["notes", "files"] {
        let words = ["fuzz", "--app", app, "--engine", "pbfdroid", "--events", "900", "--no-pictures"];
        assert_eq!(code(&run(folder, &words)), 1);
    }
    let written = run(folder, &["export", "--tables", "tables"]);
    assert_eq!(code(&written), 0, "{}", errors(&written));
    let tables = folder.join("tables");
    let named = String::from_utf8(written.stdout).unwrap();
    assert_eq!(named.lines().count(), 8);
    assert!(named.lines().all(|path| folder.join(path).is_file()), "{named}");
    assert_eq!(std::fs::read_dir(&tables).unwrap().count(), 8, "nothing else is left there");

    let findings = lines(&tables, "findings");
    let text = |row: &Value, column: &str| row[column].as_str().unwrap_or_default().to_owned();
    let listed = json(&run(folder, &["findings", "--json"]));
    let listed =
        listed["causes"].as_array().unwrap().iter().flat_map(|cause| cause["findings"].as_array().unwrap());
    let listed: BTreeSet<(String, String)> = listed.map(|it| (text(it, "name"), text(it, "title"))).collect();
    let told: BTreeSet<(String, String)> =
        findings.iter().map(|it| (text(it, "finding"), text(it, "title"))).collect();
    assert_eq!(told, listed);
    assert!(findings.iter().all(|finding| finding["attributed_bugs"].is_array()));
    assert!(
        findings.iter().any(|finding| finding["bug"] == finding["finding"]),
        "a card shows one of its findings"
    );

    let campaigns = lines(&tables, "campaigns");
    assert_eq!(
        campaigns.iter().map(|row| text(row, "app")).collect::<Vec<_>>(),
        ["org.taproof.notes", "org.taproof.files"]
    );
    assert!(campaigns.iter().all(|row| row["summary"].is_object()));
    let curves = lines(&tables, "coverage");
    assert!([1, 2].iter().all(|id| curves.iter().any(|row| row["campaign"] == *id && row["events"] == 900)));
    let steps = lines(&tables, "steps");
    for finding in &findings {
        let of = |step: &&Value| step["finding"] == finding["finding"] && step["trace"] == "minimal";
        let count = steps.iter().filter(of).count() as u64;
        assert_eq!(Some(count), finding["minimal_steps"].as_u64().map(|steps| steps + 1), "{finding}");
    }
    let csv = std::fs::read_to_string(tables.join("findings.csv")).unwrap();
    assert!(csv.starts_with("campaign,finding,run,oracle,title,"), "{csv}");
    assert_eq!(csv.matches("\r\n").count(), findings.len() + 1);

    let before = std::fs::read(tables.join("steps.csv")).unwrap();
    assert_eq!(code(&run(folder, &["export", "--tables", "tables"])), 0);
    assert_eq!(
        std::fs::read(tables.join("steps.csv")).unwrap(),
        before,
        "the same results give the same tables"
    );
}

#[test]
fn tables_that_cannot_be_written_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let nothing = run(folder, &["export", "--tables", "tables"]);
    assert!(
        code(&nothing) != 0 && errors(&nothing).contains("there is no workspace"),
        "{}",
        errors(&nothing)
    );
    let both = run(folder, &["export", "1", "--tables", "tables"]);
    assert!(errors(&both).contains("cannot be used with"), "{}", errors(&both));
    std::fs::write(folder.join("tables"), "").unwrap();
    let words = ["fuzz", "--app", "files", "--engine", "monkey", "--events", "50", "--no-pictures"];
    run(folder, &words);
    let in_the_way = run(folder, &["export", "--tables", "tables"]);
    assert!(code(&in_the_way) != 0 && errors(&in_the_way).contains("tables"), "{}", errors(&in_the_way));
}
