//! One input to the device.

use serde::{Deserialize, Serialize};

use super::{Layout, PxPoint, PxSize, Resolved, Selector, WidgetIdx};
use crate::determinism::DeviceDuration;

/// One input to the device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Something happens around the app.
    System(SystemEvent),
}

/// The widget of an event. The device acts at the point; the selector lets the event be found again on
/// another layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Names the widget.
    pub selector: Selector,
    /// Where the device acts.
    pub at: PxPoint,
    /// The screen that the point was meant for.
    pub screen: PxSize,
}

/// What is done to a widget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// Opens the menu of the screen in front.
    Menu,
    /// Enter of a hardware keyboard.
    Enter,
    /// Goes to the next widget.
    Tab,
    /// Goes to the widget above.
    DpadUp,
    /// Goes to the widget below.
    DpadDown,
    /// Goes to the widget on the left.
    DpadLeft,
    /// Goes to the widget on the right.
    DpadRight,
    /// Uses the widget that has the focus.
    DpadCenter,
    /// Search.
    Search,
    /// Louder.
    VolumeUp,
    /// Quieter.
    VolumeDown,
}

impl Key {
    /// All keys.
    pub const ALL: [Key; 16] = [
        Key::Back,
        Key::Home,
        Key::Recents,
        Key::ImeAction,
        Key::Delete,
        Key::Menu,
        Key::Enter,
        Key::Tab,
        Key::DpadUp,
        Key::DpadDown,
        Key::DpadLeft,
        Key::DpadRight,
        Key::DpadCenter,
        Key::Search,
        Key::VolumeUp,
        Key::VolumeDown,
    ];

    /// What Android calls it. The action key of the keyboard arrives as Enter.
    pub fn android_name(self) -> &'static str {
        match self {
            Key::Back => "KEYCODE_BACK",
            Key::Home => "KEYCODE_HOME",
            Key::Recents => "KEYCODE_APP_SWITCH",
            Key::ImeAction | Key::Enter => "KEYCODE_ENTER",
            Key::Delete => "KEYCODE_DEL",
            Key::Menu => "KEYCODE_MENU",
            Key::Tab => "KEYCODE_TAB",
            Key::DpadUp => "KEYCODE_DPAD_UP",
            Key::DpadDown => "KEYCODE_DPAD_DOWN",
            Key::DpadLeft => "KEYCODE_DPAD_LEFT",
            Key::DpadRight => "KEYCODE_DPAD_RIGHT",
            Key::DpadCenter => "KEYCODE_DPAD_CENTER",
            Key::Search => "KEYCODE_SEARCH",
            Key::VolumeUp => "KEYCODE_VOLUME_UP",
            Key::VolumeDown => "KEYCODE_VOLUME_DOWN",
        }
    }
}

/// Something that happens around the app under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemEvent {
    /// Wi-Fi and mobile data are switched off.
    NetworkOff,
    /// Wi-Fi and mobile data are switched on.
    NetworkOn,
    /// The battery runs low, and the system says so.
    LowBattery,
    /// Somebody calls.
    IncomingCall,
    /// The device speaks the next of its languages; activities are created anew.
    Locale,
    /// Dark mode is switched on, or off again; activities are created anew.
    DarkMode,
    /// The app under test goes to the background and comes back.
    Background,
    /// In the background the app's process is ended; then the app is opened again from the list of recent
    /// apps: its activities and their saved state come back, what was only in memory is lost.
    ProcessDeath,
    /// The app's permissions are taken back, in the system's settings: that ends its process, too.
    RevokePermission,
}

impl SystemEvent {
    /// All of them.
    pub const ALL: [SystemEvent; 9] = [
        SystemEvent::NetworkOff,
        SystemEvent::NetworkOn,
        SystemEvent::LowBattery,
        SystemEvent::IncomingCall,
        SystemEvent::Locale,
        SystemEvent::DarkMode,
        SystemEvent::Background,
        SystemEvent::ProcessDeath,
        SystemEvent::RevokePermission,
    ];

    /// Those that leave network, language and permissions alone: an app is to do afterwards what it did before.
    pub const INTERRUPTIONS: [SystemEvent; 5] = [
        SystemEvent::LowBattery,
        SystemEvent::IncomingCall,
        SystemEvent::DarkMode,
        SystemEvent::Background,
        SystemEvent::ProcessDeath,
    ];

    /// What happens, as an order, for lists and reports.
    pub fn sentence(self) -> &'static str {
        match self {
            SystemEvent::NetworkOff => "Switch the network off",
            SystemEvent::NetworkOn => "Switch the network on",
            SystemEvent::LowBattery => "Let the battery run low",
            SystemEvent::IncomingCall => "Let somebody call",
            SystemEvent::Locale => "Change the language",
            SystemEvent::DarkMode => "Switch dark mode",
            SystemEvent::Background => "Leave the app and come back",
            SystemEvent::ProcessDeath => "Leave the app, let its process end and come back",
            SystemEvent::RevokePermission => "Take the app\u{2019}s permissions back",
        }
    }
}

impl Event {
    /// A gesture on the first widget that the selector names, where a touch reaches it. `None` if there is no such place.
    pub fn on(layout: &Layout, selector: Selector, gesture: Gesture) -> Option<Event> {
        let idx = match selector.resolve(layout) {
            Resolved::One(idx) => idx,
            Resolved::Missing => return None,
            Resolved::Ambiguous(all) => *all.first()?,
        };
        let at = layout.touch_point(idx).ok()?;
        Some(Event::Widget { target: Target { selector, at, screen: layout.screen() }, gesture })
    }

