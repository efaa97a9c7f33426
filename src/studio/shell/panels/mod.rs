//! The panels of this place. A panel reads the state and queues commands. State that only the panel needs (zoom, what is
//! folded) is in a struct of its own.

mod drop_overlay;
pub(crate) mod edges;
mod file_chooser;
mod first_steps;
mod help;
mod palette;
mod preferences;
mod status_bar;
pub(crate) mod studio;
mod top_bar;
