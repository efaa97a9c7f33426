//! The socket by which the web pages of an app can be debugged, which leads to a browser.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::served::State;
use crate::wire::{DeviceStream, StreamWriter};

/// The beginning of the socket's name, which ends with the pid of the app.
const SOCKET: &str = "webview_devtools_remote_";

impl State {
    /// The name of the socket of the app in front; `None` if its pages cannot be debugged.
    fn web_socket(&mut self) -> Option<String> {
        self.browser?;
        let package = self.front().ok()?.activity?.package;
        self.package(&package)?.pid.map(|pid| format!("{SOCKET}{pid}"))
    }

    /// The content of `/proc/net/unix`.
    pub(crate) fn unix_sockets(&mut self) -> String {
        let socket = self.web_socket().map(|name| format!("@{name}"));
        ["/dev/socket/zygote".to_owned()]
            .into_iter()
            .chain(socket)
            .fold("Num       RefCount Protocol Flags    Type St Inode Path\n".to_owned(), |text, path| {
                format!("{text}0000000000000000: 00000002 00000000 00010000 0001 01 31215 {path}\n")
            })
    }

    /// The browser that a stream to this socket leads to.
    pub(crate) fn browser_behind(&mut self, socket: &str) -> Option<SocketAddr> {
        let name = socket.strip_prefix("localabstract:").filter(|name| name.starts_with(SOCKET))?;
        (self.web_socket()? == name).then_some(self.browser?)
    }
}

/// How often a side that waits looks whether the other one has ended.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Passes on what both sides say, until one of them ends.
pub(crate) fn pass_on(stream: DeviceStream, browser: SocketAddr) -> io::Result<()> {
    let (mut questions, mut answers) = stream.split();
    let mut from_browser = TcpStream::connect(browser)?;
    let mut to_browser = from_browser.try_clone()?;
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let ended = &ended;
        scope.spawn(move || {
            // The stream ends when both its directions are dropped.
            questions.set_deadline(Some(LOOK_EVERY));
            let mut buffer = vec![0; 4 << 10];
            while !ended.load(Ordering::SeqCst) {
                let sent = match questions.read(&mut buffer) {
                    Err(error) if error.kind() == ErrorKind::TimedOut => continue,
                    Ok(count @ 1..) => to_browser.write_all(buffer.get(..count).unwrap_or_default()),
                    _ => break,
                };
                if sent.is_err() {
                    break;
                }
            }
            drop(to_browser.shutdown(Shutdown::Both));
            drop(questions);
        });
        let answered = pass_answers(&mut from_browser, &mut answers);
        ended.store(true, Ordering::SeqCst);
        drop(answers);
        answered
    })
}

fn pass_answers(from: &mut TcpStream, to: &mut StreamWriter) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        to.write_all(buffer.get(..count).unwrap_or_default())?;
        to.flush()?;
    }
    Ok(())
}
