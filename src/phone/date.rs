//! The date and the settings that a phone shows, and apps beside the system read.

use taproof_screen::determinism::DeviceInstant;

/// A setting of the system that apps are told of when it changes, and that recreates nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    /// The clock has 12 hours, not 24.
    TwelveHours,
    /// The phone is in another time zone.
    OtherZone,
    /// Location is off.
    LocationOff,
    /// Airplane mode is on.
    AirplaneMode,
    /// Do not disturb is on.
    DoNotDisturb,
    /// The storage is nearly full.
    LowStorage,
}

/// The settings of the system that are not as usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings(u8);

impl Settings {
    /// Whether the setting is not as usual.
    pub fn has(self, setting: Setting) -> bool {
        self.0 & (1 << setting as u8) != 0
    }

    pub(crate) fn switch(&mut self, setting: Setting) {
        self.0 ^= 1 << setting as u8;
    }
}

/// How far the other time zone is ahead.
const ZONE_AHEAD_MILLIS: u64 = 9 * 60 * 60 * 1000;

/// A date and time of day on the phone, which boots on Monday, 5 January 2026, at 9:00.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// The year, such as 2026.
    pub year: i32,
    /// The month, from 1 to 12.
    pub month: u32,
    /// The day of the month, from 1 to 31.
    pub day: u32,
    /// The hour, from 0 to 23.
    pub hour: u32,
    /// The minute, from 0 to 59.
    pub minute: u32,
    /// The second, from 0 to 59.
    pub second: u32,
    /// The millisecond, from 0 to 999.
    pub millis: u32,
}

impl Date {
    /// The date and time on the phone at an instant.
    pub fn at(now: DeviceInstant) -> Date {
        Date::of_epoch(Date::epoch_millis(now))
    }

    /// The date and time in the phone's time zone, as the system shows it.
    pub(crate) fn local(now: DeviceInstant, settings: Settings) -> Date {
        let ahead = if settings.has(Setting::OtherZone) { ZONE_AHEAD_MILLIS } else { 0 };
        Date::of_epoch(Date::epoch_millis(now) + ahead)
    }

    /// The time of day with the hours of the clock that the user has chosen, such as `21:05` or `9:05 PM`.
    pub(crate) fn clock_of(self, settings: Settings) -> String {
        if !settings.has(Setting::TwelveHours) {
            return self.clock();
        }
        let half = if self.hour < 12 { "AM" } else { "PM" };
        format!("{}:{:02} {half}", (self.hour + 11) % 12 + 1, self.minute)
    }

    /// Milliseconds since the Unix epoch.
    pub fn epoch(self) -> u64 {
        let days = u64::try_from(days_from_civil(self.year, self.month, self.day)).unwrap_or(0);
        let seconds = u64::from((self.hour * 60 + self.minute) * 60 + self.second);
        days * 86_400_000 + seconds * 1000 + u64::from(self.millis)
    }

    /// Milliseconds since the Unix epoch at an instant of the phone, whose time zone is UTC.
    pub fn epoch_millis(now: DeviceInstant) -> u64 {
        /// Number of days from 1 January 1970 to the day of the boot.
        const BOOT_DAY: u64 = 20_458;
        const BOOT_MILLIS: u64 = (BOOT_DAY * 24 + 9) * 3_600_000;
        BOOT_MILLIS.saturating_add(now.millis())
    }

    /// The date and time at this many milliseconds since the Unix epoch.
    pub fn of_epoch(millis: u64) -> Date {
        let (days, in_day) = (millis / 86_400_000, millis % 86_400_000);
        let (year, month, day) = civil_from_days(days as i64);
        Date {
            year,
            month,
            day,
            hour: (in_day / 3_600_000) as u32,
            minute: (in_day / 60_000 % 60) as u32,
            second: (in_day / 1000 % 60) as u32,
            millis: (in_day % 1000) as u32,
        }
    }

    /// The date in ISO 8601, such as `2026-01-05`.
    pub fn iso(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// The time of day, such as `09:00`.
    pub fn clock(&self) -> String {
        format!("{:02}:{:02}", self.hour, self.minute)
    }
}

/// Converts year, month and day to days since 1970, the inverse of [`civil_from_days`].
fn days_from_civil(year: i32, month: u32, day: u32) -> i64 {
    let (month, day) = (i64::from(month), i64::from(day));
    let shifted = i64::from(year) - i64::from(month <= 2);
    let (era, year_of_era) = (shifted / 400, shifted % 400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Converts days since 1970 to year, month and day (Howard Hinnant's algorithm, for days from 1970 on).
fn civil_from_days(days: i64) -> (i32, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * shifted_month + 2) / 5 + 1) as u32;
    let month = (if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 }) as u32;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year as i32, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phone_boots_on_a_monday_morning() {
        let boot = Date::at(DeviceInstant(0));
        assert_eq!((boot.iso().as_str(), boot.clock().as_str()), ("2026-01-05", "09:00"));
        let later = Date::at(DeviceInstant(55 * 86_400_000 + 61_000));
        let mut settings = Settings::default();
        settings.switch(Setting::TwelveHours);
        assert_eq!(boot.clock_of(settings), "9:00 AM");
        let hours = [(0, "12:00 AM"), (12, "12:00 PM"), (23, "11:00 PM")];
        assert!(hours.into_iter().all(|(hour, shown)| Date { hour, ..boot }.clock_of(settings) == shown));
        settings.switch(Setting::OtherZone);
        assert_eq!(Date::local(DeviceInstant::default(), settings).clock_of(settings), "6:00 PM");
        settings.switch(Setting::TwelveHours);
        assert_eq!(Date::local(DeviceInstant::default(), settings).clock_of(settings), "18:00");
        assert_eq!((later.iso().as_str(), later.clock().as_str()), ("2026-03-01", "09:01"));
    }
}
