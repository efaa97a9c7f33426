//! A device that plays back a recorded trace, so that a specification can be judged on it as if it had been run.
//!
//! It advances when the recorded event is performed and refuses any other, whose effect is unknown.

use std::sync::Arc;

use taproof_engine::device::{AppData, AppId, Device, DeviceError, DeviceInfo, Screenshot};
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{Event, Frame, Layout, Trace, touched_widget};

/// A recorded trace as a [`Device`].
pub struct TraceDevice {
    info: DeviceInfo,
    app: AppId,
    trace: Arc<Trace>,
    position: usize,
}

impl TraceDevice {
    /// Creates a device at the start of the trace. `app` is the package of the app.
    pub fn new(app: &str, trace: Arc<Trace>) -> Self {
        let info = DeviceInfo {
            serial: "the trace".to_owned(),
            model: "recording".to_owned(),
            sdk: 0,
            screen: trace.first().layout.screen(),
            snapshots: false,
            live: false,
        };
        TraceDevice { info, app: AppId(app.to_owned()), trace, position: 0 }
    }

    fn frame(&self) -> &Frame {
        self.trace.frame(self.position).unwrap_or(self.trace.first())
    }
}

/// Whether both events do the same to the same widget of a layout.
fn same_event(one: &Event, other: &Event, layout: &Layout) -> bool {
    match (one, other) {
        (Event::Widget { gesture, .. }, Event::Widget { gesture: meant, .. }) => {
            gesture == meant && touched_widget(one, layout) == touched_widget(other, layout)
        }
        _ => one == other,
    }
}

impl Device for TraceDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn now(&self) -> DeviceInstant {
        self.frame().at
    }

    fn launch(&mut self, app: &AppId, _data: AppData) -> Result<(), DeviceError> {
        if *app != self.app {
            return Err(self.info.not_installed(app, &[&self.app.0]));
        }
        self.position = 0;
        Ok(())
    }

    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        let recorded = self.trace.steps().get(self.position);
        match recorded.filter(|step| same_event(&step.event, event, &self.frame().layout)) {
            Some(_) => {
                self.position += 1;
                Ok(())
            }
            None => Err(self.info.cannot(&format!("show what was not done after step {}", self.position))),
        }
    }

    fn observe(&mut self) -> Result<Frame, DeviceError> {
        Ok(self.frame().clone())
    }

    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        Err(self.info.cannot("make pictures"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{AppHealth, Gesture, Key, Selector, Step, StepRole, layout_from};

    #[test]
    fn only_what_was_recorded_can_be_done() {
        let frame = |layout: &str| Frame {
            layout: Arc::new(layout_from(layout)),
            health: AppHealth::Running,
            at: DeviceInstant(0),
        };
        let page = "FrameLayout\n  Button#a \"a\"\n  Button#b \"b\"\n";
        let (before, after) = (frame(page), frame("TextView#c\n"));
        let tap = |text: &str| {
            let selector = Selector { text: Some(text.to_owned()), ..Selector::default() };
            Event::on(&before.layout, selector, Gesture::Tap).unwrap()
        };
        let mut trace = Trace::start(before.clone());
        trace.push(Step { event: tap("a"), role: StepRole::Explored, after: after.clone() });
        let mut device = TraceDevice::new("org.ex", Arc::new(trace));
        assert!(device.launch(&AppId("org.other".to_owned()), AppData::Clear).is_err());
        device.launch(&AppId("org.ex".to_owned()), AppData::Clear).unwrap();
        assert!(device.perform(&tap("b")).is_err() && device.perform(&Event::Key(Key::Back)).is_err());
        assert_eq!(device.observe().unwrap(), before);
        let named = Selector { resource_id: Some("org.ex:id/a".to_owned()), ..Selector::default() };
        device.perform(&Event::on(&before.layout, named, Gesture::Tap).unwrap()).unwrap();
        assert_eq!(device.observe().unwrap(), after);
        let more = device.perform(&tap("a")).unwrap_err().to_string();
        assert_eq!(more, "the trace cannot show what was not done after step 1");
    }
}
