//! Touches of the screen. The duration of a touch follows from the number of steps (5 ms each, as on a phone) and from
//! the device's own clock; how long the client took does not matter.

use std::sync::Arc;

use serde_json::{Value, json};

use super::error::RpcError;
use crate::State;
use crate::screen::touch_screen::Finger;
use taproof_screen::{Event, Gesture, Layout, PxPoint};

/// The time between the moves of a swipe, in milliseconds.
const STEP_MILLIS: u64 = 5;

/// The current layout of the screen.
pub(super) fn observe(state: &mut State) -> Result<Arc<Layout>, RpcError> {
    Ok(state.device.observe()?.layout)
}

/// Performs one event on the device.
pub(super) fn perform(state: &mut State, event: &Event) -> Result<(), RpcError> {
    Ok(state.device.perform(event)?)
}

/// Performs a gesture at a point. Returns false if the point is outside the screen.
pub(super) fn touch(state: &mut State, at: PxPoint, gesture: Gesture) -> Result<bool, RpcError> {
    let screen = observe(state)?.screen();
    let on_screen = (0..screen.width).contains(&at.x) && (0..screen.height).contains(&at.y);
    if on_screen {
        state.gesture(at, gesture)?;
    }
    Ok(on_screen)
}

/// Puts a finger down, moves it along the points and lifts it.
pub(super) fn stroke(state: &mut State, points: &[PxPoint], millis: u64) -> Result<Value, RpcError> {
    let (Some(from), Some(to)) = (points.first(), points.last()) else { return Ok(json!(false)) };
    let mut finger = Finger::down(*from, state.device.now());
    points.iter().for_each(|point| finger.moved(*point));
    Ok(json!(touch(state, *from, finger.lifted(*to, millis))?))
}

pub(super) fn steps_millis(steps: u64) -> u64 {
    steps.saturating_mul(STEP_MILLIS)
}
