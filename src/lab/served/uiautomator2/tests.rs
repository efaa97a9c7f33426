//! A device for the tests of this folder: it shows layouts by its clock and records what is done to it.

use std::ops::Deref;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::rpc::answer;
use super::{PORT, StartError, accepts, port_of, start, stop};
use crate::Served;
use taproof_engine::device::{AppData, AppId, Device, DeviceError, DeviceInfo, Screenshot};
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{AppHealth, Event, Frame, Gesture, Key, Layout, PxSize, layout_from};

/// Shows layouts by the time at which they appear. The key Menu advances to the next one, and the key for a lower
/// volume fails.
pub(crate) struct Scripted {
    info: DeviceInfo,
    layouts: Vec<(u64, Arc<Layout>)>,
    now: u64,
    stands_still: bool,
    done: Arc<Mutex<Vec<Event>>>,
}

/// A served scripted device, and the record of its events.
pub(crate) struct Rig {
    served: Served,
    done: Arc<Mutex<Vec<Event>>>,
}

impl Deref for Rig {
    type Target = Served;
    fn deref(&self) -> &Served {
        &self.served
    }
}

/// Serves a device that shows one layout, with the server running.
pub(crate) fn served(layout: &str) -> Rig {
    served_by(Scripted::showing(&[(0, layout)]))
}

/// Serves a scripted device, with the server running.
pub(crate) fn served_by(device: Scripted) -> Rig {
    let done = Arc::clone(&device.done);
    let served = Served::new(Box::new(device));
    start(&served, PORT).unwrap();
    Rig { served, done }
}

/// The events on the device, without waits.
pub(crate) fn done(rig: &Rig) -> Vec<Event> {
    rig.done.lock().unwrap().clone()
}

/// The touches: point and gesture.
pub(crate) fn touches(rig: &Rig) -> Vec<(i32, i32, Gesture)> {
    let touch = |event| match event {
        Event::Widget { target, gesture } => Some((target.at.x, target.at.y, gesture)),
        _ => None,
    };
    done(rig).into_iter().filter_map(touch).collect()
}

/// Performs a call. The error is the whole object that a client receives.
pub(crate) fn call(served: &Served, method: &str, params: &Value) -> Result<Value, Value> {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let response: Value = serde_json::from_slice(&answer(served, body.as_bytes())).unwrap();
    match response.get("result") {
        Some(result) => Ok(result.clone()),
        None => Err(response["error"].clone()),
    }
}

impl Scripted {
    /// Shows layouts, each from its time on, in milliseconds.
    pub fn showing(layouts: &[(u64, &str)]) -> Self {
        let layouts = layouts.iter().map(|(at, layout)| (*at, Arc::new(layout_from(layout))));
        Scripted::of(layouts.collect())
    }

    /// Shows these layouts, each from its time on in milliseconds.
    pub fn of(layouts: Vec<(u64, Arc<Layout>)>) -> Self {
        let info = DeviceInfo {
            serial: "scripted".to_owned(),
            model: "Scripted phone".to_owned(),
            sdk: 34,
            screen: PxSize { width: 1080, height: 1920 },
            snapshots: false,
            live: true,
        };
        Scripted { info, layouts, now: 0, stands_still: false, done: Arc::default() }
    }

    /// Stops its clock, so that waits do not advance it.
    pub fn clock_stands_still(&mut self) {
        self.stands_still = true;
    }

    fn layout(&self) -> Arc<Layout> {
        let shown = self.layouts.iter().rev().find(|(at, _)| *at <= self.now);
        shown.map(|(_, layout)| Arc::clone(layout)).unwrap()
    }
}

impl Device for Scripted {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn now(&self) -> DeviceInstant {
        DeviceInstant(self.now)
    }

    fn launch(&mut self, _app: &AppId, _data: AppData) -> Result<(), DeviceError> {
        Err(self.info.cannot("start apps"))
    }

    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        if *event == Event::Key(Key::VolumeDown) {
            return Err(self.info.cannot("be any quieter"));
        }
        let step = if let Event::Wait(span) = event { span.millis() } else { 0 };
        if !self.stands_still {
            self.now += step;
        }
        if *event == Event::Key(Key::Menu) {
            let next = self.layouts.iter().map(|(at, _)| *at).find(|at| *at > self.now);
            self.now = next.unwrap_or(self.now);
        }
        if step == 0 {
            self.done.lock().unwrap().push(event.clone());
        }
        Ok(())
    }

    fn observe(&mut self) -> Result<Frame, DeviceError> {
        Ok(Frame { layout: self.layout(), health: AppHealth::Running, at: self.now() })
    }

    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        let rgba = [200u8, 100, 50, 255].repeat(40 * 20);
        Ok(Screenshot { size: PxSize { width: 40, height: 20 }, rgba: Arc::new(rgba) })
    }
}

#[test]
fn one_automation_at_a_time() {
    let served = served("FrameLayout\n");
    stop(&served);
    assert!(!accepts(&served, PORT));
    assert!(start(&served, PORT).unwrap().contains("Starting Server"));
    assert!(accepts(&served, PORT) && !accepts(&served, 9009));
    let again = start(&served, PORT).unwrap_err();
    assert!(again.to_string().contains("already registered"), "the python client looks for it");
    stop(&served);
    assert!(!accepts(&served, PORT));
    assert!(start(&served, 9009).is_ok() && accepts(&served, 9009));
}

#[test]
fn the_port_of_the_shell_line() {
    assert_eq!(port_of(&[]), Ok(PORT));
    assert_eq!(port_of(&["-p", "9100"]), Ok(9100));
    for bad in ["0", "65536", "x", ""] {
        assert_eq!(port_of(&["-p", bad]), Err(StartError::InvalidPort { port: bad.to_owned() }));
    }
    assert!(port_of(&["-p"]).is_err());
}
