//! Time as the device reports it. The embedded phone's clock only advances because of events.

use serde::{Deserialize, Serialize};

use std::ops::{Add, AddAssign, Sub};

/// A moment on the device's own clock, in milliseconds since its epoch (boot for the embedded phone).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DeviceInstant(pub u64);

/// A span of device time in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DeviceDuration(pub u64);

impl DeviceInstant {
    /// Milliseconds since the device's epoch.
    pub fn millis(self) -> u64 {
        self.0
    }

    /// The span since `earlier`; zero if `earlier` is later.
    pub fn since(self, earlier: DeviceInstant) -> DeviceDuration {
        DeviceDuration(self.0.saturating_sub(earlier.0))
    }
}

impl DeviceDuration {
    /// Creates a span from whole seconds. Saturates at the largest span.
    pub fn from_secs(seconds: u64) -> Self {
        DeviceDuration(seconds.saturating_mul(1000))
    }

    /// Creates a span from milliseconds.
    pub fn from_millis(millis: u64) -> Self {
        DeviceDuration(millis)
    }

    /// The span in milliseconds.
    pub fn millis(self) -> u64 {
        self.0
    }
}

impl Add<DeviceDuration> for DeviceInstant {
    type Output = DeviceInstant;
    fn add(self, span: DeviceDuration) -> DeviceInstant {
        DeviceInstant(self.0.saturating_add(span.0))
    }
}

impl Add for DeviceDuration {
    type Output = DeviceDuration;
    fn add(self, more: DeviceDuration) -> DeviceDuration {
        DeviceDuration(self.0.saturating_add(more.0))
    }
}

impl AddAssign<DeviceDuration> for DeviceInstant {
    fn add_assign(&mut self, span: DeviceDuration) {
        *self = *self + span;
    }
}

impl Sub for DeviceInstant {
    type Output = DeviceDuration;
    fn sub(self, earlier: DeviceInstant) -> DeviceDuration {
        self.since(earlier)
    }
}
