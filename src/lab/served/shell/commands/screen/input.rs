//! `input`: touches, keys and texts.

use crate::screen::keys::Stroke;
use crate::screen::touch_screen::gesture_of;
use crate::served::State;
use crate::shell::commands::{Call, Done};
use crate::shell::io::Stop;
use taproof_engine::device::DeviceError;
use taproof_screen::{DeviceDuration, Event, Gesture, Key, PxPoint};

/// Limit on the length of a text in bytes.
const LONGEST_TEXT: usize = 100_000;
/// The usual time of a swipe in milliseconds.
const SWIPE_MILLIS: u64 = 300;

/// `input [touchscreen] text|keyevent|tap|swipe|draganddrop [WORD ...]`.
pub fn input(call: &mut Call<'_, '_>) -> Done {
    let rest = match call.args {
        [source, rest @ ..] if source == "touchscreen" => rest,
        all => all,
    };
    let Some((command, args)) = rest.split_first() else { return call.usage("input") };
    if call.state().faults.forbids.input {
        let problem = "Injecting to another application requires INJECT_EVENTS permission";
        return call.threw(command, &format!("java.lang.SecurityException: {problem}"));
    }
    let numbers: Vec<Option<i32>> = args.iter().map(|arg| coordinate(arg)).collect();
    match (command.as_str(), args, &*numbers) {
        ("text", [text], _) => write(call, text),
        // Newer devices ignore further words.
        ("text", [text, ..], _) if !call.old() => write(call, text),
        ("keyevent", [.., _], _) => press(call, args),
        ("tap", _, [Some(x), Some(y), ..]) => {
            let done = call.state().gesture(PxPoint { x: *x, y: *y }, Gesture::Tap);
            call.ended(done)
        }
        ("draganddrop", ..) if call.old() => unknown(call, command),
        ("swipe" | "draganddrop", _, [Some(x), Some(y), Some(to_x), Some(to_y), rest @ ..]) => {
            let millis = match (rest, args.get(4).and_then(|millis| millis.parse::<i64>().ok())) {
                ([], _) => SWIPE_MILLIS,
                (_, Some(millis)) => u64::try_from(millis).unwrap_or(SWIPE_MILLIS),
                (_, None) => return bad_arguments(call, command),
            };
            swipe(call, PxPoint { x: *x, y: *y }, PxPoint { x: *to_x, y: *to_y }, millis)
        }
        ("text" | "keyevent" | "tap" | "swipe" | "draganddrop", ..) => bad_arguments(call, command),
        _ => unknown(call, command),
    }
}

fn unknown(call: &Call<'_, '_>, command: &str) -> Done {
    call.complain(&format!("Error: Unknown command: {command}"))?;
    call.usage("input")
}

fn bad_arguments(call: &Call<'_, '_>, command: &str) -> Done {
    let problem = format!("Error: Invalid arguments for command: {command}");
    if !call.old() {
        return call.threw(command, &format!("java.lang.IllegalArgumentException: {problem}"));
    }
    call.complain(&problem)?;
    call.usage("input")
}

/// Parses a coordinate, which may have a fraction and lie outside of the screen.
fn coordinate(text: &str) -> Option<i32> {
    let value = text.parse::<f32>().ok().filter(|value| value.is_finite())?;
    Some(value.floor().clamp(-100_000.0, 100_000.0) as i32)
}

fn swipe(call: &Call<'_, '_>, from: PxPoint, to: PxPoint, millis: u64) -> Done {
    if !call.shell.served.hold(DeviceDuration(millis), || call.io.out.flush().is_ok()) {
        return Err(Stop::Pipe);
    }
    let done = call.state().gesture(from, gesture_of(from, to, millis));
    call.ended(done)
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

fn write(call: &Call<'_, '_>, text: &str) -> Done {
    let text = typed(text);
    let on_keys = |c: char| c == '\n' || c == '\t' || c == ' ' || c.is_ascii_graphic();
    if !text.chars().all(on_keys) || text.len() > LONGEST_TEXT {
        return call.fail(call.filled("no key for a letter", &[]).trim_end(), 1);
    }
    let done = if text.is_empty() { Ok(()) } else { call.state().type_keys(&text) };
    call.ended(done)
}

/// Presses keys one after the other; `--longpress` has no effect here.
fn press(call: &Call<'_, '_>, args: &[String]) -> Done {
    let keys: Vec<&String> = args.iter().filter(|arg| *arg != "--longpress").collect();
    if keys.is_empty() || keys.iter().any(|key| key.starts_with("--")) {
        return bad_arguments(call, "keyevent");
    }
    let done = keys.iter().try_for_each(|key| call.state().press(stroke_of(key)));
    call.ended(done)
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
