//! The studio's window, in folders by place:
//!
//! | folder | contents | uses |
//! | --- | --- | --- |
//! | `phone` | the phone that is shown, how it is led, the devices behind adb | |
//! | `specs` | specifications as documents, *Try it* | phone |
//! | `record` | the recording of a function, proposals | phone, specs |
//! | `replay` | the findings of the workspace, the one that is open, exports | phone |
//! | `fuzz` | the form of a campaign, the campaigns, their graphs and curves | phone, specs, replay |
//! | `shell` | the bars and sheets of the window, its settings, files that are asked for | all of them |
//!
//! In each, `handle.rs` has the handlers of its events, `panels/` what it draws, and the other files what it shows, as
//! plain data. Drawing can neither block nor corrupt anything: only panels, `parts` and `app` know egui, and panels
//! change nothing but what they alone remember.
//!
//! What the places share names the types of all of them: `command` is what panels queue, `event` everything that can
//! change the state, `state` the parts of all places, `effect` what is to be done outside of it. `mirror` is the worker
//! that owns the device while a person uses it, `disk` the worker that owns the workspace, `undo` the one kind of
//! history, `background` runs the jobs beside the window, which know only their `reporter`, `priority` is that of engines, `parts` what panels are made of.
//! `app` connects all of it: its loop handles the events, and its workers execute the effects.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod app;
mod background;
pub mod command;
mod disk;
mod effect;
mod event;
pub mod fuzz;
pub mod mirror;
pub mod parts;
pub mod phone;
mod priority;
pub mod record;
pub mod replay;
mod reporter;
pub mod shell;
pub mod specs;
pub mod state;
mod undo;
mod wall_clock;

#[cfg(test)]
mod folders;
