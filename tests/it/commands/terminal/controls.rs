//! One hostile text through every command.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use super::adb_server::HostileServer;
use taproof_testing::hostile_files::write_files;
use taproof_testing::hostile_text::{HOSTILE, HOSTILE_WORD, problems};
use taproof_testing::program::{run, taproof};
use taproof_testing::{hostile, json_page};

const SPEC: &str = concat!(hostile!(), ".json");
const DUMP: &str = concat!(hostile!(), ".xml");
const MODEL: &str = concat!(hostile!(), ".model");
const TRACE: &str = concat!(hostile!(), ".trace");
const WALK: &str = concat!(hostile!(), " walk");
const FOLDER: &str = concat!(hostile!(), " new");
const XPATH: &str = concat!("//*[@text='", hostile!(), "']");
/// A function of the specification.
const ADD: &str = concat!("add activity", hostile!());
/// No command takes a word more or an option that it does not know.
const UNKNOWN: &str = concat!("--", hostile!());

/// Words of the command line, each a command with what is hostile to it. They run in this order.
const ROWS: &[&[&str]] = &[
    &[HOSTILE],
    &[UNKNOWN],
    &["help", HOSTILE],
    &["bench", HOSTILE],
    &["fuzz", "--app", "diary", "--spec", SPEC, "--events", "600", "--no-pictures"],
    &["fuzz", "--app", "diary", "--spec", SPEC, "--events", "600", "--no-pictures", "--json"],
    &["fuzz", "--app", "diary", "--from", WALK, TRACE, "--events", "9"],
    &["fuzz", "--app", "diary", "--engine", "fastbot2", "--rules", "rules", "--events", "9"],
    &["fuzz", "--app", "diary", "--engine", "fastbot2", "--model", MODEL, "--events", "9"],
    &["fuzz", "--app", "diary", "--engine", "fastbot2", "--model", FOLDER, "--events", "9"],
    &["fuzz", "--app", "diary", "--set", HOSTILE],
    &["fuzz", "--app", "diary", "--dmf", HOSTILE, "--events", "9"],
    &["fuzz", "--app", HOSTILE],
    &["fuzz", "--seed", HOSTILE],
    &["fuzz", "--device", HOSTILE_WORD, "--package", HOSTILE_WORD],
    &["fuzz", "--device", "ready", "--package", HOSTILE_WORD],
    &["scan", "--app", HOSTILE],
    &["scan", "--app", "diary", "--events", "60"],
    &["scan", "--device", HOSTILE_WORD, "--package", HOSTILE_WORD],
    &["scan", "--device", HOSTILE_WORD, "--apk", DUMP],
    &["campaigns"],
    &["campaigns", "--json"],
    &["findings"],
    &["findings", "--json"],
    &["findings", "--engine", HOSTILE],
    &["campaigns", "events", HOSTILE],
    &["campaigns", "untouched", HOSTILE],
    &["findings", "--bugs"],
    &["findings", "--bugs", "--json"],
    &["findings", "--search", HOSTILE, "--sort", "state"],
    &["findings", "--state", HOSTILE],
    &["bug", "1", "--state", "known", "--note", HOSTILE],
    &["bug", HOSTILE, "--take-back"],
    &["bug", "precision", HOSTILE],
    &["bug", "link", HOSTILE],
    &["bug", "link", "1", "--pattern", HOSTILE],
    &["bug", "list", HOSTILE],
    &["bug", "merge", "1", HOSTILE],
    &["bug", "split", HOSTILE],
    &["bug", "undo", HOSTILE],
    &["compare", "1", "2"],
    &["compare", "1", "2", "--json"],
    &["replay", "1"],
    &["minimise", HOSTILE],
    &["replay", "1", "--json"],
    &["replay", "1", "--keep", concat!(hostile!(), ".kept")],
    &["replay", "--trace", TRACE],
    &["replay", "--trace", TRACE, "--json"],
    &["replay", HOSTILE],
    &["replay", "1", "--device", HOSTILE_WORD],
    &["export", "1", "--format", "junit", "--out", concat!(hostile!(), ".junit")],
    &["export", "1", "--format", "junit", "--out", concat!(hostile!(), ".junit")],
    &["export", HOSTILE, "--format", "junit"],
    &["export", "--graph", TRACE, "--out", concat!(hostile!(), ".dot")],
    &["initialiser", "set", "--package", "diary", "--from", TRACE, "--ready", XPATH],
    &["initialiser", "show", "--package", "diary"],
    &["initialiser", "show", "--package", "diary", "--json"],
    &["fuzz", "--app", "diary", "--events", "9"],
    &["initialiser", "remove", "--package", HOSTILE],
    &["initialiser", "remove", UNKNOWN],
    &["initialiser", "set", "--package", "diary", "--from", HOSTILE],
    &["initialiser", "set", "--package", "diary", "--ready", HOSTILE],
    &["mcp", "--device", HOSTILE_WORD, "--package", HOSTILE_WORD],
    &["devices"],
    &["devices", "--json"],
    &["devices", "--connect", "192.0.2.1:5555"],
    &["devices", "check", HOSTILE_WORD],
    &["devices", "report", HOSTILE_WORD],
    &["devices", "install", DUMP],
    &["devices", "install", DUMP, "--device", HOSTILE_WORD],
    &["devices", "install", FOLDER],
    &["devices", "apps"],
    &["devices", "apps", "--device", HOSTILE_WORD],
    &["devices", "take-over", "--device", HOSTILE_WORD],
    &["devices", "take-over", "--pid", HOSTILE],
    &["apps", HOSTILE],
    &["apps", "--app", HOSTILE],
    &["engines", HOSTILE],
    &["dump", "--app", HOSTILE],
    &["dump", "--app", "diary", "--picture", concat!(hostile!(), "/a.png")],
    &["layout", DUMP],
    &["layout", DUMP, "--json"],
    &["layout", DUMP, "--xpath", XPATH],
    &["layout", DUMP, "--xpath", HOSTILE],
    &["layout", FOLDER],
    &["model", "show", MODEL],
    &["model", "show", MODEL, "--json"],
    &["model", "show", DUMP],
    &["model", "merge", MODEL, MODEL, "--output", concat!(hostile!(), ".merged")],
    &["spec", "import", DUMP, "--out", concat!(hostile!(), ".trace")],
    &["spec", "import", HOSTILE, "--out", HOSTILE],
    &["spec", "blocks", FOLDER],
    &["spec", "blocks", SPEC, "--write"],
    &["spec", "version", "bad.json", FOLDER],
    &["spec", "check", SPEC],
    &["spec", "check", SPEC, "bad.json", "--json"],
    &["spec", "draft", WALK, "--type", "property", "--data-type", HOSTILE, "--whole"],
    &["spec", "draft", WALK, "--type", "property", "--data-type", HOSTILE, "--whole", "--json"],
    &["spec", "draft", WALK, "--type", "property", "--data-type", HOSTILE, "--whole", "-o", FOLDER],
    &["spec", "draft", FOLDER, "--all"],
    &["spec", "fmt", SPEC],
    &["spec", "fmt", SPEC, "--write"],
    &["spec", "fmt", DUMP],
    &["spec", "try", SPEC, "--app", "diary", "--no-initialiser", "--dmf", ADD],
    &["spec", "try", SPEC, "--app", "diary", "--no-initialiser", "--dmf", ADD, "--json"],
    &["spec", "try", SPEC, "--app", "diary", "--dmf", HOSTILE],
    &["spec", "recover", HOSTILE],
    &["spec", "recover", concat!(hostile!(), " results"), "--to", FOLDER],
    &["spec", "recover", concat!(hostile!(), " results"), "--to", SPEC],
    &["spec", "repair", "--app", HOSTILE, "--spec", SPEC],
    &["spec", "repair", "--app", "diary", "--spec", FOLDER],
    &["diff", "--app", HOSTILE, "--with", HOSTILE],
    &["diff", HOSTILE, HOSTILE, "--device", HOSTILE_WORD],
    &["discover", "--app", HOSTILE],
    &["discover", "--app", "diary", "--events", HOSTILE],
    &["discover", "--device", HOSTILE_WORD, "--package", HOSTILE_WORD],
    &["matrix", DUMP],
    &["matrix", FOLDER],
    &["matrix", "run", DUMP, "--cell", "0"],
    &["matrix", "run", "--cell", HOSTILE],
    &["matrix", "status", DUMP],
    &["merge", concat!(hostile!(), " merged"), concat!(hostile!(), " results")],
    &["merge", "out", FOLDER],
    &["completions", HOSTILE],
    &["log", "--last", HOSTILE],
    &["log", UNKNOWN],
    &["fuzz", "--app", "diary", "--events", "9", "--fail-on", HOSTILE],
    &["fuzz", "--app", "diary", "--events", "9", "--baseline", DUMP],
    &[
        "fuzz",
        "--app",
        "diary",
        "--spec",
        SPEC,
        "--events",
        "600",
        "--no-pictures",
        "--annotations",
        "--baseline",
        concat!(hostile!(), " none"),
    ],
    &["fuzz", "--app", "diary", "--events", "9", "--junit", concat!(hostile!(), ".none/junit.xml")],
    &["fuzz", "--app", "diary", "--events", "9", "--summary", concat!(hostile!(), ".none/summary.md")],
    &["man", concat!(hostile!(), " pages")],
    &["man", concat!(hostile!(), ".xml/pages")],
    &["demo", "--workspace", concat!(hostile!(), ".xml/results")],
    &["demo", UNKNOWN],
];

