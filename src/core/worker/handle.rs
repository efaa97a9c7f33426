//! What holds a thread: it is asked to stop and waited for when its holder lets it go.

use std::thread::JoinHandle;

use super::CancelToken;

/// A thread. Dropping it cancels its work and waits for it. What a thread may wait for itself, the other ends of
/// its channels, must be dropped before: fields are dropped in their order.
pub struct Worker {
    cancel: CancelToken,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub(super) fn of(cancel: &CancelToken, thread: JoinHandle<()>) -> Self {
        Worker { cancel: cancel.clone(), thread: Some(thread) }
    }

    /// Asks it to stop.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Whether waiting for it takes no time.
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Nobody waits for it: the program may end in the middle of what it does.
    pub fn leave(mut self) {
        self.thread = None;
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            // A panic was told already.
            drop(thread.join());
        }
    }
}

/// Workers that nobody needs any more and that may not be through yet: a window cannot wait for them. Dropping
/// this does.
#[derive(Default)]
pub struct Leaving(Vec<Worker>);

impl Leaving {
    /// Asks a worker to stop, without waiting for it. What it may wait for must be dropped before.
    pub fn add(&mut self, worker: Worker) {
        worker.cancel();
        self.0.push(worker);
        self.0.retain(|worker| !worker.is_over());
    }

    /// Whether all are through.
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
