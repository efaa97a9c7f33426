//! The panels of this place. A panel reads the state and queues commands. State that only the panel needs (zoom, what is
//! folded) is in a struct of its own.

pub(crate) mod blocks;
mod conditions;
mod edit;
mod form;
mod json;
pub(crate) mod list;
pub(crate) mod questions;
mod repair;
pub(crate) mod spec;
mod steps;
mod trial;
mod widgets;

pub use trial::trial_panel_ui;
