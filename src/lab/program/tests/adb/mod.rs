//! Phones behind adb: the client on its own, and the bundled phone served to it, to scripts and to other tools.

mod adbd_wire;
mod agent_sources;
mod app_cards;
mod ci;
mod commands;
mod device_check;
mod faults;
mod fleet;
mod garbled;
mod host;
mod installs;
mod mirror;
mod odd_layouts;
mod permissions;
mod phone;
mod refusals;
mod scan_methods;
mod scripts;
mod served_phone;
mod settling;
mod slow;
mod snapshots;
mod take_over;
mod typing;
