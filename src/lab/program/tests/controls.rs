//! Nothing that was supplied from outside reaches the terminal as a control character.

use taproof_testing::hostile;
use taproof_testing::hostile_files::write_files;
use taproof_testing::hostile_text::{HOSTILE, problems};
use taproof_testing::program::taproof;

const FILE: &str = concat!(hostile!(), ".xml");
const TRACE: &str = concat!(hostile!(), ".trace");
const WALK: &str = concat!(hostile!(), " walk");

/// Words of the command line, each a command with what is hostile to it.
const ROWS: [&[&str]; 18] = [
    &["phone", "serve", "--app", HOSTILE],
    &["phone", "serve", "--listen", HOSTILE],
    &["phone", "replay", FILE],
    &["judge", "--oracle", "property", TRACE],
    &["judge", "--oracle", "crash", WALK, "--json"],
    &["judge", "--oracle", "property", TRACE, "--spec", HOSTILE],
    &["witnesses", HOSTILE],
    &["study", HOSTILE],
    &["study", "odin", "--app", HOSTILE],
    &["study", "odin", "--seeds", HOSTILE],
    &["results", "--only", HOSTILE],
    &["results", "--mark", "--page", FILE],
    &["bench", "--apps", HOSTILE],
    &["bench", "--engines", HOSTILE],
    &["bench", "--events", HOSTILE],
    &["bench", "--faults", HOSTILE],
    &["bench", "--against", FILE],
    &["bench", "--apps", "diary", "--out", FILE],
];

#[test]
fn no_command_lets_a_hostile_text_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    std::fs::write(folder.path().join(FILE), HOSTILE).unwrap();
    let mut found = Vec::new();
    for words in ROWS {
        let output = taproof(folder.path(), words).output().unwrap();
        assert!(output.status.code().is_some_and(|code| code <= 3), "{words:?}: {output:?}");
        found.extend(problems(words, &output));
    }
    assert!(found.is_empty(), "{} problems:\n{}", found.len(), found.join("\n"));
}
