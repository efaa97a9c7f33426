//! Runs the fuzz targets in `targets/`: `cargo test -p taproof-fuzz` for a moment, and with
//! `TAPROOF_FUZZ_MINUTES=60` for as long as that, in release and with times looked at:
//!
//! ```text
//! TAPROOF_FUZZ_MINUTES=60 cargo test --release -p taproof-fuzz [-- NAME...]
//! cargo test -p taproof-fuzz -- NAME --input FILE
//! ```
//!
//! Each target runs in a child process whose memory is limited and whose time is watched from outside; the input that
//! ended a child is kept, and the command that runs it alone is printed. Inputs are mutations of what the program itself
//! writes, of files in `TAPROOF_DATA`, and of those below `TAPROOF_FUZZ_CORPUS/NAME/`, as fuzzers that are guided by
//! coverage leave them.
// How long an input takes is what is looked at.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

// Other systems only check that they compile.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
mod targets;

#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod mutator;
#[cfg(target_os = "linux")]
mod runner;
#[cfg(target_os = "linux")]
mod watch;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    runner::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("skipped: memory and time of a process are looked at in /proc");
}
