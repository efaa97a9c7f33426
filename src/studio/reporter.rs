//! What a job beside the window works with, and how it reports.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::phone::DevicesInUse;
use taproof_engine::worker::CancelToken;
use taproof_session::TestPhones;

/// What jobs work with.
#[derive(Clone)]
pub(crate) struct Resources {
    /// Makes the phones of tests.
    pub phones: TestPhones,
    /// The folder of all results.
    pub workspace: PathBuf,
    /// The devices that have a user.
    pub in_use: Arc<Mutex<DevicesInUse>>,
}

/// How a job reports what is known of it by now.
pub(crate) struct Reporter<'r, N> {
    /// Reports what must arrive. Blocks while too much waits for the window.
    pub tell: Box<dyn Fn(N) + 'r>,
    /// Reports what the next progress makes obsolete.
    pub progress: Box<dyn Fn(N) + 'r>,
    /// Asks the job to stop.
    pub cancel: CancelToken,
}
