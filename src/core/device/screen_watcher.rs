//! Looking at a device beside whoever drives it: what its screen does by itself, and what a hand does on it.

use super::{DeviceError, Screenshot};
use crate::model::Event;

/// Where pictures come from, and how quickly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureSource {
    /// What people call it, such as "screencap, raw".
    pub name: &'static str,
    /// Pictures that came in ten seconds, as measured over the last one; none where a source that sends changes alone had
    /// nothing to send.
    pub in_ten_seconds: u32,
}

/// What was noticed since the last time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// The screen, if a picture was asked for and there is a new one.
    pub picture: Option<Screenshot>,
    /// Where the pictures come from; nothing before it was measured.
    pub source: Option<PictureSource>,
    /// What a hand did on the device itself, in order. Widgets are named by points alone.
    pub by_hand: Vec<Event>,
    /// A finger is on the screen: what changes now may be its doing, which is told when it is lifted.
    pub touching: bool,
    /// A hand did something that is no event: it used several fingers.
    pub beyond_words: bool,
}

/// Looks at a device beside its owner, on a thread of its own.
pub trait ScreenWatcher: Send {
    /// Looks for a short while; with `pictures` it looks for one, without it passes over those that come. Errors: the device is gone.
    fn look(&mut self, pictures: bool) -> Result<Observation, DeviceError>;
}
