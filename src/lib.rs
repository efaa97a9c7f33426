//! Taproof.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod cli;
pub mod determinism;
pub mod device;
pub mod format;
pub mod model;
pub mod spec;
pub mod worker;
