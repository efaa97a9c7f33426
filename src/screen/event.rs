//! Events: single inputs to the device.

use serde::{Deserialize, Serialize};

use super::named_field::named_field;
use super::{Layout, PxPoint, PxSize, Selector, WidgetIdx};
use crate::determinism::DeviceDuration;

/// One input to the device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A gesture on a widget.
    Widget {
        /// The widget and the point on it.
        #[serde(flatten)]
        target: TouchTarget,
        /// What is done to the widget.
        gesture: Gesture,
    },
    /// Types the text on the keyboard into the field that has the focus. Does nothing if no field has it.
    #[serde(with = "text")]
    Type(String),
    /// Presses a key.
    #[serde(with = "key")]
    Key(Key),
    /// Turns the device from portrait to landscape or back.
    Rotate,
    /// Does nothing for this span of device time.
    #[serde(with = "millis")]
    Wait(DeviceDuration),
    /// Stops the app under test and starts it again, keeping its data.
    Relaunch,
    /// Something happens outside the app, such as a phone call.
    #[serde(with = "what")]
    System(SystemEvent),
    /// A link is opened, in whichever app the device has for it.
    #[serde(with = "link")]
    OpenLink(String),
}

named_field!(text: String);
named_field!(key: Key);
named_field!(millis: DeviceDuration);
named_field!(what: SystemEvent);
named_field!(link: String);

/// The widget of an event. The device acts at the point; the selector serves to find the widget again on another
/// layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TouchTarget {
    /// Names the widget on the layout before the event.
    #[serde(flatten)]
    pub selector: Selector,
    /// Where the device acts, in pixels of [`TouchTarget::screen`].
    pub at: PxPoint,
    /// Size of the screen, as rotated, that the point refers to.
    pub screen: PxSize,
}

impl TouchTarget {
    /// Whether a touch at the point reaches the widget. On a screen of another size, as on a rotated phone, the point is
    /// another place.
    fn reaches(&self, layout: &Layout, idx: WidgetIdx) -> bool {
        layout.screen() == self.screen && layout.touch_reaches(idx, self.at)
    }
}

/// What is done to a widget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gesture {
    /// A short tap at [`TouchTarget::at`].
    Tap,
    /// A long press at [`TouchTarget::at`].
    LongPress,
    /// Focuses the field and replaces its content with the text.
    SetText(String),
    /// The finger moves over the widget in this direction: `Up` reveals what is further down.
    Swipe(Direction),
    /// The finger is put down at [`TouchTarget::at`], moved to this point and lifted.
    Drag(PxPoint),
}

words! {
    /// The direction in which a finger moves.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Direction {
        /// Towards the top edge of the screen.
        Up = "up",
        /// Towards the bottom edge of the screen.
        Down = "down",
        /// Towards the left edge of the screen.
        Left = "left",
        /// Towards the right edge of the screen.
        Right = "right",
    }
    /// The direction in a sentence.
    pub fn word;
}

words! {
    /// A key of the device or of its keyboard.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Key {
        /// Android's Back key.
        Back = "KEYCODE_BACK" / "Press Back",
        /// Android's Home key.
        Home = "KEYCODE_HOME" / "Press Home",
        /// Opens the list of recent apps.
        Recents = "KEYCODE_APP_SWITCH" / "Press Recents",
        /// The action key of the keyboard on the screen: Next, Done, Search, Go.
        ImeAction = "KEYCODE_ENTER" / "Press the keyboard\u{2019}s action key",
        /// Deletes the character before the cursor.
        Delete = "KEYCODE_DEL" / "Press Backspace",
        /// Opens the options menu of the app in front.
        Menu = "KEYCODE_MENU" / "Press Menu",
        /// The Enter key of a hardware keyboard.
        Enter = "KEYCODE_ENTER" / "Press Enter",
        /// Moves the focus to the next widget.
        Tab = "KEYCODE_TAB" / "Press Tab",
        /// Moves the focus to the widget above.
        DpadUp = "KEYCODE_DPAD_UP" / "Press the up key",
        /// Moves the focus to the widget below.
        DpadDown = "KEYCODE_DPAD_DOWN" / "Press the down key",
        /// Moves the focus to the widget on the left.
        DpadLeft = "KEYCODE_DPAD_LEFT" / "Press the left key",
        /// Moves the focus to the widget on the right.
        DpadRight = "KEYCODE_DPAD_RIGHT" / "Press the right key",
        /// Activates the widget that has the focus.
        DpadCenter = "KEYCODE_DPAD_CENTER" / "Press the middle key",
        /// Android's Search key.
        Search = "KEYCODE_SEARCH" / "Press Search",
        /// Raises the volume.
        VolumeUp = "KEYCODE_VOLUME_UP" / "Press Volume up",
        /// Lowers the volume.
        VolumeDown = "KEYCODE_VOLUME_DOWN" / "Press Volume down",
    }
    /// Android's name of the key code. [`Key::ImeAction`] shares that of [`Key::Enter`].
    pub fn android_name;
    /// Pressing it, as an imperative sentence.
    pub fn sentence;
    /// All keys, in the order of their declaration.
    pub const ALL;
}

