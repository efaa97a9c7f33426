//! Operates apps of the bundled phone in tests, naming widgets as a person would. The tests of apps from blueprints use it,
//! too.

use std::sync::Arc;

use taproof_engine::device::{AppData, AppId, Device};
use taproof_phone::apps::phone_with;
use taproof_phone::{BugSet, Fonts, Phone};
use taproof_screen::{
    AppHealth, Direction, Event, Frame, Gesture, Key, Layout, Selector, TouchTarget, Widget, WidgetIdx,
};

/// A phone with an app in front. Widgets are named by their text, their description or the last part of their resource
/// id. If a widget is missing, the test fails and prints what the screen shows instead.
pub(crate) struct Hand {
    pub(crate) phone: Phone,
}

impl Hand {
    /// Launches the app with cleared data and these bugs.
    pub(crate) fn on(package: &str, bugs: &BugSet) -> Hand {
        let mut phone = phone_with(&Arc::new(Fonts::new()), package, bugs);
        phone.launch(&AppId(package.to_owned()), AppData::Clear).expect("it is installed");
        Hand { phone }
    }

    pub(crate) fn frame(&mut self) -> Frame {
        self.phone.observe().expect("the phone is there")
    }

    pub(crate) fn layout(&mut self) -> Arc<Layout> {
        self.frame().layout
    }

    pub(crate) fn crashed(&mut self) -> bool {
        matches!(self.frame().health, AppHealth::Crashed(_))
    }

    /// Whether a widget with this name is shown.
    pub(crate) fn shows(&mut self, name: &str) -> bool {
        self.layout().iter().any(|(_, widget)| is_called(widget, name))
    }

    /// The texts of all widgets with this id, from top to bottom.
    pub(crate) fn texts(&mut self, id: &str) -> Vec<String> {
        let layout = self.layout();
        let named = layout.iter().filter(|(_, widget)| last_part(widget) == id);
        named.map(|(_, widget)| widget.text.to_string()).collect()
    }

    pub(crate) fn tap(&mut self, name: &str) {
        self.gesture(name, Gesture::Tap);
    }

    pub(crate) fn long_press(&mut self, name: &str) {
        self.gesture(name, Gesture::LongPress);
    }

    pub(crate) fn write(&mut self, field: &str, text: &str) {
        self.gesture(field, Gesture::SetText(text.to_owned()));
    }

    /// Scrolls down in the list or scroll view with this name.
    pub(crate) fn scroll_down(&mut self, list: &str) {
        self.gesture(list, Gesture::Swipe(Direction::Up));
    }

    pub(crate) fn scroll_up(&mut self, list: &str) {
        self.gesture(list, Gesture::Swipe(Direction::Down));
    }

    pub(crate) fn back(&mut self) {
        self.perform(&Event::Key(Key::Back));
    }

    pub(crate) fn rotate(&mut self) {
        self.perform(&Event::Rotate);
    }

    pub(crate) fn perform(&mut self, event: &Event) {
        self.phone.perform(event).expect("the phone is there");
    }

    fn gesture(&mut self, name: &str, gesture: Gesture) {
        let layout = self.layout();
        let found = layout.iter().find(|(_, widget)| is_called(widget, name));
        let Some((_, widget)) = found else { panic!("no {name:?} on\n{}", outline(&layout)) };
        let target = TouchTarget {
            selector: Selector::default(),
            at: widget.bounds.center(),
            screen: layout.screen(),
        };
        self.perform(&Event::Widget { target, gesture });
    }
}

fn last_part(widget: &Widget) -> &str {
    widget.resource_id.as_deref().and_then(|id| id.rsplit('/').next()).unwrap_or("")
}

fn is_called(widget: &Widget, name: &str) -> bool {
    &*widget.text == name || &*widget.content_desc == name || last_part(widget) == name
}

/// A textual outline of the screen, for people.
pub(crate) fn outline(layout: &Layout) -> String {
    let line = |(idx, widget): (WidgetIdx, &Widget)| {
        let class = widget.class.rsplit('.').next().unwrap_or("");
        let (indent, id) = ("  ".repeat(layout.depth(idx)), last_part(widget));
        format!("{indent}{class}#{id} {:?} {:?} {}\n", widget.text, widget.content_desc, widget.bounds)
    };
    format!("{}\n{}", layout.activity(), layout.iter().map(line).collect::<String>())
}
