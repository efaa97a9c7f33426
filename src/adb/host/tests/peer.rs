//! Scripted peers for tests.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::host::{AdbServer, ServerAddress};

/// One step of a script.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Expects exactly these bytes.
    Expect(Vec<u8>),
    /// Sends these bytes at once.
    Send(Vec<u8>),
    /// Sends these bytes one by one.
    Bytewise(Vec<u8>),
    /// Waits for this many milliseconds.
    Wait(u64),
    /// Reads and discards until the other side closes the connection; sends nothing.
    UntilClosed,
    /// Reads nothing for a second, then closes the connection.
    NeverRead,
}

/// Expects a request for this service.
pub(crate) fn request(service: &str) -> Act {
    Act::Expect(format!("{:04x}{service}", service.len()).into_bytes())
}

/// Sends `OKAY`, then this block.
pub(crate) fn block(text: &str) -> Act {
    Act::Send(format!("OKAY{:04x}{text}", text.len()).into_bytes())
}

/// Sends `FAIL` with this reason.
pub(crate) fn refuse(text: &str) -> Act {
    Act::Send(format!("FAIL{:04x}{text}", text.len()).into_bytes())
}

/// Sends `OKAY`, which accepts a request.
pub(crate) fn okay() -> Act {
    Act::Send(b"OKAY".to_vec())
}

/// Expects the request for a device, then the request for this service, and accepts both.
pub(crate) fn device_service(serial: &str, service: &str) -> Vec<Act> {
    vec![request(&format!("host:transport:{serial}")), okay(), request(service), okay()]
}

/// A server that follows one script per connection, in their order.
pub(crate) struct Peer {
    pub server: AdbServer,
    thread: JoinHandle<()>,
}

impl Peer {
    /// Listens on a free port.
    pub fn serve(scripts: Vec<Vec<Act>>) -> Peer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = AdbServer::at(ServerAddress { host: "127.0.0.1".to_owned(), port });
        let work = move || {
            for (number, script) in scripts.into_iter().enumerate() {
                let socket = accept(&listener, number);
                follow(socket, script, number);
            }
        };
        let thread = std::thread::Builder::new().name("peer".to_owned()).spawn(work).unwrap();
        Peer { server, thread }
    }

    /// Waits for the end of all scripts. Panics if the received bytes differ from the scripts.
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
            // A client that is cancelled or has read enough closes early, which is no failure of the peer.
            Act::Send(bytes) => drop(socket.write_all(&bytes)),
            Act::Bytewise(bytes) => bytes.iter().for_each(|byte| drop(socket.write_all(&[*byte]))),
            Act::Wait(millis) => wait(millis),
            Act::UntilClosed => drop(std::io::copy(&mut socket, &mut std::io::sink())),
            Act::NeverRead => {
                // A full window does not report the close either, so this waits for a fixed time.
                for _ in 0..100 {
                    wait(10);
                }
                return;
            }
        }
    }
    // Closing with unread bytes would discard what was sent.
    drop(socket.shutdown(Shutdown::Write));
    drop(std::io::copy(&mut socket, &mut std::io::sink()));
}

fn text(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

fn wait(millis: u64) {
    let _nothing_comes = crossbeam_channel::never::<()>().recv_timeout(Duration::from_millis(millis));
}