    /// The same event, where its widget is on this layout: at the same point if that reaches a widget that its
    /// selector names, or if there is none that can be reached; else where a touch reaches the first one that it names.
    #[must_use]
    pub fn aimed(&self, layout: &Layout) -> Event {
        let Event::Widget { target, gesture } = self else { return self.clone() };
        let named = target.selector.matches(layout);
        let there = named.iter().any(|idx| layout.touch_reaches(*idx, target.at));
        let Some(at) = named.first().filter(|_| !there).and_then(|idx| layout.touch_point(*idx).ok()) else {
            return self.clone();
        };
        let gesture = match gesture {
            Gesture::Drag(to) => {
                Gesture::Drag(PxPoint { x: to.x + at.x - target.at.x, y: to.y + at.y - target.at.y })
            }
            Gesture::Tap | Gesture::LongPress | Gesture::SetText(_) | Gesture::Swipe(_) => gesture.clone(),
        };
        let target = Target { selector: target.selector.clone(), at, screen: layout.screen() };
        Event::Widget { target, gesture }
    }

    /// The event for this layout: on the widget that its selector names (at the same point, if that is on it: a key
    /// of a keyboard that has no widgets) or, since texts such as times of day change from run to run, on one of
    /// the same class and id where it was. `None` if there is none that a touch reaches.
    pub fn found_again(&self, layout: &Layout) -> Option<Event> {
        let Event::Widget { target, .. } = self else { return Some(self.clone()) };
        let named = target.selector.matches(layout);
        if let Some(first) = named.first() {
            let here = named.iter().any(|idx| layout.touch_reaches(*idx, target.at));
            return (here || layout.touch_point(*first).is_ok()).then(|| self.aimed(layout));
        }
        let looser = Selector { text: None, content_desc: None, instance: None, ..target.selector.clone() };
        let stack = if layout.screen() == target.screen { layout.stack_at(target.at) } else { Vec::new() };
        let same = |idx: &WidgetIdx| {
            looser.attributes_match(layout.widget(*idx)) && layout.touch_reaches(*idx, target.at)
        };
        stack.iter().any(same).then(|| self.clone())
    }

    /// The same event for another layout: its selector is resolved anew. `None` if it names nothing there.
    pub fn retarget(&self, layout: &Layout) -> Option<Event> {
        match self {
            Event::Widget { target, gesture } => Event::on(layout, target.selector.clone(), gesture.clone()),
            Event::Type(_)
            | Event::Key(_)
            | Event::Rotate
            | Event::Wait(_)
            | Event::Relaunch
            | Event::System(_) => Some(self.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PxRect, layout_from};

    #[test]
    fn an_event_is_aimed_at_its_widget_wherever_that_is() {
        let before = layout_from("ListView\n  TextView \"a\"\n  TextView \"b\"\n");
        let moved = layout_from("ListView\n  TextView \"new\"\n  TextView \"a\"\n  TextView \"b\"\n");
        let selector = Selector { text: Some("b".to_owned()), ..Selector::default() };
        let event = Event::on(&before, selector, Gesture::Drag(PxPoint { x: 540, y: 50 })).unwrap();
        assert_eq!(event.aimed(&before), event);
        let Event::Widget { target, gesture } = event.aimed(&moved) else { panic!() };
        assert_eq!(target.at, PxPoint { x: 540, y: 350 });
        assert_eq!(gesture, Gesture::Drag(PxPoint { x: 540, y: 150 }));
        assert_eq!(
            event.aimed(&layout_from("ListView\n")),
            event,
            "it names nothing: the point is all there is"
        );
    }

    #[test]
    fn an_event_goes_where_its_widget_is_free_and_nowhere_if_all_of_it_is_covered() {
        let page = layout_from("FrameLayout\n  TextView#row \"a\"\n  Button#bar\n");
        let row = page.widget(WidgetIdx(1)).bounds;
        let covered = |left| page.with_changed(&[WidgetIdx(2)], |bar| bar.bounds = PxRect { left, ..row });
        let selector = Selector { text: Some("a".to_owned()), ..Selector::default() };
        let event = Event::on(&page, selector.clone(), Gesture::Tap).unwrap();
        let at = |event: Option<Event>| match event {
            Some(Event::Widget { target, .. }) => Some(target.at),
            _ => None,
        };
        let (part, whole) = (covered(200), covered(0));
        let free = Some(PxPoint { x: 100, y: 150 });
        assert_eq!(at(Event::on(&part, selector.clone(), Gesture::Tap)), free);
        assert_eq!(at(Some(event.aimed(&part))), free);
        assert_eq!(at(event.found_again(&part)), free);
        assert_eq!(Event::on(&whole, selector, Gesture::Tap), None);
        assert_eq!(event.found_again(&whole), None);
    }

    #[test]
    fn a_widget_is_found_again_though_its_text_is_another() {
        let screen =
            |text: &str| layout_from(&format!("FrameLayout\n  TextView#date \"{text}\"\n  Button#ok\n"));
        let before = screen("09:18");
        let selector = |text: &str| Selector {
            resource_id: Some("org.ex:id/date".to_owned()),
            text: Some(text.to_owned()),
            ..Selector::default()
        };
        let event = Event::on(&before, selector("09:18"), Gesture::LongPress).unwrap();
        assert_eq!(event.found_again(&before), Some(event.clone()));
        assert_eq!(event.found_again(&screen("09:00")), Some(event.clone()));
        let elsewhere = layout_from("FrameLayout\n  Button#ok\n  TextView#date \"9\"\n");
        assert_eq!(event.found_again(&elsewhere), None);
    }
}
