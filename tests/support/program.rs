//! The program as a script runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::json_page;

/// The program whose tests these are: `taproof-lab` for those of the laboratory, else `taproof`. Cargo has built it beside them.
pub fn path() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let of_laboratory = tests.file_stem().unwrap().to_string_lossy().starts_with("lab-");
    let built = tests.parent().unwrap().parent().unwrap();
    let name = if of_laboratory { "taproof-lab" } else { "taproof" };
    built.join(name).with_extension(std::env::consts::EXE_EXTENSION)
}

/// The program, away from any display and from the user's own results.
pub fn taproof(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(path());
    command.args(words).current_dir(folder).env("TAPROOF_WORKSPACE", folder.join("results"));
    command.env("XDG_CONFIG_HOME", folder.join(".config")).env("XDG_STATE_HOME", folder.join(".state"));
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "TAPROOF_LOG", "RUST_LOG", "GITHUB_ACTIONS"]
    {
        command.env_remove(name);
    }
    command
}

/// What the program prints and how it ends. What it prints with `--json` is as the book says.
pub fn run(folder: &Path, words: &[&str]) -> Output {
    let output = taproof(folder, words).output().unwrap();
    if let (true, Ok(printed)) = (words.contains(&"--json"), serde_json::from_slice(&output.stdout)) {
        assert_eq!(json_page::problems(words, &printed), Vec::<String>::new());
    }
    output
}

/// The exit code.
pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// What it wrote to standard error.
pub fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Each case must end with 2 and name what is wrong.
pub fn refused(folder: &Path, cases: &[(&[&str], &str)]) {
    for (words, named) in cases {
        let output = run(folder, words);
        assert_eq!(code(&output), 2, "{words:?}: {}", errors(&output));
        assert!(errors(&output).contains(named), "{words:?}: {}", errors(&output));
    }
}

/// The one JSON object that it printed.
pub fn json(output: &Output) -> Value {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}\n{}", errors(output)))
}
