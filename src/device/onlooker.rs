//! Looking at a device beside whoever drives it: what its screen does by itself, and what a hand does on it.

use super::{DeviceError, Screenshot};
use crate::model::Event;

/// Where pictures come from, and how quickly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureSource {
    /// What people call it, such as "screencap, raw".
    pub name: &'static str,
    /// Pictures taken in ten seconds, as measured over the last one.
    pub in_ten_seconds: u32,
}

/// What was noticed since the last time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noticed {
    /// The screen, if a picture was asked for.
    pub picture: Option<Screenshot>,
    /// Where the pictures come from; nothing before it was measured.
    pub source: Option<PictureSource>,
    /// What a hand did on the device itself, in order. Widgets are named by points alone.
    pub by_hand: Vec<Event>,
    /// A hand did something that is no event: it used several fingers.
    pub beyond_words: bool,
}

/// Looks at a device beside its owner, on a thread of its own.
pub trait Onlooker: Send {
    /// Looks for a short while; with `pictures` it takes one. Errors: the device is gone.
    fn look(&mut self, pictures: bool) -> Result<Noticed, DeviceError>;
}
