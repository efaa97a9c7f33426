//! The command line, which targets run with which inputs, and the table at the end.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use crate::targets::{FuzzTarget, TARGETS, check_targets, find};

use crate::child::{self, Until};
use crate::watch::{self, Failure, Outcome, Plan};

/// Larger files are no seeds: mutations of them are slow and alike.
const LARGEST_SEED: u64 = 48 << 10;
/// So many files are seeds of one target.
const MOST_SEEDS: usize = 200;

pub fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name, first, unit, amount, folder] = words.as_slice()
        && flag == "--child"
    {
        let target = find(name).unwrap();
        let until = match unit.as_str() {
            "inputs" => Until::Inputs(amount.parse().unwrap()),
            _ => Until::Time(Duration::from_secs_f64(amount.parse().unwrap())),
        };
        child::run(target, seeds(target), first.parse().unwrap(), until, Path::new(folder));
        return ExitCode::SUCCESS;
    }
    let input = words.iter().position(|word| word == "--input").and_then(|at| words.get(at + 1));
    let named = |target: &&FuzzTarget| words.iter().any(|word| word == target.name);
    // Flags are those of other test programs, and a word that names no target is a filter of theirs.
    let all = words.iter().all(|word| word.starts_with("--"));
    let chosen: Vec<&FuzzTarget> = TARGETS.iter().filter(|target| all || named(target)).collect();
    if let (Some(path), [target]) = (input, chosen.as_slice()) {
        child::run_one(target, &std::fs::read(path).unwrap());
        return ExitCode::SUCCESS;
    }
    if words.iter().any(|word| word == "--list") {
        TARGETS.iter().for_each(|target| println!("{}: test", target.name));
        return ExitCode::SUCCESS;
    }
    if all {
        check_targets();
    }
    run(&chosen)
}

/// Runs the targets side by side and prints what became of them.
fn run(targets: &[&FuzzTarget]) -> ExitCode {
    let minutes = std::env::var("TAPROOF_FUZZ_MINUTES").ok().map(|minutes| minutes.parse::<f64>().unwrap());
    let keep = std::env::var_os("TAPROOF_FUZZ_KEEP")
        .map_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz"), PathBuf::from);
    std::fs::create_dir_all(&keep).unwrap();
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(targets.len().max(1));
    let share =
        |minutes: f64| Duration::from_secs_f64(minutes * 60.0 * workers as f64 / targets.len() as f64);
    let next = Mutex::new(targets.iter());
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some(target) = next.lock().unwrap().next().copied() else { return };
                    let until = minutes.map_or(Until::Inputs(target.inputs), |all| Until::Time(share(all)));
                    let plan = Plan { until, timed: minutes.is_some(), keep: &keep };
                    let outcome = watch::run(target, plan);
                    done.lock().unwrap().push((target.name, outcome));
                }
            });
        }
    });
    print(&done.into_inner().unwrap())
}

fn print(done: &[(&str, Outcome)]) -> ExitCode {
    println!(
        "{:12} {:>10} {:>7} {:>7} {:>5} {:>6}",
        "target", "inputs", "peak MB", "panics", "slow", "large"
    );
    for (name, outcome) in done {
        let count = |which| outcome.failures.iter().filter(|(failure, _)| *failure == which).count();
        let (inputs, peak) = (outcome.inputs, outcome.peak_kb / 1024);
        let (panics, slow, large) = (count(Failure::Panic), count(Failure::Slow), count(Failure::Large));
        println!("{name:12} {inputs:>10} {peak:>7} {panics:>7} {slow:>5} {large:>6}");
    }
    let bad = done.iter().filter(|(_, outcome)| !outcome.failures.is_empty()).count();
    let (verdict, good) = (if bad == 0 { "ok" } else { "FAILED" }, done.len() - bad);
    let skipped = TARGETS.len() - done.len();
    println!(
        "test result: {verdict}. {good} passed; {bad} failed; 0 ignored; 0 measured; {skipped} filtered out"
    );
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Valid inputs of a target.
fn seeds(target: &FuzzTarget) -> Vec<Vec<u8>> {
    let mut seeds = (target.seeds)();
    let data = std::env::var_os("TAPROOF_DATA").map(PathBuf::from);
    let corpus = std::env::var_os("TAPROOF_FUZZ_CORPUS").map(|all| Path::new(&all).join(target.name));
    let is_of = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        target.files.iter().any(|end| name.ends_with(end))
    };
    let mut files: Vec<PathBuf> =
        data.iter().flat_map(|folder| below(folder)).filter(|path| is_of(path)).collect();
    files.extend(corpus.iter().flat_map(|folder| below(folder)));
    files.retain(|path| path.metadata().is_ok_and(|data| data.len() <= LARGEST_SEED));
    seeds.extend(files.iter().take(MOST_SEEDS).map(|path| std::fs::read(path).unwrap()));
    seeds
}

/// The files of a folder, those in its folders among them, in an order that is always the same.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
}
