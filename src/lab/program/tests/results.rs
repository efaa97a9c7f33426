//! The page of results: its table of bugs by engine is of the bundled apps' bugs as they are, and what `taproof-lab results`
//! does to it.

use std::path::Path;

use taproof_engine::single_engines;
use taproof_phone::Oracle;
use taproof_phone::apps::specified_apps;
use taproof_testing::program::{code, errors, run};

/// The cells of the first table of an answer.
fn table(question: &str) -> Vec<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/results.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, after) = page.split_once(&format!("<!-- result {question} -->")).expect("the page has the table");
    let (table, _) = after.split_once("<!-- end -->").unwrap();
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    table.lines().filter(|line| line.starts_with('|') && !line.starts_with("| ---")).map(cells).collect()
}

#[test]
fn the_bugs_of_the_table_are_those_of_the_apps_and_each_is_found_by_whom_the_catalogue_says() {
    let table = table("bugs");
    let (head, rows) = table.split_first().unwrap();
    // Keep comes from no paper.
    let published: Vec<_> = single_engines().filter(|engine| engine.name != "keep").collect();
    let engines: Vec<&str> = published.iter().map(|engine| engine.label).collect();
    assert_eq!(head[2..], engines);
    let bugs: Vec<_> = specified_apps().flat_map(|app| app.manifest().bugs).collect();
    let ids: Vec<&str> = bugs.iter().map(|bug| bug.id).collect();
    assert_eq!(rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ids);
    for (row, bug) in rows.iter().zip(bugs) {
        for (engine, cell) in published.iter().zip(&row[2..]).filter(|(_, cell)| *cell != "–") {
            let only_a_property_shows_it = bug.oracles == [Oracle::Property];
            assert!(!only_a_property_shows_it || engine.name == "pbfdroid", "{}: {cell}", bug.id);
        }
    }
}

#[test]
fn results_ask_nothing_without_time_and_make_the_table_again() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("results.md");
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/results.md");
    let before = std::fs::read_to_string(book).unwrap();
    let (start, rest) = before.split_once("<!-- results -->\n").unwrap();
    let (_, rest) = rest.split_once("<!-- end -->").unwrap();
    std::fs::write(&page, format!("{start}<!-- results -->\n<!-- end -->{rest}")).unwrap();
    let output = run(folder.path(), &["results", "--page", "results.md", "--only", "keep", "--minutes", "0"]);
    let said = errors(&output);
    assert_eq!(code(&output), 3, "{said}");
    assert!(said.contains("keep: not asked, the time that is left is too short"), "{said}");
    assert_eq!(std::fs::read_to_string(&page).unwrap(), before);
    std::fs::write(&page, "no place").unwrap();
    let output = run(folder.path(), &["results", "--page", "results.md", "--mark"]);
    assert_eq!(code(&output), 2, "{}", errors(&output));
}
