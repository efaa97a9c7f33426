//! Real devices, through the socket protocol of the adb server: which devices there are, and what can be asked of one.
//!
//! Lives here: the server's address and its start (`server`, `address`, `start`, `find_program`), the list of devices
//! (`devices`, `tracker`), one device (`link`) with its shell (`shell`, `exec`), files (`sync`) and ports (`forward`), how a
//! word is written so that a device's shell takes it as it is (`quoting`), and plain connections (`socket`).
//!
//! Never knows what a layout, an event or an app is, and never what the output of a command means. Nothing here waits
//! without a [`Patience`]: every call ends at its deadline and soon after it was cancelled, whatever the peer does.
//! What a peer announces is never allocated before it came, and what came of a command's output is believed only with the
//! device's checksum of it (`checksum`), where the device can say one.

mod address;
mod checksum;
mod connect;
mod devices;
mod error;
mod exec;
mod find_program;
mod link;
mod patience;
mod quoting;
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
pub use link::AdbLink;
pub use patience::Patience;
pub use quoting::{command, quote};
pub use server::{AdbServer, Connected};
pub use shell::ShellOutput;
pub use socket::PatientSocket;
pub use start::ServerStart;
pub use stream::AdbStream;
pub use sync::FileStat;
pub use tracker::DeviceTracker;

#[cfg(test)]
mod peer;
