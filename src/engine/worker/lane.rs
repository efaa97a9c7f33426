//! A bounded channel out of a worker, for messages that must arrive.

use crossbeam_channel::{Receiver, Sender, bounded};

use super::{CancelToken, PanicReport};

/// The sending end of a channel for messages that must arrive. Wakes the receiver after each message.
pub struct Lane<T, W> {
    sender: Sender<T>,
    cancel: CancelToken,
    wake: W,
}

impl<T, W: Fn()> Lane<T, W> {
    /// Creates a channel that holds up to `waiting` messages. Once the receiver is dropped, the next message cancels
    /// the worker, as nobody would look at its further results. `wake` is called after each message.
    pub fn new(waiting: usize, cancel: &CancelToken, wake: W) -> (Self, Receiver<T>) {
        let (sender, receiver) = bounded(waiting);
        (Lane { sender, cancel: cancel.clone(), wake }, receiver)
    }

    /// Sends a message. Blocks while the channel is full.
    pub fn send(&self, message: T) {
        if self.sender.send(message).is_err() {
            self.cancel.cancel();
        }
        (self.wake)();
    }
}

impl<T, W: Fn() + Clone> Lane<T, W> {
    /// Returns a callback that sends the message made by `word` if the worker panics.
    pub fn on_panic<F: FnOnce(PanicReport) -> T>(&self, word: F) -> impl FnOnce(PanicReport) + use<T, W, F> {
        let lane = Lane { sender: self.sender.clone(), cancel: self.cancel.clone(), wake: self.wake.clone() };
        move |report| lane.send(word(report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_tells_nobody_is_cancelled() {
        let cancel = CancelToken::new();
        let (lane, told) = Lane::new(2, &cancel, || {});
        lane.send(1);
        assert_eq!((told.try_recv(), cancel.cancelled()), (Ok(1), false));
        drop(told);
        lane.send(2);
        assert!(cancel.cancelled());
    }
}
