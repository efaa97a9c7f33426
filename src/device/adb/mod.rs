//! Real phones and emulators through the adb server.

pub mod output;