words! {
    /// Something that happens outside the app under test.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum SystemEvent {
        /// Wi-Fi and mobile data are switched off.
        NetworkOff = "Switch the network off" / "the network is switched off",
        /// Wi-Fi and mobile data are switched on.
        NetworkOn = "Switch the network on" / "the network is switched on",
        /// The battery runs low, and the system reports it.
        LowBattery = "Let the battery run low" / "the battery runs low",
        /// A phone call comes in.
        IncomingCall = "Let somebody call" / "somebody calls",
        /// The system switches to the next of the device's languages; activities are recreated.
        Locale = "Change the language" / "the language changes",
        /// Dark mode is switched on, or off again; activities are recreated.
        DarkMode = "Switch dark mode" / "dark mode is switched",
        /// The app under test goes to the background and comes back.
        Background = "Leave the app and come back" / "one leaves the app and comes back",
        /// The app's process is ended in the background and the app is opened again from the list of recent apps: its
        /// activities and their saved state are restored, what was only in memory is lost.
        ProcessDeath = "Leave the app, let its process end and come back"
            / "its process ends in the background",
        /// The app's permissions are revoked in the system's settings, which also ends its process.
        RevokePermission = "Take the app\u{2019}s permissions back" / "its permissions are taken back",
        /// The system's texts become larger, or as large as before; activities are recreated.
        FontScale = "Change the size of texts" / "the size of texts changes",
        /// The screen is switched off and on again.
        ScreenOff = "Switch the screen off and on" / "the screen is switched off and on",
        /// Another app takes half of the screen, or gives it back; activities are recreated.
        SplitScreen = "Split the screen, or end that" / "the screen is split",
        /// The app goes to the background, where its activities are destroyed while its process goes on, and comes back.
        ActivityDeath = "Leave the app, let its activities be destroyed and come back"
            / "its activities are destroyed in the background",
        /// Everything on the screen becomes larger, or as large as before; activities are recreated.
        DisplaySize = "Change the display size" / "the display size changes",
        /// The clock changes between 12 and 24 hours.
        HourFormat = "Change between the 12-hour and the 24-hour clock" / "the format of the clock changes",
        /// The phone comes into another time zone, or back into the first one.
        TimeZone = "Change the time zone" / "the time zone changes",
        /// Location is switched off, or on again.
        Location = "Switch location off, or on again" / "location is switched",
        /// Airplane mode is switched on, or off again, and with it the network.
        AirplaneMode = "Switch airplane mode" / "airplane mode is switched",
        /// Do not disturb is switched on, or off again.
        DoNotDisturb = "Switch do not disturb" / "do not disturb is switched",
        /// The storage is nearly full, or has room again, and the system reports it.
        LowStorage = "Let the storage run low, or have room again" / "the storage runs low",
        /// The list of notifications is pulled down in front of the app.
        Notifications = "Pull the notifications down" / "the notifications are pulled down",
        /// The app gets the permissions back that [`SystemEvent::RevokePermission`] took. Its process goes on.
        GrantPermission = "Give the app back the permissions that were taken"
            / "its permissions are given back",
    }
    /// The event as an imperative sentence, for lists and reports.
    pub fn sentence;
    /// The event as a clause, for sentences that say when something happens.
    pub fn clause;
    /// All system events, in the order of their declaration.
    pub const ALL;
}

