//! Merging workspaces as a command: seconds, steps a second and peak memory at 10 and 100 workspaces, or as many as
//! `TAPROOF_MERGE` says, such as `330` for about a million steps; then how long it takes to merge one of them again, to list
//! the bugs, and to write everything as tables. The merged workspace stays in the folder `TAPROOF_MERGE_OUT`, if that is set.
//!
//! Twenty workspaces are made by campaigns; the others are copies of them that count as other campaigns.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;

const MADE: usize = 20;
const DATABASE: &str = "results.sqlite";

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let counts = match std::env::var("TAPROOF_MERGE") {
        Ok(count) => vec![count.parse().unwrap()],
        Err(_) => vec![10, 100],
    };
    let most = counts.iter().copied().max().unwrap_or(0);
    let workspaces: Vec<PathBuf> = (0..most).map(|number| workspace(folder, number)).collect();
    for count in counts {
        let out = std::env::var_os("TAPROOF_MERGE_OUT")
            .map_or_else(|| folder.join(format!("out{count}")), PathBuf::from);
        let from: Vec<&str> = workspaces[..count].iter().map(|path| path.to_str().unwrap()).collect();
        let merged = timed(&[&["merge", out.to_str().unwrap()], &*from].concat());
        let database = Connection::open(out.join(DATABASE)).unwrap();
        let steps: i64 = database.query_row("SELECT count(*) FROM steps", [], |row| row.get(0)).unwrap();
        let size = std::fs::metadata(out.join(DATABASE)).unwrap().len();
        let rate = steps as f64 / merged.0.as_secs_f64();
        println!("{count} workspaces, {steps} steps, {} MB: {rate:.0} steps a second", size >> 20);
        tell("merge", merged);
        tell("merge one again", timed(&["merge", out.to_str().unwrap(), from[0]]));
        tell("list bugs", timed(&["findings", "--bugs", "--workspace", out.to_str().unwrap()]));
        let tables = folder.join("tables");
        let words = ["export", "--tables", tables.to_str().unwrap(), "--workspace", out.to_str().unwrap()];
        tell("export tables", timed(&words));
    }
}

/// A workspace with a campaign of its own.
fn workspace(folder: &Path, number: usize) -> PathBuf {
    let path = folder.join(format!("w{number}"));
    if number < MADE {
        let (app, seed) = (["files", "notes"][number % 2], (number / 2 + 1).to_string());
        let words = ["fuzz", "--app", app, "--engine", "pbfdroid", "--seed", &seed, "--events", "4000"];
        taproof(&[&words[..], &["--workspace", path.to_str().unwrap()]].concat()).status().unwrap();
        return path;
    }
    std::fs::create_dir(&path).unwrap();
    std::fs::copy(folder.join(format!("w{}", number % MADE)).join(DATABASE), path.join(DATABASE)).unwrap();
    let database = Connection::open(path.join(DATABASE)).unwrap();
    database.execute("UPDATE campaigns SET seed = ?1, origin = ?1", [number as i64]).unwrap();
    path
}

fn taproof(words: &[&str]) -> Command {
    let mut command = Command::new(taproof_testing::program::path());
    command.args(words).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// How long a command takes, and its peak memory in MB.
fn timed(words: &[&str]) -> (Duration, u64) {
    let start = Instant::now();
    let mut child = taproof(words).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = kilobytes.unwrap_or(0).max(peak);
        std::thread::sleep(Duration::from_millis(5));
    }
    (start.elapsed(), peak >> 10)
}

fn tell(what: &str, (took, peak): (Duration, u64)) {
    println!("  {what:<16} {:>7.2} s, {peak} MB", took.as_secs_f64());
}
