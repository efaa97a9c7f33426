//! The served phone's touch screen as its kernel gives it: what `sendevent` writes moves a finger, and `getevent` shows it.

use std::collections::VecDeque;

use super::served::{Finger, State};
use taproof_core::device::DeviceError;
use taproof_core::model::{Event, Gesture, Key, PxPoint, PxSize, Rotation};

/// A finger that moves less than this has not moved, in pixels.
const SLOP: i32 = 24;
/// A finger that stays this long presses long, in milliseconds.
const LONG_PRESS: u64 = 500;
/// Who follows the events reads them often.
const MOST_KEPT: usize = 4096;

pub const EV_SYN: u16 = 0;
pub const EV_KEY: u16 = 1;
pub const EV_ABS: u16 = 3;
const KEY_HOME: u16 = 102;
const KEY_BACK: u16 = 158;
const ABS_MT_POSITION_X: u16 = 0x35;
const ABS_MT_POSITION_Y: u16 = 0x36;
const ABS_MT_TRACKING_ID: u16 = 0x39;

/// Names of codes, as `getevent -l` knows them.
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
    /// Since the phone was switched on.
    pub micros: u64,
    /// `EV_…`.
    pub kind: u16,
    /// What of that kind.
    pub code: u16,
    /// How far, or which.
    pub value: i32,
}

/// The touch screen: one finger at a time.
#[derive(Clone, Debug, Default)]
pub struct TouchScreen {
    events: VecDeque<InputEvent>,
    /// The number of the first event that is kept.
    first: u64,
    x: i32,
    y: i32,
    /// The kernel's number of the finger that is down, as far as it was told.
    tracked: Option<i32>,
    finger: Option<Finger>,
}

impl TouchScreen {
    /// The number that the next event gets.
    pub fn next_number(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    /// The events from a number on, as far as they are kept.
    pub fn since(&self, number: u64) -> impl Iterator<Item = &InputEvent> {
        let skipped = usize::try_from(number.saturating_sub(self.first)).unwrap_or(usize::MAX);
        self.events.iter().skip(skipped)
    }

    fn keep(&mut self, event: InputEvent) {
        self.events.push_back(event);
        if self.events.len() > MOST_KEPT {
            self.events.pop_front();
            self.first += 1;
        }
    }
}

impl State {
    /// What a hand does on the phone: one event of its touch screen or of a key.
    pub fn by_hand(&mut self, kind: u16, code: u16, value: i32) -> Result<(), DeviceError> {
        let now = self.device.now();
        self.touch_screen.keep(InputEvent { micros: now.0 * 1000, kind, code, value });
        let screen = &mut self.touch_screen;
        match (kind, code) {
            (EV_ABS, ABS_MT_POSITION_X) => screen.x = value,
            (EV_ABS, ABS_MT_POSITION_Y) => screen.y = value,
            (EV_ABS, ABS_MT_TRACKING_ID) => screen.tracked = Some(value).filter(|id| *id >= 0),
            (EV_KEY, KEY_BACK) if value == 0 => return self.input(&Event::Key(Key::Back)),
            (EV_KEY, KEY_HOME) if value == 0 => return self.input(&Event::Key(Key::Home)),
            (EV_SYN, _) => {
                let panel = PxPoint { x: screen.x, y: screen.y };
                let (down, finger) = (screen.tracked.is_some(), screen.finger);
                let at = self.on_screen(panel)?;
                match (down, finger) {
                    (true, None) => self.touch_screen.finger = Some(Finger { start: at, at: now }),
                    (false, Some(finger)) => {
                        self.touch_screen.finger = None;
                        let held = now.since(finger.at).millis();
                        self.gesture(finger.start, gesture_of(finger.start, at, held))?;
                    }
                    (true, Some(_)) | (false, None) => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A point of the upright panel on the screen as it is turned.
    fn on_screen(&mut self, panel: PxPoint) -> Result<PxPoint, DeviceError> {
        let PxSize { width, height } = self.device.info().screen;
        Ok(match self.layout()?.rotation() {
            Rotation(1) => PxPoint { x: panel.y, y: width - 1 - panel.x },
            Rotation(2) => PxPoint { x: width - 1 - panel.x, y: height - 1 - panel.y },
            Rotation(3) => PxPoint { x: height - 1 - panel.y, y: panel.x },
            Rotation(_) => panel,
        })
    }
}

/// What a finger does that was put down, drawn and lifted.
pub(super) fn gesture_of(from: PxPoint, to: PxPoint, millis: u64) -> Gesture {
    let stays = (from.x - to.x).abs() <= SLOP && (from.y - to.y).abs() <= SLOP;
    match (stays, millis >= LONG_PRESS) {
        (true, true) => Gesture::LongPress,
        (true, false) => Gesture::Tap,
        (false, _) => Gesture::Drag(to),
    }
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
