//! The protocol of the uiautomator2 server on the device: layouts, text of any language, pictures (JSON-RPC over HTTP).
//! Requests use a direct stream to the server's port; no port of this computer is forwarded.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::connection::Connection;
use crate::host::{AdbError, AdbLink, Patience, Refusal, body_of, exchange};
use taproof_engine::device::{DeviceError, LinkFault};
use taproof_screen::{Layout, PxPoint, WidgetFlags, WidgetIdx};

const PORT: u16 = 9008;
/// Limit for one request. A page of a thousand widgets takes a second.
const PATIENCE: Duration = Duration::from_secs(30);
const PING: Duration = Duration::from_secs(3);
/// Limit on the length of an answer, enough for a picture of a large screen as text.
const MOST_BYTES: usize = 64 << 20;
/// The server fails on deeper pages.
const MAX_DEPTH: u32 = 50;

/// Messages of a server that was disconnected from the screen: it is as useless as one that has ended.
const ENDED: [&str; 2] = ["UiAutomation not connected", "android.os.DeadObjectException"];

/// Bits of the server's selectors.
const CLASS_NAME: u32 = 0x10;
const RESOURCE_ID: u32 = 0x20_0000;
const INSTANCE: u32 = 0x100_0000;

/// Reads the layout of the active window as XML (the first of all windows is often the status bar). `None` if the
/// server has no layout or one without a widget, as during a switch between two windows.
pub(crate) fn layout_of_server(connection: &Connection) -> Result<Option<String>, DeviceError> {
    const METHOD: &str = "dumpWindowHierarchy";
    let answer =
        connection.garbled.again(|| match call(connection, METHOD, &json!([false, MAX_DEPTH, true])) {
            // Servers of version 2 have no parameter for the window.
            Err(DeviceError::NoAnswer { problem, .. }) if knows_not(&problem) => {
                call(connection, METHOD, &json!([false, MAX_DEPTH]))
            }
            answer => answer,
        })?;
    Ok(answer.as_str().filter(|xml| xml.contains("<node")).map(str::to_owned))
}

/// Replaces the content of the field at the point.
pub(crate) fn set_text_by_server(
    connection: &Connection,
    layout: &Layout,
    at: PxPoint,
    text: &str,
) -> Result<(), DeviceError> {
    let Some(idx) = field_at(layout, at) else { return Ok(()) };
    call(connection, "setText", &json!([selector(layout, idx), text])).map(|_| ())
}

/// Types at the cursor.
pub(crate) fn paste_by_server(connection: &Connection, text: &str) -> Result<(), DeviceError> {
    call(connection, "setClipboard", &json!([Value::Null, text]))?;
    call(connection, "pasteClipboard", &json!([])).map(|_| ())
}

/// Takes a picture as JPEG; `None` if the server cannot.
pub(crate) fn jpeg_by_server(connection: &Connection) -> Result<Option<Vec<u8>>, DeviceError> {
    let answer = call(connection, "takeScreenshot", &json!([1, 80]))?;
    Ok(answer.as_str().and_then(|text| STANDARD.decode(text.replace(['\n', '\r'], "")).ok()))
}

