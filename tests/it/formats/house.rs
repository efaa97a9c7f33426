//! What no compiler sees of the sources: each file says what lives in it, and no engine knows an app.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use taproof_phone::apps::APPS;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources(below: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(below).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
        .into_iter()
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

#[test]
fn every_module_says_what_lives_there() {
    let silent: Vec<String> = sources(&root().join("src"))
        .into_iter()
        .filter(|path| !std::fs::read_to_string(path).unwrap().starts_with("//!"))
        .map(|path| path.display().to_string())
        .collect();
    assert!(silent.is_empty(), "no module comment in {}", silent.join(", "));
}

#[test]
fn the_idea_of_an_engine_knows_no_app() {
    let mut words: BTreeSet<String> = BTreeSet::new();
    for app in APPS {
        let manifest = app.manifest();
        words.insert(manifest.package.to_owned());
        words.extend(manifest.bugs.iter().map(|bug| bug.id.to_owned()));
    }
    words.extend(shipped_selectors());
    let watched = ["engine", "campaign", "spec"].map(|room| root().join("src").join(room));
    let mut broken = Vec::new();
    for path in watched.iter().flat_map(|folder| sources(folder)) {
        let text = std::fs::read_to_string(&path).unwrap();
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let (name, code) = (path.display(), code.join("\n"));
        for word in &words {
            if code.contains(&format!("\"{word}\"")) || (word.contains('.') && code.contains(word.as_str())) {
                broken.push(format!("{name} knows {word:?}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The settings of the engines are read as rustdoc, where "this folder" means nothing.
#[test]
fn settings_name_the_path_of_their_paper() {
    let engines = root().join("src/engine");
    let files: Vec<PathBuf> =
        sources(&engines).into_iter().filter(|path| path.ends_with("config.rs")).collect();
    assert!(files.len() >= 5, "{files:?}");
    for path in files {
        let engine = path.parent().unwrap();
        assert!(engine.join("paper.md").is_file(), "{}", engine.display());
        let full = format!("src/engine/{}/paper.md", engine.file_name().unwrap().display());
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches("paper.md").count(), text.matches(&full).count(), "{}", path.display());
    }
}

/// Every id and description of a bundled app that the shipped specifications name.
fn shipped_selectors() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root().join("specs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        for file in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            collect(&json, &mut found);
        }
    }
    found
}

fn collect(json: &serde_json::Value, found: &mut BTreeSet<String>) {
    match json {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                if let ("resource-id" | "content-desc", Some(text)) = (key.as_str(), value.as_str())
                    && (text.contains("org.taproof") || key == "content-desc")
                    && !text.is_empty()
                {
                    found.insert(text.to_owned());
                }
                collect(value, found);
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}
