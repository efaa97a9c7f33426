//! Parsing one line of `getevent -lt` (labels) or `getevent -t` (numbers).

use taproof_screen::Key;

/// The kind of an input event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Code {
    Report,
    MtReport,
    Dropped,
    Slot,
    TrackingId,
    MtX,
    MtY,
    TouchMajor,
    ToolType,
    X,
    Y,
    Touch,
    Key(Key),
}

/// The tool type of a palm (`MT_TOOL_PALM`).
pub(super) const PALM: i32 = 2;

/// An input event of a known kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InputEvent<'a> {
    pub micros: u64,
    /// The path of the device; empty if `getevent` listens to only one.
    pub device: &'a str,
    pub code: Code,
    pub value: i32,
}

/// Parses `[ SECONDS.MICROS] [DEVICE:] KIND CODE VALUE`; `None` for anything else and for events of other kinds.
pub(super) fn input_event(line: &str) -> Option<InputEvent<'_>> {
    let (time, rest) = line.trim().strip_prefix('[')?.split_once(']')?;
    let micros = micros(time.trim())?;
    let mut words = rest.split_whitespace().peekable();
    let device = words.next_if(|word| word.ends_with(':')).map_or("", |word| word.trim_end_matches(':'));
    let (kind, code, value) = (words.next()?, words.next()?, words.next()?);
    Some(InputEvent { micros, device, code: known_code(kind, code)?, value: number(value)? })
}

/// Converts seconds with a fraction of any number of digits to microseconds.
fn micros(time: &str) -> Option<u64> {
    let (seconds, fraction) = time.split_once('.')?;
    let fraction = fraction.get(..6).unwrap_or(fraction);
    let scale = 10_u64.checked_pow(u32::try_from(6_usize.checked_sub(fraction.len())?).ok()?)?;
    let micros = fraction.parse::<u64>().ok()?.checked_mul(scale)?;
    seconds.trim().parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(micros)
}

/// Parses a value: 32 bits in hexadecimal, or a word.
fn number(value: &str) -> Option<i32> {
    match value {
        "DOWN" => Some(1),
        "UP" => Some(0),
        "REPEAT" => Some(2),
        "MT_TOOL_FINGER" => Some(0),
        "MT_TOOL_PEN" => Some(1),
        "MT_TOOL_PALM" => Some(PALM),
        _ => u32::from_str_radix(value, 16).ok().map(u32::cast_signed),
    }
}

fn known_code(kind: &str, code: &str) -> Option<Code> {
    match kind {
        "EV_SYN" | "0000" => match code {
            "SYN_REPORT" | "0000" => Some(Code::Report),
            "SYN_MT_REPORT" | "0002" => Some(Code::MtReport),
            "SYN_DROPPED" | "0003" => Some(Code::Dropped),
            _ => None,
        },
        "EV_KEY" | "0001" => key_code(code),
        "EV_ABS" | "0003" => match code {
            "ABS_X" | "0000" => Some(Code::X),
            "ABS_Y" | "0001" => Some(Code::Y),
            "ABS_MT_SLOT" | "002f" => Some(Code::Slot),
            "ABS_MT_TOUCH_MAJOR" | "0030" => Some(Code::TouchMajor),
            "ABS_MT_POSITION_X" | "0035" => Some(Code::MtX),
            "ABS_MT_POSITION_Y" | "0036" => Some(Code::MtY),
            "ABS_MT_TOOL_TYPE" | "0037" => Some(Code::ToolType),
            "ABS_MT_TRACKING_ID" | "0039" => Some(Code::TrackingId),
            _ => None,
        },
        _ => None,
    }
}

/// The code of a touch, or of a key that apps handle. `None` for volume, power and others.
fn key_code(code: &str) -> Option<Code> {
    Some(Code::Key(match code {
        "BTN_TOUCH" | "014a" => return Some(Code::Touch),
        "KEY_BACK" | "009e" => Key::Back,
        "KEY_HOMEPAGE" | "00ac" | "KEY_HOME" | "0066" => Key::Home,
        "KEY_APPSELECT" | "0244" => Key::Recents,
        "KEY_MENU" | "008b" => Key::Menu,
        "KEY_ENTER" | "001c" | "KEY_KPENTER" | "0060" => Key::Enter,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, device: &str, code: Code, value: i32) {
        let expected = InputEvent { micros: 12_345_678_901, device, code, value };
        assert_eq!(input_event(line), Some(expected), "{line}");
    }

    #[test]
    fn labels_and_numbers_are_read() {
        let touch = "/dev/input/event2";
        check(
            "[   12345.678901] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    000001f4            \r",
            touch,
            Code::MtX,
            500,
        );
        check(
            "[   12345.678901] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff",
            touch,
            Code::TrackingId,
            -1,
        );
        check("[   12345.678901] EV_KEY       BTN_TOUCH            DOWN", "", Code::Touch, 1);
        check("[   12345.678901] /dev/input/event2: 0003 0035 000001f4", touch, Code::MtX, 500);
        check("[   12345.678901] EV_KEY KEY_BACK UP", "", Code::Key(Key::Back), 0);
        check("[   12345.678901] EV_ABS ABS_MT_TOOL_TYPE MT_TOOL_PALM", "", Code::ToolType, PALM);
    }

    #[test]
    fn other_lines_are_none() {
        for line in [
            "add device 1: /dev/input/event2",
            "could not get driver version for /dev/input/mice, Not a typewriter",
            "[   12345.678901] EV_KEY BTN_TOOL_FINGER DOWN",
            "[   12345.678901] EV_KEY KEY_VOLUMEUP DOWN",
            "[   12345.678901] EV_KEY 01f4 DOWN",
            "[   12345.678901] 0001 0145 00000001",
            "[   12345.678901] EV_MSC MSC_SCAN 00000001",
            "[   12345.678901] EV_ABS ABS_MT_POSITION_X",
            "[   12345.678901] EV_ABS ABS_MT_POSITION_X 1ffffffff",
            "[   x.678901] EV_SYN SYN_REPORT 00000000",
            "[",
            "",
        ] {
            assert_eq!(input_event(line), None, "{line}");
        }
    }

    #[test]
    fn times_may_have_fewer_or_more_digits() {
        assert_eq!(micros("1.5"), Some(1_500_000));
        assert_eq!(micros("1.123456789"), Some(1_123_456));
        assert_eq!(micros("99999999999999999999.1"), None);
        assert_eq!(micros("1.\u{e4}\u{e4}\u{e4}\u{e4}"), None);
    }
}
