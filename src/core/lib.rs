//! What Taproof knows of apps, and nothing of any one device: layouts, specifications, oracles, engines, campaigns.
//!
//! The modules in reading order; each imports only from those before it:
//!
//! | module | what lives there |
//! | --- | --- |
//! | `determinism` | the one source of chance, time and hashes |
//! | `worker` | cancel and pause, the newest-wins slot, named threads |
//! | `model` | layouts, selectors, events, traces, verdicts: plain values |
//! | `spec` | DMFs, invariants, the data model; checking, linting, recording them |
//! | `oracle` | traces in, verdicts out |
//! | `format` | files that others own: uiautomator dumps, PBFDroid's JSON, recorded walks |
//! | `device` | what a device is; a recorded walk and a trace as devices |
//! | `engine` | the fuzzing algorithms, and the one door through which they touch a device |
//! | `campaign` | the loop: rounds, witnesses, confirmation, minimising, attribution |
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod campaign;
pub mod determinism;
pub mod device;
pub mod engine;
pub mod format;
pub mod model;
pub mod oracle;
pub mod spec;
pub mod worker;
