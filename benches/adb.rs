//! The bundled phone through real adb: events a second, from a tap to the picture of what it did, what we add to the
//! latencies of a device, and python uiautomator2 beside it (with `TAPROOF_PYTHON`, a python that has the package).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, missing_docs)]

#[path = "../tests/common/adb.rs"]
mod adb;

use std::sync::Arc;
use std::time::{Duration, Instant};

use taproof::campaign::Build;
use taproof::device::adb::AdbPhone;
use taproof::device::adbd::{Latency, Like, uiautomator2};
use taproof::device::{AppData, AppId, Device};
use taproof::model::{Event, Gesture, Key, Selector};

use adb::ServedPhone;

const FILES: &str = "org.taproof.files";
const EVENTS: usize = 200;

fn main() {
    for server in [false, true] {
        events(server);
    }
    pictures();
    python();
}

fn open(server: bool) -> Option<(ServedPhone, AdbPhone)> {
    let served = ServedPhone::with(FILES, &Build::Sound, Like::default(), Latency::Off)?;
    if server {
        uiautomator2::start(&served.served, uiautomator2::PORT).unwrap();
    }
    let mut phone = AdbPhone::open(&served.own.server, &served.serial, Arc::new(|| false)).unwrap();
    phone.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    Some((served, phone))
}

/// A tap on a folder and Back, again and again, and what is looked at after each; how long each takes.
fn script(phone: &mut AdbPhone, events: usize, look: impl Fn(&mut AdbPhone)) -> Vec<Duration> {
    let selector = Selector { text: Some("Documents".to_owned()), ..Selector::default() };
    let step = |number| {
        let layout = phone.observe().unwrap().layout;
        let event = match number % 2 {
            0 => Event::on(&layout, selector.clone(), Gesture::Tap).unwrap(),
            _ => Event::Key(Key::Back),
        };
        let start = Instant::now();
        phone.perform(&event).unwrap();
        look(phone);
        start.elapsed()
    };
    (0..events).map(step).collect()
}

fn median(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    (times[times.len() / 2], times[times.len() * 95 / 100])
}

fn events(server: bool) {
    let Some((_served, mut phone)) = open(server) else { return };
    let way = if server { "uiautomator2 server" } else { "uiautomator dump" };
    let layout = |phone: &mut AdbPhone| drop(phone.observe().unwrap());
    script(&mut phone, 20, layout);
    let start = Instant::now();
    let took = script(&mut phone, EVENTS, layout);
    let rate = EVENTS as f64 / start.elapsed().as_secs_f64();
    let (middle, most) = median(took);
    println!("{way}: {rate:.0} events a second; an event takes {middle:?}, {most:?} at the 95th percentile");
}

fn pictures() {
    let Some((_served, mut phone)) = open(false) else { return };
    let took = script(&mut phone, 60, |phone| drop(phone.screenshot().unwrap()));
    let (middle, most) = median(took);
    println!(
        "from a tap to the picture ({}): {middle:?}, {most:?} at the 95th percentile",
        phone.rung().word()
    );
}

/// The same script by python.
const PYTHON: &str = "
import sys, time, uiautomator2
device = uiautomator2.connect(sys.argv[1])
events = int(sys.argv[2])
def run(events):
    for number in range(events):
        if number % 2 == 0:
            device(text='Documents').click()
        else:
            device.press('back')
        device.dump_hierarchy()
run(20)
start = time.time()
run(events)
print(events / (time.time() - start))
";

fn python() {
    let Some(python) = std::env::var("TAPROOF_PYTHON").ok().filter(|path| !path.is_empty()) else {
        println!("python uiautomator2: skipped: no TAPROOF_PYTHON");
        return;
    };
    let Some((served, phone)) = open(false) else { return };
    drop(phone);
    let home = tempfile::tempdir().unwrap();
    let output = std::process::Command::new(python)
        .args(["-c", PYTHON, served.serial.as_str(), &EVENTS.to_string()])
        .env("ANDROID_ADB_SERVER_PORT", served.own.port())
        .env("HOME", home.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    match said.trim().lines().last().and_then(|rate| rate.parse::<f64>().ok()) {
        Some(rate) => println!("python uiautomator2: {rate:.0} events a second"),
        None => println!("python uiautomator2 failed: {}", String::from_utf8_lossy(&output.stderr)),
    }
}
