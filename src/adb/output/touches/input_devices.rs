//! Parsing the input devices and the ranges of their axes: `getevent -pl` (labels) or `getevent -p` (numbers).

/// The range of values of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisRange {
    /// The value at the left or top edge.
    pub min: i32,
    /// The value at the right or bottom edge.
    pub max: i32,
}

/// A touch screen, touch pad or set of keys, as `getevent -p` lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputDevice {
    /// The device file, such as `/dev/input/event2`.
    pub path: String,
    /// The name that its driver reports.
    pub name: String,
    /// The range from left to right; `None` if it cannot be touched.
    pub x: Option<AxisRange>,
    /// The range from top to bottom; `None` if it cannot be touched.
    pub y: Option<AxisRange>,
    /// Whether it distinguishes several fingers.
    pub multi_touch: bool,
    /// Whether it is part of the screen (`INPUT_PROP_DIRECT`).
    pub direct: bool,
    /// Whether it moves a pointer, as a touch pad does (`INPUT_PROP_POINTER`).
    pub pointer: bool,
}

impl InputDevice {
    /// The horizontal and vertical range of a touch screen; `None` for any other device.
    pub fn screen_axes(&self) -> Option<(AxisRange, AxisRange)> {
        (!self.pointer).then_some((self.x?, self.y?)).filter(|(x, y)| x.min < x.max && y.min < y.max)
    }
}

/// Parses the devices, keeping their order. Unrelated lines are skipped.
pub fn input_devices(text: &str) -> Vec<InputDevice> {
    let mut devices: Vec<InputDevice> = Vec::new();
    let mut on_axes = false;
    for line in super::super::lines::lines(text) {
        let line = line.trim();
        if let Some((_, path)) = line.strip_prefix("add device ").and_then(|rest| rest.split_once(": ")) {
            devices.push(InputDevice { path: path.trim().to_owned(), ..InputDevice::default() });
            on_axes = false;
            continue;
        }
        let Some(device) = devices.last_mut() else { continue };
        if let Some(name) = line.strip_prefix("name:") {
            device.name = name.trim().trim_matches('"').to_owned();
        } else if line.starts_with("INPUT_PROP_DIRECT") {
            device.direct = true;
        } else if line.starts_with("INPUT_PROP_POINTER") {
            device.pointer = true;
        } else {
            let axis = match kind_and_rest(line) {
                Some((kind, rest)) => {
                    on_axes = kind == "ABS" || kind == "0003";
                    rest
                }
                None => line,
            };
            if on_axes {
                read_axis(axis, device);
            }
        }
    }
    devices
}

/// The device's touch screen, if any. Screens with multi-touch are preferred, then those that are part of the display.
pub fn touch_screen(devices: &[InputDevice]) -> Option<&InputDevice> {
    let screens = devices.iter().filter(|device| device.screen_axes().is_some());
    // On a tie the first device wins: `max_by_key` takes the last one.
    screens.rev().max_by_key(|device| (device.multi_touch, device.direct))
}

/// Parses `ABS (0003): …`, the first line of a kind of events.
fn kind_and_rest(line: &str) -> Option<(&str, &str)> {
    let (kind, rest) = line.split_once(" (")?;
    let (number, rest) = rest.split_once("):")?;
    let is_number = number.len() == 4 && number.chars().all(|c| c.is_ascii_hexdigit());
    (is_number && !kind.contains(' ')).then_some((kind, rest.trim()))
}

