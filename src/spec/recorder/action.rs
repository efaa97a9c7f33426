//! Which action of a DMF says an event.

use crate::{Action, Input};
use taproof_screen::{Event, Gesture, Key};

/// The action that says an event, with its numbers; `None` where the format has none.
pub(super) fn action(event: &Event, sideways: &mut bool) -> Option<(Action, Input)> {
    Some(match event {
        Event::Widget { gesture, .. } => gesture_action(gesture, event),
        Event::Type(_) => (Action::Edit, Input::None),
        Event::Key(Key::Back) => (Action::Back, Input::None),
        Event::Key(Key::Home) => (Action::Home, Input::None),
        Event::Key(Key::ImeAction | Key::Enter) => (Action::ImeAction, Input::None),
        Event::Key(
            Key::Recents
            | Key::Delete
            | Key::Menu
            | Key::Tab
            | Key::DpadUp
            | Key::DpadDown
            | Key::DpadLeft
            | Key::DpadRight
            | Key::DpadCenter
            | Key::Search
            | Key::VolumeUp
            | Key::VolumeDown,
        )
        | Event::System(_)
        | Event::OpenLink(_) => return None,
        Event::Rotate => {
            *sideways = !*sideways;
            (if *sideways { Action::RotateLeft } else { Action::RotateNatural }, Input::None)
        }
        Event::Wait(time) => (Action::Sleep, Input::Literal(time.millis().div_ceil(1000).to_string())),
        Event::Relaunch => (Action::Start, Input::None),
    })
}

fn gesture_action(gesture: &Gesture, event: &Event) -> (Action, Input) {
    match gesture {
        Gesture::Tap => (Action::Click, Input::None),
        Gesture::LongPress => (Action::LongClick, Input::None),
        Gesture::SetText(_) => (Action::Edit, Input::None),
        Gesture::Swipe(direction) => (Action::Scroll(*direction), Input::None),
        Gesture::Drag(to) => {
            let from = match event {
                Event::Widget { target, .. } => target.at,
                _ => *to,
            };
            (Action::Drag, Input::Literal(format!("{},{},{},{}", from.x, from.y, to.x, to.y)))
        }
    }
}
