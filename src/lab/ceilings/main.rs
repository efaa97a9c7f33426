//! Counts the instructions of fixed pieces of work under valgrind, and fails if one takes more than its ceiling. A count
//! depends on the compiler and on the code, hardly on the machine, so that it can be compared in continuous integration.
//!
//! `cargo test --release -p taproof-ceilings` counts all pieces, and with `-- piece NAME TIMES` does one so many times.
//! A piece is done a few times and many times, and the difference is divided, so that nothing that happens once counts.
//! A ceiling is a tenth above what was measured when it was set; one that is moved needs a reason in the commit.

mod engines;
mod pieces;
mod window;

use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

/// A piece of work.
struct Piece {
    name: &'static str,
    /// How often it is done in the shorter run; four times as often in the longer one.
    few: u64,
    /// Most instructions that doing it once may take, in thousands.
    ceiling: u64,
    work: fn(u64) -> Result<()>,
}

/// All pieces.
const PIECES: &[Piece] = &[
    Piece { name: "pbfdroid-event", few: 1000, ceiling: 320, work: engines::pbfdroid },
    Piece { name: "auto-event", few: 500, ceiling: 650, work: engines::auto },
    Piece { name: "log-event", few: 10, ceiling: 10320, work: pieces::log },
    Piece { name: "checkpoint", few: 4, ceiling: 10360, work: engines::checkpoints },
    Piece { name: "parse-dump", few: 50, ceiling: 733, work: pieces::parse },
    Piece { name: "tree-edit", few: 50, ceiling: 1748, work: pieces::tree_edit },
    Piece { name: "frame-record", few: 100, ceiling: 2892, work: window::record },
    Piece { name: "frame-fuzz", few: 40, ceiling: 1630, work: window::fuzz },
    Piece { name: "frame-replay", few: 40, ceiling: 1160, work: window::replay },
];

/// The longer run does a piece so many times as often as the shorter one.
const MORE: u64 = 4;

fn main() -> Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words[..] {
        [] => count_all(),
        [word, name, times] if word == "piece" => {
            let piece = PIECES.iter().find(|piece| piece.name == *name);
            let piece = piece.with_context(|| format!("no piece has the name {name:?}"))?;
            (piece.work)(times.parse().with_context(|| format!("{times:?} is no number"))?)?;
            Ok(ExitCode::SUCCESS)
        }
        _ => bail!("usage: [piece NAME TIMES]"),
    }
}

fn count_all() -> Result<ExitCode> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        taproof_testing::skipped("no valgrind");
        return Ok(ExitCode::SUCCESS);
    }
    println!("{:<16} {:>12} {:>12}", "thousands of", "instructions", "ceiling");
    let counts: Vec<Result<u64>> = std::thread::scope(|scope| {
        let counting: Vec<_> = PIECES.iter().map(|piece| scope.spawn(|| of_one(piece))).collect();
        let joined = counting.into_iter().map(|one| one.join());
        joined.map(|counted| counted.unwrap_or_else(|_| bail!("a thread panicked"))).collect()
    });
    let mut above = 0;
    for (piece, counted) in PIECES.iter().zip(counts) {
        let each = counted?;
        let is_above = each > piece.ceiling;
        above += usize::from(is_above);
        println!(
            "{:<16} {each:>12} {:>12}{}",
            piece.name,
            piece.ceiling,
            if is_above { "  too many" } else { "" }
        );
    }
    if above > 0 {
        println!("{above} of {} above the ceiling", PIECES.len());
    }
    Ok(if above > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The thousands of instructions that doing the piece once takes.
fn of_one(piece: &Piece) -> Result<u64> {
    let more = instructions(piece, piece.few * MORE)?.saturating_sub(instructions(piece, piece.few)?);
    Ok(more / (piece.few * (MORE - 1)) / 1000)
}

/// The instructions of a process that does the piece so many times.
fn instructions(piece: &Piece, times: u64) -> Result<u64> {
    let program = std::env::current_exe()?;
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args(["piece", piece.name, &times.to_string()])
        .output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{} failed: {told}", piece.name);
    }
    let count = told.lines().find_map(|line| line.split_once(" refs:")).map(|(_, count)| count);
    let count = count.with_context(|| format!("valgrind told no count: {told}"))?;
    Ok(count.trim().replace(',', "").parse()?)
}