/// The program where the paths are hostile too, beside an adb server that is.
fn hostile_program(folder: &Path, server: &HostileServer, words: &[&str]) -> Command {
    let mut command = taproof(folder, words);
    command.env("TAPROOF_WORKSPACE", folder.join(concat!(hostile!(), " results")));
    command.env("ANDROID_ADB_SERVER_PORT", server.port.to_string()).env_remove("ANDROID_SERIAL");
    command
}

/// Everything in the workspace that is text says something hostile, as where somebody else wrote it.
fn poison(folder: &Path) {
    let results = folder.join(concat!(hostile!(), " results")).join("results.sqlite");
    let connection = rusqlite::Connection::open(results).unwrap();
    for change in [
        "UPDATE campaigns SET end_detail = ?1, build = build || ?1, fingerprint = ?1",
        "UPDATE campaigns SET end = ?1 WHERE id = 1",
        "UPDATE findings SET title = title || ?1, name = name || ?1, attributed_bugs = json_array(?1)",
    ] {
        assert!(connection.execute(change, [HOSTILE]).unwrap() > 0, "{change}");
    }
}

#[test]
fn no_command_lets_a_hostile_text_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_files(folder);
    let devices = format!(
        "{HOSTILE_WORD} device product:{HOSTILE_WORD} model:{HOSTILE_WORD}\nready device model:{HOSTILE_WORD}\n\
         other {HOSTILE_WORD}\n"
    );
    let server = HostileServer::start(devices, HOSTILE.to_owned());
    let mut found = Vec::new();
    for words in ROWS {
        if *words == ["campaigns"] {
            poison(folder);
        }
        let output = hostile_program(folder, &server, words).output().unwrap();
        assert!(output.status.code().is_some_and(|code| code <= 3), "{words:?}: {output:?}");
        found.extend(problems(words, &output));
        if let (true, Ok(printed)) = (words.contains(&"--json"), serde_json::from_slice(&output.stdout)) {
            found.extend(json_page::problems(words, &printed));
        }
    }
    assert!(found.is_empty(), "{} problems:\n{}", found.len(), found.join("\n"));
}

/// Every command with the commands below it, as the help lists them.
fn commands(folder: &Path, above: &[String]) -> BTreeSet<Vec<String>> {
    let help: Vec<&str> = above.iter().map(String::as_str).chain(["--help"]).collect();
    let text = String::from_utf8(run(folder, &help).stdout).unwrap();
    let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed.take_while(|line| !line.is_empty());
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    let mut found = BTreeSet::new();
    for name in names {
        let command = [above, &[name.to_owned()]].concat();
        // What is below `help` stands beside it too.
        let below = if name == "help" { BTreeSet::new() } else { commands(folder, &command) };
        let repeated = name == "help" && !above.is_empty();
        if below.is_empty() && !repeated {
            found.insert(command.clone());
        }
        found.extend(below);
    }
    found
}

#[test]
fn every_command_has_its_row() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands(folder.path(), &[]);
    assert!(commands.len() > 20, "{commands:?}");
    let has_row =
        |command: &Vec<String>| ROWS.iter().any(|words| command.iter().eq(words.iter().take(command.len())));
    let missing: Vec<&Vec<String>> = commands.iter().filter(|command| !has_row(command)).collect();
    assert!(missing.is_empty(), "no hostile text for {missing:?}");
}
