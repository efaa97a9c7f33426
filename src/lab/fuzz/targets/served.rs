//! What clients send to the served phone: adb messages, files, HTTP, JSON-RPC, shell lines, apps to install.

use std::io::{Cursor, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use super::{FuzzTarget, Run, parts, plain, seen};
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceSource};
use taproof_phone::BundledPhones;
use taproof_served::wire::{ListenOptions, Listener};
use taproof_served::{Served, ServedServices, uiautomator2};

const APP: &str = "org.taproof.files";
/// A device that says nothing for so long has nothing to say.
const SILENCE: Duration = Duration::from_millis(15);
/// A command that waits is told after so many flushes that nobody listens any more.
const FLUSHES: u32 = 4;
/// So much of what is said to a client is taken.
const TAKEN: usize = 8 << 20;

pub(super) const ADB_HOST: FuzzTarget = FuzzTarget {
    name: "adb_host",
    about: "the messages of an adb host, byte by byte over TCP",
    inputs: 200,
    prepare: || on_phones(speak_adb),
    seeds: || {
        let hello = message(b"CNXN", 0x0100_0001, 1 << 20, b"host::features=shell_v2,cmd\0");
        let open = |service: &[u8]| message(b"OPEN", 1, 0, service);
        let said = |messages: &[&[u8]]| [&[&hello[..]], messages].concat().concat();
        vec![
            said(&[&open(b"shell,v2,raw:echo a\0"), &message(b"OKAY", 1, 1, b"")]),
            said(&[&open(b"shell:\0"), &message(b"WRTE", 1, 1, b"ls\nexit\n"), &message(b"CLSE", 1, 1, b"")]),
            said(&[&open(b"sync:\0"), &message(b"WRTE", 1, 1, b"STAT\x01\0\0\0/")]),
            said(&[&open(b"reverse:forward:tcp:1;tcp:2\0"), &open(b"exec:id\0"), &open(b"tcp:9008\0")]),
        ]
    },
    files: &[],
    words: &[
        "CNXN",
        "OPEN",
        "OKAY",
        "WRTE",
        "CLSE",
        "AUTH",
        "STLS",
        "\u{1}\0\0\0",
        "\0\0\u{10}\0",
        "shell,v2,raw:",
        "shell:",
        "sync:",
        "exec:",
        "reverse:forward:",
        "reverse:list-forward",
        "tcp:9008",
        "framebuffer:",
        "\0",
        "\u{7f}",
    ],
};

pub(super) const SYNC: FuzzTarget = FuzzTarget {
    name: "sync",
    about: "requests for the files of the phone, each part a packet of an open stream",
    inputs: 200,
    prepare: || on_phones(ask_for_files),
    seeds: || {
        let of = |id: &[u8; 4], path: &[u8]| [&id[..], &(path.len() as u32).to_le_bytes(), path].concat();
        vec![
            [of(b"STAT", b"/sdcard"), of(b"LIST", b"/sdcard"), of(b"STA2", b"/a"), of(b"LIS2", b"/")]
                .concat(),
            [of(b"SEND", b"/data/local/tmp/a,33188"), of(b"DATA", b"abc"), b"DONE\x07\0\0\0".to_vec()]
                .concat(),
            [of(b"RECV", b"/system/build.prop"), of(b"QUIT", b"")].concat(),
        ]
    },
    files: &[],
    words: &[
        "STAT", "LIST", "STA2", "LIS2", "SEND", "RECV", "DATA", "DONE", "QUIT", "/", "..", ",33188",
        "\0\0\0\0", "/sdcard/",
    ],
};

pub(super) const HTTP: FuzzTarget = FuzzTarget {
    name: "http",
    about: "HTTP requests to the uiautomator2 server, in odd pieces",
    inputs: 200,
    prepare: || {
        on_phones(|served, bytes| {
            for pieces in [5, 1000] {
                speak_http(&served, bytes, pieces);
            }
        })
    },
    seeds: || {
        vec![
            post(CALLS[0].as_bytes()),
            b"GET /ping HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(),
            post(CALLS[4].as_bytes()),
        ]
    },
    files: &[],
    words: &[
        "\r\n",
        "\r\n\r\n",
        "POST /jsonrpc/0 HTTP/1.1",
        "GET /ping HTTP/1.1",
        "GET /stop HTTP/1.0",
        "Content-Length: ",
        "Transfer-Encoding: chunked",
        "Expect: 100-continue",
        "Connection: close",
        "18446744073709551616",
        "-1",
        "+5",
        "{}",
    ],
};

