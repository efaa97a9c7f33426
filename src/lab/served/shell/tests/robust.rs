//! Tests that arbitrary input on arbitrary devices causes neither a panic nor an endless run.

use std::io::{self, Write};
use std::sync::Arc;

use super::{new_phone, served};
use crate::shell::table::COMMANDS;
use crate::{Latency, Like, Served};
use taproof_engine::device::{AppData, AppId, Device, DeviceError, DeviceInfo, Screenshot};
use taproof_screen::determinism::{DeviceInstant, Rng};
use taproof_screen::{AppHealth, Event, Frame, Layout, PxSize, Rotation};

/// A device that implements only the required methods.
struct Bare(DeviceInfo);

const SCREEN: PxSize = PxSize { width: 3, height: 2 };

impl Device for Bare {
    fn info(&self) -> &DeviceInfo {
        &self.0
    }

    fn now(&self) -> DeviceInstant {
        DeviceInstant(u64::MAX / 2)
    }

    fn launch(&mut self, app: &AppId, _data: AppData) -> Result<(), DeviceError> {
        Err(DeviceError::Unsupported { serial: String::new(), what: app.0.clone() })
    }

    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        Err(DeviceError::Unsupported { serial: String::new(), what: format!("{event:?}") })
    }

    fn observe(&mut self) -> Result<Frame, DeviceError> {
        let layout = Arc::new(Layout::empty(SCREEN, Rotation(3)));
        Ok(Frame { layout, health: AppHealth::Running, at: self.now() })
    }

    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        Ok(Screenshot { size: SCREEN, rgba: Arc::new(vec![7; 5]) })
    }
}

fn bare(like: Like) -> Served {
    let (serial, model) = ("a:b;c=d".to_owned(), "M: x".to_owned());
    let info = DeviceInfo { serial, model, sdk: 34, screen: SCREEN, snapshots: false, live: false };
    Served::with(Box::new(Bare(info)), like, Latency::Off)
}

/// A client that leaves after some flushes.
struct Leaves(usize);

impl Write for Leaves {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(())
    }
}

fn run(served: &Served, line: &str) {
    served.shell(line, &mut &b"some\ninput"[..], &mut Leaves(3), &mut io::sink(), true);
}

#[test]
fn every_command_stands_any_argument() {
    let values = [
        "",
        "-",
        "--",
        "-x",
        "-n",
        "-c",
        "-S -1",
        "list packages -f",
        "start -W",
        "0 0",
        "-9999999999 1e400",
        "size 1x",
        "'\u{1F600}'",
    ];
    for served in [new_phone(), served(Like::Android44), bare(Like::Android14), bare(Like::Android44)] {
        for name in COMMANDS.iter().map(|command| command.name) {
            for value in values {
                run(&served, &format!("{name} {value}"));
            }
        }
        assert!(!served.is_locked());
    }
}

#[test]
fn any_line_comes_to_an_end() {
    let pieces = [
        "'",
        "\"",
        "`",
        "$(",
        ")",
        "${",
        "}",
        "$((",
        "))",
        "\\",
        "\n",
        ";",
        "&&",
        "||",
        "|",
        "&",
        ">",
        ">>",
        "<",
        "<<",
        "<<<",
        "2>&1",
        "(",
        "{",
        "[",
        "[[",
        "]]",
        "if",
        "then",
        "fi",
        "while",
        "do",
        "done",
        "for",
        "in",
        "*",
        "?",
        "~",
        "#",
        "!",
        "=",
        "x=",
        "$x",
        "$?",
        "$@",
        " ",
        " ",
        " ",
        " ",
        "a",
        "-1",
        "1",
        "99999999999",
        "/sdcard",
        "/sdcard/f",
        "/data/local/tmp/x",
        "\u{1F600}",
        "\u{5E9}",
        "\0",
        "%s",
        "input tap 5 5",
        "input text",
        "am start -n org.taproof.files/.MainActivity",
        "echo",
        "cat",
        "ls",
        "rm -rf",
        "dumpsys",
        "window",
        "activity",
        "settings put system",
        "logcat",
        "-d",
        "monkey -p org.taproof.files 3",
        "sleep",
        "sh -c",
        "break",
        "exit",
        "grep -E",
        "printf",
        "test",
        "uiautomator dump",
        "pm",
        "cmd package",
        "wm size",
    ];
    let served = new_phone();
    let mut rng = Rng::from_seed(5).fork("lines");
    for _ in 0..4000 {
        let count = rng.between(1, 14);
        let line: String = (0..count).filter_map(|_| rng.pick(&pieces).copied()).collect();
        run(&served, &line);
    }
    assert!(!served.is_locked());
}
