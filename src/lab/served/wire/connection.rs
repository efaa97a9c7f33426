//! One host's connection: its socket, its streams and the agreed parameters. `reader` is the thread that reads from it.

use std::collections::BTreeMap;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::message::{self, MAX_DATA_OLD, WireCommand};
use super::reverse::ReverseTable;
use super::stream::Stream;
use super::threads::Threads;
use super::{Identity, Limits, Memory, Services};

/// How often the reader checks whether it should end. A shutdown of the socket wakes it at once on platforms that
/// support this.
pub(super) const TICK: Duration = Duration::from_millis(500);
/// The state that all connections of a listener share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) services: Arc<dyn Services>,
    pub(super) limits: Limits,
    pub(super) threads: Threads,
    pub(super) uploads: Memory,
    /// Whether hosts that connect get no answer.
    pub(super) mute: Arc<AtomicBool>,
}

/// A connection, shared by its streams and its reader.
pub(super) struct Connection {
    shared: Shared,
    peer: SocketAddr,
    /// Only used for shutdown, which wakes the threads that read and write.
    socket: TcpStream,
    writer: Mutex<Writer>,
    table: Mutex<Table>,
    reverse: Mutex<ReverseTable>,
    /// One reference for each thread that serves a stream, even if the stream has ended.
    serving: Arc<()>,
}

struct Writer {
    socket: TcpStream,
    checksums: bool,
}

struct Table {
    streams: BTreeMap<u32, Arc<Stream>>,
    last: u32,
    down: bool,
    agreed: Option<Agreed>,
}

/// The parameters that the two sides agreed on.
#[derive(Clone)]
pub(super) struct Agreed {
    pub(super) identity: Arc<Identity>,
    /// Whether messages carry checksums.
    pub(super) checksums: bool,
    /// The largest packets that we accept and that we send, in bytes.
    pub(super) max_data: (u32, u32),
}

impl Connection {
    /// Prepares a socket that was just accepted.
    pub(super) fn new(shared: Shared, socket: TcpStream, peer: SocketAddr) -> io::Result<Connection> {
        // Small packets go back and forth, and would wait for each other's acknowledgement.
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(TICK))?;
        socket.set_write_timeout(Some(shared.limits.silence.max(TICK)))?;
        let writer = Mutex::new(Writer { socket: socket.try_clone()?, checksums: true });
        let table = Mutex::new(Table { streams: BTreeMap::new(), last: 0, down: false, agreed: None });
        let (reverse, serving) = (Mutex::new(ReverseTable::default()), Arc::new(()));
        Ok(Connection { shared, peer, socket, writer, table, reverse, serving })
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    pub(super) fn services(&self) -> &dyn Services {
        &*self.shared.services
    }

    pub(super) fn uploads(&self) -> &Memory {
        &self.shared.uploads
    }

    /// The address of the host.
    pub(super) fn peer(&self) -> SocketAddr {
        self.peer
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The identity that the device sent on this connection; `None` before the handshake.
    pub(super) fn identity(&self) -> Option<Arc<Identity>> {
        self.table().agreed.as_ref().map(|agreed| Arc::clone(&agreed.identity))
    }

    /// The agreed parameters; `None` before the host's first message.
    pub(super) fn agreed(&self) -> Option<Agreed> {
        self.table().agreed.clone()
    }

    /// Handles the host's greeting, the first or a repeated one, which ends all earlier streams.
    pub(super) fn begin(&self, agreed: Agreed) {
        let checksums = agreed.checksums;
        let mut table = self.table();
        table.agreed = Some(agreed);
        let streams = std::mem::take(&mut table.streams);
        drop(table);
        self.reverse().clear();
        for stream in streams.values() {
            stream.lose();
        }
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).checksums = checksums;
    }

    /// The socket for the reader.
    pub(super) fn socket(&self) -> io::Result<TcpStream> {
        self.socket.try_clone()
    }

    /// Whether hosts that connect get no answer.
    pub(super) fn is_mute(&self) -> bool {
        self.shared.mute.load(Ordering::SeqCst)
    }

    /// Serves a stream on a thread of its own. If no thread can be started, `work` is dropped.
    pub(super) fn spawn(&self, name: String, work: impl FnOnce() + Send + 'static) {
        let serving = Arc::clone(&self.serving);
        let work = move || {
            let _serving = serving;
            work();
        };
        drop(self.shared.threads.spawn(name, work));
    }

    /// Sends a message. If that fails, the connection ends.
    pub(super) fn send(&self, command: WireCommand, ids: (u32, u32), data: &[u8]) -> io::Result<()> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let checksums = writer.checksums;
        let sent = message::write(&mut writer.socket, command, ids, data, checksums);
        drop(writer);
        if sent.is_err() {
            // Part of the message may have been sent: nothing after it would be understood.
            self.hang_up();
        }
        sent
    }

    /// Ends the connection and all its streams, and wakes threads that are waiting on one of them.
    pub(super) fn hang_up(&self) {
        let mut table = self.table();
        table.down = true;
        let streams = std::mem::take(&mut table.streams);
        drop(table);
        // A socket that the peer has closed cannot be shut down, and need not be.
        drop(self.socket.shutdown(Shutdown::Both));
        self.reverse().clear();
        for stream in streams.values() {
            stream.lose();
        }
    }

    /// Whether the device has ended the connection.
    pub(super) fn is_down(&self) -> bool {
        self.table().down
    }

    /// Removes the stream with this local id, so that its messages are ignored from now on.
    pub(super) fn forget(&self, local: u32) {
        drop(self.table().streams.remove(&local));
    }

    /// The host's registrations for `reverse:`.
    pub(super) fn reverse(&self) -> MutexGuard<'_, ReverseTable> {
        self.reverse.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a stream with a new local id; `None` if there are too many or the connection has ended.
    pub(super) fn new_stream(self: &Arc<Self>, remote: u32) -> Option<Arc<Stream>> {
        let mut table = self.table();
        let most = self.limits().streams;
        if table.down || table.streams.len() >= most || Arc::strong_count(&self.serving) > most {
            return None;
        }
        let max_data = table.agreed.as_ref().map_or(MAX_DATA_OLD, |agreed| agreed.max_data.1);
        // Ids are only reused after four billion streams, but even then one may still be in use.
        let mut local = table.last.wrapping_add(1).max(1);
        while table.streams.contains_key(&local) {
            local = local.wrapping_add(1).max(1);
        }
        table.last = local;
        let max_data = usize::try_from(max_data).unwrap_or(1);
        let stream = Arc::new(Stream::new(self, local, remote, max_data));
        table.streams.insert(local, Arc::clone(&stream));
        Some(stream)
    }

    /// The stream with this local id, if there is one.
    pub(super) fn stream(&self, local: u32) -> Option<Arc<Stream>> {
        self.table().streams.get(&local).cloned()
    }
}
