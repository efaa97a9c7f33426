//! Reads the `events.json` and `walk.json` of a recorded walk: the events on a real device, step by step.

use serde::Deserialize;

use super::hierarchy::bounds_from;
use super::{FormatError, Place, error_place};
use crate::{DeviceDuration, Direction, Gesture, Key, PxPoint, PxRect, Selector};

/// The description of a recorded walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkInfo {
    /// What is done in the walk.
    pub title: String,
    /// Package name of the app, followed by a blank and the app's version.
    pub app: String,
    /// Remarks for people; empty if there are none.
    pub note: String,
}

/// A recorded step of a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkEvent {
    /// The event that was performed.
    pub action: WalkAction,
    /// Name of the window that had the focus before the step.
    pub activity_before: String,
    /// Name of the window that had the focus after the step.
    pub activity_after: String,
    /// How long the step took, including waiting.
    pub took: DeviceDuration,
}

/// What was done in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkAction {
    /// A gesture on a widget.
    Widget {
        /// Names the widget on the dump before the step. All four attributes are set, missing ones to an empty text,
        /// because the instance counts the widgets that agree in all four.
        selector: Box<Selector>,
        /// Bounds of the widget.
        bounds: PxRect,
        /// The point that was touched, in the coordinates of the dump before the step.
        at: PxPoint,
        /// What was done to the widget. Typing into a field is a [`Gesture::SetText`].
        gesture: Gesture,
    },
    /// A key was pressed.
    Key(Key),
    /// The device was turned.
    Rotate,
}

