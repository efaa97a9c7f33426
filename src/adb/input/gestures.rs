//! Translates events to inputs, and inputs to lines for the device's shell or to actions of the agent.

use std::time::Duration;

use taproof_engine::agent::{Action, TouchPoint};
use taproof_screen::{Direction, Gesture, Key, Layout, PxPoint, PxRect, Rotation, WidgetFlags};

/// How long the finger stays down in a long press, in ms: well above Android's 500 ms.
const LONG_PRESS_MILLIS: u32 = 750;
/// Duration of a swipe in ms, short enough for Android to fling the content.
const SWIPE_MILLIS: u32 = 300;
/// Duration of a drag in ms, so slow that nothing keeps moving when the finger is lifted.
const DRAG_MILLIS: u32 = 1000;

/// Duration of a tap through the agent in ms. `input tap` takes none.
const TAP_MILLIS: u32 = 40;
/// The pressure of a touch for the agent.
const PRESSURE: u16 = 1000;

/// What is done to a device before its screen is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Nothing.
    Nothing,
    /// A tap.
    Tap(PxPoint),
    /// A finger goes down, moves to another point and is lifted after this time in ms.
    Swipe(PxPoint, PxPoint, u32),
    /// A key is pressed.
    Key(Key),
    /// The screen is turned and stays so.
    Rotate {
        /// The new rotation.
        to: Rotation,
        /// The shell lines for this, which write only what differs.
        lines: String,
    },
    /// The device is left alone for this time in ms.
    Wait(u64),
    /// These lines run in the shell.
    Lines(String),
}

impl Input {
    /// The shell lines for this input; empty for none. `sdk` is the API level of the device.
    pub(crate) fn lines(&self, sdk: u32) -> String {
        match self {
            Input::Nothing => String::new(),
            Input::Tap(at) => tap(*at),
            Input::Swipe(from, to, millis) => swipe(*from, *to, *millis),
            Input::Key(pressed) => key(*pressed),
            Input::Rotate { lines, .. } => lines.clone(),
            Input::Wait(millis) => wait(*millis, sdk < 23),
            Input::Lines(lines) => lines.clone(),
        }
    }

    /// How long the input itself takes.
    pub(crate) fn takes(&self) -> Duration {
        match self {
            Input::Wait(millis) => Duration::from_millis(*millis),
            Input::Swipe(_, _, millis) => Duration::from_millis(u64::from(*millis)),
            Input::Nothing | Input::Tap(_) | Input::Key(_) | Input::Rotate { .. } | Input::Lines(_) => {
                Duration::ZERO
            }
        }
    }

    /// The agent's action for this input; `None` for lines, which only a shell runs.
    pub(crate) fn action(&self) -> Option<Action> {
        Some(match self {
            Input::Nothing => Action::Look,
            Input::Tap(at) => touch(*at, *at, TAP_MILLIS),
            Input::Swipe(from, to, millis) => touch(*from, *to, *millis),
            Input::Key(pressed) => Action::Key { code: code(*pressed), meta: 0 },
            Input::Rotate { to, .. } => Action::Rotate(to.0),
            Input::Wait(millis) => Action::Wait(u32::try_from(*millis).unwrap_or(u32::MAX)),
            Input::Lines(_) => return None,
        })
    }
}

fn touch(from: PxPoint, to: PxPoint, millis: u32) -> Action {
    let point = |at, millis| TouchPoint { at, millis, pressure: PRESSURE };
    Action::Touch(vec![point(from, 0), point(to, millis)])
}

/// The input for a gesture; `None` for entering text, which is done separately.
pub(crate) fn gesture(at: PxPoint, gesture: &Gesture, layout: &Layout) -> Option<Input> {
    match gesture {
        Gesture::Tap => Some(Input::Tap(at)),
        Gesture::LongPress => Some(Input::Swipe(at, at, LONG_PRESS_MILLIS)),
        Gesture::Swipe(direction) => {
            let (from, to) = swipe_over(area_of(at, layout), at, *direction);
            Some(Input::Swipe(from, to, SWIPE_MILLIS))
        }
        Gesture::Drag(to) => Some(Input::Swipe(at, *to, DRAG_MILLIS)),
        Gesture::SetText(_) => None,
    }
}

pub(crate) fn tap(at: PxPoint) -> String {
    format!("input tap {} {}", at.x, at.y)
}

fn swipe(from: PxPoint, to: PxPoint, millis: u32) -> String {
    format!("input swipe {} {} {} {} {millis}", from.x, from.y, to.x, to.y)
}

