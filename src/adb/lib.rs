//! Real phones and emulators through the adb server.
//!
//! From the bottom up: `host/` speaks the server's protocol, `output/` parses what shell commands print, `scrcpy/` and
//! `console` speak two more protocols. `holders` finds and ends programs that control the screen. `agent_client` speaks
//! to the agent, our own program on a device, whose Java sources are in `agent/`; `app_cards` asks it for the labels and
//! icons of apps. `control` chooses between it, a uiautomator2 server and shell commands. A `connection` to one device
//! builds on these, and on `garbled` to repeat requests whose answers were garbled.
//!
//! On top of the connection: `pace` (how fast the device is), `facts` (its properties), `packages` (its apps), `waking`
//! (switching the screen on), `pictures`, `uiautomator2` (the server on the device, which `server_start` starts), `restore/` (the journal of
//! what is changed on a device), `screen_watcher` (changes of the screen and touches on the device itself; with the feature
//! `scrcpy` its frames come from `scrcpy_frames` and are judged by `scrcpy_pictures`).
//!
//! `observer/` executes an event's commands, waits until the screen has settled and reads it. Using it, `launching`
//! starts apps, `text_input` types, `system_events` disturbs an app's surroundings,
//! and `snapshots` lets an emulator save its state. `phone` implements the `Device` trait with these, `opening` creates
//! phones, `adb_phones` hands them to campaigns, and `device_check` tells what works on a device. Imports only go from
//! later ones of these to earlier ones.
//!
//! Nothing here decides what to do to an app. Every command line consists of quoted words: the device's shell never
//! interprets a text of an app or a person.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod adb_phones;
mod agent_client;
#[cfg(test)]
mod agent_sources;
mod app_cards;
mod arrivals;
mod connection;
pub mod console;
mod control;
mod device_check;
mod facts;
mod garbled;
mod gestures;
mod health;
mod holders;
pub mod host;
mod launching;
mod observer;
mod opening;
pub mod output;
mod pace;
mod packages;
mod phone;
mod pictures;
mod reach;
mod restore;
#[cfg(feature = "scrcpy")]
pub mod scrcpy;
#[cfg(feature = "scrcpy")]
mod scrcpy_frames;
#[cfg(feature = "scrcpy")]
mod scrcpy_pictures;
mod screen_watcher;
mod sections;
mod server_start;
mod snapshots;
mod switches;
mod system_events;
mod text_input;
mod turning;
mod typing;
mod uiautomator2;
mod waking;

pub use adb_phones::{AdbPhones, ClearedApp, TellCleared};
pub use app_cards::{AppCard, app_cards};
pub use control::ControlMethod;
pub use device_check::{CheckAnswer, Checked, Fitness, check_device};
pub use facts::Facts;
pub use garbled::GarbledAnswers;
pub use holders::{NotEnded, ScreenHolder, end_screen_holder, who_controls_screen};
pub use opening::{OpenedPhone, Opening};
pub use pace::Pace;
pub use packages::install_app;
pub use phone::AdbPhone;
pub use pictures::PictureSource;
pub use reach::{link_to, look_for_app, reach_server, running_server, third_party_packages};
pub use restore::{Role, process_lives, put_settings_back};
pub use server_start::{StartedServer, server_file};
