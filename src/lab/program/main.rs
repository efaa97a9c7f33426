//! The laboratory of Taproof: the whole program, with the apps that are made from blueprints, and with the commands that
//! measure engines, repeat the studies of the papers and serve the bundled phone to other tools.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod replayed;
mod serve;
mod witnesses;

use std::process::ExitCode;

use taproof::cli::command::OwnCommand;
use taproof::cli::run_program;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let commands = vec![
        OwnCommand::new("bench", taproof_bench::run_bench),
        OwnCommand::new("judge", taproof_judge::run),
        OwnCommand::new("results", taproof_bench::run_results),
        OwnCommand::new("study", taproof_bench::run_study),
        OwnCommand::new("witnesses", witnesses::run),
        OwnCommand::new("phone", serve::run),
    ];
    run_program("taproof-lab", taproof_blueprint::apps(), commands)
}
