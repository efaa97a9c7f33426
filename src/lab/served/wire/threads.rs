//! Named threads that are counted, so that their end can be awaited for a limited time.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Counts running threads. Clones share the count.
#[derive(Clone, Default)]
pub(super) struct Threads {
    shared: Arc<(Mutex<usize>, Condvar)>,
}

/// A running thread, counted until this is dropped.
struct Running(Threads);

impl Drop for Running {
    fn drop(&mut self) {
        let mut count = self.0.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        *count = count.saturating_sub(1);
        self.0.shared.1.notify_all();
    }
}

impl Threads {
    /// Starts a named thread, which counts until `work` and everything it holds are dropped.
    pub(super) fn spawn(&self, name: String, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        *self.shared.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        let running = Running(self.clone());
        // If the thread cannot be started, the closure and with it `running` is dropped.
        let work = move || {
            let _running = running;
            work();
        };
        thread::Builder::new().name(name).spawn(work).map(drop)
    }

    /// Waits until all threads have ended, at most for `longest`. Returns how many are left.
    pub(super) fn wait(&self, longest: Duration) -> usize {
        let count = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.shared.1.wait_timeout_while(count, longest, |count| *count > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::bounded;

    use super::*;

    #[test]
    fn threads_are_waited_for_but_not_for_ever() {
        let threads = Threads::default();
        let (go, may_go) = bounded::<()>(0);
        let wait = move || assert!(may_go.recv().is_err());
        threads.spawn("test".to_owned(), wait).unwrap();
        let fail = || panic!("a thread that fails is over too");
        threads.spawn("test that fails".to_owned(), fail).unwrap();
        assert_eq!(threads.wait(Duration::from_millis(200)), 1);
        drop(go);
        assert_eq!(threads.wait(Duration::from_secs(5)), 0);
    }
}
