//! Parsing `/proc/uptime`, the device's clock.

use taproof_screen::determinism::DeviceInstant;

/// The time since the device was switched on, in ms; `None` if the answer cannot be parsed.
pub fn uptime(text: &str) -> Option<DeviceInstant> {
    let (seconds, rest) = text.split_whitespace().next()?.split_once('.')?;
    let digits: String = rest.chars().chain("000".chars()).take(3).collect();
    Some(DeviceInstant(seconds.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(digits.parse().ok()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_read_to_the_millisecond() {
        assert_eq!(uptime("350735.47 234388.90\n"), Some(DeviceInstant(350_735_470)));
        assert_eq!(uptime("\n12.345 1.00"), Some(DeviceInstant(12_345)));
        assert_eq!(uptime("cat: no"), None);
    }
}
