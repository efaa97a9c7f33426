//! Waiting until it is clear which app is in front. A device names an activity as soon as its start is accepted, while the
//! window of the app before may be active for seconds.

use serde::{Deserialize, Serialize};

use super::{Device, DeviceError};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};
use taproof_screen::{AppHealth, Event, Frame, InFront, SystemEvent};

/// Device time between two looks at the screen while waiting.
const PAUSE: DeviceDuration = DeviceDuration(250);
/// Device time for which an app is waited for at least.
const LEAST: DeviceDuration = DeviceDuration(5_000);
/// How many times longer than ever before an app is waited for.
const TIMES: u64 = 3;
/// Device time for which an app is waited for at most: what was measured may include work of others on the device.
const MOST: DeviceDuration = DeviceDuration(60_000);
/// Number of looks after which waiting ends even if the device's clock does not advance.
const LOOKS: usize = 400;

/// Waits for an app to come to the front, for a multiple of what that took before on this device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrivals {
    slowest: DeviceDuration,
}

impl Arrivals {
    /// What the device shows after an event that was begun at `began`, once activity and active window are of one app, and
    /// if the event `returns` to the app under test, once that is in front. If they are not in time, the screen is
    /// returned as it is. `look` observes the device.
    ///
    /// # Errors
    ///
    /// Fails if the device cannot wait or be observed.
    pub fn look(
        &mut self,
        device: &mut dyn Device,
        app: &str,
        (began, returns): (DeviceInstant, bool),
        mut look: impl FnMut(&mut dyn Device) -> Result<Frame, DeviceError>,
    ) -> Result<Frame, DeviceError> {
        let (performed, patience) = (device.now(), self.patience());
        let mut frame = look(device)?;
        for _ in 0..LOOKS {
            let front = frame.layout.in_front(app);
            let waits = front == InFront::Changing || (returns && front != InFront::App);
            // Android 4.4 goes on naming the app that was left, and nothing brings it back.
            let is_left = !returns && front == InFront::Changing && frame.layout.package() == app;
            let patience = if is_left { LEAST } else { patience };
            let died = matches!(frame.health, AppHealth::Crashed(_) | AppHealth::NotResponding(_));
            if !waits || died || device.now().since(performed) >= patience {
                break;
            }
            device.perform(&Event::Wait(PAUSE))?;
            frame = look(device)?;
        }
        if returns && frame.health == AppHealth::Running {
            self.slowest = self.slowest.max(device.now().since(began));
        }
        Ok(frame)
    }

    /// How long the app is waited for.
    pub fn patience(self) -> DeviceDuration {
        DeviceDuration(self.slowest.millis().saturating_mul(TIMES)).clamp(LEAST, MOST)
    }
}

/// Whether the app under test is in front after this event, whatever was before.
pub fn returns_to_app(event: &Event) -> bool {
    matches!(
        event,
        Event::Relaunch
            | Event::System(
                SystemEvent::Background
                    | SystemEvent::ProcessDeath
                    | SystemEvent::ActivityDeath
                    | SystemEvent::RevokePermission
                    | SystemEvent::GrantPermission
                    | SystemEvent::ScreenOff
            )
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::device::{AppData, AppId, DeviceInfo, Screenshot};
    use taproof_screen::{Layout, LayoutBuilder, PxSize, Rotation, Text, layout_from};

    const APP: &str = "org.ex";

    /// A device that names one activity while the window of another app stays active.
    struct Stale {
        info: DeviceInfo,
        now: u64,
        layout: Arc<Layout>,
    }

    impl Device for Stale {
        fn info(&self) -> &DeviceInfo {
            &self.info
        }
        fn now(&self) -> DeviceInstant {
            DeviceInstant(self.now)
        }
        fn launch(&mut self, _: &AppId, _: AppData) -> Result<(), DeviceError> {
            Ok(())
        }
        fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
            if let Event::Wait(span) = event {
                self.now += span.millis();
            }
            Ok(())
        }
        fn observe(&mut self) -> Result<Frame, DeviceError> {
            Ok(Frame { layout: Arc::clone(&self.layout), health: AppHealth::Running, at: self.now() })
        }
        fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
            Err(self.info.cannot("take pictures"))
        }
    }

    /// How long it is waited, with the activity of one package named and a window of the other active.
    fn waited(activity: &str, window: &str, returns: bool) -> u64 {
        let page = layout_from("FrameLayout\n");
        let size = PxSize { width: 90, height: 160 };
        let mut builder = LayoutBuilder::new(Text::from(format!("{activity}/.Main")), size, Rotation(0));
        let root = page.widgets()[0].clone();
        builder.open(taproof_screen::Widget { package: window.into(), ..root });
        let info = DeviceInfo {
            serial: "stale".to_owned(),
            model: "stale".to_owned(),
            sdk: 19,
            screen: size,
            snapshots: false,
            live: true,
        };
        let mut device = Stale { info, now: 0, layout: Arc::new(builder.finish()) };
        let mut arrivals = Arrivals { slowest: DeviceDuration(200_000) };
        arrivals.look(&mut device, APP, (DeviceInstant(0), returns), |device| device.observe()).unwrap();
        device.now
    }

    #[test]
    fn an_app_that_was_left_is_not_waited_for_as_one_that_comes_back() {
        assert_eq!(waited(APP, "org.home", false), 5_000);
        assert_eq!(waited(APP, "org.home", true), 60_000);
        assert_eq!(waited("org.home", APP, false), 60_000, "another app is coming");
        assert_eq!(waited(APP, APP, false), 0);
    }
}
