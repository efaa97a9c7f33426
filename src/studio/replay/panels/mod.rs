//! The panels of this place. A panel reads the state and queues commands. State that only the panel needs (zoom, what is
//! folded) is in a struct of its own.

pub(crate) mod badges;
mod diff_rows;
pub(crate) mod export_menu;
pub(crate) mod export_progress;
mod facts;
mod head;
mod history_list;
pub(crate) mod replay;
mod screens;
mod takeover_bar;
mod timeline;
pub(crate) mod triage;
mod zoom;
