//! Calls on an object: a widget given by a selector, or by the name of an object that was stored before.

use std::sync::Arc;

use serde_json::{Value, json};

use super::error::RpcError;
use super::params::Params;
use super::selector::Selector;
use super::touch::{dp, observe, stroke, touch};
use crate::{Served, State};
use taproof_core::model::{Gesture, Layout, PxPoint, PxRect, Widget, WidgetFlags, WidgetIdx};

/// The distance in pixels from its corner at which a widget is clicked there, and from its edges at which a swipe over
/// it begins and ends.
const MARGIN_PX: i32 = 5;
/// The duration of a gesture that must not count as a long press.
const SWIFT_MILLIS: u64 = 0;

/// A widget on the screen.
pub(super) struct Found {
    pub layout: Arc<Layout>,
    pub idx: WidgetIdx,
}

impl Found {
    /// The widget with its attributes.
    pub fn widget(&self) -> &Widget {
        self.layout.widget(self.idx)
    }

    /// Performs a gesture at its centre.
    fn touch(&self, state: &mut State, gesture: Gesture) -> Result<bool, RpcError> {
        touch(state, self.layout.screen(), self.widget().bounds.center(), gesture)
    }
}

/// The selector that a parameter means: the selector itself, or that of the stored object with that name.
pub(super) fn selector_of(served: &Served, params: &Params<'_>, place: usize) -> Result<Selector, RpcError> {
    match params.value(place)? {
        Value::String(name) => {
            let state = served.lock();
            let kept = state.uiautomator2.kept(name).cloned();
            kept.ok_or_else(|| RpcError::NotFound { what: format!("UiObject {name} not found!") })
        }
        selector => Selector::parse(selector),
    }
}

/// The first widget that matches the selector.
pub(super) fn find(state: &mut State, selector: &Selector) -> Result<Found, RpcError> {
    let layout = observe(state)?;
    match selector.resolve(&layout).first() {
        Some(idx) => Ok(Found { idx: *idx, layout }),
        None => Err(RpcError::NotFound { what: selector.to_string() }),
    }
}

/// `exist(object)`: whether it is on the screen.
pub(super) fn exist(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = match selector_of(served, params, 0) {
        Err(RpcError::NotFound { .. }) => return Ok(json!(false)),
        other => other?,
    };
    let layout = observe(&mut served.lock())?;
    Ok(json!(!selector.resolve(&layout).is_empty()))
}

/// `count(selector)`: the number of matching widgets.
pub(super) fn count(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    let layout = observe(&mut served.lock())?;
    Ok(json!(selector.resolve_all(&layout).len()))
}

/// `objInfo(object)`: its attributes and bounds.
pub(super) fn info(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    let found = find(&mut served.lock(), &selector)?;
    Ok(info_of(&found.layout, found.idx))
}

/// `objInfoOfAllInstances(selector)`: the attributes and bounds of each matching widget.
pub(super) fn info_of_all_instances(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    let layout = observe(&mut served.lock())?;
    let all = selector.resolve_all(&layout);
    Ok(all.into_iter().map(|idx| info_of(&layout, idx)).collect())
}

fn info_of(layout: &Layout, idx: WidgetIdx) -> Value {
    let widget = layout.widget(idx);
    let has = |flag| widget.flags.has(flag);
    json!({
        "bounds": rect(&widget.bounds),
        "childCount": layout.children(idx).count(),
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
    })
}

fn rect(bounds: &PxRect) -> Value {
    json!({"bottom": bounds.bottom, "left": bounds.left, "right": bounds.right, "top": bounds.top})
}

/// `getText(object)`: the text that it shows.
pub(super) fn get_text(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    let found = find(&mut served.lock(), &selector)?;
    Ok(json!(&*found.widget().text))
}

/// `setText(object, text)`. A widget that is not a text field is clicked if Android would click it first, and its text
/// does not change.
pub(super) fn set_text(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    let text = params.text(1)?.to_owned();
    let mut state = served.lock();
    let found = find(&mut state, &selector)?;
    if found.widget().is_editable() {
        return Ok(json!(found.touch(&mut state, Gesture::SetText(text))?));
    }
    Ok(json!(selector.is_plain() && found.touch(&mut state, Gesture::Tap)?))
}

/// `clearTextField(object)`: empties it if it is a text field.
pub(super) fn clear_text_field(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    let mut state = served.lock();
    let found = find(&mut state, &selector)?;
    if found.widget().is_editable() {
        found.touch(&mut state, Gesture::SetText(String::new()))?;
    }
    Ok(Value::Null)
}

