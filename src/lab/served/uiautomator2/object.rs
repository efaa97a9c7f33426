//! Calls on a widget that a selector names.

use std::sync::Arc;

use serde_json::{Value, json};

use super::error::RpcError;
use super::params::Params;
use super::selector::Selector;
use super::touch::{observe, touch};
use crate::{Served, State};
use taproof_screen::{Gesture, Layout, PxRect, Widget, WidgetFlags, WidgetIdx};

/// A widget on a layout.
struct Found {
    layout: Arc<Layout>,
    idx: WidgetIdx,
}

impl Found {
    fn widget(&self) -> &Widget {
        self.layout.widget(self.idx)
    }

    fn touch(&self, state: &mut State, gesture: Gesture) -> Result<bool, RpcError> {
        touch(state, self.widget().bounds.center(), gesture)
    }
}

/// The selector that is the first parameter of a call.
pub(super) fn selector_of(params: &Params<'_>) -> Result<Selector, RpcError> {
    Selector::parse(params.value(0)?)
}

/// Finds the first widget that the first parameter names, or fails with the exception that clients expect.
fn find(state: &mut State, params: &Params<'_>) -> Result<Found, RpcError> {
    let layout = observe(state)?;
    match selector_of(params)?.resolve(&layout).first() {
        Some(idx) => Ok(Found { idx: *idx, layout }),
        None => Err(RpcError::NotFound { what: params.value(0)?.to_string() }),
    }
}

pub(super) fn exist(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(params)?;
    let layout = observe(&mut served.lock())?;
    Ok(json!(!selector.resolve(&layout).is_empty()))
}

pub(super) fn count(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(params)?;
    let layout = observe(&mut served.lock())?;
    Ok(json!(selector.resolve(&layout).len()))
}

pub(super) fn info(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let found = find(&mut served.lock(), params)?;
    let widget = found.widget();
    let has = |flag| widget.flags.has(flag);
    Ok(json!({
        "bounds": rect(&widget.bounds),
        "childCount": found.layout.children(found.idx).count(),
        "className": &*widget.class,
        "contentDescription": &*widget.content_desc,
        "packageName": &*widget.package,
        "resourceName": widget.resource_id.as_deref(),
        "text": &*widget.text,
        "visibleBounds": rect(&widget.bounds),
        "checkable": has(WidgetFlags::CHECKABLE),
        "checked": has(WidgetFlags::CHECKED),
        "clickable": has(WidgetFlags::CLICKABLE),
        "enabled": has(WidgetFlags::ENABLED),
        "focusable": has(WidgetFlags::FOCUSABLE),
        "focused": has(WidgetFlags::FOCUSED),
        "longClickable": has(WidgetFlags::LONG_CLICKABLE),
        "scrollable": has(WidgetFlags::SCROLLABLE),
        "selected": has(WidgetFlags::SELECTED),
    }))
}

fn rect(bounds: &PxRect) -> Value {
    json!({"bottom": bounds.bottom, "left": bounds.left, "right": bounds.right, "top": bounds.top})
}

pub(super) fn get_text(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let found = find(&mut served.lock(), params)?;
    Ok(json!(&*found.widget().text))
}

/// Replaces the text of a text field. Other widgets are tapped, as on a phone.
pub(super) fn set_text(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let text = params.text(1)?.to_owned();
    let mut state = served.lock();
    let found = find(&mut state, params)?;
    if found.widget().is_editable() {
        return Ok(json!(found.touch(&mut state, Gesture::SetText(text))?));
    }
    Ok(json!(selector_of(params)?.is_plain() && found.touch(&mut state, Gesture::Tap)?))
}

pub(super) fn clear_text_field(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let mut state = served.lock();
    let found = find(&mut state, params)?;
    if found.widget().is_editable() {
        found.touch(&mut state, Gesture::SetText(String::new()))?;
    }
    Ok(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Rig, call, served, touches};
    use super::*;

    const PAGE: &str = "FrameLayout#root\n  ListView#list\n    TextView#a \"A\"\n    TextView#b \"B\" (bee)\n  EditText#name \"old\"\n";

    fn text(text: &str) -> Value {
        json!({"mask": 1, "text": text})
    }

    fn id(id: &str) -> Value {
        json!({"mask": 0x20_0000, "resourceId": format!("org.ex:id/{id}")})
    }

    fn page() -> Rig {
        served(PAGE)
    }

    fn check(method: &str, params: &Value, answer: &Value, expected: &[(i32, i32, Gesture)]) {
        let served = page();
        let answered = call(&served, method, params).unwrap_or_else(|error| json!(error["message"]));
        assert_eq!(answered, *answer, "{method} {params}");
        assert_eq!(touches(&served), expected, "{method} {params}");
    }

    #[test]
    fn an_object_tells_of_itself() {
        let served = page();
        let info = call(&served, "objInfo", &json!([text("B")])).unwrap();
        let bounds = json!({"bottom": 400, "left": 0, "right": 1080, "top": 300});
        assert_eq!(info["bounds"], bounds);
        assert_eq!(info["visibleBounds"], bounds);
        assert_eq!(info["contentDescription"], "bee");
        assert_eq!(info["resourceName"], "org.ex:id/b");
        assert_eq!(info["childCount"], 0);
        assert_eq!(info["className"], "android.widget.TextView");
        assert_eq!(info.as_object().unwrap().len(), 17);
        let all = json!({"mask": 0x10, "className": "android.widget.TextView"});
        assert_eq!(call(&served, "count", &json!([all])).unwrap(), 2);
        assert_eq!(call(&served, "exist", &json!([text("C")])).unwrap(), false);
        assert_eq!(call(&served, "getText", &json!([id("name")])).unwrap(), "old");
    }

    #[test]
    fn what_is_not_there_is_said_in_the_words_that_clients_look_for() {
        let missing = json!("androidx.test.uiautomator.UiObjectNotFoundException");
        for method in ["objInfo", "getText", "clearTextField"] {
            check(method, &json!([text("C"), 1]), &missing, &[]);
        }
        check("setText", &json!([text("C"), "x"]), &missing, &[]);
    }

    #[test]
    fn what_is_done_to_an_object() {
        let yes = json!(true);
        let written = |text: &str| [(540, 450, Gesture::SetText(text.to_owned()))];
        check("setText", &json!([id("name"), "Grüße 😀"]), &yes, &written("Grüße 😀"));
        check("clearTextField", &json!([id("name")]), &Value::Null, &written(""));
        check("setText", &json!([text("A"), "x"]), &yes, &[(540, 250, Gesture::Tap)]);
        check("clearTextField", &json!([text("A")]), &Value::Null, &[]);
    }
}
