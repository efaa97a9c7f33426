//! The socket that hosts connect to. Dropping it ends every connection, stream and thread.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::connection::{Connection, Shared};
use super::connections::Connections;
use super::reader;
use super::threads::Threads;
use super::{ConnectionEvent, Limits, Memory, Services, WireError};

/// How long the end waits for threads; a command that is still running then continues detached.
const END: Duration = Duration::from_millis(800);
/// The pause after a failure to accept, for example for lack of file handles.
const REST: Duration = Duration::from_millis(100);
/// How long the end tries to wake the accepting thread.
const WAKE: Duration = Duration::from_millis(200);

/// The address to listen on, and the limits for peers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenOptions {
    /// The address. There is no authentication, so any address but loopback admits the whole network. Port 0 takes a
    /// free one.
    pub address: SocketAddr,
    /// Whether the port may be one that adb servers scan, so that the device appears as `emulator-NNNN`.
    pub scanned_port: bool,
    /// The limits for peers.
    pub limits: Limits,
}

impl ListenOptions {
    /// Listens on this port of 127.0.0.1.
    pub fn loopback(port: u16) -> ListenOptions {
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        ListenOptions { address, scanned_port: false, limits: Limits::default() }
    }
}

/// A device that hosts can connect to. Dropping it ends everything within a second.
pub struct Listener {
    address: SocketAddr,
    connections: Arc<Connections>,
    threads: Threads,
    mute: Arc<AtomicBool>,
    /// Dropped to end the pauses of the accepting thread.
    stop: Option<Sender<()>>,
}

impl Listener {
    /// Starts to listen.
    ///
    /// # Errors
    ///
    /// [`WireError::ScannedPort`] if adb servers scan the port and that was not allowed, or [`WireError::Bind`].
    pub fn bind(options: &ListenOptions, services: Arc<dyn Services>) -> Result<Listener, WireError> {
        let wanted = options.address;
        if is_scanned(wanted.port()) && !options.scanned_port {
            return Err(WireError::ScannedPort { port: wanted.port() });
        }
        let failed = |error: std::io::Error| WireError::Bind {
            address: wanted,
            kind: error.kind(),
            problem: error.to_string(),
        };
        let socket = bind(wanted).map_err(failed)?;
        let address = socket.local_addr().map_err(failed)?;
        let connections = Arc::new(Connections::default());
        let (threads, limits) = (Threads::default(), options.limits.clone());
        let (uploads, mute) = (Memory::with_limit(limits.upload), Arc::new(AtomicBool::new(false)));
        let shared = Shared { services, limits, threads: threads.clone(), uploads, mute: Arc::clone(&mute) };
        let (stop, stopped) = bounded(0);
        let accepting = Arc::clone(&connections);
        let accept = move || accept_all(&socket, &shared, &accepting, &stopped);
        threads.spawn(format!("adbd accept {}", address.port()), accept).map_err(failed)?;
        Ok(Listener { address, connections, threads, mute, stop: Some(stop) })
    }

    /// The address that it listens on, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of connected hosts.
    pub fn connections(&self) -> usize {
        self.connections.count()
    }

    /// Ends all connections, as a device that reboots does. Hosts may reconnect at once.
    pub fn hang_up(&self) {
        for connection in self.connections.newest_first() {
            connection.hang_up();
        }
    }

    /// Ends all connections. A mute device accepts new ones but sends nothing, so that adb servers call it offline.
    pub fn set_mute(&self, mute: bool) {
        self.mute.store(mute, Ordering::SeqCst);
        self.hang_up();
    }

    /// Wakes the accepting thread: a listening socket cannot be shut down.
    fn wake(&self) {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        // If this fails, others are waiting to be accepted and wake the thread as well.
        drop(TcpStream::connect_timeout(&SocketAddr::new(ip, self.address.port()), WAKE));
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let connections = self.connections.end();
        drop(self.stop.take());
        self.wake();
        for connection in &connections {
            connection.hang_up();
        }
        drop(connections);
        self.threads.wait(END);
    }
}

fn is_scanned(port: u16) -> bool {
    (5555..=5585).contains(&port) && port % 2 == 1
}

