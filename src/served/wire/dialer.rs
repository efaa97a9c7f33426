//! Connections from the device to endpoints of its hosts, for `adb reverse`.

use std::sync::Arc;
use std::time::Duration;

use super::WireError;
use super::connection::Connection;
use super::connections::Connections;
use super::device_stream::{DeviceStream, opened_by_host};

/// How long the host may take to open a stream for the device.
const DIAL: Duration = Duration::from_secs(10);

/// Connects from the device to endpoints that hosts registered by `adb reverse`. Clones share the connections.
#[derive(Clone)]
pub struct ReverseDialer {
    connections: Arc<Connections>,
}

impl ReverseDialer {
    pub(super) fn new(connections: Arc<Connections>) -> ReverseDialer {
        ReverseDialer { connections }
    }

    /// Opens a stream to this endpoint of the host (such as `tcp:27183`), through the newest connection that registered
    /// it. Waits at most 10 seconds.
    ///
    /// A host that removes the registration at the very moment of the request aborts, which no device can prevent: dial
    /// when an app connects, not in a loop that waits for the host's program.
    ///
    /// # Errors
    ///
    /// [`WireError::NotRegistered`] before anything is sent, or [`WireError::NotOpened`].
    pub fn dial(&self, host: &str) -> Result<DeviceStream, WireError> {
        let mut connections = self.connections.newest_first().into_iter();
        connections
            .find_map(|connection| open(&connection, host))
            .unwrap_or_else(|| Err(not_registered(host)))
    }

    /// As [`ReverseDialer::dial`], for an app on the device that connects to this endpoint of the device.
    pub fn dial_from(&self, device: &str) -> Result<DeviceStream, WireError> {
        let connections = self.connections.newest_first();
        let dialled =
            connections.iter().find_map(|connection| open(connection, &connection.reverse_of(device)?));
        dialled.unwrap_or_else(|| Err(not_registered(device)))
    }
}

/// Opens a stream to an endpoint of one host; `None` if that host did not register it.
fn open(connection: &Arc<Connection>, endpoint: &str) -> Option<Result<DeviceStream, WireError>> {
    let not_opened = || WireError::NotOpened { endpoint: endpoint.to_owned() };
    let stream = connection.open_on_host(endpoint)?;
    Some(stream.and_then(|stream| opened_by_host(stream, DIAL).ok_or_else(not_opened)))
}

fn not_registered(endpoint: &str) -> WireError {
    WireError::NotRegistered { endpoint: endpoint.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::super::message::WireCommand;
    use super::super::tests::{ScriptedHost, served};
    use super::*;

    #[test]
    fn the_device_opens_what_was_registered_and_nothing_else() {
        let listener = served();
        let dialer = listener.reverse_dialer();
        let mut host = ScriptedHost::connect(&listener);
        let refused = dialer.dial("tcp:27183").err();
        assert_eq!(refused, Some(WireError::NotRegistered { endpoint: "tcp:27183".to_owned() }));
        assert_eq!(host.ask(1, "reverse:forward:localabstract:x;tcp:27183"), b"OKAY");
        assert!(dialer.dial("tcp:2718").is_err() && dialer.dial_from("tcp:27183").is_err());
        let threads = std::thread::scope(|scope| {
            let dialled = scope.spawn(|| dialer.dial_from("localabstract:x").unwrap());
            let open = host.receive();
            assert_eq!((open.command, open.data.as_slice()), (WireCommand::Open, &b"tcp:27183\0"[..]));
            host.send(WireCommand::Okay, (77, open.arg0), b"");
            let mut stream = dialled.join().unwrap();
            stream.write_all(b"ping").unwrap();
            stream.flush().unwrap();
            assert_eq!(host.receive().data, b"ping");
            host.send(WireCommand::Okay, (77, open.arg0), b"");
            host.send(WireCommand::Write, (77, open.arg0), b"pong");
            let mut pong = [0; 4];
            stream.read_exact(&mut pong).unwrap();
            assert_eq!((&pong, host.receive().command), (b"pong", WireCommand::Okay));
            drop(stream);
            assert_eq!(host.receive().command, WireCommand::Close);
            let dialled = scope.spawn(|| dialer.dial("tcp:27183").err());
            let open = host.receive();
            host.send(WireCommand::Close, (0, open.arg0), b"");
            dialled.join().unwrap()
        });
        assert_eq!(threads, Some(WireError::NotOpened { endpoint: "tcp:27183".to_owned() }));
        assert_eq!(host.ask(2, "reverse:killforward-all"), b"OKAY");
        assert!(dialer.dial("tcp:27183").is_err());
        assert_eq!(host.ask(3, "reverse:forward:tcp:1;tcp:2"), b"OKAY");
        drop(host);
        while listener.connections() > 0 {
            std::thread::yield_now();
        }
        let gone = dialer.dial("tcp:2").err();
        assert_eq!(gone, Some(WireError::NotRegistered { endpoint: "tcp:2".to_owned() }));
    }
}
