//! The calendar, for what people read: when something was, and how long it took. Results do not depend on it.

use chrono::{DateTime, Datelike, Local, TimeZone};

/// A date and time where the person is.
pub type Date = DateTime<Local>;

/// The date and time. Only the window and commands look at it.
#[expect(clippy::disallowed_methods, reason = "people want to know when something was")]
pub fn now() -> Date {
    Local::now()
}

/// Seconds since 1970.
pub fn seconds() -> i64 {
    now().timestamp()
}

/// When something was, as people say it: `today 14:05`, `3 Nov 14:05`, `3 Nov 2025`. `at` is in seconds since 1970.
pub fn date_words<Z: TimeZone>(at: i64, now: &DateTime<Z>) -> String {
    let Some(at) = now.timezone().timestamp_opt(at, 0).earliest() else { return String::new() };
    let (date, time) = (at.naive_local(), at.naive_local().format("%H:%M"));
    match now.naive_local().date().signed_duration_since(date.date()).num_days() {
        0 => format!("today {time}"),
        1 => format!("yesterday {time}"),
        _ if date.year() == now.year() => format!("{} {time}", date.format("%-d %b")),
        _ => date.format("%-d %b %Y").to_string(),
    }
}

/// When something was, for a report: `2026-11-30 14:05`. `at` is in seconds since 1970.
pub fn exact_words(at: i64) -> String {
    Local
        .timestamp_opt(at, 0)
        .earliest()
        .map_or_else(String::new, |at| at.format("%Y-%m-%d %H:%M").to_string())
}

/// How long something took: `40 s`, `12 min`, `1 h 05 min`, `2 d 3 h`.
pub fn length_words(seconds: u64) -> String {
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, _) => format!("{minutes} min"),
        (..48, _) => format!("{hours} h {:02} min", minutes % 60),
        _ => format!("{} d {} h", hours / 24, hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::FixedOffset;

    #[test]
    fn dates_and_lengths_are_as_people_say_them() {
        let zone = FixedOffset::east_opt(3600).unwrap();
        let now = zone.with_ymd_and_hms(2026, 11, 30, 0, 30, 0).unwrap();
        let words = |before: i64| date_words(now.timestamp() - before, &now);
        let said = [60, 3600, 86_400 * 9, 86_400 * 400].map(words);
        assert_eq!(said, ["today 00:29", "yesterday 23:30", "21 Nov 00:30", "26 Oct 2025"]);
        let lengths = [40, 725, 3900, 180_000].map(length_words);
        assert_eq!(lengths, ["40 s", "12 min", "1 h 05 min", "2 d 2 h"]);
    }
}
