//! One token per campaign, looked at between events.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Asked while something is waited for: whether nobody wants it any more. Must not block.
pub type Unwanted = Arc<dyn Fn() -> bool + Send + Sync>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    Run,
    Pause,
    Cancel,
}

/// Asks a worker to pause, go on or stop. Clones speak to the same worker.
#[derive(Clone)]
pub struct CancelToken {
    shared: Arc<(Mutex<Wish>, Condvar)>,
}

impl CancelToken {
    /// A token that lets its worker run.
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

    /// Asks the worker to stop at its next look.
    pub fn cancel(&self) {
        self.set(Wish::Cancel);
    }

    /// Asks the worker to wait at its next look.
    pub fn pause(&self) {
        self.set(Wish::Pause);
    }

    /// Lets a paused worker go on.
    pub fn resume(&self) {
        self.set(Wish::Run);
    }

    /// Whether the worker was asked to wait.
    pub fn paused(&self) -> bool {
        *self.shared.0.lock().unwrap_or_else(PoisonError::into_inner) == Wish::Pause
    }

    /// Whether the worker was asked to stop; does not wait while it is paused.
    pub fn asked_to_stop(&self) -> bool {
        *self.shared.0.lock().unwrap_or_else(PoisonError::into_inner) == Wish::Cancel
    }

    /// Waits for so long, or until the worker is asked to stop; whether it was.
    pub fn stopped_within(&self, span: std::time::Duration) -> bool {
        let current = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.shared.1.wait_timeout_while(current, span, |wish| *wish != Wish::Cancel);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == Wish::Cancel
    }

    /// Whether the worker was asked to stop; waits as long as it is paused.
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
