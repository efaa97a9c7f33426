//! For tests: a host that sends exactly what a test wants, and a small device.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::message::{self, Arrival, MAX_DATA, Message, Terms, VERSION, WireCommand};
use super::{FileStat, Identity, ListenOptions, Listener, Services, SocketHandler};

/// A device that keeps files in memory and supports a few commands.
pub(super) struct SmallDevice {
    pub(super) identity: Identity,
    pub(super) files: Mutex<BTreeMap<String, (FileStat, Vec<u8>)>>,
}

impl Services for SmallDevice {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    /// `echo WORDS`, `both` (to out and err, exit 3), `cat`, `line`, `zeros N`, `yes`, `tty`, `fail`, `stuck`.
    fn shell(
        &self,
        command: &str,
        stdin: &mut dyn Read,
        out: &mut dyn Write,
        err: &mut dyn Write,
        tty: bool,
    ) -> u8 {
        let (word, rest) = command.split_once(' ').unwrap_or((command, ""));
        match word {
            "echo" => writeln!(out, "{rest}").unwrap(),
            "both" => {
                writeln!(out, "out").unwrap();
                writeln!(err, "err").unwrap();
                return 3;
            }
            "cat" => {
                let mut bytes = Vec::new();
                // A host that leaves ends both.
                drop(stdin.read_to_end(&mut bytes).and_then(|_| out.write_all(&bytes)));
            }
            "line" => {
                let mut line = String::new();
                let read = BufReader::with_capacity(1, stdin).read_line(&mut line);
                drop(read.and_then(|_| write!(out, "<{}>", line.trim_end())));
            }
            "zeros" => drop(out.write_all(&vec![0; rest.parse().unwrap()])),
            "yes" => while writeln!(out, "y").and_then(|()| out.flush()).is_ok() {},
            "tty" => writeln!(out, "{tty}").unwrap(),
            "fail" => panic!("a test wanted this"),
            "stuck" => {
                let (_stay, never) = crossbeam_channel::bounded::<()>(0);
                never.recv_timeout(Duration::from_secs(600)).unwrap_err();
            }
            _ => {
                writeln!(err, "sh: {word}: not found").unwrap();
                return 127;
            }
        }
        0
    }

    fn stat(&self, path: &str) -> Option<FileStat> {
        self.files.lock().unwrap().get(path).map(|(stat, _)| *stat)
    }

    fn list(&self, path: &str) -> Result<Vec<(String, FileStat)>, String> {
        let prefix = format!("{}/", path.trim_end_matches('/'));
        let files = self.files.lock().unwrap();
        let below = files.iter().filter_map(|(name, (stat, _))| Some((name.strip_prefix(&prefix)?, *stat)));
        let names: Vec<_> = below.map(|(name, stat)| (name.to_owned(), stat)).collect();
        if names.is_empty() { Err(format!("{path}: No such file or directory")) } else { Ok(names) }
    }

    fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, String> {
        let files = self.files.lock().unwrap();
        files.get(path).map(|(_, data)| Arc::new(data.clone())).ok_or("No such file or directory".to_owned())
    }

    fn write(&self, path: &str, mode: u32, mtime: u32, data: Vec<u8>) -> Result<(), String> {
        if path.starts_with("/system") {
            return Err("Read-only file system".to_owned());
        }
        let stat = FileStat { mode, size: data.len() as u64, mtime };
        self.files.lock().unwrap().insert(path.to_owned(), (stat, data));
        Ok(())
    }

    /// `tcp:7` echoes its input, `tcp:8` writes forever, `tcp:9` hangs up once reading and writing took too long.
    fn socket(&self, name: &str) -> Option<SocketHandler> {
        match name {
            "tcp:7" => Some(Box::new(|stream| {
                let (mut reader, mut writer) = stream.split();
                let mut buffer = [0; 1000];
                while let Ok(count @ 1..) = reader.read(&mut buffer)
                    && writer.write_all(&buffer[..count]).and_then(|()| writer.flush()).is_ok()
                {
                }
            })),
            "tcp:9" => Some(Box::new(|mut stream| {
                stream.set_deadline(Duration::from_millis(100));
                let timed_out = |kind: std::io::ErrorKind| kind == std::io::ErrorKind::TimedOut;
                let unheard = timed_out(stream.read(&mut [0]).unwrap_err().kind());
                stream.write_all(b"a").and_then(|()| stream.flush()).unwrap();
                stream.write_all(b"b").unwrap();
                if timed_out(stream.flush().unwrap_err().kind()) && unheard {
                    stream.hang_up();
                }
            })),
            "tcp:8" => Some(Box::new(|mut stream| while stream.write_all(&[8; 5000]).is_ok() {})),
            _ => None,
        }
    }

    fn other(&self, service: &str) -> Option<SocketHandler> {
        (service == "reboot:").then(|| -> SocketHandler { Box::new(|stream| stream.hang_up()) })
    }
}

