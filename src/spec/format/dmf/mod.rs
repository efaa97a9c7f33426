//! PBFDroid's specification files: read, written, and edited as text.

mod for_pbfdroid;
mod json;
mod keyviews;
mod read;
mod text;
mod words;
mod write;

pub use for_pbfdroid::{Difference, ForPbfdroid, for_pbfdroid};
pub use json::DmfFile;
pub use text::{block_list, spec_version};
