//! The uiautomator2 server on the device, where one runs: layouts in tens of milliseconds and text of any language.
//! It is asked through a direct stream to its port; no port of this computer is taken.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::host::{AdbError, AdbLink, AdbStream, Patience, Refusal};
use super::line::Line;
use taproof_core::device::{DeviceError, LinkFault};
use taproof_core::model::{Layout, PxPoint, WidgetFlags, WidgetIdx};

const PORT: u16 = 9008;
/// A page of a thousand widgets takes a second.
const PATIENCE: Duration = Duration::from_secs(30);
const PING: Duration = Duration::from_secs(3);
/// A picture of a large screen as text.
const MOST_BYTES: usize = 64 << 20;
/// Deeper pages make the server fail.
const MAX_DEPTH: u32 = 50;

/// Between two tries to get a layout, and how many they are.
const PAUSE_MILLIS: u64 = 300;
const TRIES: u32 = 4;
/// What a server says whose hold on the screen is gone: it is of no more use than one that has ended.
const ENDED: [&str; 2] = ["UiAutomation not connected", "android.os.DeadObjectException"];

/// Bits of the server's selectors.
const CLASS_NAME: u32 = 0x10;
const RESOURCE_ID: u32 = 0x20_0000;
const INSTANCE: u32 = 0x100_0000;

impl Line {
    /// The layout of the active window: of all windows the first is often the status bar. A server that is asked between
    /// two windows has none, or one without a widget.
    pub(super) fn dump_by_server(&self) -> Result<String, DeviceError> {
        const METHOD: &str = "dumpWindowHierarchy";
        for _ in 0..TRIES {
            let said = self.garbled.again(|| match self.call(METHOD, &json!([false, MAX_DEPTH, true])) {
                // Servers of version 2 know no choice of windows.
                Err(DeviceError::NoAnswer { problem, .. }) if knows_not(&problem) => {
                    self.call(METHOD, &json!([false, MAX_DEPTH]))
                }
                said => said,
            })?;
            match said.as_str() {
                Some(xml) if xml.contains("<node") => return Ok(xml.to_owned()),
                _ => drop(self.shell(&self.wait(PAUSE_MILLIS))?),
            }
        }
        let problem = "the uiautomator2 server has none for this screen".to_owned();
        Err(DeviceError::NoLayout { serial: self.info.serial.clone(), problem })
    }

    /// Replaces the content of the field at the point.
    pub(super) fn set_text_by_server(
        &self,
        layout: &Layout,
        at: PxPoint,
        text: &str,
    ) -> Result<(), DeviceError> {
        let Some(idx) = field_at(layout, at) else { return Ok(()) };
        self.call("setText", &json!([selector(layout, idx), text])).map(|_| ())
    }

    /// Types where the cursor is.
    pub(super) fn paste_by_server(&self, text: &str) -> Result<(), DeviceError> {
        self.call("setClipboard", &json!([Value::Null, text]))?;
        self.call("pasteClipboard", &json!([])).map(|_| ())
    }

    /// A picture as JPEG, if the server can take one.
    pub(super) fn jpeg_by_server(&self) -> Result<Option<Vec<u8>>, DeviceError> {
        let said = self.call("takeScreenshot", &json!([1, 80]))?;
        Ok(said.as_str().and_then(|text| STANDARD.decode(text.replace(['\n', '\r'], "")).ok()))
    }

