//! The window, driven by pointer and keyboard without a display.

#[path = "../../../examples/own_app.rs"]
#[allow(dead_code, reason = "only its app is needed")]
mod example;

mod accessibility;
mod bugs;
mod closed;
mod device;
mod exports;
mod fuzz;
mod hints;
mod initialiser;
mod own_app;
mod phone;
mod phones_panel;
mod pictures;
mod places;
mod preferences;
mod record;
mod replay;
mod shell;
mod spec;
