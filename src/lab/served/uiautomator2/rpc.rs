//! JSON-RPC: the list of methods, and the format of requests and responses.

use serde_json::{Value, json};

use super::error::RpcError;
use super::params::Params;
use super::{hierarchy, input, object, system, waiting};
use crate::{Cost, Served};

/// The function that implements a method.
type Handler = fn(&Served, &Params<'_>) -> Result<Value, RpcError>;

/// Every supported method. Missing are those without an equivalent on a served device: watchers, `launchApp`,
/// `executeShellCommand`, screenshots to a file, the configurator. Current clients call none of them.
const METHODS: &[(&str, Handler)] = &[
    ("deviceInfo", system::device_info),
    ("dumpWindowHierarchy", hierarchy::dump_window_hierarchy),
    ("takeScreenshot", system::take_screenshot),
    ("click", input::click),
    ("swipe", input::swipe),
    ("drag", input::drag),
    ("swipePoints", input::swipe_points),
    ("injectInputEvent", input::inject_input_event),
    ("pressKey", input::press_key),
    ("pressKeyCode", input::press_key_code),
    ("pasteClipboard", system::paste_clipboard),
    ("clearInputText", system::clear_input_text),
    ("setClipboard", system::set_clipboard),
    ("getClipboard", system::get_clipboard),
    ("setOrientation", system::set_orientation),
    ("freezeRotation", system::freeze_rotation),
    ("wakeUp", system::wake_up),
    ("openNotification", system::open_shade),
    ("openQuickSettings", system::open_shade),
    ("getLastToast", system::nothing),
    ("clearLastToast", system::nothing),
    ("getLastTraversedText", system::nothing),
    ("clearLastTraversedText", system::nothing),
    ("waitForExists", waiting::wait_for_exists),
    ("waitUntilGone", waiting::wait_until_gone),
    ("exist", object::exist),
    ("count", object::count),
    ("objInfo", object::info),
    ("getText", object::get_text),
    ("setText", object::set_text),
    ("clearTextField", object::clear_text_field),
];

/// Performs the call in the body of a request and returns the body of the response.
pub(super) fn answer(served: &Served, body: &[u8]) -> Vec<u8> {
    let (id, result) = match serde_json::from_slice::<Value>(body) {
        Ok(request) => (request.get("id").cloned().unwrap_or(Value::Null), call(served, &request)),
        Err(error) => (Value::Null, Err(RpcError::NotJson { problem: error.to_string() })),
    };
    let response = match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error.to_json()}),
    };
    response.to_string().into_bytes()
}

fn call(served: &Served, request: &Value) -> Result<Value, RpcError> {
    let method = request.get("method").and_then(Value::as_str).ok_or(RpcError::NotACall)?;
    let found = METHODS.iter().find(|(name, _)| *name == method);
    let (_, handler) = found.ok_or_else(|| RpcError::NoSuchMethod { method: method.to_owned() })?;
    let params = request.get("params").unwrap_or(&Value::Null);
    tracing::debug!(method, %params, "a client calls");
    if let Some(cost) = cost_of(method) {
        // The call is performed even if the client leaves meanwhile.
        served.take_time(cost, || true);
    }
    handler(served, &Params::of(request.get("params"))?)
}

/// The latency of a method; `None` for methods that only look something up.
fn cost_of(method: &str) -> Option<Cost> {
    let input = ["click", "swipe", "drag", "pressKey", "setText", "pasteClipboard", "injectInput"];
    match method {
        "takeScreenshot" => Some(Cost::ServerScreenshot),
        "dumpWindowHierarchy" => Some(Cost::ServerDump),
        _ if input.iter().any(|start| method.starts_with(start)) => Some(Cost::ServerInput),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::served;
    use super::*;

    fn check(body: &str, expected: &str) {
        let served = served("Button#save \"Save\"\n");
        let answered = answer(&served, body.as_bytes());
        assert_eq!(String::from_utf8(answered).unwrap(), expected, "{body}");
    }

    #[test]
    fn answers_and_errors_have_the_shape_that_clients_read() {
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":"getClipboard","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
        );
        check(
            r#"{"jsonrpc":"2.0","id":"a","method":"fly","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"method not found","data":"fly"}}"#,
        );
        check(
            r#"{"id":7,"method":"objInfo","params":[{"mask":1,"text":"No"}]}"#,
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"androidx.test.uiautomator.UiObjectNotFoundException","data":"{\"mask\":1,\"text\":\"No\"}"}}"#,
        );
        check(
            r#"{"id":7,"method":"swipe","params":[1,2,"x"]}"#,
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"method parameters invalid","data":"parameter 3 is not a number"}}"#,
        );
        let none =
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request","data":null}}"#;
        for no_call in ["[]", "7", "{}", "null", r#"{"method":7}"#, r#"[{"method":"exist","id":1}]"#] {
            check(no_call, none);
        }
    }

    #[test]
    fn all_calls_of_real_clients_are_known() {
        let recorded = include_str!("../../../../tests/data/clients/jsonrpc.txt");
        let names: Vec<&str> = recorded.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(names.len() > 20, "{names:?}");
        for name in names {
            assert!(METHODS.iter().any(|(known, _)| *known == name), "{name}");
        }
    }

    #[test]
    fn garbage_is_an_error_and_no_panic() {
        let served = served("Button#save \"Save\"\n");
        let deep = "[".repeat(100_000);
        let nested = format!(
            r#"{{"id":1,"method":"exist","params":[{}{}]}}"#,
            r#"{"mask":0,"childOrSibling":["child"],"childOrSiblingSelector":["#.repeat(500),
            "]}".repeat(500)
        );
        for garbage in ["", "{", "\u{0}", "{\"id\":1e999}", deep.as_str(), nested.as_str()] {
            let answered: Value = serde_json::from_slice(&answer(&served, garbage.as_bytes())).unwrap();
            assert_eq!(answered["error"]["code"], -32700, "{}", garbage.get(..20).unwrap_or(garbage));
        }
        assert!(answer(&served, &[0xff, 0xfe, 0x00]).starts_with(b"{\"jsonrpc\""));
    }

    #[test]
    fn no_method_panics_on_wrong_parameters() {
        let wrong = [
            json!([]),
            json!([null]),
            json!([[], [], []]),
            json!([-1, -1, -1, -1, -1, -1]),
            json!(["", "", "", ""]),
            json!([{"mask": -1}, {"mask": 1}, {}, {}]),
            json!([{}, true, i64::MAX, i64::MIN]),
            json!([1e308, -1e308, 1e308, 1e308, 1e308]),
        ];
        for (name, _) in METHODS {
            for params in &wrong {
                let served = served("ListView#list\n  Button#save \"Save\"\n  EditText#name\n");
                let body = json!({"id": 1, "method": name, "params": params}).to_string();
                let answered: Value = serde_json::from_slice(&answer(&served, body.as_bytes())).unwrap();
                assert_eq!(answered["jsonrpc"], "2.0", "{name} {params}");
            }
        }
    }
}
