//! The lane out of a worker for what must arrive.

use crossbeam_channel::{Receiver, Sender, bounded};

use super::{CancelToken, PanicReport};

/// Sends what must arrive, and wakes who receives it.
pub struct Lane<T, W> {
    sender: Sender<T>,
    cancel: CancelToken,
    wake: W,
}

impl<T, W: Fn()> Lane<T, W> {
    /// A lane on which so many may wait. Once nobody receives them the worker is cancelled: nobody would look at
    /// what it still finds.
    pub fn new(waiting: usize, cancel: &CancelToken, wake: W) -> (Self, Receiver<T>) {
        let (sender, receiver) = bounded(waiting);
        (Lane { sender, cancel: cancel.clone(), wake }, receiver)
    }

    /// Sends this; waits while there is no room.
    pub fn tell(&self, told: T) {
        if self.sender.send(told).is_err() {
            self.cancel.cancel();
        }
        (self.wake)();
    }
}

impl<T, W: Fn() + Clone> Lane<T, W> {
    /// What tells that the worker panicked.
    pub fn on_panic<F: FnOnce(PanicReport) -> T>(&self, word: F) -> impl FnOnce(PanicReport) + use<T, W, F> {
        let lane = Lane { sender: self.sender.clone(), cancel: self.cancel.clone(), wake: self.wake.clone() };
        move |report| lane.tell(word(report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_tells_nobody_is_cancelled() {
        let cancel = CancelToken::new();
        let (lane, told) = Lane::new(2, &cancel, || {});
        lane.tell(1);
        assert_eq!((told.try_recv(), cancel.cancelled()), (Ok(1), false));
        drop(told);
        lane.tell(2);
        assert!(cancel.cancelled());
    }
}
