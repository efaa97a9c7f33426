//! The thread that reads from a host's connection, and the handling of each message.

use std::io::BufReader;
use std::sync::Arc;

use super::banner::{device_banner, host_banner};
use super::connection::{Agreed, Connection, TICK};
use super::device_stream::Opening;
use super::message::{self, Arrival, MAX_DATA, MAX_DATA_OLD, Message, Terms, VERSION_OLD, WireCommand};
use super::service;
use super::{ConnectionEvent, WireError};

/// Limit on the length of the first message in bytes.
const LARGEST_HELLO: u32 = 1 << 16;
/// The smallest packet size that a host may request, in bytes.
const SMALLEST_DATA: u32 = 256;

/// Reads until the connection ends, on a thread of its own.
pub(super) fn serve(connection: &Arc<Connection>) {
    let problem = read_all(connection).err().filter(|_| !connection.is_down());
    connection.hang_up();
    connection.services().on_connection(connection.peer(), ConnectionEvent::Ended { problem });
}

fn read_all(connection: &Arc<Connection>) -> Result<(), WireError> {
    let mut source = BufReader::with_capacity(1 << 16, connection.socket()?);
    let patience = connection.limits().silence.as_millis().div_ceil(TICK.as_millis());
    let patience = u32::try_from(patience).unwrap_or(u32::MAX);
    let mut waited = 0;
    let restarts = connection.services().restarts();
    while connection.services().restarts() == restarts {
        let agreed = connection.agreed();
        let (max_data, checksums) =
            agreed.as_ref().map_or((LARGEST_HELLO, false), |agreed| (agreed.max_data.0, agreed.checksums));
        let arrival = message::read(&mut source, Terms { max_data, checksums, patience })?;
        match arrival {
            Arrival::Message(message) if agreed.is_some() || message.command == WireCommand::Connect => {
                handle(connection, message)?;
            }
            Arrival::Message(_) => return Err(WireError::BadPeer { what: "it did not say hello first" }),
            Arrival::End => return Ok(()),
            Arrival::Nothing if connection.is_down() => return Ok(()),
            Arrival::Nothing if agreed.is_none() && waited >= patience => return Err(WireError::Silent),
            Arrival::Nothing => waited = waited.saturating_add(1),
        }
    }
    Ok(())
}

fn handle(connection: &Arc<Connection>, message: Message) -> Result<(), WireError> {
    let Message { command, arg0, arg1, data } = message;
    match command {
        WireCommand::Connect => hello(connection, arg0, arg1, &data),
        WireCommand::Open => open(connection, arg0, &data),
        WireCommand::Okay => {
            if let Some(stream) = connection.stream(arg1) {
                stream.acknowledged(arg0);
            }
            Ok(())
        }
        WireCommand::Write => connection.stream(arg1).map_or(Ok(()), |stream| stream.arrived(arg0, data)),
        WireCommand::Close => {
            if connection.stream(arg1).is_some_and(|stream| stream.closed_by_host(arg0)) {
                connection.forget(arg1);
            }
            Ok(())
        }
        // A handshake that we cannot parse would follow.
        WireCommand::StartTls => Err(WireError::BadPeer { what: "it began TLS, which was not offered" }),
        // No authentication was requested; and messages of later versions are ignored, as devices do.
        WireCommand::Auth | WireCommand::Unknown(_) => Ok(()),
    }
}

/// Handles the host's greeting, the first or a repeated one, which ends all earlier streams.
fn hello(connection: &Connection, version: u32, max_data: u32, banner: &[u8]) -> Result<(), WireError> {
    if connection.is_mute() {
        return Ok(());
    }
    if max_data < SMALLEST_DATA {
        return Err(WireError::BadPeer { what: "it wants packets too small to be useful" });
    }
    let identity = connection.services().identity();
    let checksums = version.min(identity.version) <= VERSION_OLD;
    let ours = identity.max_data.clamp(MAX_DATA_OLD, MAX_DATA);
    let hello = device_banner(&identity);
    let ids = (identity.version, ours);
    let agreed = Agreed { identity: Arc::new(identity), checksums, max_data: (ours, max_data.min(ours)) };
    connection.begin(agreed);
    connection.send(WireCommand::Connect, ids, &hello)?;
    connection
        .services()
        .on_connection(connection.peer(), ConnectionEvent::Connected { host: host_banner(banner) });
    Ok(())
}

