//! The wall clock, for times that only people see.

use std::time::Instant;

/// Reads the wall clock.
#[expect(clippy::disallowed_methods, reason = "people want to know how long something takes")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
