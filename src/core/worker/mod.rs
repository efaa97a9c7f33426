//! Thread craft in one reviewed place: cancel and pause, the newest-wins slot, named threads whose
//! panics become reports, the lane for what must arrive. Knows nothing of the rest of the program.

mod cancel;
mod handle;
mod lane;
mod latest;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use cancel::{CancelToken, Unwanted};
pub use handle::{Leaving, Worker};
pub use lane::Lane;
pub use latest::Latest;

/// What a panic in a worker said. It becomes an end reason that people can read, not a dead window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanicReport {
    /// The panic's message.
    pub message: String,
}

/// Starts a named thread. `work` runs there, and is to look at `cancel`; if it panics, `on_panic` is told.
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

/// Runs `work` and turns a panic into its report.
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
