//! The screen of the served phone: what is in front, pictures, and touches.

pub(crate) mod around;
pub(crate) mod framebuffer;
pub(crate) mod front;
pub(crate) mod keys;
pub(crate) mod pictures;
mod raw_input;
pub(crate) mod touch_screen;

pub use around::Around;
pub use pictures::jpeg;
pub use touch_screen::{Finger, InputEvent, TouchScreen};
