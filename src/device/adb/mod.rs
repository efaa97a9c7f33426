//! Real phones and emulators through the adb server.

pub mod console;
pub mod host;
pub mod output;
pub mod scrcpy;
