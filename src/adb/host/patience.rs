//! How long a call may take, as a whole, and who may end it before. The one place of this module that looks at a clock:
//! a peer that is silent has no other.

use std::time::{Duration, Instant};

use super::AdbError;

/// No read, write or wait lasts longer: so often a call looks at its deadline and at whether it was cancelled.
const LOOK_EVERY: Duration = Duration::from_millis(25);

/// Sockets take no shorter timeouts.
const SHORTEST: Duration = Duration::from_millis(1);

/// The deadline of one whole call, and the question whether it was cancelled. The time runs from its making.
#[derive(Clone, Copy)]
pub struct Patience<'a> {
    started: Instant,
    limit: Option<Duration>,
    cancelled: &'a dyn Fn() -> bool,
}

impl<'a> Patience<'a> {
    /// From now on for so long, or until `cancelled` says so. It is asked at least every 50 ms and must not block.
    pub fn new(limit: Duration, cancelled: &'a dyn Fn() -> bool) -> Self {
        Patience { started: now(), limit: Some(limit), cancelled }
    }

    /// From now on until it is cancelled: for what waits until something happens.
    pub(super) fn until_cancelled(&self) -> Self {
        Patience { started: now(), limit: None, cancelled: self.cancelled }
    }

    /// From now on for so long, but never longer than what is left: for one part of a call.
    pub fn within(&self, limit: Duration) -> Self {
        Patience { started: now(), limit: Some(self.left().min(limit)), cancelled: self.cancelled }
    }

    /// How long ago it began.
    pub fn elapsed(&self) -> Duration {
        now().saturating_duration_since(self.started)
    }

    /// What is left of it; zero when it is over.
    pub fn left(&self) -> Duration {
        self.limit.map_or(Duration::MAX, |limit| limit.saturating_sub(self.elapsed()))
    }

    /// How long the next blocking step may last. Errors: `Cancelled`, `Deadline`; they name `what`.
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

    /// Waits so long. Errors: `Cancelled`, `Deadline`; they name `what`.
    pub fn pause(&self, how_long: Duration, what: &str) -> Result<(), AdbError> {
        let pause = Patience { started: now(), limit: Some(how_long), cancelled: self.cancelled };
        while !pause.left().is_zero() {
            let slice = self.slice(what)?.min(pause.left());
            let _nothing_comes = crossbeam_channel::never::<()>().recv_timeout(slice);
        }
        Ok(())
    }
}

/// What is left of a deadline has nine digits behind its point, which nobody wants to read.
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
