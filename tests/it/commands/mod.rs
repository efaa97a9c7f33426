//! The commands, as a person or a script uses them.

mod bug;
mod ci;
mod cli;
mod diff;
mod discover;
mod fleet;
mod import;
mod interrupted;
mod killed;
mod laboratory;
mod log;
mod matrix;
#[cfg(feature = "mcp")]
mod mcp;
mod package;
mod read_only;
mod scan;
mod shared_workspace;
mod shell_files;
mod stuck;
mod tables;
mod terminal;
mod usage;
