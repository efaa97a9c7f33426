//! Tests of the bundled phone with its apps.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod initialised;
