//! What the served phone says of itself: its boot, processes, properties and settings.

mod boot;
pub(crate) mod processes;
pub(crate) mod programs;
pub(crate) mod properties;
mod services;
pub(crate) mod settings;
mod web_pages;

pub use programs::{Program, Programs, Running};
pub use services::ServedServices;
pub use settings::Settings;
