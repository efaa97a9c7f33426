//! What the parent does: it starts a child for a target, watches it from outside, and keeps what ended it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::targets::FuzzTarget;
use taproof_screen::determinism::hash_bytes;

use crate::child::{Current, Until};
use crate::limits::{ADDRESSES_KB, LARGEST_KB, LONGEST, LONGEST_WAIT, PANICKED, TOO_LARGE, peak_kb, worked};

/// How often a child is looked at.
const EVERY: Duration = Duration::from_millis(50);
/// A target that fails so often is given up: more of the same helps nobody.
const MOST_FAILURES: usize = 20;

/// How an input was bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It made the program panic, or die by itself.
    Panic,
    /// It took too long.
    Slow,
    /// It took too much memory.
    Large,
}

/// What became of a target.
#[derive(Default)]
pub struct Outcome {
    /// Inputs that were run.
    pub inputs: u64,
    /// The most memory that a child has held.
    pub peak_kb: u64,
    /// What was bad, and the file with the input.
    pub failures: Vec<(Failure, PathBuf)>,
}

/// How a target is run.
#[derive(Clone, Copy)]
pub struct Plan<'p> {
    /// For how long.
    pub until: Until,
    /// Whether it matters how long an input takes.
    pub timed: bool,
    /// Where bad inputs are kept.
    pub keep: &'p Path,
}

/// Runs a target, again after each failure.
pub fn run(target: &FuzzTarget, plan: Plan<'_>) -> Outcome {
    let folder = plan.keep.join(format!("{}-{}", target.name, std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut outcome = Outcome::default();
    let started = Instant::now();
    while outcome.failures.len() < MOST_FAILURES {
        let until = match plan.until {
            Until::Inputs(count) => Until::Inputs(count.saturating_sub(outcome.inputs)),
            Until::Time(time) => Until::Time(time.saturating_sub(started.elapsed())),
        };
        if matches!(until, Until::Inputs(0) | Until::Time(Duration::ZERO)) {
            break;
        }
        let mut child = start(target, outcome.inputs, until, &folder);
        let failure = watch(&mut child, plan.timed, &folder, &mut outcome);
        let (number, input) = Current::read(&folder).unwrap_or_default();
        outcome.inputs = outcome.inputs.max(number);
        let Some(failure) = failure else { break };
        let name = format!("{}-{failure:?}-{:016x}", target.name, hash_bytes(&input)).to_lowercase();
        let path = plan.keep.join(name);
        std::fs::write(&path, &input).unwrap();
        println!("{}: {failure:?} at input {number}: {}", target.name, told(&folder));
        println!("    cargo test -p taproof-fuzz -- {} --input {}", target.name, path.display());
        outcome.failures.push((failure, path));
    }
    std::fs::remove_dir_all(&folder).unwrap();
    outcome
}

fn start(target: &FuzzTarget, first: u64, until: Until, folder: &Path) -> Child {
    let (unit, amount) = match until {
        Until::Inputs(count) => ("inputs", count.to_string()),
        Until::Time(time) => ("seconds", time.as_secs_f64().to_string()),
    };
    let said = File::create(folder.join("said")).unwrap();
    Command::new("sh")
        .args(["-c", &format!("ulimit -v {ADDRESSES_KB} && exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe().unwrap())
        .args(["--child", target.name, &first.to_string(), unit, &amount])
        .arg(folder)
        .env("MALLOC_ARENA_MAX", "2")
        .env("TMPDIR", folder)
        .stdout(File::create(folder.join("out")).unwrap())
        .stderr(said)
        .spawn()
        .unwrap()
}

/// Waits until a child ends, or ends it.
fn watch(child: &mut Child, timed: bool, folder: &Path, outcome: &mut Outcome) -> Option<Failure> {
    let process = child.id();
    let (mut at, mut since, mut before) = (0, Instant::now(), Duration::ZERO);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return failure_of(status);
        }
        let (number, peak) = (Current::number(folder), peak_kb(&process.to_string()));
        outcome.peak_kb = outcome.peak_kb.max(peak);
        if number != at {
            (at, since, before) = (number, Instant::now(), worked(process));
        }
        // What is prepared before the first input is no input.
        let slow =
            at > 0 && (worked(process).saturating_sub(before) > LONGEST || since.elapsed() > LONGEST_WAIT);
        if (timed && slow) || peak > LARGEST_KB {
            child.kill().unwrap();
            child.wait().unwrap();
            return Some(if peak > LARGEST_KB { Failure::Large } else { Failure::Slow });
        }
        std::thread::sleep(EVERY);
    }
}

fn failure_of(status: ExitStatus) -> Option<Failure> {
    match status.code() {
        Some(0) => None,
        Some(TOO_LARGE) => Some(Failure::Large),
        Some(PANICKED) => Some(Failure::Panic),
        // Who cannot get memory is aborted.
        _ => Some(Failure::Panic),
    }
}

/// What a child said last.
fn told(folder: &Path) -> String {
    let said = std::fs::read(folder.join("said")).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.iter().rev().take(6).rev().copied().collect::<Vec<_>>().join(" | ").chars().take(600).collect()
}
