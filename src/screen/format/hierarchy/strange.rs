//! What is no dump itself: a layout inside of JSON, and files of other tools that are taken for one.

use serde_json::Value;

use crate::format::excerpt;

/// How the XML of a layout begins, the surest first.
pub(super) const OPENINGS: [&str; 4] = ["<?xml", "<hierarchy", "<displays", "<node"];

/// The XML in a text of JSON, such as the answer of a uiautomator2 or Appium server. `None` if the XML stands there as it
/// is, or there is none.
pub(super) fn layout_in_json(text: &str) -> Option<String> {
    let escaped = |opening: &str| text.find(&opening.replace('<', "\\u003c"));
    let begin = OPENINGS.iter().find_map(|opening| text.find(opening).or_else(|| escaped(opening)))?;
    let rest = &text[begin..];
    let head = &rest[..rest.floor_char_boundary(300)];
    if !(head.contains("=\\\"") || head.contains("\\u003d") || rest.starts_with('\\')) {
        return None;
    }
    let mut before = '"';
    let end = rest.char_indices().find(|(_, letter)| {
        let ends = *letter == '"' && before != '\\';
        before = if before == '\\' && *letter == '\\' { ' ' } else { *letter };
        ends
    });
    let inside = &rest[..end.map_or(rest.len(), |(end, _)| end)];
    serde_json::from_str(&format!("\"{inside}\"")).ok()
}

/// What a file without a layout of Android is, for people; `None` if it is nothing known.
pub(super) fn what_it_is(text: &str) -> Option<String> {
    let has = |part: &str| text.contains(part);
    let json = text.trim_start().starts_with(['{', '[']);
    let message = || {
        let parsed = serde_json::from_str::<Value>(text.trim()).ok();
        let found = parsed.as_ref().and_then(message_in).unwrap_or(text.trim());
        excerpt(found.lines().next().unwrap_or_default())
    };
    let what = if has("XCUIElementType") || has("<AppiumAUT") || has("<UIAApplication") {
        "a screen of iOS; only those of Android are read".to_owned()
    } else if is_page(text) {
        "an HTML page; save the layout itself".to_owned()
    } else if has("schemas.android.com/apk/res") {
        "a file of an app's sources, no screen of it; make a dump by `uiautomator dump`".to_owned()
    } else if !json {
        return None;
    } else if has("\"stacktrace\"") || (has("\"status\"") && has("\"sessionId\"")) {
        format!("an error of Appium: {}", message())
    } else if has("\"jsonrpc\"") && has("\"error\"") {
        format!("an error of the uiautomator2 server: {}", message())
    } else if has("\"attributes\"") && has("\"children\"") {
        let harmony = ["\"bundleName\"", "\"pagePath\"", "\"hostWindowId\"", "\"origBounds\""];
        match harmony.iter().any(|key| has(key)) {
            true => {
                "a layout of HarmonyOS (hdc uitest dumpLayout); only those of Android are read".to_owned()
            }
            false => "JSON of `maestro hierarchy`; make a dump by `adb shell uiautomator dump`".to_owned(),
        }
    } else if has("\"views\"") && has("\"temp_id\"") {
        "a state of DroidBot; make a dump by `adb shell uiautomator dump`".to_owned()
    } else {
        "JSON without a layout that is known here".to_owned()
    };
    Some(what)
}

/// Whether a file is a page of HTML.
pub(super) fn is_page(text: &str) -> bool {
    let head = text[..text.floor_char_boundary(2000)].to_lowercase();
    head.contains("<html") || head.contains("<!doctype html")
}

/// The first message in an error of a server.
fn message_in(value: &Value) -> Option<&str> {
    match value {
        Value::Object(fields) => match fields.get("message") {
            Some(Value::String(message)) => Some(message),
            _ => fields.values().find_map(message_in),
        },
        _ => None,
    }
}
