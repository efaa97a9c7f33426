//! Being an Android device for the real `adb` program over TCP: messages, streams, and the services that the
//! protocol itself defines (`shell:`, `exec:`, `sync:`, `reverse:`). What the device *does* is behind `Services`.
//!
//! Knows nothing of phones, layouts or commands; what a shell line prints is not its business.
//! Invariants: a peer never makes it panic, wait without end or hold memory without bound; each direction of a
//! stream has at most one unacknowledged packet; a device-side open names only what the host registered.

mod banner;
mod connection;
mod device_stream;
mod input;
mod listen;
mod message;
mod reverse;
#[cfg(test)]
mod scripted_host;
mod service;
mod shell_service;
mod stream;
mod sync_service;
mod terminal;
mod threads;

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use crate::Memory;

pub use device_stream::{DeviceStream, StreamReader, StreamWriter};
pub use listen::{ListenOptions, Listener};
pub use message::{MAX_DATA, MAX_DATA_OLD, VERSION, VERSION_OLD};
pub use reverse::ReverseDialer;

/// What runs a stream after the wire accepted it, on a thread of its own.
pub type SocketHandler = Box<dyn FnOnce(DeviceStream) + Send>;

/// What the device says of itself when a host connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// `ro.product.name`. Characters that the banner cannot carry become `_`, here and below.
    pub name: String,
    /// `ro.product.model`.
    pub model: String,
    /// `ro.product.device`; also stands in the prompt of an interactive shell.
    pub device: String,
    /// Features such as `shell_v2`, in the order of the banner.
    pub features: Vec<&'static str>,
    /// `VERSION`, or `VERSION_OLD` for a device that fills and checks checksums.
    pub version: u32,
    /// The largest packet the device takes, bytes; `MAX_DATA`, or `MAX_DATA_OLD` for an old device.
    pub max_data: u32,
    /// Whether `shell:` goes through a terminal that makes CRLF of every LF (before Android 7).
    pub crlf_shell: bool,
    /// Whether there is an `exec:` service (Android 5 and later).
    pub exec: bool,
    /// Whether there is a `reverse:` service (Android 5 and later).
    pub reverse: bool,
}

impl Identity {
    /// A device of today: shell v2 with exit codes, large packets.
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

    /// A device as of Android 4.4: no features, checksums, 4 KiB packets, CRLF, neither `exec:` nor `reverse:`.
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

    /// Whether it has this feature.
    pub fn has(&self, feature: &str) -> bool {
        self.features.contains(&feature)
    }
}

/// What `sync:` tells of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileStat {
    /// Type bits (such as `0o100000` for a file, `0o040000` for a folder) and permissions.
    pub mode: u32,
    /// Bytes.
    pub size: u64,
    /// Seconds since 1970.
    pub mtime: u32,
}

/// What becomes of a connection, for whoever shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectionEvent {
    /// A host said hello, with this banner.
    Connected {
        /// What the host said of itself.
        host: String,
    },
    /// The connection is over; without a problem the host just left or the listener ended.
    Ended {
        /// What ended it.
        problem: Option<WireError>,
    },
}

/// What the device does; shared by all connections, called from the thread of each stream.
pub trait Services: Send + Sync {
    /// Banner: names, features, protocol version. Asked for once per connection.
    fn identity(&self) -> Identity;

    /// What peers may make the device hold; what the wire keeps for them counts there.
    fn memory(&self) -> &Memory;

    /// Runs a shell command line and returns its exit code. `tty` says that output goes to a terminal; then `err`
    /// ends up among `out`.
    ///
    /// What is written is sent once some hundred KiB are together, before `stdin` waits, at a flush and at the end: a
    /// command that waits between its lines flushes. Once the host is gone or the user pressed Ctrl-C, writing
    /// and flushing fail with `BrokenPipe`; a command that never ends must flush now and then to notice.
    fn shell(
        &self,
        command: &str,
        stdin: &mut dyn Read,
        out: &mut dyn Write,
        err: &mut dyn Write,
        tty: bool,
    ) -> u8;

    /// A file or folder; `None` where there is none.
    fn stat(&self, path: &str) -> Option<FileStat>;

    /// The names in a folder (as `readdir` gives them). A folder that cannot be read looks empty to the host.
    fn list(&self, path: &str) -> Result<Vec<(String, FileStat)>, String>;

