//! One host's connection: its socket, its streams, and the thread that reads.

use std::collections::BTreeMap;
use std::io::{self, BufReader};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::banner::{device_banner, host_banner};
use super::message::{self, Arrival, Command, MAX_DATA, MAX_DATA_OLD, Message, Terms, VERSION_OLD};
use super::reverse::ReverseTable;
use super::service;
use super::stream::{Opening, Stream, opened_by_host};
use super::threads::Threads;
use super::{ConnectionEvent, DeviceStream, Identity, Limits, Memory, Services, WireError};

/// How often the reader looks whether it is to end. A shutdown of the socket wakes it at once where the platform
/// does that.
const TICK: Duration = Duration::from_millis(500);
/// The largest first message, bytes.
const LARGEST_HELLO: u32 = 1 << 16;
/// The smallest packet size that a host may ask for, bytes.
const SMALLEST_DATA: u32 = 256;
/// What a stream collects of what it writes at most, in bytes.
const WRITTEN: usize = 256 << 10;
/// How long the host may take to open what the device asks for.
const DIAL: Duration = Duration::from_secs(10);

/// What all connections of a listener share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) services: Arc<dyn Services>,
    pub(super) limits: Limits,
    pub(super) threads: Threads,
    pub(super) uploads: Memory,
    /// Whether hosts that say hello get no answer.
    pub(super) mute: Arc<AtomicBool>,
}

/// A connection, as its streams and its reader share it.
pub(super) struct Link {
    shared: Shared,
    peer: SocketAddr,
    /// Only to be shut down, which wakes whoever reads or writes.
    socket: TcpStream,
    writer: Mutex<Writer>,
    table: Mutex<Table>,
    reverse: Mutex<ReverseTable>,
    /// How often the reader looked and nothing had come since the last message.
    quiet: AtomicU32,
    /// One count for each thread that serves a stream, even one whose stream is over.
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

/// What the two sides agreed on.
#[derive(Clone)]
struct Agreed {
    identity: Arc<Identity>,
    checksums: bool,
    /// What we take and what we send at most, bytes.
    max_data: (u32, u32),
}

impl Link {
    /// Prepares a socket that was just accepted.
    pub(super) fn new(shared: Shared, socket: TcpStream, peer: SocketAddr) -> io::Result<Link> {
        // Small packets go back and forth: each would wait for the next one's acknowledgement.
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(TICK))?;
        socket.set_write_timeout(Some(shared.limits.silence.max(TICK)))?;
        let writer = Mutex::new(Writer { socket: socket.try_clone()?, checksums: true });
        let table = Mutex::new(Table { streams: BTreeMap::new(), last: 0, down: false, agreed: None });
        let (reverse, serving) = (Mutex::new(ReverseTable::default()), Arc::new(()));
        let quiet = AtomicU32::new(0);
        Ok(Link { shared, peer, socket, writer, table, reverse, quiet, serving })
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

