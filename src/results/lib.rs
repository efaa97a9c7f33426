//! What a campaign leaves behind: `store` keeps it in the workspace, `report` writes it for other people,
//! `shell` as what they paste into a terminal.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod report;
pub mod shell;
pub mod store;