impl SystemEvent {
    /// The events that explorers draw from where all kinds are wanted.
    pub fn drawn() -> &'static [SystemEvent] {
        SystemEvent::ALL.split_at(9).0
    }

    /// The events that leave network, language and permissions alone: an app should behave afterwards as before.
    pub const INTERRUPTIONS: [SystemEvent; 5] = [
        SystemEvent::LowBattery,
        SystemEvent::IncomingCall,
        SystemEvent::DarkMode,
        SystemEvent::Background,
        SystemEvent::ProcessDeath,
    ];
}

impl Event {
    /// Builds a gesture on the first widget that the selector names, at a point where a touch reaches it. `None` if
    /// there is no such widget or no such point.
    pub fn on(layout: &Layout, selector: Selector, gesture: Gesture) -> Option<Event> {
        let idx = selector.resolve(layout).first()?;
        let at = layout.touch_point(idx).ok()?;
        Some(Event::Widget { target: TouchTarget { selector, at, screen: layout.screen() }, gesture })
    }

    /// Returns the event aimed at its widget on this layout. The point stays the same if it reaches a widget that the
    /// selector names, or if no touch reaches the first of these widgets; otherwise the event moves to a point that
    /// reaches that first widget.
    #[must_use]
    pub fn aimed(&self, layout: &Layout) -> Event {
        let Event::Widget { target, gesture } = self else { return self.clone() };
        let named = target.selector.matches(layout);
        let there = named.iter().any(|idx| target.reaches(layout, *idx));
        let Some(at) = named.first().filter(|_| !there).and_then(|idx| layout.touch_point(*idx).ok()) else {
            return self.clone();
        };
        let gesture = match gesture {
            Gesture::Drag(to) => {
                Gesture::Drag(PxPoint { x: to.x + at.x - target.at.x, y: to.y + at.y - target.at.y })
            }
            Gesture::Tap | Gesture::LongPress | Gesture::SetText(_) | Gesture::Swipe(_) => gesture.clone(),
        };
        let target = TouchTarget { selector: target.selector.clone(), at, screen: layout.screen() };
        Event::Widget { target, gesture }
    }

    /// Finds the event's widget on this layout. This is a widget that the selector names, at the same point if that
    /// lies on it (such as a key of a keyboard that has no widgets). If there is none, it is a widget of the same class
    /// and id at the same point, since texts such as times of day change from run to run. `None` if no touch reaches
    /// the widget. Events without a widget are returned unchanged.
    pub fn found_again(&self, layout: &Layout) -> Option<Event> {
        let Event::Widget { target, .. } = self else { return Some(self.clone()) };
        let named = target.selector.matches(layout);
        if let Some(first) = named.first() {
            let here = named.iter().any(|idx| target.reaches(layout, *idx));
            return (here || layout.touch_point(*first).is_ok()).then(|| self.aimed(layout));
        }
        let looser = Selector {
            resource_id: target.selector.resource_id.clone(),
            class: target.selector.class.clone(),
            xpath: target.selector.xpath.clone(),
            ..Selector::default()
        };
        let stack = if layout.screen() == target.screen { layout.stack_at(target.at) } else { Vec::new() };
        let same = |idx: &WidgetIdx| {
            looser.attributes_match(layout.widget(*idx)) && layout.touch_reaches(*idx, target.at)
        };
        stack.iter().any(same).then(|| self.clone())
    }

