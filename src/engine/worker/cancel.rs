//! A token per campaign, which its worker checks between events.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Called while waiting: returns true once nobody needs the result any more. Must not block.
pub type Unwanted = Arc<dyn Fn() -> bool + Send + Sync>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    Run,
    Pause,
    Cancel,
}

/// Requests that a worker pauses, resumes or stops. Clones control the same worker.
#[derive(Clone)]
pub struct CancelToken {
    shared: Arc<(Mutex<Wish>, Condvar)>,
}

impl CancelToken {
    /// Creates a token that lets its worker run.
    pub fn new() -> Self {
        CancelToken { shared: Arc::new((Mutex::new(Wish::Run), Condvar::new())) }
    }

    fn set(&self, wish: Wish) {
        let mut current = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A cancelled worker stays cancelled: a late "resume" must not bring it back.
        if *current != Wish::Cancel {
            *current = wish;
        }
        self.shared.1.notify_all();
    }

    /// Requests that the worker stops at its next check. This cannot be undone.
    pub fn cancel(&self) {
        self.set(Wish::Cancel);
    }

    /// Requests that the worker pauses at its next check. Has no effect once it is cancelled.
    pub fn pause(&self) {
        self.set(Wish::Pause);
    }

    /// Lets a paused worker resume. Has no effect once it is cancelled.
    pub fn resume(&self) {
        self.set(Wish::Run);
    }

    /// Whether the worker is to pause.
    pub fn paused(&self) -> bool {
        *self.shared.0.lock().unwrap_or_else(PoisonError::into_inner) == Wish::Pause
    }

    /// Whether the worker is to stop. Returns at once, even while the worker is paused.
    pub fn asked_to_stop(&self) -> bool {
        *self.shared.0.lock().unwrap_or_else(PoisonError::into_inner) == Wish::Cancel
    }

    /// Returns what says whether the worker is to stop.
    pub fn unwanted(&self) -> Unwanted {
        let token = self.clone();
        Arc::new(move || token.asked_to_stop())
    }

    /// Waits for `span`, or until the worker is cancelled. Returns whether it is cancelled.
    pub fn stopped_within(&self, span: std::time::Duration) -> bool {
        let current = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.shared.1.wait_timeout_while(current, span, |wish| *wish != Wish::Cancel);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == Wish::Cancel
    }

    /// The worker's check: waits as long as it is paused, and returns whether it is to stop.
    pub fn cancelled(&self) -> bool {
        let mut current = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        while *current == Wish::Pause {
            current = self.shared.1.wait(current).unwrap_or_else(PoisonError::into_inner);
        }
        *current == Wish::Cancel
    }
}

impl Default for CancelToken {
    fn default() -> Self {
        CancelToken::new()
    }
}
