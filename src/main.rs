//! Opens the window, or hands the words of the command line to `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    taproof::cli::run()
}
