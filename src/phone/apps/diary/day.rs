//! Days, as typed into the search.

use crate::Date;
use taproof_screen::determinism::DeviceInstant;

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day {
    year: i32,
    month: u32,
    day: u32,
}

impl Day {
    /// Parses a date written as `YYYY-MM-DD`. `None` if it is no valid date.
    pub(super) fn parse(text: &str) -> Option<Day> {
        let digits = |part: &str, length: usize| -> Option<u32> {
            let plain = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| part.parse().ok())?
        };
        let mut parts = text.trim().split('-');
        let (year, month) = (digits(parts.next()?, 4)?, digits(parts.next()?, 2)?);
        let day = digits(parts.next()?, 2)?;
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        let longest = match month {
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            1..=12 => 31,
            _ => return None,
        };
        let valid = parts.next().is_none() && (1..=longest).contains(&day);
        valid.then_some(Day { year: year as i32, month, day })
    }

    /// The day of an instant.
    pub(super) fn of(instant: DeviceInstant) -> Day {
        let date = Date::at(instant);
        Day { year: date.year, month: date.month, day: date.day }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_checked() {
        assert_eq!(Day::parse("2026-01-05"), Some(Day::of(DeviceInstant(0))));
        assert!(Day::parse("2028-02-29").is_some());
        for wrong in
            ["", "2026-1-5", "2026-02-29", "2026-13-01", "2026-01-00", "20260105", "2026-01-05-1", "x"]
        {
            assert_eq!(Day::parse(wrong), None, "{wrong:?}");
        }
    }
}
