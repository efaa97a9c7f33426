//! Parses strokes and key presses from the output of a running `getevent -lt`.

use std::collections::{BTreeMap, BTreeSet};

use super::super::lines::LineFeed;
use super::event_line::{Code, InputEvent, input_event};
use super::fingers::{FingerChange, Fingers};
use super::input_devices::{AxisRange, InputDevice, touch_screen};
use super::panel::{Panel, ScreenView};
use taproof_screen::Key;

/// Limit on the points of a stroke; beyond it the last point is replaced.
const MOST_POINTS: usize = 10_000;

/// A place on the screen in its current rotation, in the pixels that apps use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Pixels from the left edge.
    pub x: i32,
    /// Pixels from the top edge.
    pub y: i32,
}

/// The position of a finger at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchPoint {
    /// The place on the screen.
    pub at: Spot,
    /// Microseconds since the kernel started.
    pub micros: u64,
}

/// The movement of one finger from down to up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// Where and when the finger came down.
    pub down: TouchPoint,
    /// The points that it moved to; empty for a finger that rested.
    pub moves: Vec<TouchPoint>,
    /// When it was lifted, in microseconds since the kernel started.
    pub up_micros: u64,
    /// Whether no other finger was down meanwhile.
    pub alone: bool,
    /// Whether the kernel lost the finger or took it for a palm, so that the rest of its movement is unknown.
    pub lost: bool,
}

/// Something that was done on the device itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TouchEvent {
    /// A finger came down: it was meant for what the screen showed until now.
    Down(TouchPoint),
    /// A finger was lifted.
    Stroke(Stroke),
    /// A key was pressed and released.
    Key(Key),
}

/// Converts the output of `getevent -lt` to strokes and key presses as it arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchReader {
    feed: LineFeed,
    view: ScreenView,
    screens: BTreeMap<String, Screen>,
    /// The keys that are down.
    keys: BTreeSet<Key>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Screen {
    x: AxisRange,
    y: AxisRange,
    fingers: Fingers,
    open: BTreeMap<u64, OpenStroke>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct OpenStroke {
    /// The panel at the start of the stroke, used until its end even if the screen is rotated meanwhile.
    panel: Panel,
    stroke: Stroke,
}

impl TouchReader {
    /// Creates a reader that follows all touch screens among these devices.
    pub fn new(devices: &[InputDevice], view: ScreenView) -> Self {
        let screen = |device: &InputDevice| {
            let (x, y) = device.screen_axes()?;
            Some(Screen { x, y, fingers: Fingers::default(), open: BTreeMap::new() })
        };
        let mut screens: BTreeMap<String, Screen> =
            devices.iter().filter_map(|device| Some((device.path.clone(), screen(device)?))).collect();
        // If `getevent` was given a single device, it does not print the path.
        screens.extend(touch_screen(devices).and_then(screen).map(|screen| (String::new(), screen)));
        TouchReader { feed: LineFeed::default(), view, screens, keys: BTreeSet::new() }
    }

    /// Sets a new rotation or size of the screen for fingers that come down from now on.
    pub fn set_view(&mut self, view: ScreenView) {
        self.view = view;
    }

    /// Takes the next bytes and returns the events that they complete.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<TouchEvent> {
        let lines = self.feed.feed(bytes);
        lines.iter().filter_map(|line| input_event(line)).flat_map(|event| self.event(&event)).collect()
    }

    fn event(&mut self, event: &InputEvent<'_>) -> Vec<TouchEvent> {
        if let Code::Key(key) = &event.code {
            return self.key(*key, event.value).map(TouchEvent::Key).into_iter().collect();
        }
        let view = self.view;
        let Some(screen) = self.screens.get_mut(event.device) else { return Vec::new() };
        let changes = screen.fingers.push(&event.code, event.value);
        changes.into_iter().filter_map(|change| screen.change(change, event.micros, view)).collect()
    }

    /// Returns the key if it was released. A key repeats while it is held.
    fn key(&mut self, key: Key, value: i32) -> Option<Key> {
        match value {
            0 => self.keys.take(&key),
            1 => {
                self.keys.insert(key);
                None
            }
            _ => None,
        }
    }
}

