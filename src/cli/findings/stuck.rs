//! Keeps and names the screens on which steps could not be performed.

use std::path::Path;

use crate::cli::message;
use taproof_engine::device::{DeviceError, StuckStep};
use taproof_results::store;

/// Keeps the screen of a step in the workspace, and says where. A workspace that cannot be written is no failure of what
/// was asked for.
pub fn keep_stuck(root: &Path, run: &str, stuck: &StuckStep) {
    let place = match store::keep_stuck(root, run, stuck) {
        Ok(dump) => {
            let picture = if stuck.picture.is_some() { " and a picture beside it" } else { "" };
            format!("The screen that was there instead: {}{picture}", dump.display())
        }
        Err(error) => format!("The screen that was there instead was not kept: {error}"),
    };
    message(&format!("{}: {}. {place}", stuck.step, stuck.why));
}

/// Keeps the screen that an error of a device before a test is about, if it is one.
pub fn keep_of_error(root: &Path, run: &str, error: &DeviceError) {
    if let Some(stuck) = error.stuck_step() {
        keep_stuck(root, run, stuck);
    }
}
