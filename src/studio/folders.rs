//! Which folders may use which: the table of `lib.rs`, kept true.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What the places share.
const SHARED: [&str; 12] = [
    "background",
    "command",
    "disk",
    "effect",
    "event",
    "mirror",
    "parts",
    "priority",
    "reporter",
    "state",
    "undo",
    "wall_clock",
];

/// The places, each with those that it may use beside what all share.
const PLACES: [(&str, &[&str]); 6] = [
    ("phone", &[]),
    ("specs", &["phone"]),
    ("record", &["phone", "specs"]),
    ("replay", &["phone"]),
    ("fuzz", &["phone", "specs", "replay"]),
    ("shell", &["phone", "specs", "record", "replay", "fuzz"]),
];

fn sources(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            // Tests may look anywhere.
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
            found.push((path, code));
        }
    }
}

fn code_of(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    found.retain(|(path, _)| !path.ends_with("tests.rs"));
    assert!(!found.is_empty(), "{folder}");
    found
}

/// The modules of this crate that a source names.
fn used(code: &str) -> BTreeSet<&str> {
    let word = |rest: &str| rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    code.split("crate::").skip(1).map(|rest| &rest[..word(rest)]).collect()
}

#[test]
fn a_place_uses_only_those_before_it() {
    for (place, others) in PLACES {
        for (path, code) in code_of(place) {
            for module in used(&code) {
                let allowed = module == place || SHARED.contains(&module) || others.contains(&module);
                assert!(allowed, "{} uses {module}", path.display());
            }
        }
    }
}

#[test]
fn only_panels_know_egui() {
    // The window's frame and its settings are egui's own.
    let but = ["window_settings.rs", "ending.rs"];
    for (place, _) in PLACES {
        for (path, code) in code_of(place) {
            let panel = path.components().any(|part| part.as_os_str() == "panels");
            let excepted = but.iter().any(|name| path.ends_with(name));
            assert!(panel || excepted || !code.contains("egui"), "{} draws", path.display());
        }
    }
}

#[test]
fn panels_change_no_state_and_ask_for_no_effect() {
    for (place, _) in PLACES {
        let panels = code_of(&format!("{place}/panels"));
        for (path, code) in panels {
            let used = used(&code);
            for module in ["disk", "effect", "event", "app"] {
                assert!(!used.contains(module), "{} uses {module}", path.display());
            }
            assert!(!code.contains("&mut StudioState"), "{} changes the state", path.display());
        }
    }
}
