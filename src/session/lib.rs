//! Campaigns on the devices that the program knows: the bundled phone and devices behind adb.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod phones;

pub use phones::Phones;
