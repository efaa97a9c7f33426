//! A small phone in memory: files, a few commands, an echo on `tcp:9008`.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use taproof_served::wire::{
    ConnectionEvent, FileStat, Identity, ListenOptions, Listener, Services, SocketHandler,
};

const FOLDER: FileStat = FileStat { mode: 0o040_755, size: 4096, mtime: 1_700_000_000 };

pub struct Phone {
    pub identity: Identity,
    pub files: Mutex<BTreeMap<String, (FileStat, Vec<u8>)>>,
    /// Every command line that came.
    pub commands: Mutex<Vec<String>>,
    /// What became of connections.
    pub events: Mutex<Vec<ConnectionEvent>>,
    picture: Vec<u8>,
}

/// Bytes that hold every value, line feeds among them.
pub fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..length).map(|_| next()).collect()
}

impl Phone {
    pub fn new(identity: Identity) -> Arc<Phone> {
        let files = BTreeMap::from([("/sdcard".to_owned(), (FOLDER, Vec::new()))]);
        let (files, picture) = (Mutex::new(files), noise(1080 * 2400 * 4 + 12));
        let (commands, events) = (Mutex::default(), Mutex::default());
        Arc::new(Phone { identity, files, commands, events, picture })
    }

    pub fn modern() -> Arc<Phone> {
        Phone::new(Identity::modern("sim", "Sim Phone", "sim"))
    }

    pub fn picture(&self) -> &[u8] {
        &self.picture
    }

    pub fn serve(self: &Arc<Self>) -> Listener {
        Listener::bind(&ListenOptions::loopback(0), Arc::clone(self) as Arc<dyn Services>).unwrap()
    }

    pub fn file(&self, path: &str) -> Option<Vec<u8>> {
        self.files.lock().unwrap().get(path).map(|(_, data)| data.clone())
    }

    fn install(&self, words: &[&str], stdin: &mut dyn Read, out: &mut dyn Write) {
        let size = words.iter().position(|word| *word == "-S").and_then(|at| words.get(at + 1));
        let apk = match size {
            Some(size) => {
                let mut apk = Vec::new();
                stdin.take(size.parse().unwrap()).read_to_end(&mut apk).unwrap();
                apk
            }
            None => self.file(words.last().unwrap()).unwrap_or_default(),
        };
        let told = if apk.starts_with(b"PK") { "Success" } else { "Failure [INSTALL_PARSE_FAILED_NOT_APK]" };
        self.files.lock().unwrap().insert("installed".to_owned(), (FOLDER, apk));
        writeln!(out, "{told}").unwrap();
    }
}

impl Services for Phone {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn shell(
        &self,
        command: &str,
        stdin: &mut dyn Read,
        out: &mut dyn Write,
        err: &mut dyn Write,
        tty: bool,
    ) -> u8 {
        self.commands.lock().unwrap().push(command.to_owned());
        let plain = command.replace('\'', "");
        let plain = plain.rsplit("; exec ").next().unwrap();
        let words: Vec<&str> = plain.split_whitespace().collect();
        match words.as_slice() {
            ["echo", rest @ ..] => writeln!(out, "{}", rest.join(" ")).unwrap(),
            ["both", code] => {
                writeln!(out, "out").unwrap();
                writeln!(err, "err").unwrap();
                return code.parse().unwrap();
            }
            ["cat"] => {
                let mut bytes = Vec::new();
                stdin.read_to_end(&mut bytes).unwrap();
                out.write_all(&bytes).unwrap();
            }
            ["tty"] => writeln!(out, "{tty}").unwrap(),
            ["screencap"] => drop(out.write_all(&self.picture)),
            ["logcat", "-d"] => {
                for line in 0..1000 {
                    writeln!(out, "01-01 00:00:00.{line:03}   100   100 I Test    : line {line}").unwrap();
                }
            }
            ["logcat"] => {
                let mut line = 0;
                // Without a client it ends.
                while writeln!(out, "line {line}").and_then(|()| out.flush()).is_ok() {
                    line += 1;
                    super::adb::rest(std::time::Duration::from_millis(5));
                }
                self.commands.lock().unwrap().push("logcat ended".to_owned());
            }
            ["cmd", "package", "install", ..] | ["pm", "install", ..] => self.install(&words, stdin, out),
            ["rm", ..] => {}
            _ => {
                writeln!(err, "/system/bin/sh: {plain}: not found").unwrap();
                return 127;
            }
        }
        0
    }

    fn stat(&self, path: &str) -> Option<FileStat> {
        let path = if path == "/" { path } else { path.trim_end_matches('/') };
        let files = self.files.lock().unwrap();
        let below = format!("{path}/");
        let folder = || files.keys().any(|file| file.starts_with(&below)).then_some(FOLDER);
        files.get(path).map(|(stat, _)| *stat).or_else(folder)
    }

    fn list(&self, path: &str) -> Result<Vec<(String, FileStat)>, String> {
        let below = format!("{}/", path.trim_end_matches('/'));
        let files: Vec<String> = self.files.lock().unwrap().keys().cloned().collect();
        let mut names: Vec<&str> = files.iter().filter_map(|file| file.strip_prefix(&below)).collect();
        for name in &mut names {
            *name = name.split('/').next().unwrap();
        }
        names.dedup();
        let stat = |name: &str| (name.to_owned(), self.stat(&format!("{below}{name}")).unwrap());
        Ok(names.into_iter().map(stat).collect())
    }

    fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, String> {
        self.file(path).map(Arc::new).ok_or_else(|| "No such file or directory".to_owned())
    }

    fn write(&self, path: &str, mode: u32, mtime: u32, data: Vec<u8>) -> Result<(), String> {
        if path.starts_with("/system") {
            return Err("couldn't create file: Read-only file system".to_owned());
        }
        let stat = FileStat { mode, size: data.len() as u64, mtime };
        self.files.lock().unwrap().insert(path.to_owned(), (stat, data));
        Ok(())
    }

    fn socket(&self, name: &str) -> Option<SocketHandler> {
        let known = matches!(name, "tcp:9008" | "localabstract:echo");
        known.then(|| -> SocketHandler {
            Box::new(|mut stream| {
                let mut buffer = [0; 4096];
                while let Ok(count @ 1..) = stream.read(&mut buffer) {
                    stream.write_all(&buffer[..count]).unwrap();
                }
            })
        })
    }

    fn other(&self, service: &str) -> Option<SocketHandler> {
        (service == "reboot:").then(|| -> SocketHandler { Box::new(|stream| stream.hang_up()) })
    }

    fn on_connection(&self, _peer: SocketAddr, event: ConnectionEvent) {
        self.events.lock().unwrap().push(event);
    }
}
