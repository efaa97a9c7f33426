//! Observes a device independently of its owner: changes of the screen, and what a person does on the device itself.

use super::{DeviceError, Screenshot};
use taproof_screen::Event;

/// The source of pictures, and its rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureSource {
    /// Name of the source for people, such as "screencap, raw".
    pub name: &'static str,
    /// Number of pictures in the last ten seconds. May be 0 for a source that only sends changes.
    pub in_ten_seconds: u32,
}

/// What was observed since the previous look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// The screen, if a picture was requested and there is a new one.
    pub picture: Option<Screenshot>,
    /// The source of the pictures; `None` before it was measured.
    pub source: Option<PictureSource>,
    /// Events that a person performed on the device itself, in order. Their widgets are identified by points only.
    pub by_hand: Vec<Event>,
    /// Whether a finger is on the screen: it may cause changes now, but its event is only reported when it is lifted.
    pub touching: bool,
    /// Whether a person did something that no event represents, because several fingers were used.
    pub beyond_words: bool,
}

/// Observes a device independently of its owner, on a thread of its own.
pub trait ScreenWatcher: Send {
    /// Looks for a short while. With `pictures` it looks for a new picture; without, it skips those that arrive, and the
    /// next look with pictures reports what the screen shows, new or not.
    ///
    /// # Errors
    ///
    /// [`DeviceError`] if the device is gone.
    fn look(&mut self, pictures: bool) -> Result<Observation, DeviceError>;
}
