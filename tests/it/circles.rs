//! Files of different folders do not import each other in a circle, so that a folder can be read after those that it names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::Regex;
use taproof_testing::root;

type Files = BTreeMap<PathBuf, String>;

/// The sources below a folder, by crate, without tests.
fn collect(folder: &Path, of: &Path, crates: &mut BTreeMap<PathBuf, Files>) {
    let of = if folder.join("Cargo.toml").exists() { folder } else { of };
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["tests", "quality", "fuzz"].contains(&name.as_str()) {
                collect(&path, of, crates);
            }
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned();
            crates.entry(of.to_owned()).or_default().insert(path, code);
        }
    }
}

/// The files of a crate that each file imports from. What several files define tells nothing.
fn imports(files: &Files) -> BTreeMap<&Path, BTreeSet<&Path>> {
    let item =
        Regex::new(r"(?m)^pub(?:\([^)]*\))? (?:const )?(?:struct|enum|fn|trait|const|type|static) (\w+)")
            .unwrap();
    let import =
        Regex::new(r"(?m)^\s*use (?:crate|super|self)(?:::\w+)*::(\{[^;]*\}|\w+)(?: as \w+)?;").unwrap();
    let name = Regex::new(r"\w+").unwrap();
    let mut homes: BTreeMap<&str, BTreeSet<&Path>> = BTreeMap::new();
    for (path, code) in files {
        for found in item.captures_iter(code) {
            homes.entry(found.get(1).unwrap().as_str()).or_default().insert(path);
        }
    }
    let home = |name: &str| homes.get(name).filter(|homes| homes.len() == 1)?.first().copied();
    let of = |code: &str| -> BTreeSet<&Path> {
        let groups = import.captures_iter(code).map(|found| found.get(1).unwrap().range());
        groups.flat_map(|range| name.find_iter(&code[range])).filter_map(|it| home(it.as_str())).collect()
    };
    files.iter().map(|(path, code)| (path.as_path(), of(code))).collect()
}

#[test]
fn no_file_leads_back_to_itself_through_another_folder() {
    let mut crates = BTreeMap::new();
    collect(&root().join("src"), &root(), &mut crates);
    assert!(crates.len() > 12);
    let mut circles = Vec::new();
    for files in crates.values() {
        let imports = imports(files);
        for (file, named) in &imports {
            for other in named.iter().filter(|other| other.parent() != file.parent()) {
                let (mut seen, mut open) = (BTreeSet::new(), vec![*other]);
                while let Some(at) = open.pop() {
                    if seen.insert(at) {
                        open.extend(&imports[at]);
                    }
                }
                if seen.contains(file) {
                    circles.push(format!("{} and {}", file.display(), other.display()));
                }
            }
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}
