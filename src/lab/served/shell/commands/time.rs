//! Commands on the device's clock: `sleep`, `date`, `uptime`.

use super::{Call, Done};
use crate::shell::io::Killed;
use taproof_core::model::DeviceDuration;
use taproof_phone::Date;

/// Limit on a wait: one hour.
const LONGEST_MILLIS: f64 = 3_600_000.0;

/// Parses `2`, `0.5`, `100ms`, `3s` or `1m` to milliseconds; `None` for anything else.
fn millis_of(text: &str) -> Option<f64> {
    let units = [("ms", 1.0), ("s", 1000.0), ("m", 60_000.0), ("h", 3_600_000.0), ("d", 86_400_000.0)];
    let unit = units.into_iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (number, factor) = unit.unwrap_or((text, 1000.0));
    number
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite() && *number >= 0.0)
        .map(|number| number * factor)
}

/// Waits on the device's clock, which takes no time unless that clock is real.
pub fn sleep(call: &mut Call<'_, '_>) -> Done {
    let Some(first) = call.arg(0) else {
        return call.fail(&format!("{}: Need 1 argument", call.name), 1);
    };
    let Some(millis) = millis_of(first) else {
        return call.fail(&format!("{}: not a number '{first}'", call.name), 1);
    };
    let rest: f64 = call.args_from(1).iter().filter_map(|text| millis_of(text)).sum();
    let whole = (millis + rest).min(LONGEST_MILLIS).round();
    if whole < 1.0 {
        return Ok(0);
    }
    let wanted = || call.io.out.flush().is_ok();
    match call.shell.served.pass(DeviceDuration(whole as u64), wanted) {
        Ok(true) => Ok(0),
        Ok(false) => Err(Killed::Pipe),
        Err(error) => call.ended(Err(error)),
    }
}

const WEEKDAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Formats a time like `date`.
pub(super) fn date_text(epoch_millis: u64, format: &str) -> String {
    let date = Date::of_epoch(epoch_millis);
    let weekday = WEEKDAYS.get((epoch_millis / 86_400_000 % 7) as usize).copied().unwrap_or_default();
    let month = MONTHS.get((date.month as usize).saturating_sub(1)).copied().unwrap_or_default();
    let short = |name: &str| name.get(..3).unwrap_or_default().to_owned();
    let mut out = String::new();
    let mut rest = format.chars();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut next = rest.next();
        let plain = matches!(next, Some('-' | '_'));
        if plain {
            next = rest.next();
        }
        let two = |number: u32| if plain { number.to_string() } else { format!("{number:02}") };
        let text = match next {
            Some('s') => (epoch_millis / 1000).to_string(),
            Some('N') => format!("{:03}000000", date.millis),
            Some('Y') => date.year.to_string(),
            Some('m') => two(date.month),
            Some('d') => two(date.day),
            Some('e') => format!("{:>2}", date.day),
            Some('H') => two(date.hour),
            Some('M') => two(date.minute),
            Some('S') => two(date.second),
            Some('a') => short(weekday),
            Some('b') => short(month),
            Some('Z') => "GMT".to_owned(),
            Some('%') => "%".to_owned(),
            Some(other) => format!("%{other}"),
            None => "%".to_owned(),
        };
        out.push_str(&text);
    }
    out
}

/// `date [-u] [+FORMAT]`. The clock cannot be set.
pub fn date(call: &mut Call<'_, '_>) -> Done {
    let now = call.state().epoch_millis();
    let format = call.args.iter().find_map(|arg| arg.strip_prefix('+'));
    let stray = call.args.iter().find(|arg| !arg.starts_with(['+', '-']));
    if let Some(stray) = stray {
        return call.fail(&format!("date: cannot set date to {stray}: Operation not permitted"), 1);
    }
    let text = date_text(now, format.unwrap_or("%a %b %e %H:%M:%S %Z %Y"));
    call.say(&text)?;
    Ok(0)
}
