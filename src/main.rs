//! The program with the apps that ship with it.
#![deny(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    taproof::cli::run_with(taproof::phone::Apps::default())
}
