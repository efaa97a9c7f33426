//! Requests to end the program early: Ctrl-C, SIGTERM, and a terminal that is closed (SIGHUP).

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a program that ended early.
pub const ENDED_EARLY: u8 = 3;

/// Whether somebody asked the program to end.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on, the first request is noted, and `noted` is called: the program is to end as soon as it has restored
    /// what it changed. Another request ends it at once.
    pub fn watch(noted: impl Fn() + Send + 'static) -> Interrupt {
        let interrupt = Interrupt::default();
        let watched = interrupt.clone();
        let handler = move || {
            if watched.ask() {
                exit(i32::from(ENDED_EARLY));
            }
            noted();
        };
        // Without a handler, a request ends the program at once, as it does everywhere else.
        if let Err(error) = ctrlc::set_handler(handler) {
            tracing::warn!(%error, "requests to end are not noted");
        }
        interrupt
    }

    /// Asks the program to end. Returns whether that was asked before.
    pub fn ask(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Whether a request has come.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
