//! What only reads a workspace writes nothing there: it may be on a disk, or of an owner, that takes nothing.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use taproof_results::store::Workspace;
use taproof_testing::program::{code, errors, json, run, taproof};
use taproof_testing::results::kept;
use tempfile::TempDir;

/// Runs a command on a folder in which everybody may read and nobody may write. Nothing, after saying so, if we may
/// write everywhere and there is no way to be somebody else.
fn read(folder: &Path, words: &[&str]) -> Option<Output> {
    permit(folder, 0o555);
    let probe = folder.join("results/probe");
    if std::fs::write(&probe, "").is_err() {
        return Some(run(folder, words));
    }
    std::fs::remove_file(probe).unwrap();
    let program = taproof(folder, words);
    let mut nobody = Command::new("setpriv");
    nobody.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program.get_program());
    nobody.args(program.get_args()).current_dir(folder).env("TAPROOF_WORKSPACE", folder.join("results"));
    match nobody.output() {
        // 126 and 127: the program cannot be run by others here.
        Ok(output) if !matches!(output.status.code(), Some(126 | 127)) => Some(output),
        ended => {
            taproof_testing::skipped(&format!("nobody else can run the program here: {ended:?}"));
            None
        }
    }
}

/// Permits folders this, and files the same but to be run.
fn permit(path: &Path, mode: u32) {
    let folder = path.is_dir();
    if folder {
        std::fs::read_dir(path).unwrap().for_each(|entry| permit(&entry.unwrap().path(), mode));
    }
    let mode = if folder { mode } else { mode & 0o666 };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// The files of a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_file()).map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// A folder with the results of two campaigns.
fn found() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for seed in ["1", "2"] {
        let fuzz = ["fuzz", "--app", "files", "--events", "1500", "--no-pictures", "--json", "--seed", seed];
        assert_eq!(code(&run(folder.path(), &fuzz)), 1);
    }
    folder
}

/// A program that is ended with the test.
struct Running(Child);

impl Running {
    fn goes_on(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// A campaign that has found something and does not end by itself.
fn started(folder: &Path) -> Running {
    let endless =
        ["fuzz", "--app", "files", "--events", "100000000", "--no-pictures", "--checkpoint-millis=20"];
    let program = taproof(folder, &endless).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = Running(program.unwrap());
    let results = folder.join("results");
    for _ in 0..3000 {
        assert!(child.goes_on());
        std::thread::sleep(Duration::from_millis(20));
        if kept(&results) > 0
            && !Workspace::open_to_read(&results).unwrap().findings(None).unwrap().is_empty()
        {
            return child;
        }
    }
    panic!("it finds nothing in a minute");
}

/// Does all that only reads. Ends early where nobody can be had who may not write.
fn read_all(folder: &Path, by: impl Fn(&Path, &[&str]) -> Option<Output>) {
    let out = tempfile::tempdir().unwrap();
    permit(out.path(), 0o777);
    let page = out.path().join("page.html");
    let export = ["export", "1", "--format", "html", "--out", page.to_str().unwrap()];
    let campaign =
        ["export", "--campaign", "1", "--format", "junit", "--out", page.to_str().unwrap(), "--force"];
    let commands: [&[&str]; 6] = [
        &["campaigns", "--json"],
        &["findings", "--json"],
        &["compare", "1", "2"],
        &export,
        &campaign,
        &["replay", "1"],
    ];
    for words in commands {
        let Some(output) = by(folder, words) else { return };
        assert_eq!(code(&output), 0, "{words:?}: {}", errors(&output));
        if words[0] == "findings" {
            assert!(!json(&output)["causes"].as_array().unwrap().is_empty());
        }
    }
}

#[test]
fn what_reads_changes_nothing() {
    let folder = found();
    let before = files(&folder.path().join("results"));
    read_all(folder.path(), |folder, words| Some(run(folder, words)));
    assert_eq!(files(&folder.path().join("results")), before);
}

#[test]
#[ignore = "takes long"]
fn a_folder_that_takes_nothing_is_read() {
    let folder = found();
    let before = files(&folder.path().join("results"));
    read_all(folder.path(), read);
    assert_eq!(files(&folder.path().join("results")), before);
    permit(folder.path(), 0o777);
}

#[test]
#[ignore = "takes long"]
fn what_a_killed_program_left_is_read_where_nothing_can_be_written() {
    let folder = found();
    let results = folder.path().join("results");
    let mut child = started(folder.path());
    child.kill();
    assert!(results.join("results.sqlite-wal").exists());
    let before = files(&results);
    read_all(folder.path(), read);
    if let Some(listed) = read(folder.path(), &["campaigns", "--json"]) {
        let listed = json(&listed);
        assert_eq!(
            (&listed["campaigns"][0]["id"], &listed["campaigns"][0]["end"]),
            (&3.into(), &"interrupted".into())
        );
    }
    assert_eq!(files(&results), before);
    permit(folder.path(), 0o777);
    std::fs::remove_file(results.join("results.sqlite-shm")).unwrap();
    if let Some(refused) = read(folder.path(), &["campaigns"]) {
        assert_eq!(code(&refused), 2);
        assert!(errors(&refused).contains("open it once where it can be written to"), "{}", errors(&refused));
    }
    permit(folder.path(), 0o777);
    // Where it can be written to it is read as ever.
    assert_eq!(code(&run(folder.path(), &["campaigns"])), 0);
}

#[test]
#[ignore = "takes long"]
fn a_campaign_that_runs_can_be_read_by_who_may_not_write() {
    let folder = found();
    let results = folder.path().join("results");
    let mut child = started(folder.path());
    read_all(folder.path(), read);
    let listed = read(folder.path(), &["campaigns", "--json"]);
    assert!(child.goes_on(), "it goes on meanwhile");
    child.kill();
    if let Some(listed) = listed {
        assert_eq!(json(&listed)["campaigns"][0]["end"], "running");
    }
    permit(folder.path(), 0o777);
    assert_eq!(Workspace::open(&results).unwrap().campaign(3).unwrap().end.as_deref(), Some("interrupted"));
}

#[test]
#[ignore = "takes long"]
fn whoever_wants_to_write_comes_after_who_reads() {
    let folder = found();
    let results = folder.path().join("results");
    let reading = Workspace::open_to_read(&results).unwrap();
    let (told, opened) = crossbeam_channel::bounded(1);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut workspace = Workspace::open(&results).unwrap();
            workspace.mark_seen(1, "x", true).unwrap();
            told.send(()).unwrap();
        });
        assert!(opened.recv_timeout(Duration::from_millis(200)).is_err(), "what is read would change");
        assert_eq!(reading.campaigns().unwrap().len(), 2);
        drop(reading);
    });
    assert!(opened.try_recv().is_ok());
}
