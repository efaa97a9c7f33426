//! The commands that only the laboratory's program has, and phones behind adb.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod adb;
mod bench;
#[cfg(unix)]
mod controls;
mod generated_apps;
mod judge;
mod results;
mod versions;
