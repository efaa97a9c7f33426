//! A device whose time passes with that of its user, instead of by events and waits alone.

use std::time::Duration;

use super::latency::pause;
use super::served::State;
use taproof_screen::Event;
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};

/// How far the device's clock may lag behind before it is advanced: each time the screen has to be read anew.
const TICK: DeviceDuration = DeviceDuration(20);
/// How often a wait checks whether anybody still wants its end.
const GLANCE: Duration = Duration::from_millis(50);

/// The time that has passed for the user since some moment.
pub type Elapsed = Box<dyn Fn() -> Duration + Send + Sync>;

/// The clock that a device follows.
pub(super) struct RealTime {
    elapsed: Elapsed,
    /// What had elapsed when the device began to follow the clock, and the device's time then.
    start: (Duration, DeviceInstant),
}

impl RealTime {
    /// A device that follows this clock from its present time on.
    pub fn from(elapsed: Elapsed, now: DeviceInstant) -> RealTime {
        RealTime { start: (elapsed(), now), elapsed }
    }

    /// Advances the device's clock. If events have taken it further already, time catches up with it instead.
    pub fn advance(&self, state: &mut State) {
        let (before, start) = self.start;
        let passed = (self.elapsed)().saturating_sub(before);
        let now = start + DeviceDuration(u64::try_from(passed.as_millis()).unwrap_or(u64::MAX));
        let lag = now.since(state.device.now());
        if lag >= TICK {
            // A device that cannot wait has a clock of its own.
            state.device.perform(&Event::Wait(lag)).unwrap_or_default();
        }
    }
}

/// Waits in real time. Returns false early once `wanted` returns false.
pub(super) fn wait(span: DeviceDuration, mut wanted: impl FnMut() -> bool) -> bool {
    let mut left = Duration::from_millis(span.millis());
    while !left.is_zero() {
        let step = left.min(GLANCE);
        pause(step);
        left -= step;
        if !wanted() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::{Latency, Like, Served};
    use taproof_phone::{Fonts, Phone};

    #[test]
    fn the_device_follows_the_time_of_its_user() {
        let elapsed = Arc::new(AtomicU64::new(5000));
        let read = Arc::clone(&elapsed);
        let phone = Box::new(Phone::new(Arc::new(Fonts::new())));
        let clock = move || Duration::from_millis(read.load(Ordering::SeqCst));
        let served = Served::with(phone, Like::Android14, Latency::Told).in_real_time(Box::new(clock));
        let now = || served.lock().device.now().millis();
        assert_eq!(now(), 0, "it begins when it is served");
        elapsed.store(5010, Ordering::SeqCst);
        assert_eq!(now(), 0, "the lag is too small to be worth a look at the screen");
        elapsed.store(8000, Ordering::SeqCst);
        assert_eq!(now(), 3000);
        let rotated = served.lock().device.perform(&Event::Rotate);
        assert!(rotated.is_ok() && now() > 3000, "an event takes time");
        let ahead = now();
        assert!(ahead < 4000, "but nothing is waited for");
        elapsed.store(5000 + ahead, Ordering::SeqCst);
        assert_eq!(now(), ahead, "time has caught up");
        elapsed.store(15_000, Ordering::SeqCst);
        assert_eq!(served.lock().uptime_millis(), 10_000, "latencies pass in real time as well");
    }

    #[test]
    fn a_wait_ends_when_nobody_wants_its_end() {
        let mut asked = 0;
        let wanted = || {
            asked += 1;
            asked < 2
        };
        assert!(!wait(DeviceDuration(60_000), wanted));
        assert!(wait(DeviceDuration(0), || false));
    }
}