impl Screen {
    fn change(&mut self, change: FingerChange, micros: u64, view: ScreenView) -> Option<TouchEvent> {
        match change {
            FingerChange::Down { finger, x, y } => {
                let panel = Panel { x: self.x, y: self.y, view };
                let down = TouchPoint { at: panel.spot(x, y), micros };
                let alone = self.open.is_empty();
                self.open.values_mut().for_each(|open| open.stroke.alone = false);
                let stroke = Stroke { down, moves: Vec::new(), up_micros: micros, alone, lost: false };
                self.open.insert(finger, OpenStroke { panel, stroke });
                Some(TouchEvent::Down(down))
            }
            FingerChange::Move { finger, x, y } => {
                let OpenStroke { panel, stroke } = self.open.get_mut(&finger)?;
                let point = TouchPoint { at: panel.spot(x, y), micros };
                if stroke.moves.len() >= MOST_POINTS {
                    stroke.moves.pop();
                }
                stroke.moves.push(point);
                None
            }
            FingerChange::Up { finger } => self.end(finger, micros, false),
            FingerChange::Lost { finger } => self.end(finger, micros, true),
        }
    }

    fn end(&mut self, finger: u64, micros: u64, lost: bool) -> Option<TouchEvent> {
        let OpenStroke { stroke, .. } = self.open.remove(&finger)?;
        Some(TouchEvent::Stroke(Stroke { up_micros: micros, lost, ..stroke }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::screen::Extent;
    use super::super::super::touches::{TouchGesture, TouchThresholds, gesture, input_devices};
    use super::*;

    const DEVICES: &str = "add device 1: /dev/input/event2\n  name:     \"fts_ts\"\n  events:\n    \
        ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0\n                \
        ABS_MT_POSITION_X     : value 0, min 0, max 4319, fuzz 0, flat 0, resolution 0\n                \
        ABS_MT_POSITION_Y     : value 0, min 0, max 9599, fuzz 0, flat 0, resolution 0\n  input \
        props:\n    INPUT_PROP_DIRECT\n";

    fn reader(rotation: u8) -> TouchReader {
        let size = Extent { width: 1080, height: 2400 };
        TouchReader::new(&input_devices(DEVICES), ScreenView { physical: size, logical: size, rotation })
    }

    /// The output of `getevent -lt` in parts that break lines.
    fn feed(reader: &mut TouchReader, text: &str) -> Vec<TouchEvent> {
        let text = text.replace('\n', "\r\n");
        text.as_bytes().chunks(37).flat_map(|part| reader.feed(part)).collect()
    }

    const TAP: &str = "\
[    1000.000100] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   00000f2a            
[    1000.000100] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    000007d0            
[    1000.000100] /dev/input/event2: EV_ABS       ABS_MT_POSITION_Y    00000fa0            
[    1000.000100] /dev/input/event2: EV_KEY       BTN_TOUCH            DOWN                
[    1000.000100] /dev/input/event2: EV_SYN       SYN_REPORT           00000000            
[    1000.060100] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff            
[    1000.060100] /dev/input/event2: EV_KEY       BTN_TOUCH            UP                  
[    1000.060100] /dev/input/event2: EV_SYN       SYN_REPORT           00000000            
";

    fn point(x: i32, y: i32, micros: u64) -> TouchPoint {
        TouchPoint { at: Spot { x, y }, micros }
    }

    #[test]
    fn a_tap_comes_through() {
        let mut upright = reader(0);
        let down = point(500, 1000, 1_000_000_100);
        let stroke = Stroke { down, moves: Vec::new(), up_micros: 1_000_060_100, alone: true, lost: false };
        assert_eq!(feed(&mut upright, TAP), [TouchEvent::Down(down), TouchEvent::Stroke(stroke.clone())]);
        let thresholds = TouchThresholds::at_density(420);
        assert_eq!(gesture(&stroke, &thresholds), Some(TouchGesture::Tap { at: Spot { x: 500, y: 1000 } }));
        // The same place on a rotated screen.
        let turned = feed(&mut reader(1), TAP);
        assert_eq!(turned[0], TouchEvent::Down(point(1000, 579, 1_000_000_100)));
        // If only one device is listened to, it is not named; codes as numbers work as well.
        let bare =
            TAP.replace("/dev/input/event2: ", "").replace("EV_ABS       ABS_MT_POSITION_X ", "0003 0035 ");
        assert_eq!(feed(&mut reader(0), &bare).len(), 2);
        // Devices other than touch screens are ignored.
        assert_eq!(feed(&mut reader(0), &TAP.replace("event2", "event3")), []);
    }

    #[test]
    fn two_fingers_are_not_alone_and_a_turn_waits_for_the_next() {
        let text = "\
[ 1.000000] EV_ABS ABS_MT_SLOT 00000000
[ 1.000000] EV_ABS ABS_MT_TRACKING_ID 00000001
[ 1.000000] EV_ABS ABS_MT_POSITION_X 00000190
[ 1.000000] EV_ABS ABS_MT_POSITION_Y 00000190
[ 1.000000] EV_SYN SYN_REPORT 00000000
";
        let more = "\
[ 1.100000] EV_ABS ABS_MT_SLOT 00000001
[ 1.100000] EV_ABS ABS_MT_TRACKING_ID 00000002
[ 1.100000] EV_ABS ABS_MT_POSITION_X 00000320
[ 1.100000] EV_ABS ABS_MT_POSITION_Y 00000320
[ 1.100000] EV_SYN SYN_REPORT 00000000
[ 1.200000] EV_ABS ABS_MT_SLOT 00000000
[ 1.200000] EV_ABS ABS_MT_POSITION_X 000001f4
[ 1.200000] EV_SYN SYN_REPORT 00000000
[ 1.300000] EV_ABS ABS_MT_TRACKING_ID ffffffff
[ 1.300000] EV_ABS ABS_MT_SLOT 00000001
[ 1.300000] EV_ABS ABS_MT_TRACKING_ID ffffffff
[ 1.300000] EV_SYN SYN_REPORT 00000000
";
        let mut reader = reader(0);
        assert_eq!(feed(&mut reader, text), [TouchEvent::Down(point(100, 100, 1_000_000))]);
        reader.set_view(ScreenView { rotation: 1, ..reader.view });
        let events = feed(&mut reader, more);
        assert_eq!(events[0], TouchEvent::Down(point(200, 879, 1_100_000)));
        let first = Stroke {
            down: point(100, 100, 1_000_000),
            moves: vec![point(125, 100, 1_200_000)],
            up_micros: 1_300_000,
            alone: false,
            lost: false,
        };
        assert_eq!(events[1], TouchEvent::Stroke(first));
        assert!(matches!(&events[2], TouchEvent::Stroke(stroke) if !stroke.alone && stroke.moves.is_empty()));
        assert_eq!(events.len(), 3);
    }

    #[test]
    fn keys_are_pressed_and_let_go() {
        let text = "\
[ 2.000000] /dev/input/event4: EV_KEY KEY_MENU DOWN
[ 2.000000] /dev/input/event4: EV_SYN SYN_REPORT 00000000
[ 2.400000] /dev/input/event4: EV_KEY KEY_MENU REPEAT
[ 2.500000] /dev/input/event4: EV_KEY KEY_MENU UP
[ 2.600000] /dev/input/event4: EV_KEY KEY_BACK UP
[ 3.000000] /dev/input/event4: 0001 00ac 00000001
[ 3.100000] /dev/input/event4: 0001 00ac 00000000
";
        assert_eq!(feed(&mut reader(0), text), [Key::Menu, Key::Home].map(TouchEvent::Key));
    }

    #[test]
    fn an_endless_stroke_is_bounded() {
        let mut reader = reader(0);
        let begin: String = TAP.lines().take(5).map(|line| format!("{line}\n")).collect();
        feed(&mut reader, &begin);
        for step in 0..25_000 {
            let x = step % 4000;
            let line = format!("[ 1001.{step:06}] /dev/input/event2:");
            feed(
                &mut reader,
                &format!("{line} EV_ABS ABS_MT_POSITION_X {x:08x}\n{line} EV_SYN SYN_REPORT 0\n"),
            );
        }
        let end: String = TAP.lines().skip(5).map(|line| format!("{line}\n")).collect();
        let events = feed(&mut reader, &end);
        assert!(matches!(&events[..], [TouchEvent::Stroke(stroke)] if stroke.moves.len() == MOST_POINTS));
    }
}
