//! Scrolling a widget: forward, backward, to its ends, and until another widget comes into view. A fling is the same as
//! a scroll here, since devices scroll by the direction of the finger and not by its speed.

use serde_json::{Value, json};

use super::error::RpcError;
use super::object::{find, selector_of};
use super::params::Params;
use super::selector::{Relation, Selector};
use super::touch::{observe, stroke};
use crate::Served;
use taproof_core::model::PxPoint;

/// Limit on the swipes of a search in each direction, as on a phone.
const MOST_SEARCH_SWIPES: u64 = 30;
/// Limit on the swipes of any call.
const MOST_SWIPES: u64 = 1000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    Vertical,
    Horizontal,
}

/// `scrollForward(object, vertical[, steps])`: whether anything moved.
pub(super) fn forward(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    Ok(json!(once(served, &selector, axis(params, 1)?, Direction::Forward)?))
}

/// `scrollBackward(object, vertical[, steps])`: whether anything moved.
pub(super) fn backward(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    Ok(json!(once(served, &selector, axis(params, 1)?, Direction::Backward)?))
}

/// `scrollToBeginning(object, vertical, swipes[, steps])`.
pub(super) fn to_beginning(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    to_the_end(served, &selector, axis(params, 1)?, Direction::Backward, params.amount(2)?)
}

/// `scrollToEnd(object, vertical, swipes[, steps])`.
pub(super) fn to_end(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    to_the_end(served, &selector, axis(params, 1)?, Direction::Forward, params.amount(2)?)
}

/// `scrollTo(object, selector, vertical)`: whether the other widget is in view.
pub(super) fn to(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let (selector, wanted) = (selector_of(served, params, 0)?, selector_of(served, params, 1)?);
    Ok(json!(search(served, &selector, &wanted, axis(params, 2)?)?))
}

/// Scrolls a vertical list until it shows a widget. Returns whether it does.
pub(super) fn into_view(served: &Served, list: &Selector, wanted: &Selector) -> Result<bool, RpcError> {
    search(served, list, wanted, Axis::Vertical)
}

fn axis(params: &Params<'_>, place: usize) -> Result<Axis, RpcError> {
    Ok(if params.flag(place)? { Axis::Vertical } else { Axis::Horizontal })
}

fn to_the_end(
    served: &Served,
    selector: &Selector,
    axis: Axis,
    direction: Direction,
    swipes: u64,
) -> Result<Value, RpcError> {
    for _ in 0..swipes.min(MOST_SWIPES) {
        if !once(served, selector, axis, direction)? {
            break;
        }
    }
    Ok(json!(true))
}

/// Searches as Android does: if the widget is not in view, from the beginning on.
fn search(served: &Served, list: &Selector, wanted: &Selector, axis: Axis) -> Result<bool, RpcError> {
    let wanted = list.clone().then(Relation::Child, wanted);
    let in_view = || -> Result<bool, RpcError> {
        let layout = observe(&mut served.lock())?;
        Ok(!wanted.resolve(&layout).is_empty())
    };
    if in_view()? {
        return Ok(true);
    }
    for _ in 0..MOST_SEARCH_SWIPES {
        if !once(served, list, axis, Direction::Backward)? {
            break;
        }
    }
    for _ in 0..MOST_SEARCH_SWIPES {
        if in_view()? {
            return Ok(true);
        }
        if !once(served, list, axis, Direction::Forward)? {
            break;
        }
    }
    in_view()
}

/// Swipes over the widget, a tenth of its size away from its edges. Returns whether anything changed.
fn once(served: &Served, selector: &Selector, axis: Axis, direction: Direction) -> Result<bool, RpcError> {
    let mut state = served.lock();
    let found = find(&mut state, selector)?;
    let area = found.widget().bounds;
    let center = area.center();
    let (low, high) = match axis {
        Axis::Vertical => {
            let edge = area.height() / 10;
            (PxPoint { y: area.bottom - edge, ..center }, PxPoint { y: area.top + edge, ..center })
        }
        Axis::Horizontal => {
            let edge = area.width() / 10;
            (PxPoint { x: area.right - edge, ..center }, PxPoint { x: area.left + edge, ..center })
        }
    };
    let stretch = if direction == Direction::Forward { [low, high] } else { [high, low] };
    stroke(&mut state, &stretch, 0)?;
    Ok(*observe(&mut state)? != *found.layout)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::testing::{call, served, touches};
    use super::super::{PORT, start};
    use super::*;
    use taproof_core::device::{AppData, AppId, Device};
    use taproof_core::model::Gesture;
    use taproof_phone::{BugSet, Fonts, apps};

    /// The bundled phone in landscape: the list of Files is longer than the screen is high.
    fn phone() -> Served {
        let files = "org.taproof.files";
        let mut phone = apps::phone_with(&Arc::new(Fonts::new()), files, &BugSet::none());
        phone.launch(&AppId(files.to_owned()), AppData::Clear).unwrap();
        let served = Served::new(Box::new(phone));
        start(&served, PORT).unwrap();
        call(&served, "setOrientation", &json!(["left"])).unwrap();
        served
    }

    fn list() -> Value {
        json!({"mask": 0x4000, "scrollable": true})
    }

    fn text(text: &str) -> Value {
        json!({"mask": 1, "text": text})
    }

    #[test]
    fn a_list_is_scrolled_to_its_ends_and_to_what_is_looked_for() {
        let phone = phone();
        let does = |method: &str, params: Value| call(&phone, method, &params).unwrap() == json!(true);
        let shows = |name: &str| does("exist", json!([text(name)]));
        assert!(shows("Documents") && !shows("read me.txt"));
        assert!(does("scrollForward", json!([list(), true, 55])));
        assert!(does("scrollToEnd", json!([list(), true, 500, 55])));
        assert!(shows("read me.txt") && !shows("Documents"));
        assert!(!does("flingForward", json!([list(), true])), "nothing moves at the end");
        assert!(does("scrollTo", json!([list(), text("Documents"), true])) && shows("Documents"));
        assert!(does("scrollTo", json!([list(), text("read me.txt"), true])) && shows("read me.txt"));
        assert!(!does("scrollTo", json!([list(), text("nothing"), true])));
        assert!(does("flingToBeginning", json!([list(), true, 500])) && shows("Documents"));
        assert!(!does("scrollBackward", json!([list(), true, 55])));
        assert!(!does("scrollForward", json!([list(), false, 55])), "it is no wide list");
        let rows = json!({"mask": 0x10, "className": "android.widget.LinearLayout"});
        let found = call(&phone, "childByText", &json!([list(), rows, "read me.txt", true]));
        assert!(found.is_ok_and(|name| name.is_string()) && shows("read me.txt"));
    }

    #[test]
    fn the_finger_keeps_away_from_the_edges() {
        let check = |method: &str, vertical: bool, from: (i32, i32), to: (i32, i32)| {
            let served = served("ListView#list\n  TextView \"a\"\n");
            let list = json!({"mask": 0x20_0000, "resourceId": "org.ex:id/list"});
            assert_eq!(call(&served, method, &json!([list, vertical, 55])).unwrap(), false);
            let to = Gesture::Drag(PxPoint { x: to.0, y: to.1 });
            assert_eq!(touches(&served), [(from.0, from.1, to)], "{method}");
        };
        check("scrollForward", true, (540, 90), (540, 10));
        check("scrollBackward", true, (540, 10), (540, 90));
        check("flingForward", false, (972, 50), (108, 50));
    }
}
