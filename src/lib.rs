//! Taproof finds the bugs of Android apps that do not crash.
//!
//! The modules in reading order; each imports only from those before it, and `tests/house.rs` keeps the walls:
//!
//! | module | what lives there |
//! | --- | --- |
//! | `determinism` | the one source of chance, time and hashes |
//! | `worker` | cancel and pause, the newest-wins slot, named threads |
//! | `model` | layouts, selectors, events, traces, verdicts: plain values |
//! | `spec` | DMFs, invariants, the data model; checking, linting, recording them |
//! | `oracle` | traces in, verdicts out |
//! | `format` | files that others own: uiautomator dumps, PBFDroid's JSON, recorded walks |
//! | `device` | what a device is; the bundled phone and its apps; a recorded walk |
//! | `engine` | the fuzzing algorithms, and the one door through which they touch a device |
//! | `campaign` | the loop: rounds, witnesses, confirmation, minimising, attribution |
//! | `mirror` | the worker that owns the device while a person uses it |
//! | `store` | our files: the workspace folder and its results database |
//! | `report` | findings and campaigns as files for other people |
//! | `state` | what the window shows, without pixels |
//! | `ui` | one file per panel |
//! | `app` | the window's wiring |
//! | `cli` | one file per subcommand |
//! | `fuzz_targets` | every reader of foreign bytes as a function of bytes, for fuzzers |
//!
//! The packages that carry the design, and the module that uses each:
//!
//! - `eframe` opens the window: `app`
//! - `egui` draws it: `ui`
//! - `egui_extras` draws its tables: `ui`
//! - `rfd` shows the platform's file dialogs: `app`
//! - `serde` gives plans and summaries their JSON: `campaign`
//! - `serde_json` reads and writes PBFDroid's files: `format`
//! - `quick_xml` reads uiautomator dumps: `format`
//! - `image` reads and writes PNG pictures: `device`
//! - `crossbeam_channel` carries commands to the worker of the live phone: `mirror`
// Only `cli/terminal.rs` writes to the terminal.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod app;
pub mod campaign;
pub mod cli;
pub mod determinism;
pub mod device;
pub mod engine;
pub mod format;
#[doc(hidden)]
pub mod fuzz_targets;
pub mod mirror;
pub mod model;
pub mod oracle;
pub mod report;
pub mod spec;
pub mod state;
pub mod store;
pub mod ui;
pub mod worker;
