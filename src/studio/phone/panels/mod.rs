//! The panels of this place. A panel reads the state and queues commands. State that only the panel needs (zoom, what is
//! folded) is in a struct of its own.

pub(crate) mod app_chooser;
pub(crate) mod data_dialog;
pub(crate) mod device_list;
pub(crate) mod keep_dialog;
mod path;
pub(crate) mod phone;
pub(crate) mod phones_panel;
pub(crate) mod typing;
pub(crate) mod widget_menu;
pub(crate) mod widget_tree;