pub(super) const JSON_RPC: FuzzTarget = FuzzTarget {
    name: "json_rpc",
    about: "calls of the uiautomator2 server's methods, each part the body of a request",
    inputs: 100,
    prepare: || {
        on_phones(|served, bytes| {
            let requests: Vec<u8> = parts(bytes).into_iter().flat_map(post).collect();
            speak_http(&served, &requests, 1 << 16);
        })
    },
    seeds: || {
        let mut seeds: Vec<Vec<u8>> = CALLS.iter().map(|call| call.as_bytes().to_vec()).collect();
        seeds.push(super::joined(&CALLS));
        seeds
    },
    files: &[],
    words: &[
        "\"jsonrpc\":\"2.0\"",
        "\"id\":1",
        "\"method\":",
        "\"params\":",
        "\"click\"",
        "\"exist\"",
        "\"waitForExists\"",
        "\"dumpWindowHierarchy\"",
        "\"setText\"",
        "\"swipe\"",
        "\"drag\"",
        "\"pinchIn\"",
        "\"objInfo\"",
        "\"count\"",
        "\"scrollTo\"",
        "\"injectInputEvent\"",
        "\"takeScreenshot\"",
        "\"getUiObject\"",
        "\"childByText\"",
        "\"mask\":",
        "\"childOrSibling\":",
        "\"childOrSiblingSelector\":",
        "\"text\":",
        "\"textMatches\":",
        "\"resourceIdMatches\":",
        "\"instance\":",
        "\"className\":",
        "(a+)+$",
        "[a-z]{1,1000}",
        "2097152",
        "-1",
        "1e308",
        "null",
        "[]",
        "{}",
        "\"pressKey\"",
        "\"setOrientation\"",
        "\"swipePoints\"",
        "\"setClipboard\"",
        "\"waitForWindowUpdate\"",
        "9999999999",
    ],
};

const CALLS: [&str; 8] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"dumpWindowHierarchy","params":[false,50]}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"click","params":[100,200]}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"objInfo","params":[{"mask":1,"childOrSibling":[],"childOrSiblingSelector":[],"text":"Files"}]}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"waitForExists","params":[{"mask":2097152,"childOrSibling":["child"],"childOrSiblingSelector":[{"mask":16,"className":"a","childOrSibling":[],"childOrSiblingSelector":[]}],"resourceId":"a:id/b"},500]}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"exist","params":[{"mask":4,"textMatches":"(a|b)*c{2,5}","childOrSibling":[],"childOrSiblingSelector":[]}]}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"swipe","params":[10,20,300,400,5]}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"injectInputEvent","params":[0,10,20,0]}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"pressKey","params":["back"]}"#,
];

pub(super) const SHELL: FuzzTarget = FuzzTarget {
    name: "shell",
    about: "a line for the phone's shell, and behind a part what it reads",
    inputs: 60,
    prepare: || on_phones(run_line),
    seeds: || LINES.iter().map(|line| line.as_bytes().to_vec()).collect(),
    files: &[],
    words: &[
        ";",
        "|",
        "&&",
        "||",
        "&",
        "(",
        ")",
        "{ ",
        " }",
        "$(",
        "`",
        "\"",
        "'",
        "\\",
        "$a",
        "${a:-b}",
        "${#a}",
        "$((1+2))",
        "$((",
        ">",
        ">>",
        "<",
        "<<E\n",
        "2>&1",
        "*",
        "?",
        "[a-z]",
        "~",
        "if ",
        " then ",
        " fi",
        "for a in ",
        " do ",
        " done",
        "while true",
        "exit",
        "break",
        "grep -E ",
        "printf %9999999d ",
        "input tap 9 9",
        "input text a",
        "input swipe 1 1 9 9 999999999",
        "am start -n ",
        "am broadcast -a ",
        "pm list packages",
        "pm grant ",
        "dumpsys window",
        "dumpsys activity ",
        "logcat -d",
        "getprop ",
        "setprop a b",
        "settings put ",
        "uiautomator dump",
        "monkey -p a 1",
        "wm size ",
        "getevent -pl",
        "sendevent ",
        "screencap -p",
        "ls -lR /",
        "sleep 0.01",
        "test a = b",
        "[ -n a ]",
        "read a",
        "toybox ",
        "sh -c ",
        "md5sum",
    ],
};

