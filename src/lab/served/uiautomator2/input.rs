//! Input: clicks, swipes, drags, separate touch events that are combined to one of these, and keys.

use serde_json::{Value, json};

use super::error::RpcError;
use super::params::{Params, px};
use super::touch::{steps_millis, stroke, touch};
use crate::screen::keys::Stroke;
use crate::screen::touch_screen::{Finger, LONG_PRESS};
use crate::{Served, State};
use taproof_screen::PxPoint;
use taproof_screen::determinism::DeviceDuration;

/// `click(x, y[, milliseconds])`, or a click on an object.
pub(super) fn click(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let at = params.point(0)?;
    let millis = if params.len() > 2 { params.amount(2)? } else { 100 };
    stroke(&mut served.lock(), &[at], millis)
}

/// `swipe(x, y, x, y, steps)`, or a swipe over an object.
pub(super) fn swipe(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let points = [params.point(0)?, params.point(2)?];
    let millis = steps_millis(params.amount(4)?);
    served.hold(DeviceDuration(millis), || true);
    stroke(&mut served.lock(), &points, millis)
}

/// `drag(x, y, x, y, steps)`. A drag that ends where it began is a long press, however short, since it begins with one.
pub(super) fn drag(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let points = [params.point(0)?, params.point(2)?];
    served.hold(DeviceDuration(steps_millis(params.amount(4)?)), || true);
    stroke(&mut served.lock(), &points, LONG_PRESS)
}

/// `swipePoints([x, y, x, y, …], steps)`.
pub(super) fn swipe_points(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let numbers = params.value(0)?.as_array().ok_or_else(|| RpcError::params("parameter 1 is not a list"))?;
    let mut points = Vec::new();
    for pair in numbers.chunks_exact(2) {
        let [x, y] = pair else { continue };
        let (Some(x), Some(y)) = (x.as_f64(), y.as_f64()) else {
            return Err(RpcError::params("parameter 1 has more than numbers"));
        };
        points.push(PxPoint { x: px(x as i64), y: px(y as i64) });
    }
    let strokes = points.len().saturating_sub(1) as u64;
    let millis = steps_millis(params.amount(1)?).saturating_mul(strokes);
    served.hold(DeviceDuration(millis), || true);
    stroke(&mut served.lock(), &points, millis)
}

/// `injectInputEvent(action, x, y, meta)`: 0 puts a finger down, 2 moves it, 1 lifts it.
pub(super) fn inject_input_event(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let (action, at) = (params.whole(0)?, params.point(1)?);
    let mut state = served.lock();
    let state = &mut *state;
    let injected = &mut state.touch_screen.injected;
    match action {
        0 => {
            *injected = Some(Finger::down(at, state.device.now()));
            Ok(json!(true))
        }
        2 => {
            injected.iter_mut().for_each(|finger| finger.moved(at));
            Ok(json!(injected.is_some()))
        }
        1 => {
            let Some(finger) = injected.take() else { return Ok(json!(false)) };
            let down = state.device.now().since(finger.at).millis();
            let millis = down.max(steps_millis(u64::from(finger.moves)));
            Ok(json!(touch(state, finger.start, finger.lifted(at, millis))?))
        }
        _ => Ok(json!(false)),
    }
}

/// `pressKey(name)`; false for an unknown name.
pub(super) fn press_key(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let name = params.text(0)?.to_ascii_uppercase();
    let name = match name.as_str() {
        "LEFT" | "RIGHT" | "UP" | "DOWN" | "CENTER" => format!("DPAD_{name}"),
        "DELETE" => "DEL".to_owned(),
        "RECENT" => "APP_SWITCH".to_owned(),
        _ => name,
    };
    let stroke = Stroke::named(&name);
    press(&mut served.lock(), stroke.unwrap_or(Stroke::Nothing))?;
    Ok(json!(stroke.is_some()))
}

/// `pressKeyCode(code[, meta])`. No meta key has an effect here.
pub(super) fn press_key_code(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let code = u32::try_from(params.whole(0)?).unwrap_or(0);
    press(&mut served.lock(), Stroke::of_code(code))?;
    Ok(json!(true))
}

