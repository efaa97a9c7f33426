//! What a device and the adb server in front of it answer; an emulator's console.

use std::io::{Cursor, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::peer::{Peer, request, say};
use super::served::files_phone;
use super::{FuzzTarget, joined, parts, plain, seen};
use taproof_adb::console::{Console, SnapshotName};
use taproof_adb::host::{AdbLink, Patience};
use taproof_adb::{AdbPhone, ControlMethod, install_app, look_for_app, packages};
use taproof_engine::device::{AppData, AppId, Device};
use taproof_screen::{Event, Gesture, Key, Selector, TouchTarget};
use taproof_served::Served;

/// A peer that hangs up is not waited for; one that does not has no longer.
const PATIENCE: Duration = Duration::from_millis(200);
/// A phone that has been answered so often is told that it is not wanted any more.
const ANSWERED: usize = 40;

pub(super) const ADB_SERVER: FuzzTarget = FuzzTarget {
    name: "adb_server",
    about: "what an adb server answers to each question, byte by byte",
    inputs: 300,
    prepare: || plain(ask_server),
    seeds: || {
        [
            &b"OKAY00040029"[..],
            b"OKAY0023emulator-5554 device transport_id:1OKAY0000",
            b"OKAY0015shell_v2,cmd,stat_v2OKAY",
            b"OKAYOKAY\x01\x02\0\0\0hi\x02\x01\0\0\0e\x03\x01\0\0\0\0",
            b"OKAYOKAYSTA2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            b"OKAYOKAYDATA\x02\0\0\0hiDONE\0\0\0\0",
            b"OKAYOKAYFAIL\x03\0\0\0no\n",
            b"FAIL0019device 'x' not found here",
            b"OKAY001cconnected to 127.0.0.1:5555",
        ]
        .iter()
        .map(|bytes| bytes.to_vec())
        .collect()
    },
    files: &[],
    words: ADB_WORDS,
};

const ADB_WORDS: &[&str] = &[
    "OKAY",
    "FAIL",
    "DATA",
    "DONE",
    "STAT",
    "STA2",
    "DENT",
    "0000",
    "ffff",
    "000c",
    "\n",
    "device",
    "unauthorized",
    "\t",
    "shell_v2,stat_v2",
    "\0\0\0\0",
    "transport_id:1",
];

pub(super) const ADB_DEVICE: FuzzTarget = FuzzTarget {
    name: "adb_device",
    about: "what a device answers behind a server that works, to the shell, files and installing",
    inputs: 200,
    prepare: || plain(ask_device),
    seeds: || {
        vec![
            joined(&[
                &b"\x01\x02\0\0\0hi\x03\x01\0\0\0\0"[..],
                b"DATA\x02\0\0\0hiDONE\0\0\0\0",
                b"\x03\x01\0\0\0\x01",
            ]),
            joined(&[&b"hi\r\ntaproof-exit:0\r\n"[..], b"OKAY\0\0\0\0", b"package:a.b\r\n"]),
        ]
    },
    files: &[],
    words: ADB_WORDS,
};

pub(super) const PHONE: FuzzTarget = FuzzTarget {
    name: "phone",
    about: "the answers of a phone, one part after the other: opened, looked at, touched, its pictures taken",
    inputs: 20,
    prepare: || plain(use_phone),
    seeds: phone_seeds,
    files: &[],
    words: &[
        "\ntaproof-section\n",
        "[ro.build.version.sdk]: [34]\n",
        "[sys.boot_completed]: [1]\n",
        "Physical size: 1080x1920\n",
        "mCurrentFocus=Window{1 u0 a.b/a.b.C}\n",
        "<?xml version='1.0' ?><hierarchy rotation=\"1\">",
        "</hierarchy>",
        "<node bounds=\"[0,0][9,9]\" />",
        "12.34 5.67\n",
        "E AndroidRuntime: FATAL EXCEPTION: main\n",
        "\u{89}PNG\r\n",
        "null\n",
        "Error: ",
        "Permission denied\n",
        "{\"result\": ",
        "\"jsonrpc\"",
        "HTTP/1.1 200 OK\r\n\r\n",
    ],
};

pub(super) const CONSOLE: FuzzTarget = FuzzTarget {
    name: "console",
    about: "what an emulator's console says",
    inputs: 1000,
    prepare: || plain(talk_to_console),
    seeds: || {
        vec![
            b"Android Console: Authentication required\r\nOK\r\nOK\r\nOK\r\nList of snapshots present on all disks:\r\nID \
              TAG VM SIZE DATE VM CLOCK\r\n-- a-b 75M 2026-09-09 11:41:45 00:00:10.123\r\nOK\r\nOK\r\n"
                .to_vec(),
            b"Android Console: type 'help' for a list of commands\r\nOK\r\nKO: no such snapshot\r\nPixel\r\nOK\r\n".to_vec(),
        ]
    },
    files: &["console.txt"],
    words: &[
        "OK\r\n",
        "KO: ",
        "\r\n",
        "Android Console",
        "Authentication required",
        "--",
        "2026-09-09 11:41:45",
        "75M",
    ],
};

/// Bytes that come in pieces of several sizes.
struct Pieces<'b> {
    bytes: Cursor<&'b [u8]>,
    turn: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.turn += 1;
        let most = buffer.len().min([1, 3, 7, 64, 4096][self.turn % 5]);
        self.bytes.read(buffer.get_mut(..most).unwrap_or_default())
    }
}