    /// The event with another text for its field. Events that set no text are returned unchanged.
    #[must_use]
    pub fn with_text(&self, text: &str) -> Event {
        match self {
            Event::Widget { target, gesture: Gesture::SetText(_) } => {
                Event::Widget { target: target.clone(), gesture: Gesture::SetText(text.to_owned()) }
            }
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PxRect, XPath, layout_from};

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
    fn a_point_of_a_rotated_screen_is_another_place() {
        let page = layout_from("EditText#name \"a\"\n");
        let selector = Selector { resource_id: Some("org.ex:id/name".to_owned()), ..Selector::default() };
        let event = Event::on(&page, selector.clone(), Gesture::SetText("b".to_owned())).unwrap();
        let Event::Widget { target, gesture } = event else { panic!() };
        let sideways = PxSize { width: target.screen.height, height: target.screen.width };
        let before = Event::Widget { target: TouchTarget { screen: sideways, ..target.clone() }, gesture };
        for moved in [Some(before.aimed(&page)), before.found_again(&page)] {
            let Some(Event::Widget { target: now, .. }) = moved else { panic!() };
            assert_eq!((now.at, now.screen), (target.at, target.screen));
        }
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

    #[test]
    fn every_event_is_written_as_files_have_it() {
        let selector = Selector {
            resource_id: Some("org.ex:id/row".to_owned()),
            text: Some("'\"<\u{2603}".to_owned()),
            xpath: XPath::parse("//*[@text='a']").ok().map(Box::new),
            instance: Some(2),
            ..Selector::default()
        };
        let on = |selector: &Selector, gesture| {
            let (at, screen) = (PxPoint { x: 3, y: -4 }, PxSize { width: 1080, height: 1920 });
            Event::Widget { target: TouchTarget { selector: selector.clone(), at, screen }, gesture }
        };
        let check = |event: Event, text: &str| {
            assert_eq!(serde_json::to_string(&event).unwrap(), text);
            assert_eq!(serde_json::from_str::<Event>(text).unwrap(), event);
            let bytes = rmp_serde::to_vec(&event).unwrap();
            assert_eq!(rmp_serde::from_slice::<Event>(&bytes).unwrap(), event);
        };
        check(
            on(&selector, Gesture::Tap),
            "{\"kind\":\"widget\",\"resource_id\":\"org.ex:id/row\",\"text\":\"'\\\"<\u{2603}\",\
             \"xpath\":\"//*[@text='a']\",\"instance\":2,\"at\":[3,-4],\"screen\":[1080,1920],\"gesture\":\"tap\"}",
        );
        let check_gesture = |gesture, text: &str| {
            let around = r#"{"kind":"widget","at":[3,-4],"screen":[1080,1920],"gesture":"#;
            check(on(&Selector::default(), gesture), &format!("{around}{text}}}"));
        };
        check_gesture(Gesture::LongPress, r#""long_press""#);
        check_gesture(Gesture::SetText("x".to_owned()), r#"{"set_text":"x"}"#);
        check_gesture(Gesture::Swipe(Direction::Left), r#"{"swipe":"left"}"#);
        check_gesture(Gesture::Drag(PxPoint { x: 1, y: 2 }), r#"{"drag":[1,2]}"#);
        check(Event::Type("\u{fc}".to_owned()), "{\"kind\":\"type\",\"text\":\"\u{fc}\"}");
        check(Event::OpenLink("a:b".to_owned()), r#"{"kind":"open_link","link":"a:b"}"#);
        check(Event::Rotate, r#"{"kind":"rotate"}"#);
        check(Event::Wait(DeviceDuration(5)), r#"{"kind":"wait","millis":5}"#);
        check(Event::Relaunch, r#"{"kind":"relaunch"}"#);
        check(Event::Key(Key::DpadUp), r#"{"kind":"key","key":"dpad_up"}"#);
        check(Event::System(SystemEvent::LowBattery), r#"{"kind":"system","what":"low_battery"}"#);
        for event in Key::ALL.map(Event::Key).into_iter().chain(SystemEvent::ALL.map(Event::System)) {
            let text = serde_json::to_string(&event).unwrap();
            check(event, &text);
        }
        assert!(serde_json::from_str::<Event>(r#"{"kind":"fly"}"#).is_err());
        assert!(serde_json::from_str::<Event>(r#"{"kind":"key","key":"fly"}"#).is_err());
    }
}
