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
        DeviceDuration(self.slowest.millis().saturating_mul(TIMES)).max(LEAST)
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
