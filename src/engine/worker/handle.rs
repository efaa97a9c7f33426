//! Ownership of a thread: it is cancelled and joined when its owner drops it.

use std::thread::JoinHandle;

use super::CancelToken;

/// A thread. Dropping this cancels its work and waits for it. Whatever the thread itself may wait for, such as the
/// other ends of its channels, must be dropped before; fields are dropped in the order of their declaration.
pub struct Worker {
    cancel: CancelToken,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub(super) fn of(cancel: &CancelToken, thread: JoinHandle<()>) -> Self {
        Worker { cancel: cancel.clone(), thread: Some(thread) }
    }

    /// Requests that the thread stops, without waiting for it.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Whether the thread has ended, so that dropping this does not block.
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Detaches the thread: nobody waits for it, and the program may end while it is still running.
    pub fn leave(mut self) {
        self.thread = None;
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            // The panic was reported already.
            drop(thread.join());
        }
    }
}

/// Workers that are no longer needed but may still be running, for a window that cannot wait for them. Dropping this
/// waits for them.
#[derive(Default)]
pub struct Leaving(Vec<Worker>);

impl Leaving {
    /// Requests that a worker stops, without waiting for it. Whatever it may wait for must be dropped before.
    pub fn add(&mut self, worker: Worker) {
        worker.cancel();
        self.0.push(worker);
        self.0.retain(|worker| !worker.is_over());
    }

    /// Whether all workers have ended.
    pub fn are_over(&self) -> bool {
        self.0.iter().all(Worker::is_over)
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::bounded;

    use super::super::spawn;
    use super::*;

    #[test]
    fn who_lets_a_worker_go_waits_for_it_only_where_that_is_wanted() {
        let cancel = CancelToken::new();
        let start = || {
            let (go, may_go) = bounded::<()>(0);
            let (over, ended) = bounded::<()>(1);
            let work = move || {
                assert!(may_go.recv().is_err());
                over.send(()).unwrap();
            };
            (spawn("test", &cancel, work, |_| {}).unwrap(), go, ended)
        };
        let (worker, go, ended) = start();
        drop(go);
        drop(worker);
        assert!(ended.try_recv().is_ok() && cancel.cancelled(), "it was waited for");
        let mut leaving = Leaving::default();
        let (worker, go, ended) = start();
        leaving.add(worker);
        assert!(ended.try_recv().is_err(), "it is asked and not waited for");
        drop(go);
        drop(leaving);
        assert!(ended.try_recv().is_ok());
        let (worker, go, ended) = start();
        worker.leave();
        assert!(ended.try_recv().is_err());
        drop(go);
        assert!(ended.recv().is_ok());
    }
}
