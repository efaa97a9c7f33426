//! What the worker tells: the newest in a slot, facts in order, and a call that there is news.

use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::Sender;

use taproof_core::worker::{CancelToken, Latest};

use super::{MirrorFact, MirrorNews, Redoing, Shown};

pub(super) struct Teller {
    /// Shared with the panic's report only.
    pub(super) last: Arc<Mutex<MirrorNews>>,
    pub(super) news: Latest<MirrorNews>,
    pub(super) facts: Sender<MirrorFact>,
    /// The handle is being dropped.
    pub(super) cancel: CancelToken,
    pub(super) wake: Arc<dyn Fn() + Send + Sync>,
}

impl Teller {
    /// Tells what happened.
    pub(super) fn fact(&self, fact: MirrorFact) {
        // Nobody listens: the window is closing.
        if self.facts.send(fact).is_err() {
            self.cancel.cancel();
        }
        (self.wake)();
    }

    /// What was shown last.
    pub(super) fn shown(&self) -> Option<Arc<Shown>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).shown.clone()
    }

    /// Tells the newest; `done` commands are done since the last time.
    pub(super) fn news(&self, shown: Option<Arc<Shown>>, problem: Option<String>, done: u64) {
        self.tell(|last| {
            let done = last.done + done;
            let shown = shown.or_else(|| last.shown.take());
            *last = MirrorNews { shown, done, problem, redoing: None, gone: false };
        });
    }

    /// What was shown last is shown no more.
    pub(super) fn forget(&self) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).shown = None;
    }

    /// Tells that there is no device, and why; `done` commands are done since the last time.
    pub(super) fn gone(&self, problem: String, done: u64) {
        self.tell(|last| {
            last.problem = Some(problem);
            last.done += done;
            last.redoing = None;
            last.gone = true;
        });
    }

    /// Tells how far doing a trace again is; the screen stays as it was.
    pub(super) fn progress(&self, redoing: Redoing) {
        self.tell(|last| last.redoing = Some(redoing));
    }

    fn tell(&self, change: impl FnOnce(&mut MirrorNews)) {
        let told = {
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            change(&mut last);
            last.clone()
        };
        self.news.publish(told);
        (self.wake)();
    }
}