/// Binds a socket. A free port is chosen outside the ports of emulators.
fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let mut kept = Vec::new();
    loop {
        let socket = TcpListener::bind(address)?;
        let port = socket.local_addr()?.port();
        if address.port() != 0 || !(5554..=5585).contains(&port) {
            return Ok(socket);
        }
        // Stays bound so that the next port differs: there are only 32 of them.
        kept.push(socket);
    }
}

fn accept_all(socket: &TcpListener, shared: &Shared, connections: &Arc<Connections>, stopped: &Receiver<()>) {
    while !connections.ended() {
        match socket.accept() {
            Ok((socket, peer)) => serve(socket, peer, shared, connections),
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => {}
            Err(_) => drop(stopped.recv_timeout(REST)),
        }
    }
}

/// Serves one host on a thread of its own; hangs up if there can be no thread.
fn serve(socket: TcpStream, peer: SocketAddr, shared: &Shared, connections: &Arc<Connections>) {
    let connection = match Connection::new(shared.clone(), socket, peer) {
        Ok(connection) => Arc::new(connection),
        Err(error) => {
            let problem = Some(error.into());
            return shared.services.on_connection(peer, ConnectionEvent::Ended { problem });
        }
    };
    let Some(number) = connections.add(&connection, &shared.limits) else { return };
    let listed = Listed { connections: Arc::clone(connections), connection, number };
    let work = move || reader::serve(&listed.connection);
    // If no thread can be started, `work` is dropped and with it the connection.
    drop(shared.threads.spawn(format!("adbd host {number}"), work));
}

