//! The relations, one file each.

pub mod activity_death;
pub mod again;
pub mod background;
pub mod call;
pub mod cancel;
pub mod choice;
pub mod clear;
pub mod dark_mode;
pub mod font_scale;
pub mod landscape;
pub mod language;
pub mod low_battery;
pub mod network;
pub mod process_death;
pub mod restart;
pub mod rotation;
pub mod screen_off;
pub mod scroll;
pub mod select;
pub mod split_screen;
pub mod toggle;
pub mod undo;