impl Write for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub(super) fn pieces(bytes: &[u8], turn: usize) -> impl Read + Write + use<'_> {
    Pieces { bytes: Cursor::new(bytes), turn }
}

fn ask_server(bytes: &[u8]) {
    let (all, mut connection) = (bytes.to_vec(), 0);
    let answer = move |stream: &mut TcpStream| {
        // One piece, or two.
        let cut = all.len().min([usize::MAX, 5, 13][connection % 3]);
        let (first, rest) = all.split_at(cut);
        connection += 1;
        say(stream, first);
        say(stream, rest);
    };
    let Some(peer) = Peer::serve(answer) else { return };
    let (server, patience) = (peer.server(), Patience::new(PATIENCE, &|| false));
    seen((server.version(&patience), server.devices(&patience), server.connect("a:5555", &patience)));
    if let Ok(mut tracker) = server.track(&patience) {
        seen((tracker.wait(&patience), tracker.next()));
    }
    let Ok(link) = AdbLink::connect(&server, "x", &patience) else { return };
    use_link(&link, &patience);
    seen(link.tcp(9008, &patience));
}

/// Everything that is asked of one device.
fn use_link(link: &AdbLink, patience: &Patience<'_>) {
    seen((link.shell("a", patience).map(|output| output.everything()), link.exec("a", patience)));
    seen((link.stat("/a", patience), link.pull("/a", 1 << 20, patience)));
    seen(link.push(b"abc", "/a", 0o644, 7, patience));
}

fn ask_device(bytes: &[u8]) {
    for features in ["", "shell_v2,stat_v2,cmd"] {
        let mut answers =
            parts(bytes).into_iter().map(<[u8]>::to_vec).collect::<Vec<_>>().into_iter().cycle();
        let answer = move |_: &str| answers.next().unwrap_or_default();
        let Some(peer) = Peer::serve(move |stream| behave(stream, features, false, &mut answer.clone()))
        else {
            return;
        };
        let patience = Patience::new(PATIENCE, &|| false);
        let Ok(link) = AdbLink::connect(&peer.server(), "x", &patience) else { return };
        use_link(&link, &patience);
        seen((packages(&link, false, &|| false), look_for_app(&link, "a.b", &|| false)));
        seen(install_app(&link, b"PK\x03\x04abc", &|| false));
    }
}

