//! The table of bugs by engine in the book is of the bundled apps' bugs as they are: `taproof-lab study bugs --into
//! src/book/studies.md` makes it.

use std::path::Path;

use taproof_engine::single_engines;
use taproof_phone::Oracle;
use taproof_phone::apps::specified_apps;

/// The cells of the table between the lines of a study.
fn table(study: &str) -> Vec<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/studies.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, after) = page.split_once(&format!("<!-- study {study} -->")).expect("the page has the table");
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