    /// Who is at the other end.
    pub(super) fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// How long nothing has come, about; zero while there are streams.
    pub(super) fn idle(&self) -> Duration {
        match self.table().streams.is_empty() {
            true => TICK * self.quiet.load(Ordering::Relaxed),
            false => Duration::ZERO,
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the device said of itself on this connection.
    pub(super) fn identity(&self) -> Option<Arc<Identity>> {
        self.table().agreed.as_ref().map(|agreed| Arc::clone(&agreed.identity))
    }

    /// Sends a message; where that fails the connection is over.
    pub(super) fn send(&self, command: Command, ids: (u32, u32), data: &[u8]) -> io::Result<()> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let checksums = writer.checksums;
        let sent = message::write(&mut writer.socket, command, ids, data, checksums);
        drop(writer);
        if sent.is_err() {
            // Part of the message may be out: nothing that follows would be understood.
            self.hang_up();
        }
        sent
    }

    /// Ends the connection and all its streams. Who waits in one of them wakes.
    pub(super) fn hang_up(&self) {
        let mut table = self.table();
        table.down = true;
        let streams = std::mem::take(&mut table.streams);
        drop(table);
        // A socket that the peer closed already cannot be shut down, and need not be.
        drop(self.socket.shutdown(Shutdown::Both));
        self.reverse().clear();
        for stream in streams.values() {
            stream.lose();
        }
    }

    fn is_down(&self) -> bool {
        self.table().down
    }

    /// Messages of this stream are ignored from now on.
    pub(super) fn forget(&self, local: u32) {
        drop(self.table().streams.remove(&local));
    }

    fn reverse(&self) -> MutexGuard<'_, ReverseTable> {
        self.reverse.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new stream with a number of ours; `None` where there are too many or the connection is over.
    fn new_stream(self: &Arc<Self>, remote: u32) -> Option<Arc<Stream>> {
        let mut table = self.table();
        let most = self.limits().streams;
        if table.down || table.streams.len() >= most || Arc::strong_count(&self.serving) > most {
            return None;
        }
        let max_data = table.agreed.as_ref().map_or(MAX_DATA_OLD, |agreed| agreed.max_data.1);
        // Numbers come back only after four thousand million streams, but then one may still be in use.
        let mut local = table.last.wrapping_add(1).max(1);
        while table.streams.contains_key(&local) {
            local = local.wrapping_add(1).max(1);
        }
        table.last = local;
        let max_data = usize::try_from(max_data).unwrap_or(1);
        let held = self.services().memory().take(max_data + WRITTEN).ok()?;
        let stream = Arc::new(Stream::new(self, local, remote, max_data, held));
        table.streams.insert(local, Arc::clone(&stream));
        Some(stream)
    }

    fn stream(&self, local: u32) -> Option<Arc<Stream>> {
        self.table().streams.get(&local).cloned()
    }

    /// What the host registered for this endpoint of the device.
    pub(super) fn reverse_of(&self, device: &str) -> Option<String> {
        self.reverse().host_of(device)
    }

    /// Opens a stream to an endpoint of the host; `None` where this host did not register it.
    pub(super) fn dial(self: &Arc<Self>, endpoint: &str) -> Option<Result<DeviceStream, WireError>> {
        let not_opened = || WireError::NotOpened { endpoint: endpoint.to_owned() };
        // Held until the message is out: a registration that ends now must not be used after its end was
        // answered, since a host that knows nothing of it aborts.
        let reverse = self.reverse();
        if !reverse.allows(endpoint) {
            return None;
        }
        let Some(stream) = self.new_stream(0) else { return Some(Err(not_opened())) };
        let sent = self.send_open(stream.local(), endpoint);
        drop(reverse);
        if let Err(error) = sent {
            self.hang_up();
            return Some(Err(error.into()));
        }
        Some(opened_by_host(stream, DIAL).ok_or_else(not_opened))
    }

    fn send_open(&self, local: u32, endpoint: &str) -> io::Result<()> {
        let service = [endpoint.as_bytes(), b"\0"].concat();
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let checksums = writer.checksums;
        // Not `send`, which hangs up where it fails: that locks the reverse table, which is locked here.
        message::write(&mut writer.socket, Command::Open, (local, 0), &service, checksums)
    }

    /// Reads until the connection ends, on a thread of its own.
    pub(super) fn serve(self: &Arc<Self>) {
        let problem = self.read_all().err().filter(|_| !self.is_down());
        self.hang_up();
        self.services().told(self.peer, ConnectionEvent::Ended { problem });
    }

    fn read_all(self: &Arc<Self>) -> Result<(), WireError> {
        let mut source = BufReader::with_capacity(1 << 16, self.socket.try_clone()?);
        let patience = self.limits().silence.as_millis().div_ceil(TICK.as_millis());
        let patience = u32::try_from(patience).unwrap_or(u32::MAX);
        let mut waited = 0;
        loop {
            let agreed = self.table().agreed.clone();
            let (max_data, checksums) = agreed
                .as_ref()
                .map_or((LARGEST_HELLO, false), |agreed| (agreed.max_data.0, agreed.checksums));
            let arrival = message::read(&mut source, Terms { max_data, checksums, patience })?;
            match &arrival {
                Arrival::Nothing => self.quiet.fetch_add(1, Ordering::Relaxed),
                Arrival::Message(_) | Arrival::End => self.quiet.swap(0, Ordering::Relaxed),
            };
            match arrival {
                Arrival::Message(message) if agreed.is_some() || message.command == Command::Connect => {
                    self.handle(message)?;
                }
                Arrival::Message(_) => return Err(WireError::BadPeer { what: "it did not say hello first" }),
                Arrival::End => return Ok(()),
                Arrival::Nothing if self.is_down() => return Ok(()),
                Arrival::Nothing if agreed.is_none() && waited >= patience => return Err(WireError::Silent),
                Arrival::Nothing => waited = waited.saturating_add(1),
            }
        }
    }

    fn handle(self: &Arc<Self>, message: Message) -> Result<(), WireError> {
        let Message { command, arg0, arg1, data } = message;
        match command {
            Command::Connect => self.hello(arg0, arg1, &data),
            Command::Open => self.open(arg0, &data),
            Command::Okay => {
                if let Some(stream) = self.stream(arg1) {
                    stream.acknowledged(arg0);
                }
                Ok(())
            }
            Command::Write => self.stream(arg1).map_or(Ok(()), |stream| stream.arrived(arg0, data)),
            Command::Close => {
                if self.stream(arg1).is_some_and(|stream| stream.closed_by_host(arg0)) {
                    self.forget(arg1);
                }
                Ok(())
            }
            // What follows would be a handshake that we cannot read.
            Command::StartTls => Err(WireError::BadPeer { what: "it began TLS, which was not offered" }),
            // Nothing was asked; and what a later version sends is ignored, as devices do.
            Command::Auth | Command::Unknown(_) => Ok(()),
        }
    }

    /// The host says hello, the first time or again: then all that was is over.
    fn hello(&self, version: u32, max_data: u32, banner: &[u8]) -> Result<(), WireError> {
        if self.shared.mute.load(Ordering::SeqCst) {
            return Ok(());
        }
        if max_data < SMALLEST_DATA {
            return Err(WireError::BadPeer { what: "it wants packets too small to be useful" });
        }
        let identity = self.services().identity();
        let checksums = version.min(identity.version) <= VERSION_OLD;
        let ours = identity.max_data.clamp(MAX_DATA_OLD, MAX_DATA);
        let hello = device_banner(&identity);
        let ids = (identity.version, ours);
        let agreed = Agreed { identity: Arc::new(identity), checksums, max_data: (ours, max_data.min(ours)) };
        let mut table = self.table();
        table.agreed = Some(agreed);
        let streams = std::mem::take(&mut table.streams);
        drop(table);
        self.reverse().clear();
        for stream in streams.values() {
            stream.lose();
        }
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).checksums = checksums;
        self.send(Command::Connect, ids, &hello)?;
        self.services().told(self.peer, ConnectionEvent::Connected { host: host_banner(banner) });
        Ok(())
    }

