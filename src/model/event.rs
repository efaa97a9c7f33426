//! One input to the device.

use super::{Layout, PxPoint, PxSize, Resolved, Selector};
use crate::determinism::DeviceDuration;

/// One input to the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A gesture on a widget.
    Widget {
        /// What it is done to.
        target: Target,
        /// What is done.
        gesture: Gesture,
    },
    /// Text typed on the keyboard into the field that has the focus; nothing happens without one.
    Type(String),
    /// A key.
    Key(Key),
    /// The device is turned: portrait to landscape, or back.
    Rotate,
    /// Nothing is done for a while.
    Wait(DeviceDuration),
    /// The app under test is stopped and started again; its data stay.
    Relaunch,
}

/// The widget of an event. The device acts at the point; the selector lets the event be found again on
/// another layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Names the widget.
    pub selector: Selector,
    /// Where the device acts.
    pub at: PxPoint,
    /// The screen that the point was meant for.
    pub screen: PxSize,
}

/// What is done to a widget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// A tap.
    Tap,
    /// A long press.
    LongPress,
    /// The field gets the focus and its content is replaced by the text.
    SetText(String),
    /// The finger moves over the widget in a direction: `Up` shows what is further down.
    Swipe(Direction),
    /// The finger is put down on the widget, drawn to the point and lifted.
    Drag(PxPoint),
}

/// Where a finger moves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// To the top edge.
    Up,
    /// To the bottom edge.
    Down,
    /// To the left edge.
    Left,
    /// To the right edge.
    Right,
}

/// A key of the device or of its keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// Back.
    Back,
    /// Home.
    Home,
    /// The list of recent apps.
    Recents,
    /// The keyboard's action key: Next, Done, Search, Go.
    ImeAction,
    /// Deletes the character before the cursor.
    Delete,
}

impl Event {
    /// A gesture at the middle of the first widget that the selector names.
    pub fn on(layout: &Layout, selector: Selector, gesture: Gesture) -> Option<Event> {
        let idx = match selector.resolve(layout) {
            Resolved::One(idx) => idx,
            Resolved::Missing => return None,
            Resolved::Ambiguous(all) => *all.first()?,
        };
        let at = layout.widget(idx).bounds.center();
        Some(Event::Widget { target: Target { selector, at, screen: layout.screen() }, gesture })
    }

    /// The same event for another layout: its selector is resolved anew. `None` if it names nothing there.
    pub fn retarget(&self, layout: &Layout) -> Option<Event> {
        match self {
            Event::Widget { target, gesture } => Event::on(layout, target.selector.clone(), gesture.clone()),
            Event::Type(_) | Event::Key(_) | Event::Rotate | Event::Wait(_) | Event::Relaunch => {
                Some(self.clone())
            }
        }
    }
}
