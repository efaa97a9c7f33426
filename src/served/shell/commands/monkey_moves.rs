//! The random events of `monkey`.

use super::keycodes::code_of;
use taproof_core::determinism::Rng;
use taproof_core::model::{Event, Gesture, Key, PxPoint, PxSize, Selector, TouchTarget};

/// The share of each kind of event, in percent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chances([f64; 12]);

/// The options with Android's default percentages. Events for rotations and permissions never occur.
const KINDS: [(&str, f64); 12] = [
    ("--pct-touch", 15.0),
    ("--pct-motion", 10.0),
    ("--pct-pinchzoom", 2.0),
    ("--pct-trackball", 15.0),
    ("--pct-rotation", 0.0),
    ("--pct-permission", 0.0),
    ("--pct-nav", 25.0),
    ("--pct-majornav", 15.0),
    ("--pct-syskeys", 2.0),
    ("--pct-appswitch", 2.0),
    ("--pct-flip", 1.0),
    ("--pct-anyevent", 13.0),
];

impl Default for Chances {
    fn default() -> Self {
        Chances(KINDS.map(|(_, percent)| percent))
    }
}

impl Chances {
    /// Sets a percentage and scales the others to fill the rest. Returns false for an unknown kind.
    pub fn set(&mut self, option: &str, percent: f64) -> bool {
        let Some(chosen) = KINDS.iter().position(|(known, _)| *known == option) else { return false };
        let percent = if percent.is_finite() { percent.clamp(0.0, 100.0) } else { 0.0 };
        let others: f64 =
            self.0.iter().enumerate().filter(|(place, _)| *place != chosen).map(|(_, share)| share).sum();
        for (place, share) in self.0.iter_mut().enumerate() {
            if place == chosen {
                *share = percent;
            } else if others > 0.0 {
                *share *= (100.0 - percent) / others;
            }
        }
        true
    }

    /// The percentages, in the order of Android's numbering.
    pub fn percents(&self) -> [f64; 12] {
        self.0
    }
}

/// One action to perform.
pub(super) enum Move {
    Switch,
    Event(Box<Event>),
}

/// The sequence of random events in one run.
pub(super) struct Moves {
    rng: Rng,
    chances: Chances,
    text: String,
    detail: String,
}

const NAVIGATION: [Key; 4] = [Key::DpadUp, Key::DpadDown, Key::DpadLeft, Key::DpadRight];
const MAJOR: [Key; 2] = [Key::Menu, Key::DpadCenter];
/// Keys that would leave the app are rejected if packages are given, so they are missing here.
const SYSTEM: [Key; 3] = [Key::Back, Key::VolumeUp, Key::VolumeDown];
const ANY: [Key; 6] = [Key::Enter, Key::Tab, Key::Delete, Key::Search, Key::Menu, Key::DpadCenter];

impl Moves {
    pub fn new(seed: u64, chances: Chances) -> Moves {
        Moves {
            rng: Rng::from_seed(seed).fork("monkey"),
            chances,
            text: String::new(),
            detail: String::new(),
        }
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        self.rng.pick(items)
    }

    /// The message about the last move. Keys are only mentioned if `verbose` is above 1.
    pub fn text(&self, verbose: u32) -> String {
        if verbose > 1 { format!("{}{}", self.text, self.detail) } else { self.text.clone() }
    }

    /// Draws the next action on a screen of this size.
    pub fn next(&mut self, screen: PxSize) -> Move {
        const TENTHS: usize = 1000;
        let drawn = self.rng.below(TENTHS) as f64 / 10.0;
        let mut sum = 0.0;
        let kind = self.chances.0.iter().position(|share| {
            sum += share;
            drawn < sum
        });
        match kind.unwrap_or(0) {
            0 => {
                let at = self.point(screen);
                self.touch("Touch", at, at);
                Move::Event(Box::new(on(at, screen, Gesture::Tap)))
            }
            1 | 2 => {
                let (at, to) = (self.point(screen), self.point(screen));
                self.touch("Touch", at, to);
                Move::Event(Box::new(on(at, screen, Gesture::Drag(to))))
            }
            3 => {
                let moved = self.key(&NAVIGATION);
                let (x, y) = (self.rng.below(11) as i32 - 5, self.rng.below(11) as i32 - 5);
                self.text = format!(":Sending Trackball (ACTION_MOVE): 0:({x}.0,{y}.0)\n");
                self.detail.clear();
                moved
            }
            6 => self.key(&NAVIGATION),
            7 => self.key(&MAJOR),
            8 => self.key(&SYSTEM),
            9 => Move::Switch,
            _ => self.key(&ANY),
        }
    }

    fn point(&mut self, screen: PxSize) -> PxPoint {
        let mut within = |size: i32| i32::try_from(self.rng.below(size.max(1) as usize)).unwrap_or(0);
        PxPoint { x: within(screen.width), y: within(screen.height) }
    }

    fn touch(&mut self, what: &str, at: PxPoint, to: PxPoint) {
        self.detail.clear();
        self.text = format!(
            ":Sending {what} (ACTION_DOWN): 0:({}.0,{}.0)\n:Sending {what} (ACTION_UP): 0:({}.0,{}.0)\n",
            at.x, at.y, to.x, to.y
        );
    }

    fn key(&mut self, keys: &[Key]) -> Move {
        let key = self.rng.pick(keys).copied().unwrap_or(Key::DpadDown);
        let name = key.android_name();
        let code = code_of(name.trim_start_matches("KEYCODE_"));
        self.text.clear();
        self.detail = format!(
            ":Sending Key (ACTION_DOWN): {code}    // {name}\n:Sending Key (ACTION_UP): {code}    // {name}\n"
        );
        Move::Event(Box::new(Event::Key(key)))
    }
}

fn on(at: PxPoint, screen: PxSize, gesture: Gesture) -> Event {
    Event::Widget { target: TouchTarget { selector: Selector::default(), at, screen }, gesture }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_is_one_play() {
        let screen = PxSize { width: 100, height: 200 };
        let play = |seed| {
            let mut moves = Moves::new(seed, Chances::default());
            let mut told = String::new();
            for _ in 0..50 {
                moves.next(screen);
                told += &moves.text(2);
            }
            told
        };
        assert_eq!(play(7), play(7));
        assert_ne!(play(7), play(8));
    }

    #[test]
    fn a_percentage_leaves_the_rest_to_the_others() {
        let mut chances = Chances::default();
        assert!(chances.set("--pct-touch", 100.0));
        assert!(!chances.set("--pct-nope", 1.0));
        let mut moves = Moves::new(1, chances);
        let screen = PxSize { width: 10, height: 10 };
        let taps = |found: Move| match found {
            Move::Event(event) => matches!(*event, Event::Widget { gesture: Gesture::Tap, .. }),
            Move::Switch => false,
        };
        assert!((0..100).all(|_| taps(moves.next(screen))));
    }
}