const LINES: [&str; 20] = [
    "echo a $HOME \"$(id -u)\" `pwd` | grep -v a; echo $?",
    "for a in 1 2 3; do echo $a; done | grep -c .",
    "if [ -d /sdcard ]; then ls -l /sdcard; else echo no; fi",
    "a=x; while [ \"$a\" != xxxxx ]; do a=x$a; done; echo ${a:-x} ${b:=y}",
    "uiautomator dump /sdcard/w.xml & ps -A; kill 2090; cat /proc/2090/cmdline",
    "read a b </proc/uptime; echo owner $a >>/sdcard/o && mv /sdcard/o /sdcard/p",
    "cat <<E\na $HOME\nE\n",
    "printf '%5d|%-5s|%x\\n' 42 ab 255",
    "grep -E '^(a|b)+c{1,3}$' /system/build.prop",
    "am start -W -n org.taproof.files/.MainActivity -a android.intent.action.VIEW -d file:///a --es k v --ei n 5",
    "input tap 100 200; input swipe 1 2 300 400 50; input text 'a%sb'; input keyevent KEYCODE_BACK",
    "uiautomator dump /sdcard/a.xml; cat /sdcard/a.xml",
    "dumpsys window windows; dumpsys activity top; dumpsys input_method; dumpsys package org.taproof.files",
    "logcat -d -v threadtime -b all -t 5 '*:E'; logcat -c",
    "pm list packages -f -3; pm path org.taproof.files; pm clear org.taproof.files; pm grant org.taproof.files a.b.C",
    "settings put system a 1; settings get system a; setprop x y; getprop x",
    "monkey -p org.taproof.files -c android.intent.category.LAUNCHER 1",
    "wm size; wm density; getevent -pl; screencap -p | md5sum; ls -la /data/local/tmp",
    "grep -ci b\n%%%%\nb 2\na 1\n",
    "sendevent /dev/input/event2 3 53 100; sendevent /dev/input/event2 0 0 0; ime list -s; cmd package list",
];

pub(super) const APK: FuzzTarget = FuzzTarget {
    name: "apk",
    about: "an app to install, and its manifest",
    inputs: 200,
    prepare: || {
        on_phones(|served, bytes| {
            seen(taproof_screen::format::manifest_of_apk(bytes));
            seen(taproof_screen::format::strings_of_apk(bytes));
            let line = format!("cmd package install -r -S {}", bytes.len());
            seen(shell(&served, &line, bytes));
            seen(served.write("/data/local/tmp/a.apk", 0o644, 0, bytes.to_vec()));
            seen(shell(&served, "pm install /data/local/tmp/a.apk; pm path org.taproof.files", b""));
        })
    },
    seeds: || {
        let apk = files_phone().and_then(|phone| {
            let served = Served::new(phone);
            served.read("/data/app/org.taproof.files-1/base.apk").ok()
        });
        apk.into_iter().map(|apk| apk.to_vec()).collect()
    },
    files: &[".apk"],
    words: &[
        "PK\u{3}\u{4}",
        "PK\u{1}\u{2}",
        "PK\u{5}\u{6}",
        "assets/taproof-app",
        "AndroidManifest.xml",
        "resources.arsc",
        "org.taproof.notes",
    ],
};

/// A bundled phone with an app in front.
pub(super) fn files_phone() -> Option<Box<dyn Device>> {
    started(&mut BundledPhones::new(APP, &Build::Faulty))
}

fn started(phones: &mut BundledPhones) -> Option<Box<dyn Device>> {
    let mut phone = phones.fresh().ok()?;
    phone.launch(&AppId(APP.to_owned()), AppData::Clear).ok()?;
    Some(phone)
}

/// Runs each input on a phone of its own.
pub(super) fn on_phones(run: fn(Arc<Served>, &[u8])) -> Run {
    let mut phones = BundledPhones::new(APP, &Build::Faulty);
    Box::new(move |bytes| match started(&mut phones) {
        Some(phone) => run(Arc::new(Served::new(phone)), bytes),
        None => plain(|_| {})(bytes),
    })
}

