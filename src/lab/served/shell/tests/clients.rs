//! The requests that real clients sent when they ran on the served phone, recorded in `tests/data/clients`: the phone
//! must know each of them.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::Arc;

use super::served;
use crate::wire::Services;
use crate::{Like, Served, ServedServices};

/// Output whose reader leaves after a moment, so that commands end that follow something.
#[derive(Default)]
struct Leaves {
    text: Vec<u8>,
    flushes: u32,
}

impl Write for Leaves {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushes += 1;
        if self.flushes < 4 { Ok(()) } else { Err(ErrorKind::BrokenPipe.into()) }
    }
}

/// The recorded lines of all clients, with the file that each is from.
pub(in crate::shell) fn recorded() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/data/clients");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut lines = Vec::new();
    for file in files.iter().filter(|file| !file.ends_with("jsonrpc.txt")) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(file).unwrap();
        lines.extend(
            text.lines().filter(|line| !line.starts_with('#')).map(|line| (name.clone(), line.to_owned())),
        );
    }
    lines
}

/// A phone with the files that clients push before they run these lines.
fn prepared() -> Served {
    let served = served(Like::Android14);
    for file in ["/data/local/tmp/u2.jar", "/data/local/tmp/unknown.apk", "/sdcard/screen.png"] {
        served.write(file, 0o644, 0, b"PK".to_vec()).unwrap();
    }
    served
}

#[test]
fn the_phone_knows_what_real_clients_send() {
    let lines = recorded();
    assert!(lines.len() > 150, "{}", lines.len());
    for (client, service) in lines {
        let served = Arc::new(prepared());
        let command = match service.split_once(':').unwrap() {
            ("exec", command) => command,
            (shell, command) if shell == "shell" || shell.starts_with("shell,") => command,
            // The wire answers these itself, and servers on the device accept those once they run.
            ("reverse" | "sync" | "tcp", _) => continue,
            _ => {
                assert!(ServedServices(served).other(&service).is_some(), "{client}: {service}");
                continue;
            }
        };
        let (mut out, mut err) = (Leaves::default(), Leaves::default());
        let code = served.shell(command, &mut io::empty(), &mut out, &mut err, false);
        let said = String::from_utf8_lossy(&[out.text, err.text].concat()).into_owned();
        let unknown = [
            "inaccessible or not found",
            "nknown command",
            "Unknown option",
            "sage:",
            "can't find service",
            "Could not find class",
            "syntax error",
        ];
        let problem = unknown.iter().find(|problem| said.contains(**problem));
        assert!(code != 127 && problem.is_none(), "{client} sends {command:?}, answered {code}: {said}");
    }
}
