//! The relations, one file each.

pub mod background;
pub mod call;
pub mod cancel;
pub mod dark_mode;
pub mod landscape;
pub mod language;
pub mod low_battery;
pub mod network;
pub mod process_death;
pub mod rotation;
