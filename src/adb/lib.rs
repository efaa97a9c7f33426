//! Real phones and emulators through the adb server.
//!
//! From the bottom up: `host/` speaks the server's protocol, `output/` parses what shell commands print.
//! `agent_client/` speaks to the agent, our own program on a device, whose Java sources are in `agent/`.
//! `connection/` is one open device: it bounds and repeats requests, and knows how fast the device is, its properties, its
//! apps, and the programs that control its screen.
//!
//! On top of the connection, `restore/` keeps the journal of what is changed on a device, puts it back, and goes back to
//! saved states of an emulator. `input/` does what an event says, `observe/` waits until the screen has settled and reads
//! it, `web/` reads the pages in an app's web views, and `watch/` sees what changes there by itself and is done by hand. `phone` implements the `Device` trait with
//! these. `open/` creates phones, chooses how they are controlled, and tells what works on a device.
//!
//! Nothing here decides what to do to an app. Every command line consists of quoted words: the device's shell never
//! interprets a text of an app or a person.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod agent_client;
mod connection;
pub mod host;
mod input;
mod observe;
mod open;
pub mod output;
mod phone;
pub mod report;
mod restore;
mod watch;
mod web;

pub use connection::facts::Facts;
pub use connection::garbled::GarbledAnswers;
pub use connection::holders::{NotEnded, ScreenHolder, end_screen_holder, who_controls_screen};
pub use connection::pace::Pace;
pub use connection::packages::install_app;
pub use observe::pictures::PictureSource;
pub use open::adb_phones::{AdbPhones, ClearedApp, DeviceLeft, TellLeft};
pub use open::app_cards::{AppCard, app_cards};
pub use open::control::ControlMethod;
pub use open::device_check::{CheckAnswer, Checked, Fitness, check_device};
pub use open::listed_apps::{ListedApp, ListedApps, listed_apps};
pub use open::opening::{OpenedPhone, Opening};
pub use open::reach::{link_to, look_for_app, packages, reach_server, running_server};
pub use open::server_start::{StartedServer, server_file};
pub use phone::AdbPhone;
pub use restore::console;
pub use restore::{Role, process_lives, put_settings_back};
pub use web::with_described_page;
