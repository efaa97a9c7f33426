//! Everything about threads in one reviewed place: cancelling and pausing, a slot that holds only the newest value,
//! named threads whose panics become reports, a channel for messages that must arrive, and turns for work that needs much
//! memory. Independent of the rest of the program.

mod cancel;
mod handle;
mod lane;
mod latest;
mod turn;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use cancel::{CancelToken, Unwanted};
pub use handle::{Leaving, Worker};
pub use lane::Lane;
pub use latest::Latest;
pub use turn::in_turn;

/// A panic in a worker. It becomes a reason for the end that people can read, instead of an unresponsive window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanicReport {
    /// The panic's message, or a substitute if it has none.
    pub message: String,
}

/// Starts a named thread that runs `work`, which must check `cancel` itself. If `work` panics, `on_panic` is called on
/// that thread.
///
/// # Errors
///
/// Returns the operating system's error if the thread cannot be started.
pub fn spawn(
    name: &str,
    cancel: &CancelToken,
    work: impl FnOnce() + Send + 'static,
    on_panic: impl FnOnce(PanicReport) + Send + 'static,
) -> std::io::Result<Worker> {
    let work = move || {
        if let Err(report) = catch(work) {
            on_panic(report);
        }
    };
    Ok(Worker::of(cancel, std::thread::Builder::new().name(name.to_owned()).spawn(work)?))
}

/// Runs `work`.
///
/// # Errors
///
/// [`PanicReport`] if `work` panics.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, PanicReport> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let message = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a panic without a message".to_owned());
        PanicReport { message }
    })
}
