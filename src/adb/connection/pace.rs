//! How fast a device is, and how long to wait for its answers.
//!
//! Starting a virtual machine is what most commands spend their time on: 0.3 s on a current phone, 3 s on an old one, and
//! several times that on a busy one. So limits are multiples of a start that was measured on the device.

use std::time::Duration;

use taproof_screen::determinism::DeviceDuration;

/// The time of a start until one was measured: that of a slow device.
const UNMEASURED: Duration = Duration::from_secs(4);
/// How many times longer than measured a start may take.
const MARGIN: u32 = 8;
/// Limit for a request that starts no virtual machine. A device that is just being connected may need seconds.
const WITHOUT_START: Duration = Duration::from_secs(20);
/// How many virtual machines one request of an open phone starts at most in general: it performs an event and dumps the
/// layout, more than once if the screen keeps changing, which takes 10 s each time.
const USUAL_STARTS: usize = 6;
const RESTLESS_DUMPS: Duration = Duration::from_secs(30);
/// How long a screen may keep changing before it is taken as it is: what an app of any device waits for, such as a
/// network, and how many starts take as long as what the device itself does meanwhile.
const CHANGES: Duration = Duration::from_secs(8);
const CHANGE_STARTS: u32 = 4;
const LEAST_GLANCE: Duration = Duration::from_millis(300);

/// How fast a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    machine_start: Duration,
}

impl Default for Pace {
    /// The pace of a device on which nothing was measured yet.
    fn default() -> Self {
        Pace { machine_start: UNMEASURED }
    }
}

impl Pace {
    /// The pace of a device on which one start of a virtual machine took this long.
    pub fn measured(machine_start: Duration) -> Self {
        Pace { machine_start }
    }

    /// How long to wait for the answer to a request that starts so many virtual machines.
    pub(crate) fn limit_of(self, starts: usize) -> Duration {
        let starts = u32::try_from(starts).unwrap_or(u32::MAX);
        self.machine_start.saturating_mul(MARGIN).saturating_mul(starts).saturating_add(WITHOUT_START)
    }

    /// How long to wait for the answer to any usual request of an open phone.
    pub(crate) fn limit(self) -> Duration {
        self.limit_of(USUAL_STARTS).saturating_add(RESTLESS_DUMPS)
    }

    /// How long to wait, in ms by the device's clock, before it is looked again whether something has taken effect.
    pub(crate) fn glance_millis(self) -> u64 {
        let pause = (self.machine_start / 2).max(LEAST_GLANCE);
        u64::try_from(pause.as_millis()).unwrap_or(u64::MAX)
    }

    /// How long to wait for a changing screen, by the device's clock.
    pub(crate) fn settling(self) -> DeviceDuration {
        let limit = self.machine_start.saturating_mul(CHANGE_STARTS).saturating_add(CHANGES);
        DeviceDuration(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_device_is_waited_for_in_proportion() {
        let seconds = Duration::from_secs;
        let (slow, quick) = (Pace::measured(seconds(3)), Pace::measured(Duration::from_millis(300)));
        assert_eq!(slow.limit_of(0), quick.limit_of(0));
        assert_eq!(slow.limit_of(7) - slow.limit_of(6), seconds(24));
        assert!(quick.limit() < slow.limit() && slow.limit() < Pace::default().limit());
        assert_eq!(Pace::measured(Duration::MAX).limit_of(2), Duration::MAX);
        assert_eq!((quick.settling(), slow.settling()), (DeviceDuration(9200), DeviceDuration(20_000)));
        assert_eq!(Pace::measured(Duration::MAX).settling(), DeviceDuration(u64::MAX));
    }
}
