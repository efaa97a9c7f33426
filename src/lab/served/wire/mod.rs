//! The device's side of adb over TCP, for the real `adb` program: messages, streams, and the services that the protocol
//! itself defines (`shell:`, `exec:`, `sync:`, `reverse:`). The device's behaviour is behind [`Services`].
//!
//! Nothing here knows phones, layouts or commands, nor what a shell line prints. Invariants: a peer can never cause a
//! panic, an endless wait or unbounded memory use; each direction of a stream has at most one unacknowledged packet.

mod banner;
mod connection;
mod connections;
mod device_stream;
mod input;
mod listen;
mod message;
mod reader;
mod reverse;
mod service;
mod shell_service;
mod shell_stream;
mod stream;
mod sync_service;
#[cfg(test)]
mod tests;
mod threads;

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use crate::memory::Memory;

pub use device_stream::{DeviceStream, StreamReader, StreamWriter};
pub use listen::{ListenOptions, Listener};
pub use message::{MAX_DATA, MAX_DATA_OLD, VERSION, VERSION_OLD};

/// Serves a stream that was accepted, on a thread of its own.
pub type SocketHandler = Box<dyn FnOnce(DeviceStream) + Send>;

/// What the device sends about itself when a host connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// `ro.product.name`. In this and the other names, characters that the banner cannot contain become `_`.
    pub name: String,
    /// `ro.product.model`, as `adb devices -l` prints it.
    pub model: String,
    /// `ro.product.device`; also part of an interactive shell's prompt.
    pub device: String,
    /// Features such as `shell_v2`, in the order of the banner.
    pub features: Vec<&'static str>,
    /// [`VERSION`], or [`VERSION_OLD`] for a device that sets and verifies checksums.
    pub version: u32,
    /// The largest packet that the device accepts, in bytes; [`MAX_DATA`], or [`MAX_DATA_OLD`] for an old device.
    pub max_data: u32,
    /// Whether `shell:` uses a terminal that changes every LF to CRLF (before Android 7).
    pub crlf_shell: bool,
    /// Whether there is an `exec:` service (Android 5 and later).
    pub exec: bool,
    /// Whether there is a `reverse:` service (Android 5 and later).
    pub reverse: bool,
}

impl Identity {
    /// A current device: shell v2 with exit codes, large packets.
    pub fn modern(name: &str, model: &str, device: &str) -> Identity {
        Identity {
            name: name.to_owned(),
            model: model.to_owned(),
            device: device.to_owned(),
            features: vec!["shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir"],
            version: VERSION,
            max_data: MAX_DATA,
            crlf_shell: false,
            exec: true,
            reverse: true,
        }
    }

    /// A device with Android 4.4: no features, checksums, 4 KiB packets, CRLF, neither `exec:` nor `reverse:`.
    pub fn old(name: &str, model: &str, device: &str) -> Identity {
        Identity {
            features: Vec::new(),
            version: VERSION_OLD,
            max_data: MAX_DATA_OLD,
            crlf_shell: true,
            exec: false,
            reverse: false,
            ..Identity::modern(name, model, device)
        }
    }

    /// Whether the device has this feature.
    pub fn has(&self, feature: &str) -> bool {
        self.features.contains(&feature)
    }
}

/// The metadata of a file in `sync:`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileStat {
    /// File type bits (such as `0o100000` for a file, `0o040000` for a folder) and permissions.
    pub mode: u32,
    /// The size in bytes.
    pub size: u64,
    /// Modification time, in seconds since 1970.
    pub mtime: u32,
}

/// A change of a connection, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectionEvent {
    /// A host connected and sent this banner.
    Connected {
        /// The banner that the host sent, as printable text.
        host: String,
    },
    /// The connection ended, for whatever reason.
    Ended {
        /// The reason; `None` if the host just left or the listener ended.
        problem: Option<WireError>,
    },
}

/// The behaviour of the device; shared by all connections and called from the thread of each stream.
pub trait Services: Send + Sync {
    /// The device's names, features and protocol version; called for each greeting of a host.
    fn identity(&self) -> Identity;

    /// Runs a shell command line and returns its exit code. With `tty` the output is a terminal, and `err` is merged
    /// into `out`.
    ///
    /// Output is sent once some hundred KiB are buffered, before `stdin` waits, on a flush and at the end: a command
    /// that waits between its lines has to flush. Once the host is gone or the user pressed Ctrl-C, writing and
    /// flushing fail with `BrokenPipe`; a command that never ends must flush now and then to notice this.
    fn shell(
        &self,
        command: &str,
        stdin: &mut dyn Read,
        out: &mut dyn Write,
        err: &mut dyn Write,
        tty: bool,
    ) -> u8;

