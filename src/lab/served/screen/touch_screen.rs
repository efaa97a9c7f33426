//! The served phone's touch screen at the level of the kernel: `sendevent` writes events that move a finger, and
//! `getevent` prints them.

use std::collections::VecDeque;

use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{Gesture, PxPoint};

/// A finger that moves up to this distance counts as resting, in pixels.
const SLOP: i32 = 24;
/// How long a finger rests for a long press, in milliseconds.
pub(crate) const LONG_PRESS: u64 = 500;
/// Limit on the stored events; the oldest are dropped. A reader that follows them polls often.
const MOST_KEPT: usize = 4096;

pub const EV_SYN: u16 = 0;
pub const EV_KEY: u16 = 1;
pub const EV_ABS: u16 = 3;
pub(crate) const KEY_HOME: u16 = 102;
pub(crate) const KEY_BACK: u16 = 158;
pub(crate) const ABS_MT_POSITION_X: u16 = 0x35;
pub(crate) const ABS_MT_POSITION_Y: u16 = 0x36;
pub(crate) const ABS_MT_TRACKING_ID: u16 = 0x39;

/// The names of event codes that `getevent -l` prints.
pub const LABELS: [(u16, u16, &str); 9] = [
    (EV_SYN, 0, "SYN_REPORT"),
    (EV_KEY, 0x14a, "BTN_TOUCH"),
    (EV_KEY, KEY_HOME, "KEY_HOME"),
    (EV_KEY, KEY_BACK, "KEY_BACK"),
    (EV_ABS, 0x2f, "ABS_MT_SLOT"),
    (EV_ABS, ABS_MT_POSITION_X, "ABS_MT_POSITION_X"),
    (EV_ABS, ABS_MT_POSITION_Y, "ABS_MT_POSITION_Y"),
    (EV_ABS, ABS_MT_TRACKING_ID, "ABS_MT_TRACKING_ID"),
    (EV_ABS, 0x3a, "ABS_MT_PRESSURE"),
];

/// One event of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputEvent {
    /// The time of the event, in microseconds since the phone was switched on.
    pub micros: u64,
    /// The type of the event: `EV_SYN`, `EV_KEY` or `EV_ABS`.
    pub kind: u16,
    /// The code within that type, such as `ABS_MT_POSITION_X`.
    pub code: u16,
    /// A coordinate, a tracking id, or 1 for down and 0 for up.
    pub value: i32,
}

/// A finger on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finger {
    /// The point where the finger came down.
    pub start: PxPoint,
    /// When the finger came down, by the device's clock.
    pub at: DeviceInstant,
    /// How often it was moved.
    pub(crate) moves: u32,
    /// Whether it was ever away from where it came down.
    strayed: bool,
}

impl Finger {
    /// A finger that comes down.
    pub(crate) fn down(start: PxPoint, at: DeviceInstant) -> Finger {
        Finger { start, at, moves: 0, strayed: false }
    }

    /// Moves the finger.
    pub(crate) fn moved(&mut self, to: PxPoint) {
        self.moves = self.moves.saturating_add(1);
        self.strayed |= (self.start.x - to.x).abs() > SLOP || (self.start.y - to.y).abs() > SLOP;
    }

    /// What the finger did if it is lifted here after so many milliseconds.
    pub(crate) fn lifted(mut self, to: PxPoint, millis: u64) -> Gesture {
        self.moved(to);
        match (self.strayed, millis >= LONG_PRESS) {
            (true, _) => Gesture::Drag(to),
            (false, true) => Gesture::LongPress,
            (false, false) => Gesture::Tap,
        }
    }
}

/// The touch screen, which tracks one finger at a time.
#[derive(Clone, Debug, Default)]
pub struct TouchScreen {
    events: VecDeque<InputEvent>,
    /// The number of the first stored event.
    first: u64,
    pub(crate) x: i32,
    pub(crate) y: i32,
    /// The kernel's tracking id of the finger that is down, if reported.
    pub(crate) tracked: Option<i32>,
    /// The finger that the kernel's events have put down.
    pub(crate) finger: Option<Finger>,
    /// The finger that a client of the uiautomator2 server has put down.
    pub(crate) injected: Option<Finger>,
}

impl TouchScreen {
    /// The number of the next event.
    pub(crate) fn next_number(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    /// The stored events from this number on.
    pub(crate) fn since(&self, number: u64) -> impl Iterator<Item = &InputEvent> {
        let skipped = usize::try_from(number.saturating_sub(self.first)).unwrap_or(usize::MAX);
        self.events.iter().skip(skipped)
    }

    /// Adds an event, dropping the oldest one beyond the limit.
    pub(crate) fn push(&mut self, event: InputEvent) {
        self.events.push_back(event);
        if self.events.len() > MOST_KEPT {
            self.events.pop_front();
            self.first += 1;
        }
    }
}

/// What a finger does that moves straight to a point in so many milliseconds.
pub(crate) fn gesture_of(from: PxPoint, to: PxPoint, millis: u64) -> Gesture {
    Finger::down(from, DeviceInstant(0)).lifted(to, millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_finger_does_depends_on_way_and_time() {
        let at = |x, y| PxPoint { x, y };
        assert_eq!(gesture_of(at(5, 5), at(9, 9), 300), Gesture::Tap);
        assert_eq!(gesture_of(at(5, 5), at(5, 5), 500), Gesture::LongPress);
        assert_eq!(gesture_of(at(5, 500), at(5, 100), 2000), Gesture::Drag(at(5, 100)));
    }
}