/// `click(object[, corner])`: taps its centre or near a corner.
pub(super) fn click(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    press(served, params, Gesture::Tap)
}

/// `longClick(object[, corner])`: long-presses its centre or near a corner.
pub(super) fn long_click(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    press(served, params, Gesture::LongPress)
}

fn press(served: &Served, params: &Params<'_>, gesture: Gesture) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    let corner = if params.is_text(1) { params.text(1)?.to_ascii_lowercase() } else { "center".to_owned() };
    let mut state = served.lock();
    let found = find(&mut state, &selector)?;
    let bounds = found.widget().bounds;
    let at = match corner.as_str() {
        "br" | "bottomright" => PxPoint { x: bounds.right - MARGIN_PX, y: bounds.bottom - MARGIN_PX },
        "tl" | "topleft" => PxPoint { x: bounds.left + MARGIN_PX, y: bounds.top + MARGIN_PX },
        "c" | "center" => bounds.center(),
        _ => return Ok(json!(false)),
    };
    Ok(json!(touch(&mut state, found.layout.screen(), at, gesture)?))
}

/// `clickAndWaitForNewWindow(object, milliseconds)`: whether another window comes to the front. The device settles
/// after each input, so there is no need to wait.
pub(super) fn click_and_wait(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    let mut state = served.lock();
    let found = find(&mut state, &selector)?;
    found.touch(&mut state, Gesture::Tap)?;
    let after = observe(&mut state)?;
    let window = |layout: &Layout| {
        let root = layout.roots().next().map(|root| layout.widget(root).clone());
        (layout.activity().clone(), root.map(|root| (root.package, root.bounds)))
    };
    Ok(json!(window(&found.layout) != window(&after)))
}

/// `dragTo(object, x, y, steps)` or `dragTo(object, selector, steps)`.
pub(super) fn drag_to(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    let onto = if params.is_number(1) { None } else { Some(selector_of(served, params, 1)?) };
    let mut state = served.lock();
    let from = find(&mut state, &selector)?.widget().bounds.center();
    let to = match onto {
        Some(onto) => find(&mut state, &onto)?.widget().bounds.center(),
        None => params.point(1)?,
    };
    stroke(&mut state, &[from, to], SWIFT_MILLIS)
}

/// `swipe(object, direction, steps)` or `swipe(object, direction, percent, steps)`.
pub(super) fn swipe(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    let direction = params.text(1)?.to_ascii_lowercase();
    let percent = if params.len() > 3 { params.number(2)?.clamp(0.0, 1.0) } else { 1.0 };
    let mut state = served.lock();
    let found = find(&mut state, &selector)?;
    let area = found.widget().bounds;
    let (low, high, left, right) =
        (area.bottom - MARGIN_PX, area.top + MARGIN_PX, area.left + MARGIN_PX, area.right - MARGIN_PX);
    let center = area.center();
    let (from, to) = match direction.as_str() {
        "u" | "up" => (PxPoint { y: low, ..center }, PxPoint { y: high, ..center }),
        "d" | "down" => (PxPoint { y: high, ..center }, PxPoint { y: low, ..center }),
        "l" | "left" => (PxPoint { x: right, ..center }, PxPoint { x: left, ..center }),
        "r" | "right" => (PxPoint { x: left, ..center }, PxPoint { x: right, ..center }),
        _ => return Ok(json!(false)),
    };
    let part = |from: i32, to: i32| from + (f64::from(to - from) * percent) as i32;
    let to = PxPoint { x: part(from.x, to.x), y: part(from.y, to.y) };
    let too_small = low - high <= 0 || right - left <= 0;
    if too_small { Ok(json!(false)) } else { stroke(&mut state, &[from, to], SWIFT_MILLIS) }
}

/// `gesture(object, start, start, end, end, steps)` with two fingers. Devices here support one finger: two that move in
/// parallel count as that one; a pinch has no effect.
pub(super) fn gesture(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    let (first, second) = (params.point_object(1)?, params.point_object(2)?);
    let (first_end, second_end) = (params.point_object(3)?, params.point_object(4)?);
    params.amount(5)?;
    let mut state = served.lock();
    let found = find(&mut state, &selector)?;
    let moved = |from: PxPoint, to: PxPoint| (to.x - from.x, to.y - from.y);
    let (one, other) = (moved(first, first_end), moved(second, second_end));
    let slop = dp(found.layout.screen(), 8);
    let alike = (one.0 - other.0).abs() <= slop && (one.1 - other.1).abs() <= slop;
    let stays = one.0.abs() <= slop && one.1.abs() <= slop;
    if alike && !stays { stroke(&mut state, &[first, first_end], SWIFT_MILLIS) } else { Ok(json!(true)) }
}