/// Parses `ABS_MT_POSITION_X : value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0`.
fn read_axis(line: &str, device: &mut InputDevice) {
    let Some(code) = line.split_whitespace().next() else { return };
    let number = |key: &str| -> Option<i32> {
        let (_, rest) = line.split_once(key)?;
        rest.split([',', ' ', '\t']).next()?.trim().parse().ok()
    };
    let (Some(min), Some(max)) = (number("min "), number("max ")) else { return };
    let range = Some(AxisRange { min, max });
    match code {
        "ABS_MT_POSITION_X" | "0035" => {
            device.x = range;
            device.multi_touch = true;
        }
        "ABS_MT_POSITION_Y" | "0036" => {
            device.y = range;
            device.multi_touch = true;
        }
        // A device with multi-touch reports one of the fingers in these axes as well.
        "ABS_X" | "0000" if !device.multi_touch => device.x = range,
        "ABS_Y" | "0001" if !device.multi_touch => device.y = range,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: &str = r#"add device 1: /dev/input/event4
  name:     "gpio-keys"
  events:
    KEY (0001): KEY_VOLUMEDOWN        KEY_VOLUMEUP          KEY_POWER
  input props:
    <none>
could not get driver version for /dev/input/mice, Not a typewriter
add device 2: /dev/input/event1
  name:     "fts_ts"
  events:
    KEY (0001): KEY_WAKEUP            BTN_TOOL_FINGER       BTN_TOUCH             01c7
    ABS (0003): ABS_X                 : value 0, min 0, max 4095, fuzz 0, flat 0, resolution 0
                ABS_Y                 : value 0, min 0, max 4095, fuzz 0, flat 0, resolution 0
                ABS_MT_SLOT           : value 0, min 0, max 9,		fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_X     : value 0, min -10, max 1079, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 2399, fuzz 0, flat 0, resolution 0
                003e                  : value 0, min 0, max -1, fuzz 0, flat 0, resolution 0
    SW  (0005): 0020*
  input props:
    INPUT_PROP_DIRECT
add device 3: /dev/input/event7
  name:     "Touchpad"
  events:
    ABS (0003): ABS_MT_POSITION_X     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_POINTER
"#;

    fn range(min: i32, max: i32) -> AxisRange {
        AxisRange { min, max }
    }

    #[test]
    fn the_touch_screen_is_found() {
        for text in [LABELS.to_owned(), LABELS.replace('\n', "\r\n")] {
            let devices = input_devices(&text);
            let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
            assert_eq!(names, ["gpio-keys", "fts_ts", "Touchpad"]);
            let screen = touch_screen(&devices).unwrap();
            assert_eq!(
                (screen.path.as_str(), screen.direct, screen.multi_touch),
                ("/dev/input/event1", true, true)
            );
            assert_eq!(screen.screen_axes(), Some((range(-10, 1079), range(0, 2399))));
        }
    }

    #[test]
    fn numbers_do_as_well_and_one_finger_too() {
        let numbers = "add device 7: /dev/input/event1\n  name:     \"x\"\n  events:\n    KEY (0001): \
            008f  0145  014a\n    \
            ABS (0003): 0000  : value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0\n                \
            0001  : value 0, min 0, max 2159, fuzz 0, flat 0, resolution 0\n";
        let devices = input_devices(numbers);
        assert_eq!(touch_screen(&devices).unwrap().screen_axes(), Some((range(0, 1079), range(0, 2159))));
        assert!(!devices[0].multi_touch);
        let old = "add device 1: /dev/input/event0\n    ABS (0003): 0035 value 0, min 0, max 1023, fuzz \
            0 flat 0\n        0036 value 0, min 0, max 599, fuzz 0 flat 0\n";
        assert_eq!(input_devices(old)[0].screen_axes(), Some((range(0, 1023), range(0, 599))));
    }

    #[test]
    fn of_two_screens_the_first_counts() {
        let two = LABELS.replace("Touchpad", "fts_ts 2").replace("POINTER", "DIRECT");
        assert_eq!(touch_screen(&input_devices(&two)).unwrap().name, "fts_ts");
        assert_eq!(touch_screen(&input_devices("nothing")), None);
        let flat = "add device 1: /dev/x\n ABS (0003): 0035 : value 0, min 5, max 5\n 0036 : value 0, \
            min 0, max 9\n";
        assert_eq!(touch_screen(&input_devices(flat)), None);
    }
}
