//! The commands that only the laboratory's program has.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[cfg(unix)]
#[path = "../../../../tests/common/hostile_text.rs"]
mod hostile_text;
#[path = "../../../../tests/common/program.rs"]
mod program;

mod bench;
#[cfg(unix)]
mod controls;
mod generated_apps;
mod studies;
