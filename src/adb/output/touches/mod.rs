//! Fingers and keys as `getevent` shows them, made into strokes on the screen and into gestures.
//!
//! Lines of events become changes of fingers (`fingers`, with what kernels of all ages send), these become strokes in
//! screen coordinates (`reader`, `panel`), and a stroke becomes what a person would call it (`gesture`). Knows nothing
//! of layouts: which widget was touched is for others to say.

mod event_line;
mod fingers;
mod gesture;
mod input_devices;
mod panel;
mod reader;

pub use event_line::HardKey;
pub use gesture::{TouchGesture, TouchThresholds, gesture};
pub use input_devices::{AxisRange, InputDevice, input_devices, touch_screen};
pub use panel::ScreenView;
pub use reader::{KeyPress, Spot, Stroke, TouchEvent, TouchPoint, TouchReader};
