//! A peer on this machine that says what an input holds: an adb server, or a device behind one.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use taproof_adb::host::{AdbServer, ServerAddress};
use taproof_engine::worker::{CancelToken, Worker, spawn};

/// A client that says nothing for so long is not waited for.
const SILENCE: Duration = Duration::from_millis(20);

/// Answers connections one after the other until it is dropped.
pub(super) struct Peer {
    address: SocketAddr,
    cancel: CancelToken,
    worker: Option<Worker>,
}

impl Peer {
    /// A peer whose connections are answered by this. `None` where the machine gives no port.
    pub fn serve(mut answer: impl FnMut(&mut TcpStream) + Send + 'static) -> Option<Peer> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).ok()?;
        let address = listener.local_addr().ok()?;
        let cancel = CancelToken::new();
        let over = cancel.clone();
        let work = move || {
            while let Ok((mut stream, _)) = listener.accept() {
                if over.cancelled() {
                    return;
                }
                if stream.set_read_timeout(Some(SILENCE)).is_ok() {
                    answer(&mut stream);
                    hang_up(&mut stream);
                }
            }
        };
        let worker =
            spawn("fuzzed-peer", &cancel, work, |report| tracing::warn!("{}", report.message)).ok()?;
        Some(Peer { address, cancel, worker: Some(worker) })
    }

    /// It as an adb server.
    pub fn server(&self) -> AdbServer {
        AdbServer::at(ServerAddress { host: self.address.ip().to_string(), port: self.address.port() })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.cancel.cancel();
        // It waits for a connection.
        drop(TcpStream::connect(self.address));
        self.worker = None;
    }
}

/// Says something; a client that has gone need not hear it.
pub(super) fn say(stream: &mut TcpStream, bytes: &[u8]) {
    if let Err(error) = stream.write_all(bytes) {
        tracing::trace!(%error, "the client has gone");
    }
}

/// Reads a request of the adb server's protocol.
pub(super) fn request(stream: &mut TcpStream) -> Option<String> {
    let mut digits = [0; 4];
    stream.read_exact(&mut digits).ok()?;
    let length = usize::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?;
    let mut text = vec![0; length];
    stream.read_exact(&mut text).ok()?;
    String::from_utf8(text).ok()
}

/// Ends a connection so that everything said is heard.
fn hang_up(stream: &mut TcpStream) {
    if stream.shutdown(Shutdown::Write).is_err() {
        return;
    }
    let mut rest = [0; 4096];
    loop {
        match stream.read(&mut rest) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
