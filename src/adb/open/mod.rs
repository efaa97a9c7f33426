//! Opening a device: reaching it (`reach`), choosing how it is controlled (`control`), starting what that needs
//! (`server_start`), and creating phones for a person (`opening`) and for campaigns (`adb_phones`). `device_check` tells what
//! works on a device, and `app_cards` what its apps look like.

pub(crate) mod adb_phones;
pub(crate) mod app_cards;
pub(crate) mod control;
pub(crate) mod device_check;
pub(crate) mod listed_apps;
pub(crate) mod opening;
pub(crate) mod reach;
pub(crate) mod server_start;