/// Serves a small current device on a free port.
pub(super) fn served() -> Listener {
    served_as(Identity::modern("sim", "Sim Phone", "sim"), |_| {})
}

/// The same with another identity and other options.
pub(super) fn served_as(identity: Identity, change: impl FnOnce(&mut ListenOptions)) -> Listener {
    let mut options = ListenOptions::loopback(0);
    change(&mut options);
    let files = Mutex::new(BTreeMap::new());
    Listener::bind(&options, Arc::new(SmallDevice { identity, files })).unwrap()
}

/// The host's end of a connection.
pub(super) struct ScriptedHost {
    pub(super) socket: TcpStream,
    checksums: bool,
}

impl ScriptedHost {
    /// Connects and performs the handshake as a current host.
    pub(super) fn connect(listener: &Listener) -> ScriptedHost {
        let (host, hello) = ScriptedHost::greet(listener, VERSION, MAX_DATA);
        assert_eq!(hello.command, WireCommand::Connect);
        host
    }

    /// Connects and sends the greeting with this version and packet size. Also returns the device's greeting.
    pub(super) fn greet(listener: &Listener, version: u32, max_data: u32) -> (ScriptedHost, Message) {
        let mut host = ScriptedHost::silent(listener);
        host.send(WireCommand::Connect, (version, max_data), b"host::features=shell_v2,cmd");
        let hello = host.receive();
        host.checksums = version.min(hello.arg0) < VERSION;
        (host, hello)
    }

    /// Connects without sending anything.
    pub(super) fn silent(listener: &Listener) -> ScriptedHost {
        let socket = TcpStream::connect(listener.address()).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        socket.set_write_timeout(Some(Duration::from_secs(10))).unwrap();
        ScriptedHost { socket, checksums: false }
    }

    pub(super) fn send(&mut self, command: WireCommand, ids: (u32, u32), data: &[u8]) {
        message::write(&mut self.socket, command, ids, data, self.checksums).unwrap();
    }

    /// Sends data that may exceed a limit. Returns whether it was sent.
    pub(super) fn offer(&mut self, command: WireCommand, ids: (u32, u32), data: &[u8]) -> bool {
        message::write(&mut self.socket, command, ids, data, self.checksums).is_ok()
    }

    pub(super) fn next(&mut self) -> Arrival {
        let terms = Terms { max_data: MAX_DATA, checksums: self.checksums, patience: 0 };
        message::read(&mut self.socket, terms).unwrap_or(Arrival::End)
    }

    pub(super) fn receive(&mut self) -> Message {
        match self.next() {
            Arrival::Message(message) => message,
            other => panic!("no message but {other:?}"),
        }
    }

    /// Whether the device ends the connection, regardless of earlier messages.
    pub(super) fn is_hung_up_on(&mut self) -> bool {
        loop {
            match self.next() {
                Arrival::Message(_) => {}
                Arrival::End => return true,
                Arrival::Nothing => return false,
            }
        }
    }

    /// Opens a stream with the local id `local` and returns the device's id for it.
    pub(super) fn open(&mut self, local: u32, service: &str) -> u32 {
        self.send(WireCommand::Open, (local, 0), format!("{service}\0").as_bytes());
        let okay = self.receive();
        assert_eq!((okay.command, okay.arg1), (WireCommand::Okay, local), "{service}");
        okay.arg0
    }

    /// Whether the device refuses a service.
    pub(super) fn is_refused(&mut self, service: &str) -> bool {
        self.send(WireCommand::Open, (99, 0), service.as_bytes());
        let answer = self.receive();
        (answer.command, answer.arg0, answer.arg1) == (WireCommand::Close, 0, 99)
    }

    /// Opens a service, sends it all of `said`, and reads to its end.
    pub(super) fn converse(&mut self, local: u32, service: &str, said: &[u8]) -> Vec<u8> {
        let remote = self.open(local, service);
        let mut chunks = said.chunks(4096);
        let mut heard = Vec::new();
        let mut more = chunks.next();
        if let Some(chunk) = more {
            self.send(WireCommand::Write, (local, remote), chunk);
        }
        loop {
            let message = self.receive();
            assert_eq!((message.arg0, message.arg1), (remote, local));
            match message.command {
                WireCommand::Okay => {
                    more = chunks.next();
                    if let Some(chunk) = more {
                        self.send(WireCommand::Write, (local, remote), chunk);
                    }
                }
                WireCommand::Write => {
                    heard.extend(message.data);
                    self.send(WireCommand::Okay, (local, remote), b"");
                }
                WireCommand::Close => break,
                other => panic!("{other:?}"),
            }
        }
        self.send(WireCommand::Close, (local, remote), b"");
        heard
    }

    /// The output of a service without input.
    pub(super) fn ask(&mut self, local: u32, service: &str) -> Vec<u8> {
        self.converse(local, service, b"")
    }
}