    /// The metadata of a file or folder; `None` if it does not exist.
    fn stat(&self, path: &str) -> Option<FileStat>;

    /// The names in a folder (as `readdir` returns them). A folder that cannot be read looks empty to the host.
    fn list(&self, path: &str) -> Result<Vec<(String, FileStat)>, String>;

    /// The content of a file. The error is the message that `adb pull` prints.
    fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, String>;

    /// Writes a file and creates missing parent folders; `mtime` in seconds since 1970. The error is the message that
    /// `adb push` prints.
    fn write(&self, path: &str, mode: u32, mtime: u32, data: Vec<u8>) -> Result<(), String>;

    /// Connects to a socket on the device, such as `tcp:9008` or `localabstract:minicap`. `None` refuses.
    fn socket(&self, name: &str) -> Option<SocketHandler>;

    /// Opens any other service, such as `framebuffer:` or `reboot:`. `None` refuses.
    fn other(&self, service: &str) -> Option<SocketHandler>;

    /// How many times the daemon was restarted, by a reboot or otherwise. Connections from before a restart end within
    /// moments.
    fn restarts(&self) -> u64 {
        0
    }

    /// Called when a connection begins and when it ends.
    fn on_connection(&self, _peer: SocketAddr, _event: ConnectionEvent) {}
}

/// Limits on what a peer may use and how long it may make the device wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Limit on simultaneous connections; further ones are closed.
    pub connections: usize,
    /// Limit on simultaneous streams of one connection; further ones are refused.
    pub streams: usize,
    /// Limit on the memory for uploads in progress on all connections, in bytes; an upload beyond it fails.
    pub upload: u64,
    /// How long a host may pause inside a message, before its first message, or in reading from its socket.
    pub silence: Duration,
    /// How long the reader of one stream may leave a packet unacknowledged (`adb logcat | less`), or pause during an
    /// upload.
    pub stalled: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 16,
            streams: 64,
            upload: 512 << 20,
            silence: Duration::from_secs(30),
            stalled: Duration::from_secs(3600),
        }
    }
}

/// Failures of the wire, and violations of the protocol by a peer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The port is in the range that adb servers scan.
    #[error(
        "port {port} is one of those that every adb server scans (5555 to 5585, odd): the device would appear \
         twice and commands without -s would fail; take a port such as 15555"
    )]
    ScannedPort {
        /// The port that was requested.
        port: u16,
    },
    /// Listening on the address failed.
    #[error("cannot listen on {address}: {problem}; is another program there? Port 0 takes a free one")]
    Bind {
        /// The address that was requested.
        address: SocketAddr,
        /// The kind of the I/O error.
        kind: io::ErrorKind,
        /// The operating system's message.
        problem: String,
    },
    /// The magic word in a header does not match its command.
    #[error("the peer does not speak adb: command {command:#010x} came with the magic word {magic:#010x}")]
    BadMagic {
        /// The command word in the header.
        command: u32,
        /// The magic word in the header.
        magic: u32,
    },
    /// The length of a message exceeds the agreed limit.
    #[error("the peer sent a message of {length} bytes; at most {limit} were agreed")]
    Oversize {
        /// The announced length in bytes.
        length: u32,
        /// The agreed limit in bytes.
        limit: u32,
    },
    /// The checksum of a message does not match its data.
    #[error("a message arrived damaged: its bytes add up to {sum:#x}, its header says {told:#x}")]
    BadChecksum {
        /// The sum of the bytes that arrived.
        sum: u32,
        /// The checksum in the header.
        told: u32,
    },
    /// A message violates the protocol.
    #[error("the peer broke the protocol: {what}")]
    BadPeer {
        /// What the peer did, as the rest of a sentence.
        what: &'static str,
    },
    /// The peer stopped sending inside a message or before its first one.
    #[error("the peer fell silent in the middle of a message or before its first one")]
    Silent,
    /// Reading from or writing to the socket failed.
    #[error("the connection failed: {problem}")]
    Socket {
        /// The kind of the I/O error.
        kind: io::ErrorKind,
        /// The operating system's message.
        problem: String,
    },
}

impl From<io::Error> for WireError {
    fn from(error: io::Error) -> Self {
        WireError::Socket { kind: error.kind(), problem: error.to_string() }
    }
}