    /// A file's content; the error is what `adb pull` shows.
    fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, String>;

    /// Writes a file, with the folders above it; `mtime` in seconds since 1970. The error is what `adb push` shows.
    fn write(&self, path: &str, mode: u32, mtime: u32, data: Vec<u8>) -> Result<(), String>;

    /// A socket on the device, such as `tcp:9008` or `localabstract:minicap`. `None` refuses.
    fn socket(&self, name: &str) -> Option<SocketHandler>;

    /// Anything else, such as `framebuffer:` or `reboot:`. `None` refuses.
    fn other(&self, service: &str) -> Option<SocketHandler>;

    /// Told when a connection begins and ends.
    fn told(&self, _peer: SocketAddr, _event: ConnectionEvent) {}
}

/// How much a peer may take and how long it may keep us waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Hosts at once; further ones are hung up on.
    pub connections: usize,
    /// How long a connection may have no stream and say nothing before it gives its place up to a new one. Until
    /// somebody wants the place it stays, as the adb server keeps one for each device.
    pub idle: Duration,
    /// Streams at once on one connection; further ones are refused.
    pub streams: usize,
    /// Bytes of uploads held at once of the device's memory, over all connections; beyond, an upload fails.
    pub upload: u64,
    /// How long a host may stop in the middle of a message, not say hello, or not read from its socket.
    pub silence: Duration,
    /// How long the reader of one stream may leave a packet unacknowledged (`adb logcat | less`), or pause in the
    /// middle of an upload.
    pub stalled: Duration,
}

impl Limits {
    /// Connections at once from one address: some places are always left for others.
    fn connections_of_one(&self) -> usize {
        self.connections - self.connections / 4
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 16,
            idle: Duration::from_secs(60),
            streams: 64,
            upload: 512 << 20,
            silence: Duration::from_secs(30),
            stalled: Duration::from_secs(3600),
        }
    }
}

/// What the wire cannot do, and what a peer did wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The port belongs to the range that adb servers scan.
    #[error(
        "port {port} is one of those that every adb server scans (5555 to 5585, odd): the device would appear \
         twice and commands without -s would fail; take a port such as 15555"
    )]
    ScannedPort {
        /// The port asked for.
        port: u16,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {problem}; is another program there? Port 0 takes a free one")]
    Bind {
        /// The address asked for.
        address: SocketAddr,
        /// What kind of failure.
        kind: io::ErrorKind,
        /// What the system said.
        problem: String,
    },
    /// A header whose magic word does not fit its command.
    #[error("the peer does not speak adb: command {command:#010x} came with the magic word {magic:#010x}")]
    BadMagic {
        /// The command word.
        command: u32,
        /// The magic word.
        magic: u32,
    },
    /// A message longer than what was announced.
    #[error("the peer sent a message of {length} bytes; at most {limit} were agreed")]
    Oversize {
        /// Its length, bytes.
        length: u32,
        /// The most allowed, bytes.
        limit: u32,
    },
    /// A message whose bytes do not add up.
    #[error("a message arrived damaged: its bytes add up to {sum:#x}, its header says {told:#x}")]
    BadChecksum {
        /// The sum of its bytes.
        sum: u32,
        /// What the header says.
        told: u32,
    },
    /// A message that the protocol does not allow here.
    #[error("the peer broke the protocol: {what}")]
    BadPeer {
        /// What it did.
        what: &'static str,
    },
    /// The peer kept us waiting.
    #[error("the peer fell silent in the middle of a message or before its first one")]
    Silent,
    /// The socket failed.
    #[error("the connection failed: {problem}")]
    Socket {
        /// What kind of failure.
        kind: io::ErrorKind,
        /// What the system said.
        problem: String,
    },
    /// No host has a `reverse` for it.
    #[error("no host connects {endpoint:?} in reverse; run `adb reverse` first")]
    NotRegistered {
        /// The endpoint asked for.
        endpoint: String,
    },
    /// The host has nothing there, or did not answer.
    #[error("the host did not open {endpoint:?}; does a program listen there?")]
    NotOpened {
        /// The endpoint asked for.
        endpoint: String,
    },
}

impl From<io::Error> for WireError {
    fn from(error: io::Error) -> Self {
        WireError::Socket { kind: error.kind(), problem: error.to_string() }
    }
}
