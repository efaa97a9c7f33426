//! Any device served as an adb device, so that other people's tools can use it.

pub mod wire;
