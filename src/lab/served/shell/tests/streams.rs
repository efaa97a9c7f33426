//! Tests of pipes, commands that follow something, and clients that leave.

use std::io::{self, Read, Write};
use std::time::Duration;

use super::{Ran, new_phone, out, run, run_with};
use crate::{Cost, Latency, Like, Served};

/// A client that leaves after this many flushes or bytes.
struct Leaves {
    heard: Vec<u8>,
    flushes: usize,
    bytes: usize,
}

impl Write for Leaves {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.heard.len() >= self.bytes {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.heard.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushes = self.flushes.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(())
    }
}

fn listen(served: &Served, line: &str, flushes: usize) -> (String, u8) {
    let mut listener = Leaves { heard: Vec::new(), flushes, bytes: usize::MAX };
    let code = served.shell(line, &mut io::empty(), &mut listener, &mut io::sink(), true);
    (String::from_utf8(listener.heard).unwrap(), code)
}

#[test]
fn pipes_join_commands() {
    let served = new_phone();
    for (line, expected) in [
        ("echo b; echo a | cat; echo c", "b\na\nc\n"),
        ("echo a | grep -q a && echo found", "found\n"),
        ("echo a | { read x; echo \"<$x>\"; }", "<a>\n"),
    ] {
        assert_eq!(run(&served, line).out, expected, "{line}");
    }
    let ran = run(&served, "nope | cat; echo $?");
    assert_eq!((ran.out.as_str(), ran.err.contains("not found")), ("0\n", true));
    let much = "x".repeat(300_000);
    assert_eq!(run_with(&served, "cat | cat", much.as_bytes(), false).out, much);
}

#[test]
fn a_command_that_follows_ends_when_nobody_listens() {
    let served = new_phone();
    for line in [
        "logcat",
        "logcat -v threadtime '*:I'",
        "getevent -lt",
        "logcat | grep nothing-like-this",
        "logcat > /sdcard/log",
    ] {
        let (_, code) = listen(&served, line, 3);
        assert_ne!(code, 0, "{line}");
    }
    listen(&served, "echo $(logcat)", 3);
    let ran = run(&served, "logcat > /sdcard/log & getevent -lt & echo on");
    assert_eq!(ran.out.lines().last(), Some("on"), "what stands before & waits for nothing");
}

#[test]
fn what_nobody_reads_ends_a_long_answer() {
    let served = new_phone();
    let mut listener = Leaves { heard: Vec::new(), flushes: 100, bytes: 10 };
    let code = served.shell(
        "for i in 1 2 3 4 5 6 7 8 9; do getprop; done",
        &mut io::empty(),
        &mut listener,
        &mut io::sink(),
        false,
    );
    assert_ne!(code, 0);
}

/// Runs a line that follows something until its output contains `end`, while `meanwhile` runs. Returns the output.
fn followed(line: &'static str, end: &str, meanwhile: impl Fn(&Served)) -> String {
    struct Sends(crossbeam_channel::Sender<Vec<u8>>);
    impl Write for Sends {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            self.write(b"").map(drop)
        }
    }
    let served = std::sync::Arc::new(new_phone());
    let (send, receive) = crossbeam_channel::unbounded::<Vec<u8>>();
    let follower = std::sync::Arc::clone(&served);
    let follow = move || follower.shell(line, &mut io::empty(), &mut Sends(send), &mut io::sink(), false);
    let thread = std::thread::Builder::new().spawn(follow);
    let hear =
        || String::from_utf8(receive.recv_timeout(Duration::from_secs(5)).expect("it comes soon")).unwrap();
    // It is following once it flushes.
    let mut heard = hear();
    meanwhile(&served);
    while !heard.contains(end) {
        heard += &hear();
    }
    drop(receive);
    assert_ne!(thread.unwrap().join().unwrap(), 0);
    heard
}

#[test]
fn a_log_is_seen_as_it_grows() {
    let start = |served: &Served| drop(out(served, super::START));
    followed("logcat -s ActivityTaskManager", "Displayed org.taproof.files/.MainActivity", start);
}

#[test]
fn a_hand_on_the_touch_screen_is_seen_and_does_something() {
    // The round button of Files is at the bottom right.
    let touch = |served: &Served| {
        out(served, super::START);
        let before = served.lock().layout().unwrap();
        for event in ["3 57 7", "3 53 984", "3 54 1680", "0 0 0", "3 57 4294967295", "0 0 0"] {
            out(served, &format!("sendevent /dev/input/event0 {event}"));
        }
        assert_ne!(served.lock().layout().unwrap(), before);
    };
    let heard = followed("getevent -lt", "ffffffff", touch);
    let (_, position) = heard.split_once("] ").unwrap();
    let first = "/dev/input/event0: EV_ABS       ABS_MT_TRACKING_ID   00000007            \n";
    assert!(position.starts_with(first), "{heard:?}");
    let end = "EV_ABS       ABS_MT_TRACKING_ID   ffffffff            \n";
    assert!(heard.contains(end), "{heard:?}");
    let served = new_phone();
    assert!(run(&served, "sendevent /dev/input/event9 0 0 0").err.starts_with("use:"));
    assert!(run(&served, "sendevent /dev/input/event0 0").err.starts_with("use:"));
}

#[test]
fn latencies_are_real_and_end_with_the_listener() {
    let phone = taproof_phone::apps::phone_with(
        &std::sync::Arc::new(taproof_phone::Fonts::new()),
        "org.taproof.files",
        &taproof_phone::BugSet::none(),
    );
    let served = Served::with(Box::new(phone), Like::Android14, Latency::Emulator);
    assert_eq!(served.latency().of(served.like(), Cost::Dump), Duration::from_secs(2));
    let (heard, code) = listen(&served, "uiautomator dump", 1);
    assert_eq!((heard.as_str(), code), ("", 141), "it would have taken two seconds");
}

#[test]
fn input_is_read_once() {
    struct Dribbles(Vec<u8>);
    impl Read for Dribbles {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(byte) = self.0.pop() else { return Ok(0) };
            buffer[0] = byte;
            Ok(1)
        }
    }
    let served = new_phone();
    let mut input = Dribbles(b"one\ntwo\nthree\n".iter().rev().copied().collect());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    served.shell("read x; read y; echo $y; cat", &mut input, &mut out, &mut err, false);
    assert_eq!(out, b"two\nthree\n");
    assert_eq!(
        run_with(&served, "cat; echo $?", b"", false),
        Ran { out: "0\n".into(), err: String::new(), code: 0 }
    );
}
