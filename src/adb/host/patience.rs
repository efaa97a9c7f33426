//! How long a whole call may take, and its cancellation. This is the only place of this module that reads a clock:
//! without one, nothing would reveal a silent peer.

use std::time::{Duration, Instant};

use super::AdbError;

/// Limit on each read, write or wait, and so the interval at which a call checks its deadline and its cancellation.
const LOOK_EVERY: Duration = Duration::from_millis(25);

/// The shortest timeout that sockets accept.
const SHORTEST: Duration = Duration::from_millis(1);

/// The deadline of a whole call and the check whether it was cancelled. The time runs from its creation.
#[derive(Clone, Copy)]
pub struct Patience<'a> {
    started: Instant,
    limit: Option<Duration>,
    cancelled: &'a dyn Fn() -> bool,
}

impl<'a> Patience<'a> {
    /// Creates a deadline `limit` from now that also ends once `cancelled` returns true. `cancelled` is called at least
    /// every 50 ms and must not block.
    pub fn new(limit: Duration, cancelled: &'a dyn Fn() -> bool) -> Self {
        Patience { started: now(), limit: Some(limit), cancelled }
    }

    /// The same without a deadline, for calls that wait for an event.
    pub(super) fn until_cancelled(&self) -> Self {
        Patience { started: now(), limit: None, cancelled: self.cancelled }
    }

    /// A deadline `limit` from now, but never later than this one: for a part of a call.
    pub fn within(&self, limit: Duration) -> Self {
        Patience { started: now(), limit: Some(self.left().min(limit)), cancelled: self.cancelled }
    }

    /// The time since its creation.
    pub fn elapsed(&self) -> Duration {
        now().saturating_duration_since(self.started)
    }

    /// The time left; zero once the deadline has passed.
    pub fn left(&self) -> Duration {
        self.limit.map_or(Duration::MAX, |limit| limit.saturating_sub(self.elapsed()))
    }

    /// Whether the deadline has passed or the call was cancelled.
    pub fn is_over(&self) -> bool {
        self.left().is_zero() || (self.cancelled)()
    }

    /// How long the next blocking step may last. Fails with [`AdbError::Cancelled`] or [`AdbError::Deadline`], which
    /// name `what`.
    pub(super) fn slice(&self, what: &str) -> Result<Duration, AdbError> {
        if (self.cancelled)() {
            return Err(AdbError::Cancelled { what: what.to_owned() });
        }
        let left = self.left();
        match self.limit {
            Some(limit) if left.is_zero() => {
                Err(AdbError::Deadline { what: what.to_owned(), limit: whole_millis(limit) })
            }
            _ => Ok(left.clamp(SHORTEST, LOOK_EVERY)),
        }
    }

    /// Sleeps for `how_long`.
    ///
    /// # Errors
    ///
    /// [`AdbError::Cancelled`] or [`AdbError::Deadline`], which name `what`.
    pub fn pause(&self, how_long: Duration, what: &str) -> Result<(), AdbError> {
        let pause = Patience { started: now(), limit: Some(how_long), cancelled: self.cancelled };
        while !pause.left().is_zero() {
            let slice = self.slice(what)?.min(pause.left());
            let _nothing_comes = crossbeam_channel::never::<()>().recv_timeout(slice);
        }
        Ok(())
    }
}

/// Says from `limit` from now on that something is over.
pub(crate) fn over_after(limit: Duration) -> impl Fn() -> bool + Send + Sync {
    let started = now();
    move || now().saturating_duration_since(started) >= limit
}

/// Rounds down to milliseconds for messages: what is left of a deadline would be printed with nine decimals.
pub(super) fn whole_millis(time: Duration) -> Duration {
    Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

#[expect(clippy::disallowed_methods, reason = "a real device answers in real time, or never")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_deadline_is_one_for_the_whole_call() {
        let patience = Patience::new(Duration::from_millis(40), &|| false);
        assert!(patience.slice("reading").unwrap() <= LOOK_EVERY);
        assert_eq!(
            patience.pause(Duration::from_secs(5), "waiting"),
            Err(AdbError::Deadline { what: "waiting".to_owned(), limit: Duration::from_millis(40) })
        );
        assert!(patience.elapsed() >= Duration::from_millis(40));
        assert!(patience.elapsed() < Duration::from_secs(2), "{:?}", patience.elapsed());
        assert!(patience.slice("reading").is_err() && patience.left().is_zero());
    }

    #[test]
    fn a_part_never_gets_more_than_the_whole_has_left() {
        let whole = Patience::new(Duration::from_millis(30), &|| false);
        assert!(whole.within(Duration::from_secs(9)).left() <= Duration::from_millis(30));
        assert!(whole.within(Duration::from_millis(2)).left() <= Duration::from_millis(2));
        assert!(whole.until_cancelled().left() > Duration::from_secs(1));
        let endless = whole.until_cancelled();
        assert_eq!(endless.within(Duration::from_millis(3)).limit, Some(Duration::from_millis(3)));
    }

    #[test]
    fn who_is_cancelled_hears_of_it_soon() {
        let looks = Cell::new(0);
        let cancelled = || {
            looks.set(looks.get() + 1);
            looks.get() > 2
        };
        let patience = Patience::new(Duration::from_secs(30), &cancelled);
        let ended = patience.pause(Duration::from_secs(20), "waiting");
        assert_eq!(ended, Err(AdbError::Cancelled { what: "waiting".to_owned() }));
        assert!(patience.elapsed() < Duration::from_secs(2), "{:?}", patience.elapsed());
    }
}