/// Is an adb server with one device whose services answer by `answer`: those of the shell with what a command prints
/// if `framed`, else with all their bytes.
fn behave(stream: &mut TcpStream, features: &str, framed: bool, answer: &mut dyn FnMut(&str) -> Vec<u8>) {
    while let Some(asked) = request(stream) {
        say(stream, b"OKAY");
        if asked.ends_with(":features") {
            return say(stream, format!("{:04x}{features}", features.len()).as_bytes());
        }
        if asked.starts_with("host:t") || asked.starts_with("host:transport") {
            continue;
        }
        let answered = answer(&asked);
        if framed && asked.starts_with("shell,v2") {
            for piece in answered.chunks(1 << 15) {
                say(stream, &[&[1][..], &(piece.len() as u32).to_le_bytes(), piece].concat());
            }
            return say(stream, &[3, 1, 0, 0, 0, 0]);
        }
        return say(stream, &answered);
    }
}

/// Opens a phone that is answered by this and does with it what a campaign and a person do. It is wanted until there
/// are no answers left.
fn use_phone_by(mut answer: impl FnMut(&str) -> Option<Vec<u8>> + Send + 'static) {
    let over = Arc::new(AtomicBool::new(false));
    let unwanted = Arc::clone(&over);
    let mut answer = move |asked: &str| {
        answer(asked).unwrap_or_else(|| {
            over.store(true, Ordering::Relaxed);
            Vec::new()
        })
    };
    let Some(peer) = Peer::serve(move |stream| behave(stream, "shell_v2,cmd", true, &mut answer)) else {
        return;
    };
    let unwanted = Arc::new(move || unwanted.load(Ordering::Relaxed));
    let Ok(mut phone) = AdbPhone::open(&peer.server(), "x", ControlMethod::Uiautomator2, unwanted) else {
        return;
    };
    let app = AppId("org.taproof.files".to_owned());
    seen(phone.launch(&app, AppData::Keep));
    let Ok(frame) = phone.observe() else { return };
    super::layouts::use_layout(&frame.layout);
    if let Some(at) = frame.layout.widgets().last().map(|widget| widget.bounds.center()) {
        let target = TouchTarget { selector: Selector::default(), at, screen: frame.layout.screen() };
        seen(phone.perform(&Event::Widget { target, gesture: Gesture::Tap }));
    }
    seen((phone.perform(&Event::Key(Key::Back)), phone.perform(&Event::Type("a\u{fc}".to_owned()))));
    seen((phone.observe(), phone.screenshot(), phone.screenshot()));
}

fn use_phone(bytes: &[u8]) {
    let answers: Vec<Vec<u8>> = parts(bytes).into_iter().take(ANSWERED).map(<[u8]>::to_vec).collect();
    let mut answers = answers.into_iter();
    use_phone_by(move |_| answers.next());
}

/// What the served phone answers when it is used so.
fn phone_seeds() -> Vec<Vec<u8>> {
    let Some(phone) = files_phone() else { return Vec::new() };
    let served = Served::new(phone);
    let told: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
    let kept = Arc::clone(&told);
    use_phone_by(move |asked| {
        let mut out = Vec::new();
        let line =
            asked.split_once(':').filter(|(service, _)| service.starts_with("shell") || *service == "exec");
        if let Some((_, line)) = line {
            served.shell(line, &mut std::io::empty(), &mut out, &mut std::io::sink(), false);
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(out.clone());
        (kept.len() <= ANSWERED).then_some(out)
    });
    let told = told.lock().unwrap_or_else(PoisonError::into_inner);
    vec![joined(&told)]
}

fn talk_to_console(bytes: &[u8]) {
    for turn in 0..2 {
        let mut console = match Console::open(pieces(bytes, turn)) {
            Ok(console) => console,
            Err(error) => return seen(error.to_string()),
        };
        if console.wants_token() {
            seen(console.authenticate("token"));
        }
        seen(console.list());
        if let Ok(name) = SnapshotName::new("a-b") {
            seen((console.save(&name), console.load(&name), console.delete(&name)));
        }
    }
}

/// The seed of a phone is all that it was asked for.
pub(super) fn check_seed() {
    let seeds = phone_seeds();
    let answers = parts(&seeds[0]);
    let with =
        |text: &str| answers.iter().filter(|answer| String::from_utf8_lossy(answer).contains(text)).count();
    assert!(answers.len() > 8, "{} answers", answers.len());
    assert!(with("ro.build.version.sdk") > 0 && with("<hierarchy") > 1 && with("mCurrentFocus") > 1);
}
