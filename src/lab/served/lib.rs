//! Serves any device as an adb device, so that third-party tools can use it.
//!
//! `served` is the state that all streams share; `wire/` implements the protocol, and `services` connects the two.
//! `shell/` runs command lines on the device, `files/` contains its files, `log` its log, `programs` the record of what
//! clients run on it. `agent/`, `uiautomator2/`, `droidbot` and `scrcpy/` are such programs.
//! Nothing that a peer sends can cause a panic, an endless wait or unbounded memory use.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod agent;
mod apk;
mod around;
mod binary_manifest;
mod boot;
mod component;
mod daemon;
mod droidbot;
mod faults;
mod files;
mod framebuffer;
mod front;
mod helpers;
mod keys;
mod latency;
mod like;
mod log;
mod memory;
mod outputs;
mod packages;
mod pictures;
mod processes;
mod programs;
mod properties;
mod raw_input;
mod real_time;
#[cfg(feature = "scrcpy")]
mod scrcpy;
mod served;
mod services;
mod settings;
mod shell;
mod touch_screen;
pub mod uiautomator2;
pub mod wire;

pub use around::Around;
pub use component::Component;
pub use faults::{DumpFault, Faults, Forbids, Lock};
pub use files::{Content, FileError, Files, Node, Stat};
pub use helpers::Helper;
pub use latency::{Cost, Latency};
pub use like::Like;
pub use log::{Buffer, Entry, Level, Log};
pub use memory::OutOfMemory;
pub use programs::{Program, Programs, Running};
pub use real_time::Elapsed;
pub use served::{Served, State};
pub use services::ServedServices;
pub use settings::Settings;
pub use touch_screen::{Finger, InputEvent, TouchScreen};
