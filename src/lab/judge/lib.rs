//! Judges recorded traces by an oracle, without a device: what a campaign would have said of them.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod command;
mod mutants;
mod trace_device;

pub use command::{Options, run};
pub use mutants::{LostEffect, as_mutant, is_another_run, lost_effects};
pub use trace_device::TraceDevice;
