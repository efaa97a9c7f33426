//! Work that needs much memory for a moment.

use std::sync::{Mutex, PoisonError};

/// Held by whoever's turn it is.
static TURN: Mutex<()> = Mutex::new(());

/// Runs work that needs much memory for a moment: one after another in the whole program, so that several engines do not
/// need it at once.
pub fn in_turn<R>(work: impl FnOnce() -> R) -> R {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    work()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn nobody_works_in_anothers_turn() {
        let (working, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        in_turn(|| {
                            most.fetch_max(working.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                            thread::yield_now();
                            working.fetch_sub(1, Ordering::SeqCst);
                        });
                    }
                });
            }
        });
        assert_eq!(most.into_inner(), 1);
    }

    #[test]
    fn after_a_panic_the_next_one_has_its_turn() {
        let caught = std::panic::catch_unwind(|| in_turn(|| panic!("on purpose")));
        assert!(caught.is_err());
        assert_eq!(in_turn(|| 8), 8);
    }
}
