//! The walls of the house: who may import whom, banned words, the top level, the packages.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use taproof::device::embedded::apps::APPS;

/// Module, and our own modules that it may import (itself aside). "May import" is exhaustive.
const WALLS: &[(&str, &[&str])] = &[
    ("determinism", &[]),
    ("worker", &[]),
    ("model", &["determinism"]),
    ("spec", &["model", "determinism"]),
    // Effects and outcomes are compared by their hashes.
    ("oracle", &["model", "spec", "determinism"]),
    // The version of a file is its hash.
    ("format", &["model", "spec", "determinism"]),
    ("device", &["model", "format", "determinism"]),
    ("engine", &["model", "spec", "oracle", "determinism"]),
    ("campaign", &["engine", "oracle", "device", "spec", "model", "worker", "determinism"]),
    ("mirror", &["device", "model", "worker"]),
    // Equal pictures are found by their hash.
    ("store", &["campaign", "spec", "format", "model", "determinism"]),
    // Stored pictures are read as others wrote them.
    ("report", &["campaign", "model", "spec", "format"]),
    // An open document is edited as the text that it is.
    ("state", &["model", "spec", "format", "engine", "campaign", "mirror", "report", "determinism"]),
    ("ui", &["state", "model", "spec", "engine", "campaign", "report"]),
    (
        "app",
        &[
            "determinism",
            "worker",
            "model",
            "spec",
            "oracle",
            "format",
            "device",
            "engine",
            "campaign",
            "mirror",
            "store",
            "report",
            "state",
            "ui",
        ],
    ),
    ("cli", BELOW_THE_WINDOW),
    // It reads everything that is read anywhere, and does with it what the program does.
    ("fuzz_targets", BELOW_THE_WINDOW),
];

const BELOW_THE_WINDOW: &[&str] = &[
    "determinism",
    "worker",
    "model",
    "spec",
    "oracle",
    "format",
    "device",
    "engine",
    "campaign",
    "mirror",
    "store",
    "report",
];

/// Files that may import more than their module, and why.
const DOORS: &[(&str, &str)] = &[
    // The one door between engines and devices.
    ("engine/round.rs", "device"),
    // What the door hands out of a device: the number of a snapshot.
    ("engine/saved.rs", "device"),
    // Tests of an engine on a device that they script.
    ("engine/worked_examples.rs", "device"),
];

/// Words that must not stand in the sources: word, modules and files that may.
const BANNED: &[(&str, &[&str])] = &[
    // A peer that is silent has no other clock.
    ("Instant::now", &["ui", "app", "cli", "device/adb/host/patience.rs"]),
    ("SystemTime", &["ui", "app", "cli"]),
    ("thread_rng", &[]),
    ("rand::rng", &[]),
    ("static mut", &[]),
    ("OnceLock", &[]),
    ("LazyLock", &[]),
    ("Box<dyn Error", &["app", "cli"]),
    ("Box<dyn std::error::Error", &["app", "cli"]),
    ("anyhow", &["app", "cli"]),
    ("egui", &["ui", "app"]),
    ("rusqlite", &["store"]),
    ("thread::spawn", &[]),
    ("thread::sleep", &[]),
];

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

/// Each source file: its path below `src/`, its module, its code without comments.
fn files() -> Vec<(String, String, String)> {
    let src = root().join("src");
    sources(&src)
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
            let module = name.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            (name, module, code.join("\n"))
        })
        .collect()
}

/// Our own modules that a file imports: the word behind every `crate::`, braces included.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(group) => {
                let mut depth = 0;
                let end = group.char_indices().find(|(_, c)| {
                    depth += i32::from(*c == '{') - i32::from(*c == '}');
                    depth < 0
                });
                let group = &group[..end.map_or(group.len(), |(at, _)| at)];
                group.split(',').collect()
            }
            None => vec![rest],
        };
        for name in names {
            let word: String = name.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.insert(word);
        }
    }
    found
}

#[test]
fn every_module_imports_only_what_its_wall_allows() {
    let modules: Vec<&str> = WALLS.iter().map(|(module, _)| *module).collect();
    let mut broken = Vec::new();
    for (name, module, code) in files() {
        if name == "lib.rs" || name == "main.rs" {
            continue;
        }
        let Some((_, allowed)) = WALLS.iter().find(|(known, _)| *known == module) else {
            broken.push(format!("{name}: the module {module} has no wall in this table"));
            continue;
        };
        for import in imports(&code).iter().filter(|import| modules.contains(&import.as_str())) {
            let door = DOORS.contains(&(name.as_str(), import.as_str()));
            if *import != module && !allowed.contains(&import.as_str()) && !door {
                broken.push(format!("{name} imports {import}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn banned_words_stay_out() {
    let mut broken = Vec::new();
    for (name, module, code) in files() {
        for (word, allowed) in BANNED {
            let in_code = code.split("#[cfg(test)]").next().unwrap_or("");
            let may = allowed.contains(&module.as_str()) || allowed.contains(&name.as_str());
            if in_code.contains(word) && !may && name != "lib.rs" {
                broken.push(format!("{name}: {word}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
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
    let watched = ["engine", "oracle", "campaign", "spec"];
    let mut broken = Vec::new();
    for (name, _, code) in files().into_iter().filter(|(_, module, _)| watched.contains(&module.as_str())) {
        for word in &words {
            if code.contains(&format!("\"{word}\"")) || (word.contains('.') && code.contains(word.as_str())) {
                broken.push(format!("{name} knows {word:?}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
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

#[test]
fn the_top_level_is_as_designed() {
    const DESIGNED: &[&str] = &[
        "Cargo.toml",
        "Cargo.lock",
        "src",
        "assets",
        "specs",
        "tests",
        "benches",
        "README.md",
        "CHANGELOG.md",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "target",
    ];
    let strange: Vec<String> = std::fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.') && !DESIGNED.contains(&name.as_str()))
        .collect();
    assert!(strange.is_empty(), "not in the design: {}", strange.join(", "));
}

/// The nine packages of the design and the module that `lib.rs` says uses each.
const PACKAGES: &[(&str, &str)] = &[
    ("eframe", "app"),
    ("egui", "ui"),
    ("egui_extras", "ui"),
    ("rfd", "app"),
    ("serde", "campaign"),
    ("serde_json", "format"),
    ("quick_xml", "format"),
    ("image", "device"),
    ("crossbeam_channel", "mirror"),
];

#[test]
fn each_of_the_nine_packages_is_used_where_the_map_says() {
    let map = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let files = files();
    for (package, module) in PACKAGES {
        let used =
            files.iter().any(|(_, place, code)| place == module && code.contains(&format!("{package}::")));
        assert!(used, "{package} is not used in {module}");
        let line = map.lines().find(|line| line.contains(&format!("`{package}`")));
        let line = line.unwrap_or_else(|| panic!("lib.rs does not say where {package} is used"));
        assert!(line.contains(&format!("`{module}`")), "lib.rs says of {package}: {line}");
    }
}
