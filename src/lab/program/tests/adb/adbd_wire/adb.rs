//! The real `adb` program with a server of its own.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crossbeam_channel::{after, bounded, never};

/// How long one call of the program may take.
const LONGEST: Duration = Duration::from_secs(60);

/// Where the program is: `ADB`, or on the path.
pub fn program() -> Option<PathBuf> {
    let named = std::env::var_os("ADB").map(PathBuf::from);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found = named
        .or_else(|| std::env::split_paths(&paths).map(|path| path.join("adb")).find(|adb| adb.is_file()));
    if found.is_none() {
        taproof_testing::skipped("no adb");
    }
    found
}

/// Waits, as a test must now and then.
pub fn rest(time: Duration) {
    assert!(never::<()>().recv_timeout(time).is_err());
}

/// What a call printed.
#[derive(Debug)]
pub struct Output {
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
}

impl Output {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    /// All that was printed: versions differ in what they call an error.
    pub fn said(&self) -> String {
        format!("{}{}", String::from_utf8_lossy(&self.out), self.err)
    }

    /// What was printed by a call that succeeded.
    pub fn ok(&self) -> &str {
        assert_eq!(self.code, Some(0), "{} {}", String::from_utf8_lossy(&self.out), self.err);
        self.text()
    }
}

/// A server that nobody else uses; it is killed with this.
pub struct Adb {
    program: PathBuf,
    port: u16,
    server: Child,
    /// Its keys, and files of the test.
    pub folder: PathBuf,
    /// The device that calls are for.
    pub serial: String,
}

impl Adb {
    /// Starts a server and connects it to a device; `None` without the program.
    pub fn connected_to(address: SocketAddr) -> Option<Adb> {
        let mut adb = Adb::start()?;
        adb.serial = address.to_string();
        let told = adb.plain(&["connect", &adb.serial]);
        assert_eq!(told.ok().trim(), format!("connected to {address}"));
        adb.run(&["wait-for-device"]).ok();
        Some(adb)
    }

    /// Starts a server; `None` without the program.
    pub fn start() -> Option<Adb> {
        let program = program()?;
        // Free at this moment; two tests would have to be very unlucky.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let folder = std::env::temp_dir().join(format!("adbd-test-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let server = call(&program, port, &folder)
            .args(["nodaemon", "server"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let adb = Adb { program, port, server: server.unwrap(), folder, serial: String::new() };
        let late = after(LONGEST);
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(late.is_empty(), "the server does not start");
            rest(Duration::from_millis(10));
        }
        Some(adb)
    }

    /// Calls the program for the device.
    pub fn run(&self, words: &[&str]) -> Output {
        self.feed(words, b"")
    }

    /// The same with this as its input.
    pub fn feed(&self, words: &[&str], input: &[u8]) -> Output {
        self.call(&[&["-s", &self.serial], words].concat(), input)
    }

    /// Calls the program for no device.
    pub fn plain(&self, words: &[&str]) -> Output {
        self.call(words, b"")
    }

    fn call(&self, words: &[&str], input: &[u8]) -> Output {
        let mut command = call(&self.program, self.port, &self.folder);
        let command = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (mut stdin, mut out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut err = child.stderr.take().unwrap();
        std::thread::scope(|scope| {
            let (done, is_done) = bounded(1);
            // The program may end before it read all: that is its matter.
            scope.spawn(move || stdin.write_all(input).is_ok());
            let errors = scope.spawn(move || {
                let mut text = Vec::new();
                err.read_to_end(&mut text).unwrap();
                String::from_utf8_lossy(&text).into_owned()
            });
            let output = scope.spawn(move || {
                let mut bytes = Vec::new();
                out.read_to_end(&mut bytes).unwrap();
                done.send(()).unwrap();
                bytes
            });
            if is_done.recv_timeout(LONGEST).is_err() {
                child.kill().unwrap();
                panic!("adb {words:?} does not end");
            }
            let code = child.wait().unwrap().code();
            Output { code, out: output.join().unwrap(), err: errors.join().unwrap() }
        })
    }

    /// Opens a service of the device by way of the server's own socket.
    pub fn open(&self, service: &str) -> TcpStream {
        let mut socket = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        socket.set_nodelay(true).unwrap();
        socket.set_read_timeout(Some(LONGEST)).unwrap();
        for request in [format!("host:transport:{}", self.serial), service.to_owned()] {
            socket.write_all(format!("{:04x}{request}", request.len()).as_bytes()).unwrap();
            let mut status = [0; 4];
            socket.read_exact(&mut status).unwrap();
            assert_eq!(&status, b"OKAY", "{request}");
        }
        socket
    }

    /// All that a service of the device says.
    pub fn ask(&self, service: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.open(service).read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// Asks the server to end; whether it does.
    pub fn kill_server(&mut self) -> bool {
        self.plain(&["kill-server"]).ok();
        let late = after(Duration::from_secs(10));
        while self.server.try_wait().unwrap().is_none() && late.is_empty() {
            rest(Duration::from_millis(10));
        }
        self.server.try_wait().unwrap().is_some()
    }
}

impl Drop for Adb {
    fn drop(&mut self) {
        // One that ended already cannot be killed.
        drop(self.server.kill());
        drop(self.server.wait());
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

fn call(program: &Path, port: u16, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["-P", &port.to_string()]).env("HOME", folder).env("ANDROID_USER_HOME", folder);
    command.env("ADB_MDNS", "0").env("ADB_USB", "0").env("ADB_EMU", "0").env("TMPDIR", folder);
    command
        .env_remove("ANDROID_SERIAL")
        .env_remove("ADB_SERVER_SOCKET")
        .env_remove("ANDROID_ADB_SERVER_PORT");
    command
}