    fn open(self: &Arc<Self>, remote: u32, service: &[u8]) -> Result<(), WireError> {
        if remote == 0 {
            return Ok(());
        }
        let service = String::from_utf8_lossy(service).trim_end_matches('\0').to_owned();
        // At once: the host counts a registration from when it asked for it, and one that it ended may no longer
        // be used.
        let reverse = self.identity().filter(|identity| identity.reverse);
        let reverse = reverse.and_then(|_| service.strip_prefix("reverse:"));
        let reverse = reverse.and_then(|request| self.reverse().answer(request));
        let Some(stream) = self.new_stream(remote) else {
            self.send(Command::Close, (0, remote), &[])?;
            return Ok(());
        };
        let name = format!("adbd stream {}", stream.local());
        let (link, serving, opening) = (Arc::clone(self), Arc::clone(&self.serving), Opening::new(stream));
        let work = move || {
            let _serving = serving;
            service::serve(&link, opening, &service, reverse);
        };
        // Where no thread can be had, `work` is dropped and with it the stream is refused.
        drop(self.shared.threads.spawn(name, work));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use crossbeam_channel::after;

    use super::super::message::{VERSION, VERSION_OLD};
    use super::super::scripted_host::{ScriptedHost, served, served_as};
    use super::*;

    #[test]
    fn a_host_opens_writes_and_closes() {
        let listener = served();
        let (mut host, hello) = ScriptedHost::greet(&listener, VERSION, MAX_DATA);
        assert_eq!((hello.arg0, hello.arg1), (VERSION, MAX_DATA));
        assert!(hello.data.starts_with(b"device::ro.product.name=sim;"));
        let remote = host.open(5, "tcp:7");
        host.send(Command::Write, (5, remote), b"hello");
        assert_eq!(host.receive().command, Command::Okay);
        let echo = host.receive();
        assert_eq!((echo.command, echo.arg0, echo.arg1), (Command::Write, remote, 5));
        assert_eq!(echo.data, b"hello");
        host.send(Command::Okay, (5, remote), b"");
        // What names nothing is ignored; so is what a later version may send.
        for command in [Command::Okay, Command::Write, Command::Close, Command::Auth, Command::Unknown(1)] {
            host.send(command, (5, remote + 40), b"?");
            host.send(command, (6, remote + 40), b"?");
        }
        host.send(Command::Write, (6, remote), b"not mine");
        host.send(Command::Write, (5, remote), b"");
        host.send(Command::Close, (5, remote), b"");
        let close =
            std::iter::repeat_with(|| host.receive()).find(|message| message.command != Command::Okay);
        let close = close.unwrap();
        assert_eq!((close.command, close.arg0, close.arg1), (Command::Close, remote, 5));
        assert!(host.is_refused("tcp:1\0\0") && host.is_refused("nonsense") && host.is_refused(""));
        assert!(host.is_refused("reverse:nonsense"));
        assert_eq!(host.ask(9, "shell:echo still here"), b"still here\n");
    }

    #[test]
    fn who_speaks_no_adb_is_hung_up_on() {
        let listener = served();
        let hung_up = |script: &dyn Fn(&mut ScriptedHost)| {
            let mut host = ScriptedHost::connect(&listener);
            script(&mut host);
            host.is_hung_up_on()
        };
        assert!(hung_up(&|host| host.socket.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap()));
        assert!(hung_up(&|host| {
            host.offer(Command::Write, (1, 1), &vec![0; 1 + MAX_DATA as usize]);
        }));
        assert!(hung_up(&|host| host.send(Command::StartTls, (1, 0), b"")));
        assert!(hung_up(&|host| host.send(Command::Connect, (VERSION, 0), b"host::")));
        assert!(hung_up(&|host| {
            let remote = host.open(1, "tcp:8");
            for _ in 0..3 {
                host.offer(Command::Write, (1, remote), b"too hasty");
            }
        }));
        let mut rude = ScriptedHost::silent(&listener);
        rude.send(Command::Open, (1, 0), b"shell:echo\0");
        assert!(rude.is_hung_up_on());
        assert_eq!(ScriptedHost::connect(&listener).ask(1, "shell:echo ok"), b"ok\n");
    }

    #[test]
    fn who_says_nothing_is_hung_up_on_but_who_rests_is_not() {
        let limits = |options: &mut super::super::ListenOptions| {
            options.limits.silence = Duration::from_millis(900);
        };
        let listener = served_as(Identity::modern("a", "b", "c"), limits);
        let mut silent = ScriptedHost::silent(&listener);
        let mut stops = ScriptedHost::connect(&listener);
        let mut rests = ScriptedHost::connect(&listener);
        stops.socket.write_all(b"OPEN").unwrap();
        assert!(silent.is_hung_up_on() && stops.is_hung_up_on());
        assert_eq!(rests.ask(1, "shell:echo awake"), b"awake\n");
    }

    #[test]
    fn whatever_comes_the_device_stays() {
        const SERVICES: [&str; 9] = [
            "shell:echo a",
            "shell,v2,raw:cat",
            "shell:",
            "sync:",
            "tcp:7",
            "tcp:8",
            "exec:line",
            "reverse:forward:tcp:1;tcp:2",
            "SEND\x03\0\0\0a,1DATA\x01\0\0\0xDONE\0\0\0\0",
        ];
        let listener = served();
        let mut state = 7_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..150 {
            let mut host = ScriptedHost::connect(&listener);
            for _ in 0..40 {
                let commands = [Command::Open, Command::Write, Command::Okay, Command::Close, Command::Auth];
                let command = commands[draw(5) as usize];
                let data = SERVICES[draw(9) as usize].as_bytes();
                let ids = (draw(5) as u32, draw(8) as u32);
                if !host.offer(command, ids, data) {
                    // It was hung up on, as it deserved.
                    break;
                }
            }
        }
        assert_eq!(ScriptedHost::connect(&listener).ask(1, "shell:echo up"), b"up\n");
    }

    #[test]
    fn an_old_device_sums_and_sends_little() {
        let listener = served_as(Identity::old("a", "b", "c"), |_| {});
        let (mut host, hello) = ScriptedHost::greet(&listener, VERSION, MAX_DATA);
        assert_eq!((hello.arg0, hello.arg1), (VERSION_OLD, MAX_DATA_OLD));
        // The scripted host checks sums from here on.
        assert_eq!(host.ask(1, "shell:zeros 9000").len(), 9000);
        let remote = host.open(2, "shell:zeros 9000");
        assert_eq!(host.receive().data.len(), 4096);
        host.send(Command::Close, (2, remote), b"");
        assert_eq!(host.receive().command, Command::Close);
        assert!(host.is_refused("shell,v2,raw:echo") && host.is_refused("exec:echo"));
        assert!(host.is_refused("reverse:list-forward"));
        let mut damaged = Vec::new();
        message::write(&mut damaged, Command::Open, (3, 0), b"shell:echo\0", false).unwrap();
        host.socket.write_all(&damaged).unwrap();
        assert!(host.is_hung_up_on());
    }

    #[test]
    fn a_host_of_small_packets_gets_small_packets() {
        let listener = served();
        let (mut host, _) = ScriptedHost::greet(&listener, VERSION, 5000);
        host.open(1, "shell:zeros 9000");
        assert_eq!(host.receive().data.len(), 5000);
    }

    #[test]
    fn streams_are_counted_and_hello_ends_them() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        for local in 1..=64 {
            host.open(local, "tcp:7");
        }
        assert!(host.is_refused("tcp:7"));
        host.send(Command::Connect, (VERSION, MAX_DATA), b"host::again");
        while host.receive().command != Command::Connect {}
        let mut streams = 0;
        let late = after(Duration::from_secs(5));
        while streams < 64 && late.is_empty() {
            // The threads of the old streams end on their own.
            streams += u32::from(!host.is_refused("tcp:7"));
        }
        assert_eq!(streams, 64);
    }
}