/// The area that a swipe at the point moves: the smallest scrollable widget there, else the screen.
fn area_of(at: PxPoint, layout: &Layout) -> PxRect {
    let stack = layout.stack_at(at);
    let scrolls = stack.iter().rev().map(|idx| layout.widget(*idx));
    let inner =
        scrolls.filter(|widget| widget.flags.has(WidgetFlags::SCROLLABLE)).map(|widget| widget.bounds);
    let screen = layout.screen();
    inner.min_by_key(PxRect::area).unwrap_or(PxRect::new(0, 0, screen.width, screen.height))
}

/// The start and end of a swipe over four fifths of the area, around its middle, so that the finger neither starts nor
/// ends at its edges.
fn swipe_over(area: PxRect, at: PxPoint, direction: Direction) -> (PxPoint, PxPoint) {
    let middle = area.center();
    let (high, wide) = (area.height() * 4 / 5, area.width() * 4 / 5);
    let bottom = PxPoint { x: at.x, y: middle.y + high / 2 };
    let top = PxPoint { x: at.x, y: bottom.y - high };
    let right = PxPoint { x: middle.x + wide / 2, y: at.y };
    let left = PxPoint { x: right.x - wide, y: at.y };
    match direction {
        Direction::Up => (bottom, top),
        Direction::Down => (top, bottom),
        Direction::Left => (right, left),
        Direction::Right => (left, right),
    }
}

pub(crate) fn key(key: Key) -> String {
    format!("input keyevent {}", code(key))
}

/// Android's key code, known to every release. The keyboard's action key arrives as Enter.
fn code(key: Key) -> u32 {
    match key {
        Key::Home => 3,
        Key::Back => 4,
        Key::DpadUp => 19,
        Key::DpadDown => 20,
        Key::DpadLeft => 21,
        Key::DpadRight => 22,
        Key::DpadCenter => 23,
        Key::VolumeUp => 24,
        Key::VolumeDown => 25,
        Key::Tab => 61,
        Key::ImeAction | Key::Enter => 66,
        Key::Delete => 67,
        Key::Menu => 82,
        Key::Search => 84,
        Key::Recents => 187,
    }
}

/// Lines that move the cursor to the end of the line in a text field and delete `characters` characters on both sides
/// of it, fifty per command since old devices take no long lines. None if there is nothing to delete.
pub(crate) fn erase(characters: usize) -> String {
    const AT_ONCE: usize = 50;
    let mut lines = Vec::new();
    for start in (0..characters).step_by(AT_ONCE) {
        let (end, count) = (if start == 0 { " 123" } else { "" }, AT_ONCE.min(characters - start));
        lines.push(format!("input keyevent{end}{}{}", " 67".repeat(count), " 112".repeat(count)));
    }
    lines.join("\n")
}

/// Lines that rotate the screen and lock it in that rotation, unless it is `locked` in another one already.
pub(crate) fn rotate(to: Rotation, locked: bool) -> String {
    let lock = if locked { "" } else { "settings put system accelerometer_rotation 0\n" };
    format!("{lock}settings put system user_rotation {}", to.0)
}

/// A line that waits on the device. With `whole` the time is rounded up to seconds, since `sleep` on old devices takes
/// no fractions.
pub(crate) fn wait(millis: u64, whole: bool) -> String {
    if whole {
        format!("sleep {}", millis.div_ceil(1000))
    } else {
        format!("sleep {}.{:03}", millis / 1000, millis % 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn a_swipe_stays_inside_what_it_moves() {
        let area = PxRect::new(0, 200, 1000, 1200);
        let at = PxPoint { x: 300, y: 400 };
        let (from, to) = swipe_over(area, at, Direction::Up);
        assert_eq!((from, to), (PxPoint { x: 300, y: 1100 }, PxPoint { x: 300, y: 300 }));
        let (from, to) = swipe_over(area, at, Direction::Right);
        assert_eq!((from, to), (PxPoint { x: 100, y: 400 }, PxPoint { x: 900, y: 400 }));
    }

    #[test]
    fn gestures_read_as_shell_lines() {
        let layout = layout_from("FrameLayout\n");
        let at = PxPoint { x: 10, y: 20 };
        let line = |what: &Gesture| gesture(at, what, &layout).map(|input| input.lines(30));
        assert_eq!(line(&Gesture::Tap).unwrap(), "input tap 10 20");
        assert_eq!(line(&Gesture::LongPress).unwrap(), "input swipe 10 20 10 20 750");
        assert_eq!(line(&Gesture::SetText("x".to_owned())), None);
        assert_eq!(key(Key::Back), "input keyevent 4");
        assert_eq!(erase(2), "input keyevent 123 67 67 112 112");
        assert_eq!(erase(0), "");
        assert_eq!((erase(250).matches(" 67").count(), erase(250).matches(" 123").count()), (250, 1));
        assert_eq!(wait(1500, false), "sleep 1.500");
        assert_eq!(wait(1500, true), "sleep 2");
    }
}
