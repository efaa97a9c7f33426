//! One contract for every device: the bundled phone in the process and through real adb, as a new device and as an old
//! one, by shell commands, a uiautomator2 server and the agent; walks that were recorded on a real phone; and a trace.

use std::sync::Arc;

use taproof_adb::{AdbPhone, ControlMethod};
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceSource, RecordedDevice};
use taproof_phone::BundledPhones;
use taproof_screen::Event;
use taproof_served::{Latency, Like, Served, uiautomator2};

use taproof_testing::device::adb::{listen, services};
use taproof_testing::device::device_contract::{Extent, check};
use taproof_testing::device::small_server;

const FILES: &str = "org.taproof.files";

fn bundled(app: &str) -> Box<dyn Device> {
    BundledPhones::new(app, &Build::Sound).fresh().unwrap()
}

#[test]
fn the_bundled_phone() {
    for app in [FILES, "org.taproof.notes", "org.taproof.diary", "org.taproof.tasks"] {
        check(&mut *bundled(app), &AppId(app.to_owned()), Extent::Device);
    }
}

fn through_adb(like: Like, latency: Latency, by: ControlMethod) {
    let served = Arc::new(Served::with(bundled(FILES), like, latency));
    if by == ControlMethod::Uiautomator2 {
        uiautomator2::start(&served, uiautomator2::PORT).unwrap();
    }
    let phone = listen(&services(&served), 0);
    let address = phone.address();
    let server = small_server::serve(address);
    let mut device = AdbPhone::open(&server, &address.to_string(), by, Arc::new(|| false)).unwrap();
    check(&mut device, &AppId(FILES.to_owned()), Extent::Device);
    assert!(!served.lock().rebooted, "a text ran");
}

#[test]
fn through_adb_as_a_new_device() {
    through_adb(Like::Android14, Latency::Off, ControlMethod::Shell);
}

#[test]
fn through_adb_as_an_old_device() {
    through_adb(Like::Android44, Latency::Off, ControlMethod::Shell);
}

#[test]
#[ignore = "takes long"]
fn through_adb_where_dumps_are_dear() {
    through_adb(Like::Android44, Latency::Told, ControlMethod::Shell);
}

#[test]
fn through_the_uiautomator2_server() {
    through_adb(Like::Android14, Latency::Off, ControlMethod::Uiautomator2);
}

#[test]
fn through_the_agent() {
    through_adb(Like::Android14, Latency::Off, ControlMethod::Agent);
}

#[test]
fn through_the_agent_of_an_old_device() {
    through_adb(Like::Android44, Latency::Told, ControlMethod::Agent);
}

#[test]
fn walks_recorded_on_a_real_phone() {
    let Some(data) = taproof_testing::data() else { return };
    let mut walks: Vec<_> =
        std::fs::read_dir(data.join("android44/walks")).unwrap().map(|entry| entry.unwrap().path()).collect();
    walks.sort();
    assert!(walks.len() >= 4, "{walks:?}");
    for walk in walks {
        let mut device = RecordedDevice::open(&walk).unwrap();
        let app = device.app().clone();
        check(&mut device, &app, Extent::Device);
        device.launch(&app, AppData::Clear).unwrap();
        for step in 0..device.len() {
            let event = device.events()[step].event.clone();
            let nowhere = device.events()[step].touched.is_none() && matches!(event, Event::Widget { .. });
            device.perform(&event).unwrap();
            assert_eq!(device.position(), step + usize::from(!nowhere), "{}: {event:?}", walk.display());
            device.seek(step + 1);
            let frame = device.observe().unwrap();
            assert_eq!(device.screenshot().unwrap().size, frame.layout.screen(), "{} {step}", walk.display());
        }
        assert_eq!(device.position(), device.len());
        device.perform(&Event::Relaunch).unwrap();
        assert_eq!(device.position(), 0);
    }
}
