//! Real phones and emulators through the adb server.
//!
//! `host/` speaks the server's protocol, `output/` reads what shell commands print, `scrcpy/` and `console` speak two
//! protocols more, and `line` is the way to one device, on which `garbled` asks again for what came changed. By the line
//! alone: `facts` is what the device says of itself once, `packages` its apps, `waking` lights its screen, `pictures` takes pictures, `uiautomator2` asks the server on the
//! device if one runs and `server_start` starts the user's, `kept` puts settings back, `screen_watcher` sees what the screen
//! does by itself and what a hand does on it, with the frames of `scrcpy_frames` as `scrcpy_rung` judges them where scrcpy
//! is to be had. On these stands the `phone`: `look` is what it shows now, `settling` when that is worth a look,
//! `gestures` and `typing` what is done to it, `launching` starts apps, `surroundings` changes what is around them, `health` reads crashes out of its log, and
//! `snapshots` has an emulator keep its state.
//!
//! Nothing here decides what to do to an app. Every command line is made of quoted words: no text of an app or of a
//! person is ever read by the device's shell.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod adb_phones;
pub mod console;
mod facts;
mod garbled;
mod gestures;
mod health;
pub mod host;
mod kept;
mod launching;
mod line;
mod look;
pub mod output;
mod packages;
mod phone;
mod pictures;
mod reach;
pub mod scrcpy;
#[cfg(feature = "scrcpy")]
mod scrcpy_frames;
#[cfg(feature = "scrcpy")]
mod scrcpy_rung;
mod screen_watcher;
mod sections;
mod server_start;
mod settling;
mod snapshots;
mod surroundings;
mod typing;
mod uiautomator2;
mod waking;

pub use adb_phones::AdbPhones;
pub use facts::Facts;
pub use garbled::GarbledAnswers;
pub use kept::{Role, put_settings_back};
pub use packages::install_app;
pub use phone::{AdbPhone, OpenedPhone};
pub use pictures::Rung;
pub use reach::{link_to, look_for_app, process_lives, reach_server, running_server, third_party_packages};
pub use server_start::{StartedServer, server_file};
