//! Thread craft in one reviewed place: cancel and pause, the newest-wins slot, named threads whose
//! panics become reports. Knows nothing of the rest of the program.

mod cancel;
mod latest;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::JoinHandle;

pub use cancel::CancelToken;
pub use latest::Latest;

/// What a panic in a worker said. It becomes an end reason that people can read, not a dead window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanicReport {
    /// The panic's message.
    pub message: String,
}

/// Starts a named thread. `work` runs there; if it panics, `on_panic` is told.
pub fn spawn(
    name: &str,
    work: impl FnOnce() + Send + 'static,
    on_panic: impl FnOnce(PanicReport) + Send + 'static,
) -> std::io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        if let Err(report) = catch(work) {
            on_panic(report);
        }
    })
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
