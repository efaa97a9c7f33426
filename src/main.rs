//! Opens the window, or hands the words of the command line to `cli`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

use taproof::app::{StudioOptions, run_studio};
use taproof::cli::{Start, message, run, run_demo, start_log};

fn main() -> ExitCode {
    start_log();
    let (walk, workspace) = match run() {
        Start::Ended(code) => return code,
        Start::Studio { walk, workspace } => (walk, workspace),
    };
    match run_studio(StudioOptions { walk: walk.clone(), workspace: workspace.clone(), devices: true }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if walk.is_some() => {
            message(&format!("taproof: {error}"));
            ExitCode::from(3)
        }
        Err(error) => {
            message(&format!("taproof: {error}; running the demo here instead"));
            run_demo(workspace)
        }
    }
}
