//! A device small enough to be read at once: it speaks adb's device protocol, runs commands in this machine's own shell
//! and keeps its files in a folder of its own.

use std::collections::{BTreeMap, VecDeque};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use taproof_testing::device::adb_message::{AdbMessage, CLOSE, CONNECT, OKAY, OPEN, WRITE, receive, send};

/// Where its files seem to be.
pub const FOLDER: &str = "/data/local/tmp";

#[derive(Clone)]
pub struct TinyDevice {
    /// As Android 4.4: no exec, no packets, CR LF, small packets.
    old: bool,
    folder: PathBuf,
    pub port: u16,
    sockets: Arc<Mutex<Vec<TcpStream>>>,
    unplugged: Arc<AtomicBool>,
}

#[derive(Default)]
struct Stream {
    theirs: u32,
    out: VecDeque<Vec<u8>>,
    sync: Option<Vec<u8>>,
    pushed: Option<(PathBuf, Vec<u8>)>,
    ends: bool,
}

impl TinyDevice {
    pub fn start(old: bool) -> TinyDevice {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let folder = std::env::temp_dir().join(format!("tiny-device-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let device = TinyDevice { old, folder, port, sockets: Arc::default(), unplugged: Arc::default() };
        let serving = device.clone();
        let work = move || {
            for socket in listener.incoming().map_while(Result::ok) {
                if serving.unplugged.load(Ordering::SeqCst) {
                    continue;
                }
                serving.sockets.lock().unwrap().push(socket.try_clone().unwrap());
                let device = serving.clone();
                let serve = move || drop(device.serve(socket));
                drop(std::thread::Builder::new().name("tiny-device".to_owned()).spawn(serve).unwrap());
            }
        };
        drop(std::thread::Builder::new().name("tiny-listener".to_owned()).spawn(work).unwrap());
        device
    }

    pub fn serial(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(&self.folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The cable is pulled. The server tries by itself whether the device is back, so it is refused.
    pub fn unplug(&self) {
        self.unplugged.store(true, Ordering::SeqCst);
        for socket in self.sockets.lock().unwrap().drain(..) {
            drop(socket.shutdown(Shutdown::Both));
        }
    }

    /// The cable is back.
    pub fn plug(&self) {
        self.unplugged.store(false, Ordering::SeqCst);
    }

    pub fn remove_files(&self) {
        drop(std::fs::remove_dir_all(&self.folder));
    }

    fn place(&self, path: &str) -> PathBuf {
        PathBuf::from(self.here(path))
    }

    fn here(&self, text: &str) -> String {
        text.replace(FOLDER, self.folder.to_str().unwrap())
    }

    fn serve(&self, mut socket: TcpStream) -> std::io::Result<()> {
        socket.set_nodelay(true)?;
        let mut streams: BTreeMap<u32, Stream> = BTreeMap::new();
        let mut next = 0;
        loop {
            let AdbMessage { command, first: theirs, second: mine, data } = receive(&mut socket)?;
            match command {
                CONNECT => {
                    let (version, size) = if self.old { (0x0100_0000, 4096) } else { (0x0100_0001, 1 << 20) };
                    let features = if self.old { "" } else { ";features=shell_v2,cmd,stat_v2" };
                    let banner = format!(
                        "device::ro.product.name=tiny;ro.product.model=Tiny Phone;ro.product.device=tiny{features}"
                    );
                    send(&mut socket, CONNECT, version, size, banner.as_bytes())?;
                }
                OPEN => {
                    let service = String::from_utf8_lossy(&data).trim_end_matches('\0').to_owned();
                    let Some(stream) = self.open(&service, theirs) else {
                        send(&mut socket, CLOSE, 0, theirs, b"")?;
                        continue;
                    };
                    next += 1;
                    send(&mut socket, OKAY, next, theirs, b"")?;
                    streams.insert(next, stream);
                    push(&mut socket, &mut streams, next)?;
                }
                OKAY => push(&mut socket, &mut streams, mine)?,
                WRITE => {
                    send(&mut socket, OKAY, mine, theirs, b"")?;
                    let Some(stream) = streams.get_mut(&mine) else { continue };
                    let idle = stream.out.is_empty();
                    self.take(stream, &data);
                    if idle && !stream.out.is_empty() {
                        push(&mut socket, &mut streams, mine)?;
                    }
                }
                CLOSE => drop(streams.remove(&mine)),
                _ => return Ok(()),
            }
        }
    }

    fn open(&self, service: &str, theirs: u32) -> Option<Stream> {
        let pieces = |bytes: Vec<u8>| -> VecDeque<Vec<u8>> {
            bytes.chunks(if self.old { 4096 } else { 65_536 }).map(<[u8]>::to_vec).collect()
        };
        let mut stream = Stream { theirs, ends: true, ..Stream::default() };
        if let Some(command) = service.strip_prefix("shell,v2,TERM=xterm,raw:").filter(|_| !self.old) {
            let (out, errors, code) = self.run(command);
            let packets = [packet(1, &out), packet(2, &errors), packet(3, &[code])].concat();
            stream.out = pieces(packets);
        } else if let Some(command) = service.strip_prefix("shell:") {
            let (out, errors, _) = self.run(command);
            let text = [out, errors].concat();
            let changed = text.iter().flat_map(|byte| match byte {
                b'\n' if self.old => b"\r\n".to_vec(),
                byte => vec![*byte],
            });
            stream.out = pieces(changed.collect());
        } else if let Some(command) = service.strip_prefix("exec:").filter(|_| !self.old) {
            stream.out = pieces(self.run(command).0);
        } else if service == "sync:" {
            stream.sync = Some(Vec::new());
            stream.ends = false;
        } else if service.starts_with("reverse:forward:") && !self.old {
            stream.out = pieces(b"OKAY".to_vec());
        } else if service == "tcp:9008" {
            // An echo.
            stream.ends = false;
        } else {
            return None;
        }
        Some(stream)
    }

    fn run(&self, command: &str) -> (Vec<u8>, Vec<u8>, u8) {
        if command == "true" {
            return (Vec::new(), Vec::new(), 0);
        }
        let done = Command::new("sh").arg("-c").arg(self.here(command)).output().unwrap();
        (done.stdout, done.stderr, done.status.code().unwrap_or(255).to_le_bytes()[0])
    }

    fn take(&self, stream: &mut Stream, data: &[u8]) {
        let Some(received) = &mut stream.sync else {
            if !stream.ends {
                stream.out.push_back(data.to_vec());
            }
            return;
        };
        received.extend_from_slice(data);
        while received.len() >= 8 {
            let id: [u8; 4] = received[..4].try_into().unwrap();
            let number = u32::from_le_bytes(received[4..8].try_into().unwrap());
            let length = if &id == b"DONE" { 0 } else { number as usize };
            if received.len() < 8 + length {
                return;
            }
            let body: Vec<u8> = received.drain(..8 + length).skip(8).collect();
            let path = self.place(&String::from_utf8_lossy(&body));
            match &id {
                b"STAT" => stream.out.push_back([b"STAT".to_vec(), stat(&path, false)].concat()),
                b"STA2" => stream.out.push_back([b"STA2".to_vec(), stat(&path, true)].concat()),
                b"RECV" => match std::fs::read(&path) {
                    Ok(content) => {
                        stream.out.extend(content.chunks(4000).map(|piece| sync_packet(b"DATA", piece)));
                        stream.out.push_back(sync_packet(b"DONE", b""));
                    }
                    Err(_) => stream.out.push_back(sync_packet(b"FAIL", b"No such file or directory")),
                },
                b"SEND" => {
                    let target = String::from_utf8_lossy(&body).into_owned();
                    let path = self.place(target.rsplit_once(',').unwrap().0);
                    stream.pushed = Some((path, Vec::new()));
                }
                b"DATA" => stream.pushed.as_mut().unwrap().1.extend_from_slice(&body),
                b"DONE" => {
                    let (path, content) = stream.pushed.take().unwrap();
                    let answer = match std::fs::write(path, content) {
                        Ok(()) => sync_packet(b"OKAY", b""),
                        Err(error) => sync_packet(b"FAIL", error.to_string().as_bytes()),
                    };
                    stream.out.push_back(answer);
                }
                _ => panic!("sync request {:?}", id.escape_ascii().to_string()),
            }
        }
    }
}

fn push(socket: &mut TcpStream, streams: &mut BTreeMap<u32, Stream>, mine: u32) -> std::io::Result<()> {
    let Some(stream) = streams.get_mut(&mine) else { return Ok(()) };
    if let Some(piece) = stream.out.pop_front() {
        return send(socket, WRITE, mine, stream.theirs, &piece);
    }
    if stream.ends {
        send(socket, CLOSE, mine, stream.theirs, b"")?;
        streams.remove(&mine);
    }
    Ok(())
}

fn packet(id: u8, text: &[u8]) -> Vec<u8> {
    [&[id], &u32::try_from(text.len()).unwrap().to_le_bytes()[..], text].concat()
}

fn sync_packet(id: &[u8; 4], text: &[u8]) -> Vec<u8> {
    [id, &u32::try_from(text.len()).unwrap().to_le_bytes()[..], text].concat()
}

fn stat(path: &Path, new: bool) -> Vec<u8> {
    let found = std::fs::metadata(path).ok();
    let size = found.as_ref().map_or(0, std::fs::Metadata::len);
    let mode: u32 = found.as_ref().map_or(0, |found| if found.is_dir() { 0o040_755 } else { 0o100_644 });
    let time = u32::from(found.is_some());
    let numbers = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    if !new {
        return numbers(&[mode, u32::try_from(size).unwrap(), time]);
    }
    let error = if found.is_some() { 0 } else { 2 };
    let mut answer = numbers(&[error, 1, 0, 2, 0, mode, 1, 0, 0]);
    answer.extend(size.to_le_bytes());
    answer.extend([0u8; 24]);
    answer
}
