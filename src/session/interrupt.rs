//! Requests to end the program early: Ctrl-C, SIGTERM, and a terminal that is closed (SIGHUP).

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{EARLY, message};

/// Whether somebody asked the program to end.
#[derive(Clone)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on, the first request is noted, and the command that called this is to end as soon as it has restored
    /// what it changed. Another request ends the program at once.
    pub fn watch() -> Interrupt {
        let asked = Arc::new(AtomicBool::new(false));
        let noted = Arc::clone(&asked);
        let handler = move || {
            if noted.swap(true, Ordering::Relaxed) {
                exit(i32::from(EARLY));
            }
            message("ending the current test and restoring the device; Ctrl-C again ends at once");
        };
        // Without a handler, a request ends the program at once, as it does everywhere else.
        if let Err(error) = ctrlc::set_handler(handler) {
            tracing::warn!(%error, "requests to end are not noted");
        }
        Interrupt(asked)
    }

    /// Whether a request has come.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