fn press(state: &mut State, stroke: Stroke) -> Result<(), RpcError> {
    if stroke == Stroke::Nothing { Ok(()) } else { Ok(state.press(stroke)?) }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{call, done, served, touches};
    use super::*;
    use taproof_screen::determinism::DeviceDuration;
    use taproof_screen::{Event, Gesture};

    fn check(calls: &[(&str, Value)], expected: &[(i32, i32, Gesture)]) {
        let served = served("ListView#list\n  Button#save \"Save\"\n");
        for (method, params) in calls {
            assert_eq!(call(&served, method, params).unwrap(), true, "{method} {params}");
        }
        assert_eq!(touches(&served), expected, "{calls:?}");
    }

    fn to(x: i32, y: i32) -> Gesture {
        Gesture::Drag(PxPoint { x, y })
    }

    #[test]
    fn what_a_finger_does_is_a_tap_a_long_press_or_a_drag() {
        check(&[("click", json!([540, 150]))], &[(540, 150, Gesture::Tap)]);
        check(&[("click", json!([540.7, 150.2]))], &[(540, 150, Gesture::Tap)]);
        check(&[("click", json!([540, 150, 499]))], &[(540, 150, Gesture::Tap)]);
        check(&[("click", json!([540, 150, 500]))], &[(540, 150, Gesture::LongPress)]);
        check(&[("swipe", json!([540, 900, 540, 300, 55]))], &[(540, 900, to(540, 300))]);
        check(&[("swipe", json!([540, 900, 550, 910, 99]))], &[(540, 900, Gesture::Tap)]);
        check(&[("swipe", json!([540, 900, 550, 910, 100]))], &[(540, 900, Gesture::LongPress)]);
        check(&[("drag", json!([1, 2, 300, 400, 100]))], &[(1, 2, to(300, 400))]);
        check(&[("drag", json!([1, 2, 1, 2, 1]))], &[(1, 2, Gesture::LongPress)]);
        check(&[("swipePoints", json!([[10, 20, 30, 400, 50, 600], 100]))], &[(10, 20, to(50, 600))]);
        check(&[("swipePoints", json!([[10, 20, 30, 400, 10, 20], 2]))], &[(10, 20, to(10, 20))]);
    }

    #[test]
    fn single_touches_become_one_gesture() {
        let event = |action: u8, x: i32, y: i32| ("injectInputEvent", json!([action, x, y, 0]));
        check(&[event(0, 5, 6), event(1, 5, 6)], &[(5, 6, Gesture::Tap)]);
        check(&[event(0, 5, 6), event(2, 5, 300), event(1, 5, 300)], &[(5, 6, to(5, 300))]);
        check(&[event(0, 5, 6), event(2, 5, 300), event(2, 5, 6), event(1, 5, 6)], &[(5, 6, to(5, 6))]);
        let mut held = vec![event(0, 5, 6)];
        held.extend((0..100).map(|_| event(2, 6, 6)));
        held.push(event(1, 5, 6));
        check(&held, &[(5, 6, Gesture::LongPress)]);
        check(
            &[event(0, 5, 6), event(1, 5, 6), ("click", json!([5, 6]))],
            &[(5, 6, Gesture::Tap), (5, 6, Gesture::Tap)],
        );
    }

    #[test]
    fn the_devices_own_time_makes_a_long_press() {
        let served = served("Button#save \"Save\"\n");
        call(&served, "injectInputEvent", &json!([0, 5, 6, 0])).unwrap();
        served.lock().device.perform(&Event::Wait(DeviceDuration(700))).unwrap();
        call(&served, "injectInputEvent", &json!([1, 5, 6, 0])).unwrap();
        assert_eq!(touches(&served), [(5, 6, Gesture::LongPress)]);
    }

    #[test]
    fn nothing_happens_beside_the_screen_or_without_a_finger() {
        let served = served("Button#save \"Save\"\n");
        for (method, params) in [
            ("click", json!([-1, 5])),
            ("click", json!([5, 1920])),
            ("click", json!([1e300, 5])),
            ("swipe", json!([2000, 5, 1, 1, 10])),
            ("swipePoints", json!([[], 10])),
            ("swipePoints", json!([[7], 10])),
            ("injectInputEvent", json!([1, 5, 5, 0])),
            ("injectInputEvent", json!([2, 5, 5, 0])),
            ("injectInputEvent", json!([3, 5, 5, 0])),
        ] {
            assert_eq!(call(&served, method, &params).unwrap(), false, "{method} {params}");
        }
        assert_eq!(done(&served), []);
    }
}