#[derive(Deserialize)]
struct RawInfo {
    #[serde(default)]
    title: String,
    #[serde(default)]
    app: String,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
struct RawEvent {
    index: usize,
    action: String,
    selector: Option<RawSelector>,
    point: Option<[i32; 2]>,
    to: Option<[i32; 2]>,
    direction: Option<String>,
    text: Option<String>,
    key: Option<String>,
    #[serde(default)]
    activity_before: String,
    #[serde(default)]
    activity_after: String,
    #[serde(default)]
    seconds: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct RawSelector {
    #[serde(default)]
    resource_id: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    content_desc: String,
    #[serde(default)]
    class: String,
    #[serde(default)]
    instance: u32,
    bounds: String,
}

/// Parses the text of a `walk.json`.
///
/// # Errors
///
/// [`FormatError::Unexpected`] if the text is not JSON of the expected form.
pub fn parse_walk_info(text: &str) -> Result<WalkInfo, FormatError> {
    let raw: RawInfo = from_json("walk.json", text)?;
    Ok(WalkInfo { title: raw.title, app: raw.app, note: raw.note })
}

/// Parses the text of an `events.json`. Returns its steps in order.
///
/// # Errors
///
/// [`FormatError::Unexpected`] if the text is not JSON of the expected form, an event is unknown or incomplete, or the
/// steps are not numbered from 1 without a gap.
pub fn parse_walk_events(text: &str) -> Result<Vec<WalkEvent>, FormatError> {
    let raw: Vec<RawEvent> = from_json(EVENTS, text)?;
    raw.into_iter().enumerate().map(|(place, event)| walk_event(place, event)).collect()
}

const EVENTS: &str = "events.json";

fn from_json<'t, T: Deserialize<'t>>(what: &'static str, text: &'t str) -> Result<T, FormatError> {
    let json = text.trim_start_matches('\u{FEFF}');
    serde_json::from_str(json).map_err(|error| FormatError::Unexpected {
        what,
        place: error_place(json, text.len() - json.len(), &error),
        expected: "a walk's JSON".to_owned(),
        found: error.to_string(),
    })
}

fn unexpected(place: usize, key: &str, expected: &str, found: impl Into<String>) -> FormatError {
    FormatError::Unexpected {
        what: EVENTS,
        place: Place::Json(format!("[{place}].{key}")),
        expected: expected.to_owned(),
        found: found.into(),
    }
}

fn walk_event(place: usize, raw: RawEvent) -> Result<WalkEvent, FormatError> {
    if raw.index != place + 1 {
        return Err(unexpected(place, "index", &(place + 1).to_string(), raw.index.to_string()));
    }
    let action = match raw.action.as_str() {
        "key" => WalkAction::Key(key(place, raw.key.as_deref().unwrap_or(""))?),
        "rotate" => WalkAction::Rotate,
        _ => touch(place, &raw)?,
    };
    // The cast turns negative times into 0 and too large ones into the largest time.
    let took = DeviceDuration::from_millis((raw.seconds * 1000.0).round() as u64);
    let (activity_before, activity_after) = (raw.activity_before, raw.activity_after);
    Ok(WalkEvent { action, activity_before, activity_after, took })
}

fn touch(place: usize, raw: &RawEvent) -> Result<WalkAction, FormatError> {
    let typed = || raw.text.clone().ok_or_else(|| unexpected(place, "text", "what was typed", "nothing"));
    let gesture = match raw.action.as_str() {
        "click" => Gesture::Tap,
        "longclick" => Gesture::LongPress,
        "text" | "settext" => Gesture::SetText(typed()?),
        "swipe" => Gesture::Swipe(direction(place, raw)?),
        other => {
            let known = "click, longclick, text, settext, swipe, key or rotate";
            return Err(unexpected(place, "action", known, format!("{other:?}")));
        }
    };
    let [x, y] = raw.point.ok_or_else(|| unexpected(place, "point", "[x, y]", "nothing"))?;
    let found = raw.selector.as_ref();
    let found = found.ok_or_else(|| unexpected(place, "selector", "the widget touched", "nothing"))?;
    let bounds = bounds_from(&found.bounds)
        .ok_or_else(|| unexpected(place, "selector.bounds", "[l,t][r,b]", format!("{:?}", found.bounds)))?;
    let selector = Box::new(Selector {
        resource_id: Some(found.resource_id.clone()),
        class: Some(found.class.clone()),
        text: Some(found.text.clone()),
        content_desc: Some(found.content_desc.clone()),
        instance: Some(found.instance),
        ..Selector::default()
    });
    Ok(WalkAction::Widget { selector, bounds, at: PxPoint { x, y }, gesture })
}

fn direction(place: usize, raw: &RawEvent) -> Result<Direction, FormatError> {
    match (raw.direction.as_deref(), raw.point, raw.to) {
        (Some("up"), ..) => Ok(Direction::Up),
        (Some("down"), ..) => Ok(Direction::Down),
        (Some("left"), ..) => Ok(Direction::Left),
        (Some("right"), ..) => Ok(Direction::Right),
        (None, Some(from), Some(to)) => {
            let (dx, dy) = (i64::from(to[0]) - i64::from(from[0]), i64::from(to[1]) - i64::from(from[1]));
            Ok(match (dx.abs() > dy.abs(), dx < 0, dy < 0) {
                (true, true, _) => Direction::Left,
                (true, false, _) => Direction::Right,
                (false, _, true) => Direction::Up,
                (false, _, false) => Direction::Down,
            })
        }
        (other, ..) => {
            let found = other.map_or("nothing".to_owned(), |other| format!("{other:?}"));
            Err(unexpected(place, "direction", "up, down, left or right", found))
        }
    }
}

/// Returns the key of this name, in plain form or in Android's.
fn key(place: usize, name: &str) -> Result<Key, FormatError> {
    let lower = name.to_ascii_lowercase();
    match lower.strip_prefix("keycode_").unwrap_or(&lower) {
        "recents" | "recent" => Ok(Key::Recents),
        "ime_action" => Ok(Key::ImeAction),
        "delete" => Ok(Key::Delete),
        // Android's name of a key. Two keys share that of Enter; a walk means the keyboard's action key.
        code => {
            let called = |key: &Key| key.android_name().to_ascii_lowercase() == format!("keycode_{code}");
            Key::ALL.into_iter().find(called).ok_or_else(|| {
                unexpected(
                    place,
                    "key",
                    "a key such as back, home, recents, enter or del",
                    format!("{name:?}"),
                )
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(rest: &str) -> Result<WalkEvent, FormatError> {
        parse_walk_events(&format!("[{{\"index\": 1, {rest}}}]")).map(|mut events| events.remove(0))
    }

    const TOUCHED: &str = r#""selector": {"resource-id": "", "text": "a", "content-desc": "", "class": "b.C",
        "instance": 2, "bounds": "[0,1][2,3]"}, "point": [1, 2]"#;

    #[test]
    fn a_touch_names_the_widget_by_all_attributes() {
        let read = event(&format!(
            "\"action\": \"swipe\", {TOUCHED}, \"to\": [1, -40], \"text\": null, \"seconds\": 1.5"
        ));
        let selector = Selector {
            resource_id: Some(String::new()),
            class: Some("b.C".to_owned()),
            text: Some("a".to_owned()),
            content_desc: Some(String::new()),
            instance: Some(2),
            ..Selector::default()
        };
        let expected = WalkEvent {
            action: WalkAction::Widget {
                selector: Box::new(selector),
                bounds: PxRect::new(0, 1, 2, 3),
                at: PxPoint { x: 1, y: 2 },
                gesture: Gesture::Swipe(Direction::Up),
            },
            activity_before: String::new(),
            activity_after: String::new(),
            took: DeviceDuration::from_millis(1500),
        };
        assert_eq!(read, Ok(expected));
    }

    #[test]
    fn keys_and_turns_need_no_widget() {
        let read = |rest: &str| event(rest).unwrap().action;
        assert_eq!(read(r#""action": "key", "key": "back", "selector": null"#), WalkAction::Key(Key::Back));
        assert_eq!(read(r#""action": "key", "key": "KEYCODE_ENTER""#), WalkAction::Key(Key::ImeAction));
        assert_eq!(read(r#""action": "rotate", "rotation": 1, "point": null"#), WalkAction::Rotate);
    }

    #[test]
    fn errors_tell_the_path() {
        let check = |rest: &str, message: &str| {
            assert_eq!(event(rest).unwrap_err().to_string(), format!("events.json, {message}"));
        };
        check(
            r#""action": "fly", "point": [1, 2]"#,
            "[0].action: expected click, longclick, text, settext, \
            swipe, key or rotate, found \"fly\"",
        );
        check(r#""action": "click""#, "[0].point: expected [x, y], found nothing");
        check(
            &format!("\"action\": \"text\", {TOUCHED}"),
            "[0].text: expected what was typed, found nothing",
        );
        check(
            r#""action": "key", "key": "f1""#,
            "[0].key: expected a key such as back, home, recents, enter or del, found \"f1\"",
        );
        let broken = parse_walk_events("[\n{\"index\": x}]").unwrap_err().to_string();
        assert!(broken.starts_with("events.json, line 2, column 11 (byte 12): expected"), "{broken}");
        let gap = parse_walk_events(r#"[{"index": 2, "action": "rotate"}]"#).unwrap_err().to_string();
        assert_eq!(gap, "events.json, [0].index: expected 1, found 2");
    }
}
