//! Everything that people use, from the outside: formats, campaigns on the bundled phone, commands, and the window.
//!
//! Whole campaigns that are to find hard bugs are in `src/lab/quality`, phones behind a real adb server in `src/lab/program/tests`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod campaigns;
mod circles;
mod commands;
mod devices;
mod formats;
mod mirror;
mod real_device;
#[cfg(feature = "window")]
mod studio;
