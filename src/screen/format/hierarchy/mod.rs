//! uiautomator dumps to layouts, and layouts to uiautomator dumps.

mod strange;
mod tags;
mod windows;
mod writer;
mod xml;

pub use writer::write_hierarchy;
pub use xml::{ParsedHierarchy, parse_hierarchy};

pub(super) use xml::bounds_from;
