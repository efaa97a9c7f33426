//! Touches of the screen.
//!
//! A touch that stays at its point is a tap, or a long press after half a second; one that leaves it is a drag. The
//! duration of a touch follows from the number of steps (5 ms each, as on a phone) and from the device's own clock; how
//! long the client took does not matter.

use std::sync::Arc;

use serde_json::{Value, json};

use super::error::RpcError;
use crate::State;
use taproof_core::model::{Event, Gesture, Layout, PxPoint, PxSize, Selector, TouchTarget};

/// The duration from which a touch is a long press, in milliseconds.
pub(super) const LONG_PRESS_MILLIS: u64 = 500;
/// The time between the moves of a swipe, in milliseconds.
const STEP_MILLIS: u64 = 5;
/// How far a finger may move and still count as resting, in dp.
const SLOP_DP: i32 = 8;

/// The current layout of the screen.
pub(super) fn observe(state: &mut State) -> Result<Arc<Layout>, RpcError> {
    Ok(state.device.observe()?.layout)
}

/// Performs one event on the device.
pub(super) fn perform(state: &mut State, event: &Event) -> Result<(), RpcError> {
    Ok(state.device.perform(event)?)
}

/// Converts a length in dp to pixels. Screens are assumed to be 360 dp wide, as those of phones are.
pub(super) fn dp(screen: PxSize, length: i32) -> i32 {
    length * screen.width.min(screen.height) / 360
}

/// Converts a length in pixels to dp.
pub(super) fn dp_of_px(screen: PxSize, length: i32) -> i32 {
    let short = screen.width.min(screen.height).max(1);
    (i64::from(length) * 360 / i64::from(short)) as i32
}

/// Performs a gesture at a point. Returns false if the point is outside the screen.
pub(super) fn touch(
    state: &mut State,
    screen: PxSize,
    at: PxPoint,
    gesture: Gesture,
) -> Result<bool, RpcError> {
    let on_screen = (0..screen.width).contains(&at.x) && (0..screen.height).contains(&at.y);
    if on_screen {
        let target = TouchTarget { selector: Selector::default(), at, screen };
        perform(state, &Event::Widget { target, gesture })?;
    }
    Ok(on_screen)
}

/// Puts a finger down, moves it along the points and lifts it.
pub(super) fn stroke(state: &mut State, points: &[PxPoint], millis: u64) -> Result<Value, RpcError> {
    let (Some(from), Some(to)) = (points.first(), points.last()) else { return Ok(json!(false)) };
    let screen = observe(state)?.screen();
    let strayed = points.iter().any(|point| is_far(screen, *from, *point));
    let gesture = gesture_of(*to, strayed, millis);
    Ok(json!(touch(state, screen, *from, gesture)?))
}

pub(super) fn is_far(screen: PxSize, one: PxPoint, other: PxPoint) -> bool {
    let slop = dp(screen, SLOP_DP).max(1);
    (one.x - other.x).abs() > slop || (one.y - other.y).abs() > slop
}

pub(super) fn gesture_of(to: PxPoint, strayed: bool, millis: u64) -> Gesture {
    match (strayed, millis >= LONG_PRESS_MILLIS) {
        (true, _) => Gesture::Drag(to),
        (false, true) => Gesture::LongPress,
        (false, false) => Gesture::Tap,
    }
}

pub(super) fn steps_millis(steps: u64) -> u64 {
    steps.saturating_mul(STEP_MILLIS)
}
