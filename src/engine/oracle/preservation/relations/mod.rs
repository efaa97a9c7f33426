//! The relations: those of the device in one file, the others in one file each.

pub mod again;
pub mod another_way;
pub mod cancel;
pub mod choice;
pub mod clear;
pub mod device;
pub mod filter;
pub mod redo;
pub mod scroll;
pub mod select;
pub mod select_all;
pub mod toggle;
pub mod undo;
