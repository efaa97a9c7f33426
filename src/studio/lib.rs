//! The studio's window. `mirror` is the worker that owns the device while a person uses it, `state` what the window
//! shows without pixels, and `ui` draws it with one file per panel. `app` connects the three to threads, files and
//! devices.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod app;
pub mod mirror;
pub mod state;
pub mod ui;
mod undo;
