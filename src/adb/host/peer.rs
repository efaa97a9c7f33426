//! Peers that follow a script, for tests.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{AdbServer, ServerAddress};

/// One step of a script.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// These bytes must come.
    Expect(Vec<u8>),
    /// These bytes are sent at once.
    Send(Vec<u8>),
    /// These bytes are sent one by one.
    Bytewise(Vec<u8>),
    /// So many milliseconds pass.
    Wait(u64),
    /// Whatever comes is read until the other side ends; nothing is said.
    UntilClosed,
    /// Nothing is read any more.
    NeverRead,
}

/// That this service is asked for.
pub(super) fn request(service: &str) -> Act {
    Act::Expect(format!("{:04x}{service}", service.len()).into_bytes())
}

/// `OKAY`, then this block.
pub(super) fn block(text: &str) -> Act {
    Act::Send(format!("OKAY{:04x}{text}", text.len()).into_bytes())
}

/// `FAIL` with this reason.
pub(super) fn refuse(text: &str) -> Act {
    Act::Send(format!("FAIL{:04x}{text}", text.len()).into_bytes())
}

/// `OKAY`.
pub(super) fn okay() -> Act {
    Act::Send(b"OKAY".to_vec())
}

/// A device is asked for, and then this service of it.
pub(super) fn device_service(serial: &str, service: &str) -> Vec<Act> {
    vec![request(&format!("host:transport:{serial}")), okay(), request(service), okay()]
}

/// A server that follows one script for each connection, in their order.
pub(super) struct Peer {
    pub server: AdbServer,
    thread: JoinHandle<()>,
}

impl Peer {
    /// Listens on a port of its own.
    pub fn serve(scripts: Vec<Vec<Act>>) -> Peer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = AdbServer { address: ServerAddress { host: "127.0.0.1".to_owned(), port } };
        let work = move || {
            for (number, script) in scripts.into_iter().enumerate() {
                let socket = accept(&listener, number);
                follow(socket, script, number);
            }
        };
        let thread = std::thread::Builder::new().name("peer".to_owned()).spawn(work).unwrap();
        Peer { server, thread }
    }

    /// Waits for the end of all scripts; panics where something else came than they say.
    pub fn finish(self) {
        if let Err(panic) = self.thread.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

fn accept(listener: &TcpListener, number: usize) -> TcpStream {
    listener.set_nonblocking(true).unwrap();
    for _ in 0..2000 {
        if let Ok((socket, _)) = listener.accept() {
            socket.set_nonblocking(false).unwrap();
            socket.set_nodelay(true).unwrap();
            socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
            return socket;
        }
        wait(5);
    }
    panic!("connection {number} was never made");
}

fn follow(mut socket: TcpStream, script: Vec<Act>, number: usize) {
    for act in script {
        match act {
            Act::Expect(bytes) => {
                let mut came = vec![0; bytes.len()];
                let mut read = 0;
                while read < came.len() {
                    let count = socket.read(&mut came[read..]).unwrap_or(0);
                    assert!(
                        count > 0,
                        "connection {number}: {:?} of {:?}",
                        text(&came[..read]),
                        text(&bytes)
                    );
                    read += count;
                }
                assert_eq!(text(&came), text(&bytes), "connection {number}");
            }
            // Who is cancelled or has heard enough goes away before the end: that is no failure of the peer.
            Act::Send(bytes) => drop(socket.write_all(&bytes)),
            Act::Bytewise(bytes) => bytes.iter().for_each(|byte| drop(socket.write_all(&[*byte]))),
            Act::Wait(millis) => wait(millis),
            Act::UntilClosed => drop(std::io::copy(&mut socket, &mut std::io::sink())),
            Act::NeverRead => {
                // A full window shows no end either: it is looked for now and then.
                for _ in 0..100 {
                    wait(10);
                }
                return;
            }
        }
    }
    // Closing with bytes unread would take back what was sent.
    drop(socket.shutdown(Shutdown::Write));
    drop(std::io::copy(&mut socket, &mut std::io::sink()));
}

fn text(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

fn wait(millis: u64) {
    let _nothing_comes = crossbeam_channel::never::<()>().recv_timeout(Duration::from_millis(millis));
}
