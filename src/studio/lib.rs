//! The studio's window, in folders by place: `phone`, `record`, `specs`, `fuzz`, `replay`, and `shell` for what belongs to
//! none of them. Each has what it shows as plain data, the handlers of its commands, and its panels.
//!
//! What the places share: `state` holds the parts of all places, and `command` what panels queue. `parts` are what panels
//! are made of. `mirror` is the worker that owns the device while a person uses it. `app` connects all of them to threads,
//! files and devices.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod app;
pub mod command;
mod effect;
mod event;
pub mod fuzz;
pub mod mirror;
pub mod parts;
pub mod phone;
pub mod record;
pub mod replay;
pub mod shell;
pub mod specs;
pub mod state;
mod undo;
