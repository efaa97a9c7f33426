//! `taproof matrix` and `taproof merge`: campaigns as cells, which are killed and run again, and what they found in one
//! workspace.

use taproof_testing::program::{code, errors, json, run, taproof};

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

fn said(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, words);
    assert_eq!(code(&output), 0, "{words:?}: {}", errors(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Writes a matrix of two apps, `seeds` seeds and so many events.
fn matrix(folder: &Path, seeds: u64, events: u64) {
    let text = format!(
        "engines = [\"pbfdroid\"]\nseeds = \"1..{seeds}\"\n\
         options = [\"--events\", \"{events}\", \"--no-pictures\", \"--checkpoint-millis\", \"20\"]\n\
         [[app]]\napp = \"files\"\n[[app]]\napp = \"notes\"\nbuilds = [\"notes-deleted-still-found\"]\n"
    );
    std::fs::write(folder.join("matrix.toml"), text).unwrap();
}

/// What campaigns did and found, without the numbers of rows and what depends on the time.
fn results(folder: &Path, workspace: &str) -> Vec<String> {
    let printed = json(&run(folder, &["findings", "--json", "--workspace", workspace]));
    let causes = printed["causes"].as_array().unwrap().iter();
    let cause = |cause: &Value| {
        let names: Vec<String> = cause["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| format!("{} {} {} {}", it["name"], it["first_event"], it["minimal_steps"], it["hits"]))
            .collect();
        format!("{} {} {}", cause["app"], cause["seed"], names.join(", "))
    };
    let mut all: Vec<String> = causes.map(cause).collect();
    all.sort();
    all
}

fn states(folder: &Path) -> Vec<String> {
    let printed = json(&run(folder, &["matrix", "status", "--json"]));
    let cells = printed["cells"].as_array().unwrap().iter();
    cells.map(|cell| cell["state"].as_str().unwrap().to_owned()).collect()
}

fn begin(folder: &Path, cell: &str) -> Child {
    let mut command = taproof(folder, &["matrix", "run"]);
    command.env("SLURM_ARRAY_TASK_ID", cell);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Waits until a cell has a checkpoint to go on from.
fn wait_for_checkpoint(folder: &Path) {
    let has = || {
        let folders = std::fs::read_dir(folder.join("cells")).into_iter().flatten().flatten();
        folders.map(|entry| entry.path().join("results.sqlite")).filter(|path| path.exists()).any(|path| {
            let database = rusqlite::Connection::open(path).unwrap();
            let count =
                database.query_row("SELECT count(*) FROM checkpoints", [], |row| row.get::<_, i64>(0));
            count.is_ok_and(|count| count > 0)
        })
    };
    // At least a minute.
    for _ in 0..12_000 {
        if has() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no cell has come far enough");
}

#[test]
#[ignore = "takes long"]
fn cells_that_were_killed_are_run_again_and_give_what_one_program_finds() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    matrix(folder, 2, 1_500);
    assert_eq!(said(folder, &["matrix"]).lines().count(), 4);
    assert_eq!(states(folder), ["waiting"; 4]);
    let mut killed = begin(folder, "1");
    wait_for_checkpoint(folder);
    assert_eq!(states(folder), ["waiting", "running", "waiting", "waiting"]);
    let refused = run(folder, &["matrix", "run", "--cell", "1"]);
    assert!(
        code(&refused) == 3 && errors(&refused).contains("another program runs it"),
        "{}",
        errors(&refused)
    );
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(states(folder), ["waiting", "lost", "waiting", "waiting"]);
    assert_eq!(said(folder, &["matrix", "status", "--again"]), "0-3\n");
    let output = run(folder, &["matrix", "run", "--cell", "1"]);
    assert!(code(&output) == 0 && errors(&output).contains("cell 1 goes on"), "{}", errors(&output));
    said(folder, &["matrix", "run", "--part", "1/2"]);
    assert_eq!(states(folder), ["waiting", "done", "waiting", "done"]);
    assert_eq!(said(folder, &["matrix", "status", "--again"]), "0,2\n");
    said(folder, &["merge", "merged", "--matrix", "matrix.toml"]);
    said(folder, &["matrix", "run", "--all"]);
    assert_eq!(states(folder), ["done"; 4]);
    let done = run(folder, &["matrix", "run", "--cell", "0"]);
    assert!(code(&done) == 0 && errors(&done).contains("cell 0 is done"), "{}", errors(&done));

    for (app, options) in [("files", vec![]), ("notes", vec!["--bugs", "notes-deleted-still-found"])] {
        for seed in ["1", "2"] {
            let mut words =
                vec!["fuzz", "--app", app, "--engine", "pbfdroid", "--seed", seed, "--events", "1500"];
            words.extend(&options);
            words.extend(["--no-pictures", "--workspace", "alone"]);
            run(folder, &words);
        }
    }
    said(folder, &["merge", "merged", "--matrix", "matrix.toml"]);
    said(folder, &["merge", "merged", "merged", "--matrix", "matrix.toml"]);
    assert_eq!(results(folder, "merged"), results(folder, "alone"));
    assert!(!results(folder, "merged").is_empty());
    let bugs = json(&run(folder, &["findings", "--bugs", "--json", "--workspace", "merged"]));
    let bugs = bugs["bugs"].as_array().unwrap();
    let of_both = |bug: &&Value| bug["campaigns"].as_array().unwrap().len() == 2;
    assert!(bugs.iter().any(|bug| of_both(&bug)), "a bug that both seeds found is there once");
    let mut titles: Vec<&str> = bugs.iter().map(|bug| bug["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    let all = titles.len();
    titles.dedup();
    assert_eq!(titles.len(), all);
}

#[cfg(unix)]
#[test]
#[ignore = "takes long"]
fn a_cell_whose_scheduler_ends_it_goes_on_later() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    matrix(folder, 1, 6_000);
    let mut child = begin(folder, "0");
    wait_for_checkpoint(folder);
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_eq!(states(folder), ["lost", "waiting"]);
    let output = run(folder, &["matrix", "run", "--cell", "0"]);
    assert!(code(&output) == 0 && errors(&output).contains("cell 0 goes on"), "{}", errors(&output));
    assert_eq!(states(folder), ["done", "waiting"]);
}

#[test]
fn mistakes_in_a_matrix_are_told_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (text, problem) in [
        ("", "missing field `app`"),
        ("[[app]]\n", "either `app = \"files\"` or `package"),
        ("seeds = \"x\"\n[[app]]\napp = \"files\"\n", "seeds"),
        ("options = [\"--sead\", \"1\"]\n[[app]]\napp = \"files\"\n", "cell 0 is no campaign"),
        ("options = [\"--seed\", \"1\"]\n[[app]]\napp = \"files\"\n", "cannot be used multiple times"),
        ("[[app]]\napp = \"files\"\nbuilds = [\"no-such-bug\"]\n", "no-such-bug"),
        ("[[app]]\npackage = \"org.ex\"\n", "write which in a [[device]]"),
        ("[[app]]\napp = \"files\"\nspecs = [[\"none.json\"]]\n", "none.json"),
    ] {
        std::fs::write(folder.join("matrix.toml"), text).unwrap();
        let output = run(folder, &["matrix"]);
        assert!(code(&output) == 2 && errors(&output).contains(problem), "{text:?}: {}", errors(&output));
    }
    matrix(folder, 1, 100);
    let none = run(folder, &["matrix", "run", "--cell", "2"]);
    assert!(code(&none) == 2 && errors(&none).contains("there is no cell 2"), "{}", errors(&none));
    let which = run(folder, &["matrix", "run"]);
    assert!(code(&which) == 2 && errors(&which).contains("--cell"), "{}", errors(&which));
    let nothing = run(folder, &["merge", "out", "--matrix", "matrix.toml"]);
    assert!(code(&nothing) == 2 && !folder.join("out").exists(), "{}", errors(&nothing));
}
