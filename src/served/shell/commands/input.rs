//! `input`: taps, swipes, keys and text.

use super::{Call, Done};
use crate::keys::Stroke;
use crate::served::State;
use crate::shell::io::Stop;
use crate::touch_screen::gesture_of;
use taproof_core::device::DeviceError;
use taproof_core::model::{DeviceDuration, Event, Gesture, Key, PxPoint};

/// Limit on the length of a text in bytes.
const LONGEST_TEXT: usize = 100_000;

const USAGE: &str = "Usage: input [<source>] <command> [<arg>...]";

pub fn input(call: &mut Call<'_, '_>) -> Done {
    let mut rest = call.args;
    if let Some((source, behind)) = rest.split_first()
        && source == "touchscreen"
    {
        rest = behind;
    }
    let Some((command, args)) = rest.split_first() else {
        return call.fail(USAGE, if call.old() { 0 } else { 255 });
    };
    if call.state().faults.forbids.input {
        let problem = "Injecting to another application requires INJECT_EVENTS permission";
        return call.threw(command, &format!("java.lang.SecurityException: {problem}"));
    }
    let known = match command.as_str() {
        "text" => text(call, args),
        "keyevent" => keys(call, args),
        "tap" => tap(call, args),
        "swipe" => swipe(call, args),
        "draganddrop" if !call.old() => swipe(call, args),
        _ => {
            let problem = format!("Error: Unknown command: {command}\n{USAGE}");
            return call.fail(&problem, if call.old() { 0 } else { 255 });
        }
    };
    match known? {
        Some(code) => Ok(code),
        None => bad_arguments(call, command),
    }
}

/// The exit code of a command; `None` if its arguments are invalid.
type Known = Result<Option<u8>, super::super::io::Stop>;

fn bad_arguments(call: &Call<'_, '_>, command: &str) -> Done {
    if call.old() {
        return call.fail(&format!("Error: Invalid arguments for command: {command}\n{USAGE}"), 0);
    }
    let problem =
        format!("java.lang.IllegalArgumentException: Error: Invalid arguments for command: {command}");
    call.threw(command, &problem)
}

/// Parses a coordinate, rounded down to whole pixels.
fn coordinate(text: Option<&String>) -> Option<i32> {
    let value = text?.parse::<f32>().ok().filter(|value| value.is_finite())?;
    Some(value.floor().clamp(-100_000.0, 100_000.0) as i32)
}

fn point(args: &[String], place: usize) -> Option<PxPoint> {
    Some(PxPoint { x: coordinate(args.get(place))?, y: coordinate(args.get(place + 1))? })
}

fn ended(call: &Call<'_, '_>, outcome: Result<(), DeviceError>) -> Known {
    call.ended(outcome).map(Some)
}

fn tap(call: &Call<'_, '_>, args: &[String]) -> Known {
    let Some(at) = point(args, 0) else { return Ok(None) };
    let done = call.state().gesture(at, Gesture::Tap);
    ended(call, done)
}

fn swipe(call: &Call<'_, '_>, args: &[String]) -> Known {
    let (Some(from), Some(to)) = (point(args, 0), point(args, 2)) else { return Ok(None) };
    let millis = match args.get(4).map(|text| text.parse::<i64>()) {
        None => 300,
        Some(Ok(millis)) => u64::try_from(millis).unwrap_or(300),
        Some(Err(_)) => return Ok(None),
    };
    if !call.shell.served.hold(DeviceDuration(millis), || call.io.out.flush().is_ok()) {
        return Err(Stop::Pipe);
    }
    let done = call.state().gesture(from, gesture_of(from, to, millis));
    ended(call, done)
}

/// The text to type: `%s` stands for a blank.
fn typed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '%' && rest.next_if_eq(&'s').is_some() {
            out.push(' ');
        } else {
            out.push(c);
        }
    }
    out
}

fn text(call: &Call<'_, '_>, args: &[String]) -> Known {
    let Some(text) = args.first() else { return Ok(None) };
    // Newer releases ignore further words; old ones refuse them.
    if call.old() && args.len() > 1 {
        return Ok(None);
    }
    let text = typed(text);
    let on_keys = |c: char| c == '\n' || c == '\t' || c == ' ' || c.is_ascii_graphic();
    if !text.chars().all(on_keys) || text.len() > LONGEST_TEXT {
        call.complain(
            "java.lang.NullPointerException: Attempt to get length of null array\n\
             \tat com.android.commands.input.Input.sendText(Input.java:176)\n\
             \tat com.android.commands.input.Input.run(Input.java:71)\n\
             \tat com.android.commands.input.Input.main(Input.java:53)",
        )?;
        return Ok(Some(1));
    }
    if text.is_empty() {
        return Ok(Some(0));
    }
    let done = call.state().type_keys(&text);
    ended(call, done)
}

fn keys(call: &Call<'_, '_>, args: &[String]) -> Known {
    let mut codes = Vec::new();
    for arg in args {
        match arg.as_str() {
            "--longpress" => {}
            option if option.starts_with("--") => return Ok(None),
            code => codes.push(code),
        }
    }
    if codes.is_empty() {
        return Ok(None);
    }
    for code in codes {
        let done = call.state().press(stroke_of(code));
        if let Some(failed) = ended(call, done)?.filter(|code| *code != 0) {
            return Ok(Some(failed));
        }
    }
    Ok(Some(0))
}

/// The key with this number or name.
fn stroke_of(key: &str) -> Stroke {
    match key.parse() {
        Ok(code) => Stroke::of_code(code),
        Err(_) => Stroke::named(key).unwrap_or(Stroke::Nothing),
    }
}

impl State {
    /// Types a text on the keyboard: line ends and tabs are separate keys.
    fn type_keys(&mut self, text: &str) -> Result<(), DeviceError> {
        if self.faults.keys_lost {
            return self.input(&Event::Wait(DeviceDuration(0)));
        }
        let mut rest = text;
        while let Some(place) = rest.find(['\n', '\t']) {
            let (before, behind) = rest.split_at(place);
            if !before.is_empty() {
                self.input(&Event::Type(before.to_owned()))?;
            }
            let (key, behind) = behind.split_at(1);
            self.input(&Event::Key(if key == "\n" { Key::Enter } else { Key::Tab }))?;
            rest = behind;
        }
        if rest.is_empty() { Ok(()) } else { self.input(&Event::Type(rest.to_owned())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percent_sign_and_an_s_are_a_blank() {
        for (text, expected) in
            [("a%sb", "a b"), ("100%", "100%"), ("%%s", "% "), ("%S", "%S"), ("%s%s", "  ")]
        {
            assert_eq!(typed(text), expected);
        }
    }
}
