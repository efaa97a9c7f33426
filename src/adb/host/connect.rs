//! Making a TCP connection without ever waiting longer than the caller allows.

use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};

use super::{AdbError, Patience, ServerAddress};

/// Limit for one address of another machine.
const FAR_LIMIT: Duration = Duration::from_secs(20);

/// Connects to the server. Fails with [`AdbError::NotRunning`], [`AdbError::RemoteRefused`], [`AdbError::Unreachable`],
/// or because the patience ended.
pub(super) fn connect(address: &ServerAddress, patience: &Patience<'_>) -> Result<TcpStream, AdbError> {
    let what = format!("connecting to the adb server at {address}");
    let here = address.here();
    let socket = if here.is_empty() {
        connect_far(address, &what, patience)?
    } else {
        let places: Vec<SocketAddr> = here.into_iter().map(|ip| SocketAddr::new(ip, address.port)).collect();
        connect_here(address, &places, &what, patience)?
    };
    // A request is one small write that must leave at once.
    socket.set_nodelay(true).map_err(|error| AdbError::io(&what, &error))?;
    Ok(socket)
}

/// On this machine a connection is accepted or refused at once; only a server whose queue is full delays it, and may be
/// tried again.
fn connect_here(
    address: &ServerAddress,
    places: &[SocketAddr],
    what: &str,
    patience: &Patience<'_>,
) -> Result<TcpStream, AdbError> {
    let mut problem = None;
    for place in places {
        loop {
            match TcpStream::connect_timeout(place, patience.slice(what)?) {
                Ok(socket) if !talks_to_itself(&socket) => return Ok(socket),
                Ok(_) => break,
                Err(error) if waits(&error) => {}
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => break,
                Err(error) => {
                    problem = Some(error);
                    break;
                }
            }
        }
    }
    let address = address.to_string();
    // If the machine has no IPv6, connecting to its IPv6 address fails with another error than a refusal.
    match problem {
        Some(error) if places.len() == 1 => {
            Err(AdbError::Unreachable { address, problem: error.to_string() })
        }
        Some(_) | None => Err(AdbError::NotRunning { address }),
    }
}

/// Name lookups and connections to other machines block for as long as the system decides, so they run on a thread of
/// their own. When nobody waits any more the thread ends by itself, at the latest when the system gives up.
fn connect_far(address: &ServerAddress, what: &str, patience: &Patience<'_>) -> Result<TcpStream, AdbError> {
    let place = (address.host.clone(), address.port);
    let limit = patience.left().clamp(Duration::from_millis(1), FAR_LIMIT);
    elsewhere(address, move || resolve_and_connect(place, limit), what, patience)
}

fn elsewhere(
    address: &ServerAddress,
    make: impl FnOnce() -> io::Result<TcpStream> + Send + 'static,
    what: &str,
    patience: &Patience<'_>,
) -> Result<TcpStream, AdbError> {
    let (sender, receiver) = bounded(1);
    let work = move || drop(sender.send(make()));
    let thread = std::thread::Builder::new().name("adb-connect".to_owned()).spawn(work);
    thread.map_err(|error| AdbError::io(what, &error))?;
    loop {
        match receiver.recv_timeout(patience.slice(what)?) {
            Ok(Ok(socket)) => return Ok(socket),
            Ok(Err(error)) if error.kind() == io::ErrorKind::ConnectionRefused => {
                return Err(AdbError::RemoteRefused { address: address.to_string() });
            }
            Ok(Err(error)) => {
                return Err(AdbError::Unreachable {
                    address: address.to_string(),
                    problem: error.to_string(),
                });
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let problem = "the connecting thread ended".to_owned();
                return Err(AdbError::Unreachable { address: address.to_string(), problem });
            }
        }
    }
}

fn resolve_and_connect(place: (String, u16), limit: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for place in place.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, limit) {
            Ok(socket) => return Ok(socket),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Whether the socket is connected to itself. If nobody listens on a port from the range for clients, a client can
/// connect to itself there.
fn talks_to_itself(socket: &TcpStream) -> bool {
    match (socket.local_addr(), socket.peer_addr()) {
        (Ok(local), Ok(peer)) => local == peer,
        (Ok(_), Err(_)) | (Err(_), Ok(_)) | (Err(_), Err(_)) => false,
    }
}

/// Whether the error only reports that the time for this step is over.
pub(super) fn waits(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::net::TcpListener;

    use super::*;

    fn address(host: &str, port: u16) -> ServerAddress {
        ServerAddress { host: host.to_owned(), port }
    }

    fn free_port() -> u16 {
        TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
    }

    #[test]
    fn a_server_on_this_machine_is_reached_by_any_of_its_names() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let patience = Patience::new(Duration::from_secs(5), &|| false);
        assert!(connect(&address("127.0.0.1", port), &patience).unwrap().nodelay().unwrap());
        assert!(connect(&address("localhost", port), &patience).is_ok());
    }

    #[test]
    fn nobody_there_is_said_so() {
        let port = free_port();
        let patience = Patience::new(Duration::from_secs(5), &|| false);
        for host in ["127.0.0.1", "localhost"] {
            let refused = connect(&address(host, port), &patience).unwrap_err();
            assert_eq!(refused, AdbError::NotRunning { address: format!("{host}:{port}") });
        }
        let strange = connect(&address("no-such-host.invalid", port), &patience).unwrap_err();
        assert!(matches!(strange, AdbError::Unreachable { .. }), "{strange:?}");
    }

    #[test]
    fn another_machine_that_refuses_is_told_from_a_server_that_can_be_started() {
        // An address of this machine that is not a loopback address.
        let refused =
            connect(&address("0.0.0.0", free_port()), &Patience::new(Duration::from_secs(5), &|| false));
        assert!(matches!(refused, Err(AdbError::RemoteRefused { .. })), "{refused:?}");
    }

    #[test]
    fn a_machine_that_never_answers_keeps_nobody_beyond_his_patience() {
        let far = address("far.example", 5037);
        let silent = || {
            let _nothing_comes = crossbeam_channel::never::<()>().recv_timeout(Duration::from_secs(3));
            Err(io::Error::from(io::ErrorKind::TimedOut))
        };
        let patience = Patience::new(Duration::from_millis(100), &|| false);
        let late = elsewhere(&far, silent, "connecting", &patience).unwrap_err();
        assert!(matches!(late, AdbError::Deadline { .. }), "{late:?}");
        let looks = Cell::new(0);
        let cancelled = || {
            looks.set(looks.get() + 1);
            looks.get() > 2
        };
        let patience = Patience::new(Duration::from_secs(30), &cancelled);
        let ended = elsewhere(&far, silent, "connecting", &patience).unwrap_err();
        assert!(matches!(ended, AdbError::Cancelled { .. }), "{ended:?}");
        assert!(patience.elapsed() < Duration::from_secs(2), "{:?}", patience.elapsed());
    }
}
