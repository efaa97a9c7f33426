//! The window, driven by pointer and keyboard without a display.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/adb.rs"]
mod adb;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/cut_texts.rs"]
mod cut_texts;
#[path = "../common/window.rs"]
mod driver;
#[path = "../../examples/own_app.rs"]
#[allow(dead_code, reason = "only its app is needed")]
mod example;
#[path = "../common/first.rs"]
mod first;
#[path = "../common/hand.rs"]
mod hand;
#[path = "../common/painter.rs"]
mod painter;
#[path = "../common/results.rs"]
mod results;
#[path = "../common/shipped.rs"]
mod shipped;
#[path = "../common/states.rs"]
mod states;

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
mod preferences;
mod proposals;
mod record;
mod record_all;
mod replay;
mod shell;
mod spec;
mod studio;
