//! Tests of the bundled phone with what stands on it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod initialised;
