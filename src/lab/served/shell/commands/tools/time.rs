//! Commands on the device's clock: `sleep` and `date`.

use crate::shell::commands::{Call, Done};
use crate::shell::io::Stop;
use taproof_phone::Date;
use taproof_screen::DeviceDuration;

/// The longest sleep.
const LONGEST_SECONDS: f64 = 3600.0;

/// `sleep SECONDS`. Lets the device's time pass.
pub fn sleep(call: &mut Call<'_, '_>) -> Done {
    let Some(text) = call.arg(0) else { return call.fail("sleep: Need 1 argument", 1) };
    let Some(seconds) = text.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0) else {
        return call.fail(&format!("sleep: not a number '{text}'"), 1);
    };
    let millis = (seconds.min(LONGEST_SECONDS) * 1000.0).round() as u64;
    if millis == 0 {
        return Ok(0);
    }
    let wanted = || call.io.out.flush().is_ok();
    match call.shell.served.pass(DeviceDuration(millis), wanted) {
        Ok(true) => Ok(0),
        Ok(false) => Err(Stop::Pipe),
        Err(error) => call.ended(Err(error)),
    }
}

/// `date [+FORMAT]`. The clock cannot be set.
pub fn date(call: &mut Call<'_, '_>) -> Done {
    let format = match call.args {
        [] => "%Y-%m-%d %H:%M:%S",
        [word] if word.starts_with('+') => word.trim_start_matches('+'),
        [word, ..] => {
            return call.fail(&format!("date: cannot set date to {word}: Operation not permitted"), 1);
        }
    };
    let now = call.state().epoch_millis();
    let date = Date::of_epoch(now);
    let two = |number: u32| format!("{number:02}");
    let parts = [
        ("%s", (now / 1000).to_string()),
        ("%Y", date.year.to_string()),
        ("%m", two(date.month)),
        ("%d", two(date.day)),
        ("%H", two(date.hour)),
        ("%M", two(date.minute)),
        ("%S", two(date.second)),
    ];
    let text = parts.iter().fold(format.to_owned(), |text, (code, value)| text.replace(code, value));
    call.say(&text).map(|()| 0)
}
