//! What a child process does: it runs inputs and says which one it is at, so that others can tell what ended it.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::targets::FuzzTarget;

use crate::limits::{LARGEST_KB, PANICKED, TOO_LARGE, peak_kb};
use crate::mutator::Mutator;

/// Less than this is no time to take much memory in.
const SHORT: Duration = Duration::from_millis(5);

/// How long it goes on.
#[derive(Clone, Copy)]
pub enum Until {
    /// So many inputs were run.
    Inputs(u64),
    /// So much time has passed.
    Time(Duration),
}

/// The file in which a child says what it is at.
pub struct Current(File);

impl Current {
    /// The file of a folder.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join("current")
    }

    fn create(folder: &Path) -> Current {
        Current(File::create(Current::path(folder)).unwrap())
    }

    fn say(&self, number: u64, input: &[u8]) {
        let said = [&number.to_le_bytes()[..], &(input.len() as u64).to_le_bytes(), input].concat();
        self.0.write_all_at(&said, 0).unwrap();
    }

    /// The number and the bytes of the input that a child is at, or was at last.
    pub fn read(folder: &Path) -> Option<(u64, Vec<u8>)> {
        let bytes = std::fs::read(Current::path(folder)).ok()?;
        let word = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let (number, length) = (word(0)?, usize::try_from(word(8)?).ok()?);
        Some((number, bytes.get(16..16 + length)?.to_vec()))
    }

    /// Only its number, as it is asked for often.
    pub fn number(folder: &Path) -> u64 {
        let mut number = [0; 8];
        let read = File::open(Current::path(folder)).and_then(|file| file.read_exact_at(&mut number, 0));
        if read.is_ok() { u64::from_le_bytes(number) } else { 0 }
    }
}

/// Ends the process at the first panic, whichever thread it is on.
fn end_at_panic() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        tell(info);
        std::process::exit(PANICKED);
    }));
}

/// Runs the inputs with these numbers. The first are the seeds themselves.
pub fn run(target: &FuzzTarget, seeds: Vec<Vec<u8>>, first: u64, until: Until, folder: &Path) {
    end_at_panic();
    let (current, started) = (Current::create(folder), Instant::now());
    let mut run = (target.prepare)();
    let mut mutator = Mutator::new(first, seeds.clone(), target.words);
    let mut seeds = seeds.into_iter().filter(|_| first == 0);
    let mut number = first;
    loop {
        let over = match until {
            Until::Inputs(count) => number - first >= count,
            Until::Time(time) => started.elapsed() >= time,
        };
        if over {
            return;
        }
        let input = seeds.next().unwrap_or_else(|| mutator.next());
        number += 1;
        current.say(number, &input);
        let before = Instant::now();
        run(&input);
        if before.elapsed() > SHORT && peak_kb("self") > LARGEST_KB {
            std::process::exit(TOO_LARGE);
        }
    }
}

/// Runs one input alone and says what it took.
pub fn run_one(target: &FuzzTarget, input: &[u8]) {
    let mut run = (target.prepare)();
    let before = Instant::now();
    run(input);
    println!(
        "{} ({}): {} bytes, {:?}, {} MB",
        target.name,
        target.about,
        input.len(),
        before.elapsed(),
        peak_kb("self") / 1024
    );
}
