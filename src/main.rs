//! Opens the window, or hands the words of the command line to `cli`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

use std::path::PathBuf;
use std::process::ExitCode;

use taproof::cli::{Start, message, run, run_demo, start_log};

fn main() -> ExitCode {
    start_log();
    let (walk, workspace) = match run() {
        Start::Ended(code) => return code,
        Start::Studio { walk, workspace } => (walk, workspace),
    };
    match open_window(walk.clone(), workspace.clone()) {
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

#[cfg(feature = "window")]
fn open_window(walk: Option<PathBuf>, workspace: PathBuf) -> Result<(), taproof_studio::app::StartError> {
    use taproof_studio::app::{StudioOptions, run_studio};
    run_studio(StudioOptions { walk, workspace, devices: true })
}

#[cfg(not(feature = "window"))]
fn open_window(_walk: Option<PathBuf>, _workspace: PathBuf) -> Result<(), &'static str> {
    Err("this build has no window (feature `window`)")
}
