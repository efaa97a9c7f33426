//! What the tests of several programs need: phones that are served, the program as a script runs it, the window without a
//! display.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

use std::io::Write;
use std::path::PathBuf;

pub mod cut_texts;
pub mod device;
pub mod driver;
pub mod film;
pub mod first;
pub mod hand;
#[cfg(unix)]
pub mod hostile_files;
pub mod hostile_text;
pub mod json_page;
pub mod keeper;
pub mod mcp;
pub mod meaning;
pub mod painter;
pub mod planted;
pub mod program;
pub mod results;
pub mod rig;
pub mod shipped;
pub mod states;
pub mod xpath_pieces;

/// The folder of the sources.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The folder of test data: `TAPROOF_DATA`, else `../shared/data` beside the repository. `None`, after
/// saying so, where neither is there.
pub fn data() -> Option<PathBuf> {
    let beside = root().join("../shared/data");
    let folder = std::env::var_os("TAPROOF_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    skipped("no data");
    None
}

/// Says that the test that calls this is skipped, and why. Who sets `TAPROOF_SKIPPED` finds a line of each in that file,
/// since what a test prints is only seen when it fails.
pub fn skipped(why: &str) {
    let program = std::env::current_exe().unwrap();
    let thread = std::thread::current();
    // Outside of a test, the program itself is one.
    let test = match thread.name() {
        Some("main") | None => program.file_name().unwrap().to_string_lossy(),
        Some(test) => test.into(),
    };
    println!("skipped: {why}");
    let Some(file) = std::env::var_os("TAPROOF_SKIPPED") else { return };
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
    file.write_all(format!("{why}: {test}\n").as_bytes()).unwrap();
}