    fn call(&self, method: &str, params: &Value) -> Result<Value, DeviceError> {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let request = format!(
            "POST /jsonrpc/0 HTTP/1.1\r\nHost: device\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        let what = format!("{method} of the uiautomator2 server on {}", self.info.serial);
        let answer = exchange(&self.link, &request, &self.patience(PATIENCE))?;
        let garbage = |expected, found: &[u8]| AdbError::garbage(&what, expected, found);
        let body = body_of(&answer).ok_or_else(|| garbage("an answer of HTTP with status 200", &answer))?;
        let answer: Value = serde_json::from_slice(&body).map_err(|_| garbage("JSON", &body))?;
        match (answer.get("error"), answer.get("result")) {
            (Some(error), _) if !error.is_null() => {
                let message = error.get("message").and_then(Value::as_str).unwrap_or("it does not say why");
                if ENDED.iter().any(|words| message.contains(words)) {
                    let (what, reason) = (format!("{method} on {}", self.info.serial), Refusal::Closed);
                    return Err(AdbError::Refused { what, reason, text: message.to_owned() }.into());
                }
                Err(self.server_failed(method, message))
            }
            (_, Some(result)) => Ok(result.clone()),
            (_, None) => Err(garbage("JSON with a result", &body).into()),
        }
    }

    fn server_failed(&self, method: &str, problem: &str) -> DeviceError {
        DeviceError::NoAnswer {
            serial: self.info.serial.clone(),
            what: format!("the uiautomator2 server, asked for {method}"),
            problem: problem.to_owned(),
        }
    }
}

/// Whether a server says that it has no method with such parameters.
fn knows_not(problem: &str) -> bool {
    ["method parameters invalid", "method not found"]
        .iter()
        .any(|words| problem.to_lowercase().contains(words))
}

/// Whether the server runs.
pub(super) fn server_answers(link: &AdbLink, unwanted: &dyn Fn() -> bool) -> bool {
    let request = "GET /ping HTTP/1.1\r\nHost: device\r\nConnection: close\r\n\r\n";
    let answer = exchange(link, request, &Patience::new(PING, unwanted));
    answer.is_ok_and(|answer| body_of(&answer).is_some_and(|body| body.trim_ascii() == b"pong"))
}

/// Whether the device refused a connection to its server.
pub(super) fn server_ended(error: &DeviceError) -> bool {
    error.link_fault() == Some(LinkFault::Closed)
}

/// One request on a stream of its own.
fn exchange(link: &AdbLink, request: &str, patience: &Patience<'_>) -> Result<Vec<u8>, AdbError> {
    let mut stream: AdbStream = link.tcp(PORT, patience)?;
    stream.write_all(request.as_bytes(), patience)?;
    read_answer(&mut stream, patience)
}

/// Reads until the announced length has come, or the end: not every server closes.
fn read_answer(stream: &mut AdbStream, patience: &Patience<'_>) -> Result<Vec<u8>, AdbError> {
    let (mut answer, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        if complete(&answer) || answer.len() > MOST_BYTES {
            return Ok(answer);
        }
        match stream.read_some(&mut buffer, patience)? {
            0 => return Ok(answer),
            count => answer.extend_from_slice(buffer.get(..count).unwrap_or_default()),
        }
    }
}

fn head_and_body(answer: &[u8]) -> Option<(&str, &[u8])> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some((std::str::from_utf8(answer.get(..end)?).ok()?, answer.get(end + 4..)?))
}

fn announced(head: &str) -> Option<usize> {
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    fields
        .filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .find_map(|(_, value)| value.trim().parse().ok())
}

fn complete(answer: &[u8]) -> bool {
    head_and_body(answer)
        .is_some_and(|(head, body)| announced(head).is_some_and(|length| body.len() >= length))
}

fn body_of(answer: &[u8]) -> Option<Vec<u8>> {
    let (head, body) = head_and_body(answer)?;
    let status = head.lines().next()?.split_whitespace().nth(1)?;
    let body = body.get(..announced(head).unwrap_or(body.len()).min(body.len()))?;
    (status == "200").then(|| body.to_vec())
}

/// The innermost widget at the point that takes text.
fn field_at(layout: &Layout, at: PxPoint) -> Option<WidgetIdx> {
    let stack = layout.stack_at(at);
    let takes_text = |idx: &&WidgetIdx| {
        let widget = layout.widget(**idx);
        widget.class.contains("EditText") || widget.class.contains("AutoComplete")
    };
    let takes_focus = |idx: &&WidgetIdx| layout.widget(**idx).flags.has(WidgetFlags::FOCUSABLE);
    stack.iter().rev().find(takes_text).or_else(|| stack.iter().rev().find(takes_focus)).copied()
}

/// Names exactly this widget: its class, its id if it has one, and its place among those.
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
    use taproof_core::model::layout_from;

    #[test]
    fn a_field_is_named_by_its_place() {
        let layout = layout_from("LinearLayout\n  EditText#a \"x\"\n  EditText#b\n  EditText#a\n");
        let third = layout.iter().last().unwrap().0;
        let named = selector(&layout, third);
        assert_eq!(named["instance"], 1);
        assert_eq!(named["mask"], CLASS_NAME | INSTANCE | RESOURCE_ID);
        assert_eq!(field_at(&layout, layout.widget(third).bounds.center()), Some(third));
    }

    #[test]
    fn answers_are_read_to_their_length() {
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\npong";
        assert!(complete(answer) && !complete(&answer[..answer.len() - 1]));
        assert_eq!(body_of(answer).unwrap(), b"pong");
        assert_eq!(body_of(b"HTTP/1.1 500 No\r\n\r\n"), None);
        assert_eq!(body_of(b"garbage"), None);
    }
}