fn call(connection: &Connection, method: &str, params: &Value) -> Result<Value, DeviceError> {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let request = format!(
        "POST /jsonrpc/0 HTTP/1.1\r\nHost: device\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let what = format!("{method} of the uiautomator2 server on {}", connection.info.serial);
    let answer = ask(&connection.link, &request, &connection.patience(PATIENCE))?;
    let garbage = |expected, found: &[u8]| AdbError::garbage(&what, expected, found);
    let body = body_of(&answer).ok_or_else(|| garbage("an answer of HTTP with status 200", &answer))?;
    let answer: Value = serde_json::from_slice(body).map_err(|_| garbage("JSON", body))?;
    match (answer.get("error"), answer.get("result")) {
        (Some(error), _) if !error.is_null() => {
            let message = error.get("message").and_then(Value::as_str).unwrap_or("it does not say why");
            if ENDED.iter().any(|words| message.contains(words)) {
                let (what, reason) = (format!("{method} on {}", connection.info.serial), Refusal::Closed);
                return Err(AdbError::Refused { what, reason, text: message.to_owned() }.into());
            }
            Err(server_failed(connection, method, message))
        }
        (_, Some(result)) => Ok(result.clone()),
        (_, None) => Err(garbage("JSON with a result", body).into()),
    }
}

fn server_failed(connection: &Connection, method: &str, problem: &str) -> DeviceError {
    DeviceError::NoAnswer {
        serial: connection.info.serial.clone(),
        what: format!("the uiautomator2 server, asked for {method}"),
        problem: problem.to_owned(),
    }
}

/// Whether the server reports that it has no method with such parameters.
fn knows_not(problem: &str) -> bool {
    ["method parameters invalid", "method not found"]
        .iter()
        .any(|words| problem.to_lowercase().contains(words))
}

/// Whether the server is running.
pub(crate) fn server_answers(link: &AdbLink, unwanted: &dyn Fn() -> bool) -> bool {
    let request = "GET /ping HTTP/1.1\r\nHost: device\r\nConnection: close\r\n\r\n";
    let answer = ask(link, request, &Patience::new(PING, unwanted));
    answer.is_ok_and(|answer| body_of(&answer).is_some_and(|body| body.trim_ascii() == b"pong"))
}

/// Whether the error means that the server has ended: the device refused the connection, or the server is disconnected
/// from the screen.
pub(crate) fn server_ended(error: &DeviceError) -> bool {
    error.link_fault() == Some(LinkFault::Closed)
}

/// Sends one request on a new stream and returns the answer.
fn ask(link: &AdbLink, request: &str, patience: &Patience<'_>) -> Result<Vec<u8>, AdbError> {
    exchange(&mut link.tcp(PORT, patience)?, request, MOST_BYTES, patience)
}

/// The innermost widget at the point that accepts text; otherwise the innermost one that can be focused.
fn field_at(layout: &Layout, at: PxPoint) -> Option<WidgetIdx> {
    let stack = layout.stack_at(at);
    let takes_text = |idx: &&WidgetIdx| {
        let widget = layout.widget(**idx);
        widget.class.contains("EditText") || widget.class.contains("AutoComplete")
    };
    let takes_focus = |idx: &&WidgetIdx| layout.widget(**idx).flags.has(WidgetFlags::FOCUSABLE);
    stack.iter().rev().find(takes_text).or_else(|| stack.iter().rev().find(takes_focus)).copied()
}

/// A selector for exactly this widget: its class, its id if it has one, and its index among the widgets with the same.
fn selector(layout: &Layout, idx: WidgetIdx) -> Value {
    let widget = layout.widget(idx);
    let same = layout
        .iter()
        .take_while(|(other, _)| *other != idx)
        .filter(|(_, other)| other.class == widget.class && other.resource_id == widget.resource_id);
    let (mut mask, mut selector) =
        (CLASS_NAME | INSTANCE, json!({ "childOrSibling": [], "childOrSiblingSelector": [] }));
    selector["className"] = json!(&*widget.class);
    selector["instance"] = json!(same.count());
    if let Some(id) = &widget.resource_id {
        mask |= RESOURCE_ID;
        selector["resourceId"] = json!(&**id);
    }
    selector["mask"] = json!(mask);
    selector
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn a_field_is_named_by_its_place() {
        let layout = layout_from("LinearLayout\n  EditText#a \"x\"\n  EditText#b\n  EditText#a\n");
        let third = layout.iter().last().unwrap().0;
        let named = selector(&layout, third);
        assert_eq!(named["instance"], 1);
        assert_eq!(named["mask"], CLASS_NAME | INSTANCE | RESOURCE_ID);
        assert_eq!(field_at(&layout, layout.widget(third).bounds.center()), Some(third));
    }
}
