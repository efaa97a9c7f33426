//! An adb server that answers with what it is given, as one that somebody else controls may.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

pub struct HostileServer {
    pub port: u16,
    stop: Arc<AtomicBool>,
    serving: Option<JoinHandle<()>>,
}

impl HostileServer {
    /// A server that lists these devices, and refuses everything that is asked of one in these words.
    pub fn start(devices: String, refusal: String) -> HostileServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let serve = move || {
            for mut client in listener.incoming().flatten() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                // A client that leaves in the middle is done.
                drop(answer(&mut client, &devices, &refusal));
            }
        };
        let serving = std::thread::Builder::new().name("adb server".to_owned()).spawn(serve).unwrap();
        HostileServer { port, stop, serving: Some(serving) }
    }
}

impl Drop for HostileServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(("127.0.0.1", self.port)));
        self.serving.take().unwrap().join().unwrap();
    }
}

fn answer(client: &mut TcpStream, devices: &str, refusal: &str) -> std::io::Result<()> {
    let mut length = [0; 4];
    client.read_exact(&mut length)?;
    let length = usize::from_str_radix(std::str::from_utf8(&length).unwrap(), 16).unwrap();
    let mut request = vec![0; length];
    client.read_exact(&mut request)?;
    let (word, text) = match std::str::from_utf8(&request).unwrap() {
        "host:version" => ("OKAY", "0029"),
        "host:devices-l" => ("OKAY", devices),
        request if request.starts_with("host:connect:") => ("OKAY", refusal),
        _ => ("FAIL", refusal),
    };
    client.write_all(format!("{word}{:04x}{text}", text.len()).as_bytes())
}
