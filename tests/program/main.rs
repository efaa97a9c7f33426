//! The commands, as a person or a script uses them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/first.rs"]
mod first;
#[path = "../common/keeper.rs"]
mod keeper;
#[path = "../common/program.rs"]
mod program;
#[path = "../common/results.rs"]
mod results;

mod bench;
mod bug;
mod ci;
mod cli;
mod commands;
mod discover;
mod fleet;
mod generated_apps;
mod import;
mod interrupted;
mod killed;
mod log;
mod matrix;
mod package;
mod read_only;
mod scan;
mod shared_workspace;
mod shell_files;
mod stuck;
mod tables;
mod terminal;
mod versions;
