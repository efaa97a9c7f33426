//! Tests of the bundled phone's shell, as a program at the other end of adb uses it.

mod apk;
mod apps;
mod clients;
mod hostile;
mod interpreter;
mod logs;
mod old;
mod recorded;
mod robust;
mod screens;
mod shapes;
mod shared;
mod slow;
mod streams;
mod system;
mod toolbox;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::after;

use crate::{Buffer, Latency, Like, Served};
use taproof_phone::apps::phone_with;
use taproof_phone::{BugSet, Fonts};
use taproof_screen::{Layout, PxPoint, Widget};

/// The output and exit code of a command line.
#[derive(Debug, PartialEq, Eq)]
struct Ran {
    out: String,
    err: String,
    code: u8,
}

/// The bundled phone with the bug-free build of Files, served.
fn served(like: Like) -> Served {
    served_with(like, "org.taproof.files", &[])
}

fn served_with(like: Like, package: &str, bugs: &[&str]) -> Served {
    let phone = phone_with(&Arc::new(Fonts::new()), package, &BugSet::of(bugs.iter().copied()));
    let served = Served::with(Box::new(phone), like, Latency::Off);
    // Tests count the lines that they cause.
    served.lock().log.clear(&Buffer::ALL);
    served
}

fn new_phone() -> Served {
    served(Like::Android14)
}

/// Collects output, and checks that nothing is written while the device is locked: that may wait for a slow reader.
struct Checks<'a>(&'a Served, Vec<u8>);

impl Write for Checks<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Another command of the pipeline may hold the lock for a moment.
        let tries = Duration::from_millis(10);
        let free = (0..500).any(|_| !self.0.is_locked() || after(tries).recv().is_err());
        assert!(free, "written while the device was locked: {}", String::from_utf8_lossy(bytes));
        self.1.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write(b"").map(drop)
    }
}

fn run_with(served: &Served, line: &str, stdin: &[u8], tty: bool) -> Ran {
    let (mut out, mut err) = (Checks(served, Vec::new()), Checks(served, Vec::new()));
    let code = served.shell(line, &mut &stdin[..], &mut out, &mut err, tty);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { out: text(out.1), err: text(err.1), code }
}

fn run(served: &Served, line: &str) -> Ran {
    run_with(served, line, b"", false)
}

/// The output of a line that must succeed.
fn out(served: &Served, line: &str) -> String {
    let ran = run(served, line);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{line}: {ran:?}");
    ran.out
}

const FILES: &str = "org.taproof.files";
const DIARY: &str = "org.taproof.diary";
/// The line that starts the Files app.
const START: &str = "am start -n org.taproof.files/.MainActivity";

fn layout(served: &Served) -> Arc<Layout> {
    served.lock().layout().unwrap()
}

/// The centre of the widget with this text, description or end of its id.
fn find(served: &Served, name: &str) -> PxPoint {
    let layout = layout(served);
    let named = |widget: &&Widget| {
        *widget.text == *name
            || *widget.content_desc == *name
            || widget.resource_id.as_deref().is_some_and(|id| id.ends_with(&format!("/{name}")))
    };
    let found = layout.widgets().iter().find(named).unwrap_or_else(|| panic!("{name} is not on the screen"));
    found.bounds.center()
}

fn tap(served: &Served, name: &str) {
    let at = find(served, name);
    out(served, &format!("input tap {} {}", at.x, at.y));
}

/// Creates a folder in Files, whose list is in front.
fn create_folder(served: &Served, name: &str) {
    tap(served, "sd_main_fab");
    tap(served, "Folder");
    out(served, &format!("input text {name}"));
    tap(served, "Create");
}

fn shows(served: &Served, text: &str) -> bool {
    layout(served).widgets().iter().any(|widget| *widget.text == *text)
}

/// The folder of captured output, if it exists.
fn data() -> Option<PathBuf> {
    let given = std::env::var_os("TAPROOF_DATA").map(PathBuf::from);
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    let found = given.into_iter().chain([beside]).find(|folder| folder.join("android44").is_dir());
    if found.is_none() {
        println!("skipped: no data");
    }
    found
}

/// Captured output of the old device, with the line ends from before the terminal changed them.
fn captured(name: &str) -> Option<String> {
    let bytes = std::fs::read(data()?.join("android44").join(name)).unwrap();
    Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
}
