//! A client of the adb server's socket protocol: lists the devices and sends requests to them.
//!
//! - The server: its address (`address`, `connect`), its start (`start`, `find_program`), requests to the server
//!   itself (`server`).
//! - The devices: the list (`devices`) and its changes (`tracker`).
//! - One device (`link`): shell commands (`shell`), commands with binary output (`exec`), files (`sync`), streams to
//!   its services and ports (`stream`), and quoting of words for the device's shell (`quoting`).
//!
//! # Why not a crate
//!
//! The crate for this, `adb_client`, lacks four things that testing for hours on any phone needs:
//!
//! - **A deadline for every call.** A device that hangs, or goes away in the middle of an answer, must lead to an
//!   error and not to a thread that waits forever. Nothing here waits without a [`Patience`].
//! - **Cancelling.** Closing the window or stopping a campaign must not wait for a command: a [`Patience`] checks
//!   whether the answer is still wanted, and a blocked call ends soon after it is not.
//! - **Old devices.** Before Android 7 the shell service reports no exit status, merges both outputs and may put CR
//!   before LF. Android 4.4 has no `exec`, so binary output goes through a file. Callers see one [`ShellOutput`].
//! - **Integrity.** If the device has a program for it, outputs come with a checksum (`checksum`), so that a bad
//!   cable shows as an [`AdbError`] and not as another layout.
//!
//! # Rules
//!
//! No memory is allocated for announced lengths before the data arrives. Nothing here knows what a layout, an event or
//! an app is, nor what the output of a command means: that is parsed in `output`.

mod address;
mod checksum;
mod connect;
mod devices;
mod error;
mod exec;
mod find_program;
mod http;
mod link;
mod patience;
mod quoting;
mod recording;
mod server;
mod shell;
mod socket;
mod start;
mod stream;
mod sync;
mod tracker;

pub use address::ServerAddress;
pub use devices::{DeviceEntry, DeviceState, parse_devices};
pub use error::{AdbError, Refusal};
pub use find_program::AdbProgram;
pub(crate) use http::{body_of, exchange};
pub use link::AdbLink;
pub use patience::Patience;
pub(crate) use patience::over_after;
pub use quoting::{command, quote};
pub use recording::{AskedBy, Exchange, Recording};
pub use server::{AdbServer, Connected};
pub use shell::ShellOutput;
pub use socket::PatientSocket;
pub use start::{ServerStart, run_program};
pub use stream::AdbStream;
pub use sync::FileStat;
pub use tracker::DeviceTracker;

#[cfg(test)]
pub(crate) mod tests;
