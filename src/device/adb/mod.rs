//! Real phones and emulators through the adb server.

pub mod host;
pub mod output;
