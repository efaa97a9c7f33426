//! Converts the touches and keys that `getevent` prints to strokes on the screen and to gestures.
//!
//! Lines of events become changes of fingers (`fingers`, for drivers of all ages), these become strokes in screen
//! coordinates (`reader`, `panel`), and a stroke is classified as a gesture (`gesture`). Nothing here knows layouts:
//! finding the touched widget is left to others.

mod event_line;
mod fingers;
mod gesture;
mod input_devices;
mod panel;
mod reader;

pub use gesture::{TouchGesture, TouchThresholds, gesture};
pub use input_devices::{AxisRange, InputDevice, input_devices, touch_screen};
pub use panel::ScreenView;
pub use reader::{Spot, Stroke, TouchEvent, TouchPoint, TouchReader};
