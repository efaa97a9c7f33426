//! Work that needs much memory for a moment.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::RecvTimeoutError;

/// How often the caller is asked whether the work is still wanted.
const ASKED_EACH: Duration = Duration::from_millis(5);

/// Held by whoever's turn it is.
static TURN: Mutex<()> = Mutex::new(());

/// Runs work that needs much memory for a moment, and waits for it: one after another in the whole program, so that
/// several engines do not need it at once, and on a thread of its own, since allocators keep what a thread has freed for
/// the same thread. The work is told when `wanted` has become false.
pub fn in_turn<R: Send>(
    wanted: &dyn Fn() -> bool,
    work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> R + Send,
) -> R {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let unwanted = AtomicBool::new(false);
    let (ends, ended) = crossbeam_channel::bounded::<()>(0);
    thread::scope(|scope| {
        let unwanted = &unwanted;
        let worker = scope.spawn(move || {
            let _ends = ends;
            work(&|| !unwanted.load(Ordering::Relaxed))
        });
        while ended.recv_timeout(ASKED_EACH) == Err(RecvTimeoutError::Timeout) {
            if !wanted() {
                unwanted.store(true, Ordering::Relaxed);
            }
        }
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_comes_back_and_work_is_told_when_it_is_unwanted() {
        assert_eq!(in_turn(&|| true, |_| 7), 7);
        let waited = in_turn(&|| false, |wanted| {
            while wanted() {
                thread::yield_now();
            }
            "stopped"
        });
        assert_eq!(waited, "stopped");
    }

    #[test]
    fn a_panic_is_the_callers_and_the_next_one_has_its_turn() {
        let caught = std::panic::catch_unwind(|| in_turn(&|| true, |_| panic!("on purpose")));
        assert!(caught.is_err_and(|panic| panic.downcast_ref::<&str>() == Some(&"on purpose")));
        assert_eq!(in_turn(&|| true, |_| 8), 8);
    }
}
