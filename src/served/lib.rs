//! Any device served as an adb device, so that other people's tools can use it.
//!
//! `served` is what all streams share; `wire/` is how bytes travel, `services` joins the two. `shell/` runs command lines
//! on it, `files/` holds its files, `log` its log; `uiautomator2/`, `droidbot` and `scrcpy/` are programs that tools
//! want to find running on a device.
//! What a peer sends never panics, never waits without end and never takes memory without bound.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod component;
pub mod droidbot;
mod files;
mod front;
mod latency;
mod like;
mod log;
mod memory;
mod packages;
mod processes;
mod properties;
#[cfg(feature = "scrcpy")]
mod scrcpy;
mod served;
mod services;
mod shell;
mod touch_screen;
pub mod uiautomator2;
pub mod wire;

pub use component::Component;
pub use files::{Content, FileError, Files, Node, Stat};
pub use latency::{Cost, Latency};
pub use like::Like;
pub use log::{Buffer, Entry, Level, Log};
pub use memory::{CountedKey, CountedMap, Held, Memory, OutOfMemory};
#[cfg(feature = "scrcpy")]
#[doc(hidden)]
pub use scrcpy::obey_bytes;
pub use served::{Around, Automation, DumpFault, Faults, Finger, Forbids, Helper, Lock, Served, State};
pub use services::ServedServices;
pub use touch_screen::{InputEvent, TouchScreen};
