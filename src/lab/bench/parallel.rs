//! Work on several threads: results as they come, or in the order of the items.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};

/// How often [`Report::Tick`] is given while nothing is done.
const TICK: Duration = Duration::from_millis(500);

/// What happens during [`in_parallel`].
pub enum Report<R> {
    /// The item at this place is done, with this result.
    Done(usize, R),
    /// Time has passed.
    Tick,
}

/// The number of threads that run at the same time.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// Calls `work` for every item on this many threads, and `on_report` on the calling thread for whatever happens. Once `on_report`
/// fails, no further item is begun.
///
/// # Errors
///
/// The first error of `on_report`.
pub fn in_parallel<T: Sync, R: Send, E>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
    mut on_report: impl FnMut(Report<R>) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.clamp(1, items.len().max(1));
    let (next, enough) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, results) = bounded(threads);
    let take_turns = |sender: crossbeam_channel::Sender<(usize, R)>| {
        while !enough.load(Ordering::Relaxed) {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(place) else { return };
            if sender.send((place, work(item))).is_err() {
                return;
            }
        }
    };
    let take_turns = &take_turns;
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(move || take_turns(sender));
        }
        drop(sender);
        let mut outcome = Ok(());
        loop {
            let report = match results.recv_timeout(TICK) {
                Ok((place, result)) => Report::Done(place, result),
                Err(RecvTimeoutError::Timeout) => Report::Tick,
                Err(RecvTimeoutError::Disconnected) => return outcome,
            };
            if outcome.is_ok() {
                outcome = on_report(report);
                enough.store(outcome.is_err(), Ordering::Relaxed);
            }
        }
    })
}

/// Calls `work` for every item on this many threads. The results are in the order of the items.
pub fn all_in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let mut results = Vec::with_capacity(items.len());
    let on_report = |report| {
        if let Report::Done(place, result) = report {
            results.push((place, result));
        }
        Ok::<(), Infallible>(())
    };
    match in_parallel(items, threads, work, on_report) {
        Ok(()) => {}
        Err(never) => match never {},
    }
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        let slow = |item: &usize| {
            std::hint::black_box((0..(100 - item) * 1000).sum::<usize>());
            item * 2
        };
        let expected: Vec<usize> = (0..100).map(|item| item * 2).collect();
        assert_eq!(all_in_parallel(&items, 4, slow), expected);
        assert_eq!(all_in_parallel(&[], 4, slow), Vec::<usize>::new());
    }

    #[test]
    fn nothing_is_begun_after_a_failure() {
        let begun = AtomicUsize::new(0);
        let items: Vec<usize> = (0..10_000).collect();
        let failed = in_parallel(
            &items,
            2,
            |_| begun.fetch_add(1, Ordering::Relaxed),
            |report| if matches!(report, Report::Done(..)) { Err("full") } else { Ok(()) },
        );
        assert_eq!(failed, Err("full"));
        assert!(begun.load(Ordering::Relaxed) < items.len());
    }
}
