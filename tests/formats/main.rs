//! What is read and written: dumps, walks and specifications of others, and exports.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/xpath_pieces.rs"]
mod xpath_pieces;

mod artifacts;
mod artifacts_dmf;
mod genie_run;
mod house;
mod no_ids;
mod parsers;
mod recorder_walks;
mod reports;
mod specs_parsers;
