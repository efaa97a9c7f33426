//! Publishes the worker's reports: the newest state in a slot, facts in order, and a callback that announces them.

use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::Sender;

use super::{MirrorFact, MirrorNews, Redoing, Shown};
use taproof_engine::worker::{CancelToken, Latest};

pub(super) struct Publisher {
    /// Shared only with the handler that reports a panic.
    pub(super) last: Arc<Mutex<MirrorNews>>,
    pub(super) news: Latest<MirrorNews>,
    pub(super) facts: Sender<MirrorFact>,
    /// Cancelled when the handle is dropped.
    pub(super) cancel: CancelToken,
    pub(super) wake: Arc<dyn Fn() + Send + Sync>,
}

impl Publisher {
    /// Sends a fact. Waits if the channel is full.
    pub(super) fn fact(&self, fact: MirrorFact) {
        // The receiver is gone: the window is closing.
        if self.facts.send(fact).is_err() {
            self.cancel.cancel();
        }
        (self.wake)();
    }

    /// Returns what was last published as shown.
    pub(super) fn shown(&self) -> Option<Arc<Shown>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).shown.clone()
    }

    /// Publishes the newest state. `done` is the number of commands completed since the last call. If `shown` is
    /// `None`, the last screen stays.
    pub(super) fn news(&self, shown: Option<Arc<Shown>>, problem: Option<String>, done: u64) {
        self.update(|last| {
            let done = last.done + done;
            let shown = shown.or_else(|| last.shown.take());
            let warning = last.warning.take();
            *last = MirrorNews { shown, done, problem, warning, redoing: None, gone: false };
        });
    }

    /// Sets a warning about the device's layouts, which is published with the next state.
    pub(super) fn warn(&self, warning: Option<String>) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).warning = warning;
    }

    /// Removes the screen that was last shown.
    pub(super) fn forget(&self) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).shown = None;
    }

    /// Publishes that there is no device, and why. `done` is the number of commands completed since the last call.
    pub(super) fn gone(&self, problem: String, done: u64) {
        self.update(|last| {
            last.problem = Some(problem);
            last.done += done;
            last.redoing = None;
            last.gone = true;
        });
    }

    /// Publishes the progress of a re-execution; the screen stays as it was.
    pub(super) fn progress(&self, redoing: Redoing) {
        self.update(|last| last.redoing = Some(redoing));
    }

    fn update(&self, change: impl FnOnce(&mut MirrorNews)) {
        let news = {
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            change(&mut last);
            last.clone()
        };
        self.news.publish(news);
        (self.wake)();
    }
}
