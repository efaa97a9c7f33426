//! Phones behind adb: the client on its own, and the bundled phone served to it, to scripts and to other tools.

mod adbd_wire;
mod agent_sources;
mod answers;
mod app_cards;
mod ci;
mod commands;
mod device_check;
mod fleet;
mod host;
mod installs;
#[cfg(feature = "mcp")]
mod mcp;
mod mirror;
mod permissions;
mod phone;
mod report;
mod scan_methods;
mod scripts;
mod served_phone;
mod settling;
mod snapshots;
mod take_over;
mod typing;
mod web_pages;