/// Takes what is said, but neither without end nor for ever.
#[derive(Default)]
pub(super) struct Client {
    taken: usize,
    flushes: u32,
}

impl Write for Client {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.taken += bytes.len();
        if self.taken > TAKEN { Err(ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.flushes += 1;
        if self.flushes > FLUSHES { Err(ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    }
}

/// Gives bytes in pieces of this size.
struct Pieces<'b>(Cursor<&'b [u8]>, usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(buffer.get_mut(..most).unwrap_or_default())
    }
}

fn shell(served: &Served, line: &str, stdin: &[u8]) -> u8 {
    served.shell(line, &mut &*stdin, &mut Client::default(), &mut Client::default(), false)
}

fn run_line(served: Arc<Served>, bytes: &[u8]) {
    let parts = parts(bytes);
    let line = String::from_utf8_lossy(parts.first().copied().unwrap_or_default()).into_owned();
    seen(shell(&served, &line, parts.get(1).copied().unwrap_or_default()));
    seen(served.lock().layout());
}

fn post(body: &[u8]) -> Vec<u8> {
    let head = format!("POST /jsonrpc/0 HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn speak_http(served: &Served, bytes: &[u8], pieces: usize) {
    seen(uiautomator2::start(served, uiautomator2::PORT));
    // A client that has pipelined its requests reads all answers.
    let mut client = Vec::new();
    uiautomator2::serve(served, &mut Pieces(Cursor::new(bytes), pieces), &mut client);
    uiautomator2::stop(served);
}

fn message(command: &[u8; 4], arg0: u32, arg1: u32, data: &[u8]) -> Vec<u8> {
    let word = u32::from_le_bytes(*command);
    let sum = data.iter().fold(0u32, |sum, byte| sum.wrapping_add(u32::from(*byte)));
    let words = [word, arg0, arg1, data.len() as u32, sum, !word];
    let head: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    [&head[..], data].concat()
}

/// A phone that listens, and a connection to it.
fn connected(served: Arc<Served>) -> Option<(Listener, TcpStream)> {
    let options = ListenOptions { scanned_port: true, ..ListenOptions::loopback(0) };
    let listener = Listener::bind(&options, Arc::new(ServedServices(served))).ok()?;
    let socket = TcpStream::connect(listener.address()).ok()?;
    socket.set_read_timeout(Some(SILENCE)).ok()?;
    Some((listener, socket))
}

fn speak_adb(served: Arc<Served>, bytes: &[u8]) {
    let Some((listener, mut socket)) = connected(served) else { return };
    // It may hang up before all is said. Who hangs up first is not answered, so its silence is waited for.
    if socket.write_all(bytes).is_ok() {
        let mut buffer = [0; 1 << 14];
        while socket.read(&mut buffer).is_ok_and(|count| count > 0) {}
    }
    drop(socket);
    drop(listener);
}

/// The next message of the device: command and numbers; `None` where nothing comes.
fn received(socket: &mut TcpStream) -> Option<([u8; 4], u32)> {
    let mut head = [0; 24];
    socket.read_exact(&mut head).ok()?;
    let word = |at: usize| head.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
    let mut data = vec![0; u32::from_le_bytes(word(12)?) as usize];
    socket.read_exact(&mut data).ok()?;
    Some((word(0)?, u32::from_le_bytes(word(4)?)))
}

fn ask_for_files(served: Arc<Served>, bytes: &[u8]) {
    let Some((listener, mut socket)) = connected(served) else { return };
    let hello = message(b"CNXN", 0x0100_0001, 1 << 20, b"host::features=stat_v2,ls_v2\0");
    let opened = socket.write_all(&[hello, message(b"OPEN", 1, 0, b"sync:\0")].concat());
    let mut packets = parts(bytes).into_iter();
    while opened.is_ok() {
        let Some((command, stream)) = received(&mut socket) else { break };
        // What the device says is acknowledged; when it has taken a packet it gets the next.
        let answer = match &command {
            b"WRTE" => message(b"OKAY", 1, stream, b""),
            b"OKAY" => match packets.next() {
                Some(packet) => message(b"WRTE", 1, stream, packet),
                None => message(b"CLSE", 1, stream, b""),
            },
            b"CLSE" => break,
            _ => continue,
        };
        if socket.write_all(&answer).is_err() {
            break;
        }
    }
    drop(socket);
    drop(listener);
}
