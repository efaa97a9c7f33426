//! `cargo xtask`: what contributors run, by one name each.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask TASK
  ci            what continuous integration runs: .ci/run
  test          cargo test, and how many tests were skipped for want of what
  test --full   also what runs in release: tests that take long, and the laboratory's
  pictures      draws the pictures of the README anew
  agent [JAR]   builds the agent on the device (javac, and d8 or dx)
  bench [NAME]  measures speed";

/// Whose tests run in release. Each command names all of them, since cargo would build for each choice of packages anew.
const IN_RELEASE: [&str; 10] = [
    "taproof",
    "taproof-lab",
    "taproof-bench",
    "taproof-blueprint",
    "taproof-ceilings",
    "taproof-fuzz",
    "taproof-hostile",
    "taproof-judge",
    "taproof-served",
    "taproof-quality",
];

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = given.iter().map(String::as_str).collect();
    let done = match &words[..] {
        ["ci"] => run("bash", &[".ci/run"]),
        ["test"] => test(false),
        ["test", "--full"] => test(true),
        ["pictures"] => cargo(&["test", "--release", "--test", "it", "studio::pictures", "--", "--ignored"]),
        ["agent", rest @ ..] => run("bash", &[&["src/adb/agent/build"], rest].concat()),
        ["bench"] => bench(&[]),
        ["bench", name] => bench(&["--bench", name]),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn cargo(words: &[&str]) -> Result<(), String> {
    run(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()), words)
}

/// Some benches run the program.
fn bench(which: &[&str]) -> Result<(), String> {
    cargo(&["build", "--release"])?;
    cargo(&[&["bench", "-p", "taproof-benches"], which].concat())
}

/// Runs a program in the folder of the sources.
fn run(program: &str, words: &[&str]) -> Result<(), String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");
    let line = format!("{program} {}", words.join(" "));
    println!("{line}");
    let mut command = Command::new(program);
    command.args(words).current_dir(root).env("TAPROOF_SKIPPED", skipped_file());
    let ended = command.status().map_err(|error| format!("{line}: {error}"))?;
    if ended.success() { Ok(()) } else { Err(format!("{line}: {ended}")) }
}

/// Where tests write that they are skipped.
fn skipped_file() -> PathBuf {
    std::env::temp_dir().join(format!("taproof-skipped-{}", std::process::id()))
}

fn test(full: bool) -> Result<(), String> {
    let tested = if full { everything() } else { cargo(&["test"]) };
    let skipped = std::fs::read_to_string(skipped_file()).unwrap_or_default();
    // It is not there if nothing was skipped.
    std::fs::remove_file(skipped_file()).unwrap_or_default();
    let mut tests: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (why, test) in skipped.lines().filter_map(|line| line.rsplit_once(": ")) {
        tests.entry(why).or_default().push(test);
    }
    for (why, tests) in tests {
        println!("skipped, {why}: {} ({})", tests.len(), tests.join(", "));
    }
    tested
}

fn everything() -> Result<(), String> {
    cargo(&["test"])?;
    let packages: Vec<&str> = IN_RELEASE.iter().flat_map(|name| ["-p", name]).collect();
    let in_release =
        |words: &[&str]| cargo(&[&["test", "--release", "--no-fail-fast"], &packages[..], words].concat());
    let programs = ["it", "lab", "fuzz", "quality", "ceilings"].iter().flat_map(|name| ["--test", name]);
    in_release(&programs.chain(["--lib", "--no-run"]).collect::<Vec<_>>())?;
    // Tests through adb wait more than they compute, and the others compute.
    let (waits, computes) = std::thread::scope(|scope| {
        let waits = scope.spawn(|| in_release(&["--test", "lab", "--test", "ceilings"]));
        let long = in_release(&["--test", "it", "--", "--ignored", "--skip", "studio::pictures"]);
        let computes = in_release(&["--lib", "--test", "fuzz", "--test", "quality"]);
        (waits.join().unwrap_or_else(|_| Err("a thread panicked".to_owned())), long.and(computes))
    });
    waits.and(computes)
}