fn open(connection: &Arc<Connection>, remote: u32, service: &[u8]) -> Result<(), WireError> {
    if remote == 0 {
        return Ok(());
    }
    let service = String::from_utf8_lossy(service).trim_end_matches('\0').to_owned();
    let Some(stream) = connection.new_stream(remote) else {
        connection.send(WireCommand::Close, (0, remote), &[])?;
        return Ok(());
    };
    let name = format!("adbd stream {}", stream.local());
    let (served, opening) = (Arc::clone(connection), Opening::new(stream));
    // If no thread can be started, `opening` is dropped, which refuses the stream.
    connection.spawn(name, move || service::serve(&served, opening, &service));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::Duration;

    use crossbeam_channel::after;

    use super::super::Identity;
    use super::super::message::{VERSION, VERSION_OLD};
    use super::super::tests::{ScriptedHost, served, served_as};
    use super::*;

    #[test]
    fn a_host_opens_writes_and_closes() {
        let listener = served();
        let (mut host, hello) = ScriptedHost::greet(&listener, VERSION, MAX_DATA);
        assert_eq!((hello.arg0, hello.arg1), (VERSION, MAX_DATA));
        assert!(hello.data.starts_with(b"device::ro.product.name=sim;"));
        let remote = host.open(5, "tcp:7");
        host.send(WireCommand::Write, (5, remote), b"hello");
        assert_eq!(host.receive().command, WireCommand::Okay);
        let echo = host.receive();
        assert_eq!((echo.command, echo.arg0, echo.arg1), (WireCommand::Write, remote, 5));
        assert_eq!(echo.data, b"hello");
        host.send(WireCommand::Okay, (5, remote), b"");
        // Messages without a valid stream are ignored, and so are those of later versions.
        for command in [
            WireCommand::Okay,
            WireCommand::Write,
            WireCommand::Close,
            WireCommand::Auth,
            WireCommand::Unknown(1),
        ] {
            host.send(command, (5, remote + 40), b"?");
            host.send(command, (6, remote + 40), b"?");
        }
        host.send(WireCommand::Write, (6, remote), b"not mine");
        host.send(WireCommand::Write, (5, remote), b"");
        host.send(WireCommand::Close, (5, remote), b"");
        let close =
            std::iter::repeat_with(|| host.receive()).find(|message| message.command != WireCommand::Okay);
        let close = close.unwrap();
        assert_eq!((close.command, close.arg0, close.arg1), (WireCommand::Close, remote, 5));
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
            host.offer(WireCommand::Write, (1, 1), &vec![0; 1 + MAX_DATA as usize]);
        }));
        assert!(hung_up(&|host| host.send(WireCommand::StartTls, (1, 0), b"")));
        assert!(hung_up(&|host| host.send(WireCommand::Connect, (VERSION, 0), b"host::")));
        assert!(hung_up(&|host| {
            let remote = host.open(1, "tcp:8");
            for _ in 0..3 {
                host.offer(WireCommand::Write, (1, remote), b"too hasty");
            }
        }));
        let mut rude = ScriptedHost::silent(&listener);
        rude.send(WireCommand::Open, (1, 0), b"shell:echo\0");
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
                let commands = [
                    WireCommand::Open,
                    WireCommand::Write,
                    WireCommand::Okay,
                    WireCommand::Close,
                    WireCommand::Auth,
                ];
                let command = commands[draw(5) as usize];
                let data = SERVICES[draw(9) as usize].as_bytes();
                let ids = (draw(5) as u32, draw(8) as u32);
                if !host.offer(command, ids, data) {
                    // The connection was closed, as it should be.
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
        // The scripted host verifies checksums from here on.
        assert_eq!(host.ask(1, "shell:zeros 9000").len(), 9000);
        let remote = host.open(2, "shell:zeros 9000");
        assert_eq!(host.receive().data.len(), 4096);
        host.send(WireCommand::Close, (2, remote), b"");
        assert_eq!(host.receive().command, WireCommand::Close);
        assert!(host.is_refused("shell,v2,raw:echo") && host.is_refused("exec:echo"));
        assert!(host.is_refused("reverse:list-forward"));
        let mut damaged = Vec::new();
        message::write(&mut damaged, WireCommand::Open, (3, 0), b"shell:echo\0", false).unwrap();
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
        host.send(WireCommand::Connect, (VERSION, MAX_DATA), b"host::again");
        while host.receive().command != WireCommand::Connect {}
        let mut streams = 0;
        let late = after(Duration::from_secs(5));
        while streams < 64 && late.is_empty() {
            // The threads of the old streams end on their own.
            streams += u32::from(!host.is_refused("tcp:7"));
        }
        assert_eq!(streams, 64);
    }
}