/// A connection in the list. On drop it ends and is removed from the list.
struct Listed {
    connections: Arc<Connections>,
    connection: Arc<Connection>,
    number: u64,
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.connection.hang_up();
        self.connections.remove(self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::{Read, Write};
    use std::sync::Mutex;

    use crossbeam_channel::after;

    use super::super::Identity;
    use super::super::message::WireCommand;
    use super::super::tests::{ScriptedHost, SmallDevice, served, served_as};
    use super::*;

    /// Longer than anything here takes on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// Drops the listener, which must not wait for a thread that does not end.
    fn ends_in_time(listener: Listener) {
        let too_late = after(PATIENCE);
        drop(listener);
        assert!(too_late.is_empty());
    }

    #[test]
    fn ports_that_servers_scan_are_refused_unless_wanted() {
        let files = Mutex::new(BTreeMap::new());
        let identity = Identity::modern("a", "b", "c");
        let services: Arc<dyn Services> = Arc::new(SmallDevice { identity, files });
        for port in [5555, 5585] {
            let bound = Listener::bind(&ListenOptions::loopback(port), Arc::clone(&services));
            assert_eq!(bound.err(), Some(WireError::ScannedPort { port }));
        }
        assert!(!is_scanned(5553) && !is_scanned(5556) && !is_scanned(5587) && is_scanned(5557));
        let mut options = ListenOptions::loopback(5577);
        options.scanned_port = true;
        // Another program may listen there; then that one is reported.
        match Listener::bind(&options, Arc::clone(&services)) {
            Ok(listener) => assert_eq!(listener.address().port(), 5577),
            Err(error) => assert!(matches!(error, WireError::Bind { .. })),
        }
        let first = Listener::bind(&ListenOptions::loopback(0), Arc::clone(&services)).unwrap();
        let second = Listener::bind(&ListenOptions::loopback(first.address().port()), Arc::clone(&services));
        assert!(matches!(second.err(), Some(WireError::Bind { kind: ErrorKind::AddrInUse, .. })));
        let port = first.address().port();
        drop(first);
        drop(Listener::bind(&ListenOptions::loopback(port), services).unwrap());
    }

    #[test]
    fn hosts_are_served_side_by_side_and_again() {
        let listener = served();
        let mut hosts = [ScriptedHost::connect(&listener), ScriptedHost::connect(&listener)];
        for (number, host) in (1..).zip(&mut hosts) {
            host.open(number, "tcp:8");
        }
        assert_eq!(listener.connections(), 2);
        drop(hosts);
        for _ in 0..50 {
            let mut host = ScriptedHost::connect(&listener);
            assert_eq!(host.ask(1, "shell:echo again"), b"again\n");
        }
        listener.hang_up();
        assert_eq!(ScriptedHost::connect(&listener).ask(1, "shell:echo up"), b"up\n");
        let mut host = ScriptedHost::connect(&listener);
        host.open(1, "reboot:");
        assert!(host.is_hung_up_on());
    }

    #[test]
    fn a_mute_device_answers_no_hello() {
        let listener = served();
        listener.set_mute(true);
        let mut host = ScriptedHost::silent(&listener);
        host.send(WireCommand::Connect, (1, 4096), b"host::");
        let waits = host.socket.set_read_timeout(Some(Duration::from_millis(300)));
        assert!(waits.is_ok() && host.socket.read(&mut [0]).is_err(), "it neither answers nor hangs up");
        listener.set_mute(false);
        assert!(host.is_hung_up_on());
        assert_eq!(ScriptedHost::connect(&listener).ask(1, "shell:echo up"), b"up\n");
    }

    #[test]
    fn hosts_that_vanish_in_the_middle_leave_nothing() {
        let listener = served();
        for turn in 0..50 {
            let mut host = ScriptedHost::connect(&listener);
            for (local, service) in (1..).zip(["exec:zeros 30000000", "sync:", "shell:", "tcp:8"]) {
                host.send(WireCommand::Open, (local, 0), service.as_bytes());
            }
            host.receive();
            if turn % 2 == 0 {
                host.socket.write_all(b"WRTE\0").unwrap();
            }
        }
        let late = after(Duration::from_secs(5));
        while listener.connections() > 0 && late.is_empty() {
            std::thread::yield_now();
        }
        assert_eq!(ScriptedHost::connect(&listener).ask(1, "shell:echo up"), b"up\n");
        let threads = listener.threads.clone();
        ends_in_time(listener);
        assert_eq!(threads.wait(PATIENCE), 0);
    }

    #[test]
    fn there_are_not_too_many_hosts() {
        let limits = |options: &mut ListenOptions| options.limits.connections = 2;
        let listener = served_as(Identity::modern("a", "b", "c"), limits);
        let hosts = [ScriptedHost::connect(&listener), ScriptedHost::connect(&listener)];
        assert!(ScriptedHost::silent(&listener).is_hung_up_on());
        drop(hosts);
        while listener.connections() > 0 {
            std::thread::yield_now();
        }
        drop(ScriptedHost::connect(&listener));
    }

    #[test]
    fn the_end_wakes_whoever_waits() {
        let idle = served();
        let _host = ScriptedHost::connect(&idle);
        let _silent = ScriptedHost::silent(&idle);
        ends_in_time(idle);
        for service in ["tcp:7", "tcp:8", "exec:zeros 100000000", "shell,v2,raw:cat", "shell:", "sync:"] {
            let listener = served();
            let mut host = ScriptedHost::connect(&listener);
            host.open(1, service);
            let threads = listener.threads.clone();
            ends_in_time(listener);
            assert_eq!(threads.wait(PATIENCE), 0, "{service}");
            assert!(host.is_hung_up_on());
        }
    }

    #[test]
    fn the_end_wakes_who_writes_to_a_host_that_does_not_read() {
        let listener = served();
        let mut hosts: Vec<ScriptedHost> = Vec::new();
        for _ in 0..4 {
            let mut host = ScriptedHost::connect(&listener);
            // Many streams with a packet each fill the socket: our next write blocks in the system.
            for local in 1..=40 {
                host.send(WireCommand::Open, (local, 0), b"exec:zeros 3000000\0");
            }
            hosts.push(host);
        }
        std::thread::scope(|scope| {
            let (go, wait) = bounded::<()>(0);
            scope.spawn(move || wait.recv_timeout(Duration::from_millis(500)).unwrap_err()).join().unwrap();
            drop(go);
        });
        let threads = listener.threads.clone();
        ends_in_time(listener);
        assert_eq!(threads.wait(PATIENCE), 0);
    }

    #[test]
    fn a_command_that_does_not_end_does_not_keep_the_end() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        host.open(1, "shell:stuck");
        host.socket.write_all(b"").unwrap();
        ends_in_time(listener);
        assert_eq!(host.socket.read(&mut [0]).unwrap_or(0), 0);
    }
}
