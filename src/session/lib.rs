//! Campaigns as the command and the window run them: on the bundled phone or on devices behind adb, with what engines
//! learn kept in files.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod learned;
mod phones;

pub use learned::{ContentsError, keep_learned, names_files, read_contents};
pub use phones::Phones;
