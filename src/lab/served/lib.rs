//! Serves any device as an adb device, so that third-party tools can use it.
//!
//! `served` is the state that all streams share; `wire/` implements the protocol, and `services` connects the two.
//! `shell/` runs command lines on the device, `files/` contains its files, `log` its log, `programs` the record of what
//! clients run on it. `agent/`, `uiautomator2/` and `droidbot` are such programs.
//! Nothing that a peer sends can cause a panic, an endless wait or unbounded memory use.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod agent;
mod apk;
mod daemon;
mod droidbot;
mod faults;
mod files;
mod latency;
mod like;
mod log;
mod memory;
mod outputs;
mod real_time;
mod screen;
mod served;
mod shell;
mod state;
mod system;
pub mod uiautomator2;
pub mod wire;

pub use apk::{Component, Helper};
pub use faults::{DeadServices, DumpFault, Faults, Forbids, Lock};
pub use files::{Content, FileError, Files, Node, Stat};
pub use latency::{Cost, Latency, pause};
pub use like::Like;
pub use log::{Buffer, Entry, Level, Log};
pub use memory::OutOfMemory;
pub use real_time::Elapsed;
pub use screen::{Around, Finger, InputEvent, TouchScreen, jpeg};
pub use served::{Served, State};
pub use system::{Program, Programs, Running, ServedServices, Settings};
