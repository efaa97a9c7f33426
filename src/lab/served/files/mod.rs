//! The files of a served device: a tree in memory (`Files`), and on top of it the files that Android generates
//! (`live`). `shared` keeps the shared storage equal to what the device's apps have there.
//!
//! Paths are absolute here; `path` makes them so. Nothing here knows shells. The size of the tree is limited.

mod error;
mod live;
mod path;
mod shared;
mod tree;

pub use error::FileError;
pub(crate) use tree::SharedState;
pub use tree::{Content, Files, Node, Stat};

pub(super) use path::absolute;
