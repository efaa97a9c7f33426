//! Taproof finds the bugs of Android apps that do not crash.
//!
//! The program in its parts, each a crate below `src/` that knows only those before it:
//!
//! | crate | folder | what lives there |
//! | --- | --- | --- |
//! | `taproof-core` | `core` | layouts, specifications, oracles, engines, campaigns |
//! | `taproof-phone` | `phone` | the bundled phone and its apps |
//! | `taproof-adb` | `adb` | phones and emulators through adb |
//! | `taproof-served` | `served` | the bundled phone as an adb device |
//! | `taproof-results` | `results` | workspaces and reports |
//! | `taproof-session` | `session` | what the command line and the window share to run campaigns |
//! | `taproof-studio` | `studio` | the window |
//! | `taproof` | `cli` | the command line |
//!
//! [`Campaign`] runs a campaign from a test or a program of one's own. [`book`] explains how to use it and how it is built.
// Only `cli/terminal.rs` writes to the terminal.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod book;
mod campaign;
pub mod cli;
#[cfg(feature = "serve")]
#[doc(hidden)]
pub mod fuzz_targets;

pub use campaign::{Campaign, CampaignError, Outcome};
pub use taproof_adb::AdbPhones;
pub use taproof_core::campaign::{Build, DeviceSource, EndReason, Finding, FindingCount};
pub use taproof_core::device::Device;
pub use taproof_core::engine::{
    EngineConfig, Fastbot2Config, GenieConfig, MonkeyConfig, OdinConfig, PbfdroidConfig, TimeMachineConfig,
};
pub use taproof_phone::BundledPhones;
