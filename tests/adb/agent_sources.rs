//! The agent's Java sources: their own tests on a plain JVM, and the jar built anew, where the tools are installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether there is a `javac`.
fn has_javac() -> bool {
    let found = Command::new("javac").arg("-version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: no javac");
    }
    found
}

fn build(argument: &Path) -> Output {
    Command::new("bash").arg(root().join("src/adb/agent/build")).arg(argument).output().unwrap()
}

fn all(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The line of the manifest that names the tools. Nothing in the jar is compressed.
fn built_with(jar: &[u8]) -> String {
    let text = String::from_utf8_lossy(jar);
    text.lines().find(|line| line.starts_with("Built-With: ")).unwrap().to_owned()
}

#[test]
fn the_agent_passes_its_own_tests() {
    if !has_javac() {
        return;
    }
    let output = build(Path::new("--test"));
    println!("{}", all(&output));
    assert!(output.status.success());
    assert!(all(&output).contains(" passed, 0 failed"));
}

#[test]
fn the_committed_jar_is_what_the_sources_give() {
    const NO_TOOL: i32 = 2;
    if !has_javac() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let jar: PathBuf = folder.path().join("agent.jar");
    let output = build(&jar);
    if output.status.code() == Some(NO_TOOL) {
        println!("skipped: {}", all(&output).trim());
        return;
    }
    assert!(output.status.success(), "{}", all(&output));
    let built = std::fs::read(&jar).unwrap();
    let committed = std::fs::read(root().join("assets/agent/taproof-agent.jar")).unwrap();
    if built_with(&built) == built_with(&committed) {
        assert!(built == committed, "the same tools gave another jar");
    } else {
        println!("not compared: built with other tools: {}", built_with(&built));
    }
}
