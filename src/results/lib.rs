//! What a campaign leaves behind: `store` keeps it in the workspace, `report` writes it for other people.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod report;
pub mod store;
