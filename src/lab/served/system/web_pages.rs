//! The socket by which the web pages of an app can be debugged, which leads to a browser.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

use crate::served::State;
use crate::wire::DeviceStream;

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

/// Passes on what both sides say, until one of them ends.
pub(crate) fn pass_on(stream: DeviceStream, browser: SocketAddr) -> io::Result<()> {
    let (mut asked, mut answers) = stream.split();
    let mut from_browser = TcpStream::connect(browser)?;
    let mut to_browser = from_browser.try_clone()?;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            drop(io::copy(&mut asked, &mut to_browser));
            to_browser.shutdown(Shutdown::Both)
        });
        let mut buffer = vec![0; 64 << 10];
        while let Ok(count @ 1..) = from_browser.read(&mut buffer) {
            answers.write_all(buffer.get(..count).unwrap_or_default())?;
            answers.flush()?;
        }
        drop(answers);
        Ok(())
    })
}
