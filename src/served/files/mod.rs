//! The files of a served device: a tree in memory (`Files`), and above it what Android makes up on reading (`live`).
//!
//! Paths are absolute here; `path` makes them so. Knows nothing of shells. The tree never holds more than its limit.

mod error;
mod live;
mod path;
mod tree;

pub use error::FileError;
pub use tree::{Content, Files, Node, Stat};

pub(super) use path::{absolute, name_of, parent_of};
