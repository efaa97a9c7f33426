//! Waiting for a widget to appear or disappear. Unless its time is real, the device's clock only advances by events on
//! it, so a wait is performed on it, in steps; others can act between two of them.

use std::sync::Arc;

use serde_json::{Value, json};

use super::error::RpcError;
use super::object::selector_of;
use super::params::Params;
use super::touch::observe;
use crate::Served;
use taproof_screen::Layout;
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};

/// The time between two checks in milliseconds, as on a phone.
const STEP_MILLIS: u64 = 1000;
/// Limit on the wait of a call in milliseconds.
const LONGEST_MILLIS: u64 = 600_000;

/// `waitForExists(selector, milliseconds)`: whether it appears in time.
pub(super) fn wait_for_exists(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(params)?;
    until(served, params.amount(1)?, |layout| !selector.resolve(layout).is_empty())
}

/// `waitUntilGone(selector, milliseconds)`: whether it disappears in time.
pub(super) fn wait_until_gone(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(params)?;
    until(served, params.amount(1)?, |layout| selector.resolve(layout).is_empty())
}

fn until(
    served: &Served,
    timeout_millis: u64,
    mut done: impl FnMut(&Layout) -> bool,
) -> Result<Value, RpcError> {
    let timeout = timeout_millis.min(LONGEST_MILLIS);
    let mut start: Option<DeviceInstant> = None;
    let mut asked = 0;
    loop {
        let mut state = served.lock();
        let layout: Arc<Layout> = observe(&mut state)?;
        if done(&layout) {
            return Ok(json!(true));
        }
        let now = state.device.now();
        // Requested waits count even if the clock does not advance, so the loop always ends.
        let waited = now.since(*start.get_or_insert(now)).millis().max(asked);
        if waited >= timeout {
            return Ok(json!(false));
        }
        let step = STEP_MILLIS.min(timeout - waited);
        asked += step;
        drop(state);
        // A client that has left costs no more than the rest of this wait.
        served.pass(DeviceDuration(step), || true)?;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Scripted, call, served_by};
    use super::*;

    #[test]
    fn a_wait_lets_the_devices_time_pass_and_no_more() {
        let served = served_by(Scripted::showing(&[(0, "FrameLayout\n"), (2500, "Button \"Done\"\n")]));
        let done = json!({"mask": 1, "text": "Done"});
        assert_eq!(call(&served, "waitForExists", &json!([done, 1500])).unwrap(), false);
        assert_eq!(served.lock().device.now(), DeviceInstant(1500));
        assert_eq!(call(&served, "waitForExists", &json!([done, 20_000])).unwrap(), true);
        assert_eq!(served.lock().device.now(), DeviceInstant(2500));
        assert_eq!(call(&served, "waitForExists", &json!([done, 20_000])).unwrap(), true);
        assert_eq!(call(&served, "waitUntilGone", &json!([{"mask": 1, "text": "x"}, 5000])).unwrap(), true);
        assert_eq!(served.lock().device.now(), DeviceInstant(2500), "what is so already takes no time");
        assert_eq!(call(&served, "waitUntilGone", &json!([done, 300.7])).unwrap(), false);
        assert_eq!(served.lock().device.now(), DeviceInstant(2800));
    }

    #[test]
    fn a_wait_ends_where_the_clock_stands_still() {
        let mut device = Scripted::showing(&[(0, "FrameLayout\n")]);
        device.clock_stands_still();
        let served = served_by(device);
        let never = json!({"mask": 1, "text": "never"});
        for timeout in [json!(3000), json!(u64::MAX), json!(-5)] {
            assert_eq!(call(&served, "waitForExists", &json!([never, timeout])).unwrap(), false);
        }
    }
}
