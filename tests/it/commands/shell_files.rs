//! What the program tells shells and `man` about its commands.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use taproof_engine::ENGINES;
use taproof_testing::program::{code, errors, run};

fn printed(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, words);
    assert_eq!(code(&output), 0, "{}", errors(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The subcommands that `--help` of these words lists.
fn subcommands(folder: &Path, words: &[&str]) -> Vec<String> {
    let help = printed(folder, &[words, &["--help"]].concat());
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = lines.take_while(|line| line.starts_with("  "));
    // A line that is indented further goes on with the description above it.
    let named = listed.filter(|line| !line.starts_with("   "));
    named.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn each_command_has_its_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let commands = subcommands(folder.path(), &[]);
    assert!(commands.len() >= 20, "{commands:?}");
    printed(folder.path(), &["man", "pages"]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join("pages").join(name)).unwrap();
    let mut expected = BTreeSet::from(["taproof.1".to_owned()]);
    for command in commands.iter().filter(|command| *command != "help") {
        let page = format!("taproof-{command}.1");
        assert!(read(&page).contains(".SH SYNOPSIS"), "{page}");
        expected.insert(page);
    }
    for command in subcommands(folder.path(), &["spec"]).iter().filter(|command| *command != "help") {
        expected.insert(format!("taproof-spec-{command}.1"));
    }
    let written = std::fs::read_dir(folder.path().join("pages")).unwrap();
    let written: BTreeSet<String> =
        written.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let missing: Vec<&String> = expected.difference(&written).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(read("taproof-fuzz.1").contains("timemachine"), "the words of --engine");
    assert_eq!(printed(folder.path(), &["man"]), read("taproof.1"));
}

#[test]
fn pages_that_cannot_be_written_are_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let output = run(folder.path(), &["man", "file/pages"]);
    assert_eq!(code(&output), 2);
    assert!(errors(&output).contains("file/pages"), "{}", errors(&output));
}

/// Shells whose completions know the values of options name the engines; the others name the option.
#[test]
fn each_shell_completes_the_engines_of_fuzz() {
    let folder = tempfile::tempdir().unwrap();
    for (shell, part) in [
        ("bash", "taproof__subcmd__fuzz"),
        ("elvish", "&'taproof;fuzz'"),
        ("fish", "__fish_taproof_using_subcommand fuzz"),
        ("powershell", "'taproof;fuzz'"),
        ("zsh", "(fuzz)"),
    ] {
        let script = printed(folder.path(), &["completions", shell]);
        let knows_values = ["bash", "fish", "zsh"].contains(&shell);
        let completes = |text: &str| {
            let values = ENGINES.iter().all(|engine| text.contains(engine.name));
            text.contains("engine") && (values || !knows_values)
        };
        assert!(script.split(part).skip(1).any(completes), "{shell}");
    }
}

#[test]
fn bash_offers_what_the_program_takes() {
    let folder = tempfile::tempdir().unwrap();
    let script = printed(folder.path(), &["completions", "bash"]);
    std::fs::write(folder.path().join("taproof.bash"), script).unwrap();
    let offered = |words: &str, at: usize| -> Option<Vec<String>> {
        let ask = format!(
            "source taproof.bash; COMP_WORDS=({words}); COMP_CWORD={at}; _taproof taproof \
             \"${{COMP_WORDS[{at}]}}\" \"${{COMP_WORDS[{before}]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            before = at - 1
        );
        let output = Command::new("bash").args(["-c", &ask]).current_dir(folder.path()).output().ok()?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
    };
    let Some(engines) = offered("taproof fuzz --engine ''", 3) else { return println!("skipped: no bash") };
    let names: Vec<&str> = ENGINES.iter().map(|engine| engine.name).chain(["all"]).collect();
    assert_eq!(engines, names);
    assert_eq!(offered("taproof fuzz --app fi", 3).unwrap(), ["files"]);
    assert_eq!(offered("taproof compl", 1).unwrap(), ["completions"]);
}