/// `pinchIn` and `pinchOut(object, percent, steps)`: see [`gesture`].
pub(super) fn pinch(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    params.amount(1)?;
    find(&mut served.lock(), &selector)?;
    Ok(json!(true))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Rig, call, served, touches};
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
        let infos = call(&served, "objInfoOfAllInstances", &json!([all])).unwrap();
        let texts: Vec<&Value> = infos.as_array().unwrap().iter().map(|info| &info["text"]).collect();
        assert_eq!(texts, ["A", "B"]);
        assert_eq!(call(&served, "exist", &json!([text("C")])).unwrap(), false);
        assert_eq!(call(&served, "getText", &json!([id("name")])).unwrap(), "old");
    }

    #[test]
    fn what_is_not_there_is_said_in_the_words_that_clients_look_for() {
        let missing = json!("androidx.test.uiautomator.UiObjectNotFoundException");
        for method in ["objInfo", "getText", "clearTextField", "click", "longClick", "pinchIn"] {
            check(method, &json!([text("C"), 1]), &missing, &[]);
        }
        check("setText", &json!([text("C"), "x"]), &missing, &[]);
        check("dragTo", &json!([text("A"), text("C"), 10]), &missing, &[]);
        check("objInfo", &json!(["00000000-0000-4000-8000-000000000099"]), &missing, &[]);
        check("exist", &json!(["nonsense"]), &json!(false), &[]);
    }

    #[test]
    fn what_is_done_to_an_object() {
        let yes = json!(true);
        let drag = |x, y| Gesture::Drag(PxPoint { x, y });
        check("click", &json!([text("A")]), &yes, &[(540, 250, Gesture::Tap)]);
        check("click", &json!([text("A"), "tl"]), &yes, &[(5, 205, Gesture::Tap)]);
        check("click", &json!([text("A"), "bottomRight"]), &yes, &[(1075, 295, Gesture::Tap)]);
        check("click", &json!([text("A"), "elsewhere"]), &json!(false), &[]);
        check("longClick", &json!([text("A")]), &yes, &[(540, 250, Gesture::LongPress)]);
        check("dragTo", &json!([text("A"), 100, 900, 100]), &yes, &[(540, 250, drag(100, 900))]);
        check("dragTo", &json!([text("A"), id("name"), 100]), &yes, &[(540, 250, drag(540, 450))]);
        check("swipe", &json!([id("list"), "up", 10]), &yes, &[(540, 195, drag(540, 105))]);
        check("swipe", &json!([id("list"), "R", 10]), &yes, &[(5, 150, drag(1075, 150))]);
        check("swipe", &json!([id("list"), "left", 0.5, 10]), &yes, &[(1075, 150, drag(540, 150))]);
        check("swipe", &json!([id("list"), "inward", 10]), &json!(false), &[]);
        check(
            "setText",
            &json!([id("name"), "Grüße 😀"]),
            &yes,
            &[(540, 450, Gesture::SetText("Grüße 😀".into()))],
        );
        check(
            "clearTextField",
            &json!([id("name")]),
            &Value::Null,
            &[(540, 450, Gesture::SetText(String::new()))],
        );
        check("setText", &json!([text("A"), "x"]), &yes, &[(540, 250, Gesture::Tap)]);
        check("clearTextField", &json!([text("A")]), &Value::Null, &[]);
        check(
            "clickAndWaitForNewWindow",
            &json!([text("A"), 500]),
            &json!(false),
            &[(540, 250, Gesture::Tap)],
        );
    }

    #[test]
    fn two_fingers_that_move_alike_are_one() {
        let at = |x: i32, y: i32| json!({"x": x, "y": y});
        let alike = json!([id("list"), at(100, 800), at(300, 800), at(100, 200), at(300, 200), 50]);
        check("gesture", &alike, &json!(true), &[(100, 800, Gesture::Drag(PxPoint { x: 100, y: 200 }))]);
        let pinched = json!([id("list"), at(100, 800), at(300, 800), at(190, 800), at(210, 800), 50]);
        check("gesture", &pinched, &json!(true), &[]);
        check("pinchOut", &json!([id("list"), 100, 50]), &json!(true), &[]);
    }
}
