//! Phones that are off, locked, or forbid adb something, through real adb: each is woken, or says in words what a person
//! is to do. None is silent.

use std::sync::{Arc, Mutex};

use taproof_adb::{AdbPhone, AdbPhones, ControlMethod, DeviceLeft, put_settings_back};
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceError, DeviceSource};
use taproof_screen::{AppHealth, Event, Gesture, Key, Selector, SystemEvent};
use taproof_served::{Latency, Like, Lock};

use taproof_testing::device::adb::ServedPhone;

const FILES: &str = "org.taproof.files";
const DIARY: &str = "org.taproof.diary";
const CAMERA: &str = "android.permission.CAMERA";

fn open(phone: &ServedPhone) -> Result<AdbPhone, DeviceError> {
    AdbPhone::open(&phone.own.server, &phone.serial, ControlMethod::Uiautomator2, Arc::new(|| false))
}

fn launch(device: &mut AdbPhone, app: &str, data: AppData) -> Result<(), DeviceError> {
    device.launch(&AppId(app.to_owned()), data)
}

fn forbidden(done: Result<(), DeviceError>, what: &str) {
    let error = done.unwrap_err();
    assert!(matches!(error, DeviceError::Forbidden { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains(what) && text.contains("USB debugging (Security settings)"), "{text}");
}

fn wakes(like: Like) {
    let Some(phone) = ServedPhone::with(FILES, &Build::Sound, like, Latency::default()) else { return };
    let mut device = open(&phone).unwrap();
    for (awake, lock) in [(false, Lock::Open), (true, Lock::Swipe), (false, Lock::Swipe)] {
        {
            let mut state = phone.served.lock();
            state.awake = awake;
            state.faults.lock = lock;
        }
        launch(&mut device, FILES, AppData::Keep).unwrap();
        let state = phone.served.lock();
        assert_eq!((state.awake, state.faults.lock), (true, Lock::Open), "{awake} {lock:?}");
    }
    assert_eq!(device.observe().unwrap().health, AppHealth::Running);
}

#[test]
fn a_screen_that_is_off_or_locked_is_woken() {
    wakes(Like::default());
}

#[test]
fn an_old_one_too() {
    wakes(Like::Android44);
}

#[test]
fn one_with_a_code_is_for_its_owner_to_unlock() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let mut device = open(&phone).unwrap();
    phone.served.lock().faults.lock = Lock::Secret;
    let error = launch(&mut device, FILES, AppData::Keep).unwrap_err();
    assert!(matches!(error, DeviceError::Locked { .. }), "{error}");
    assert!(error.to_string().contains("PIN") && error.to_string().contains("unlock it and try again"));
    phone.served.lock().faults.lock = Lock::Open;
    launch(&mut device, FILES, AppData::Keep).unwrap();
}

#[test]
fn touches_that_are_forbidden_are_no_silence() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let mut device = open(&phone).unwrap();
    launch(&mut device, FILES, AppData::Clear).unwrap();
    let layout = device.observe().unwrap().layout;
    let documents = Selector { text: Some("Documents".to_owned()), ..Selector::default() };
    let tap = Event::on(&layout, documents, Gesture::Tap).unwrap();
    phone.served.lock().faults.forbids.input = true;
    forbidden(device.perform(&tap), "touch its screen");
    forbidden(device.perform(&Event::Key(Key::Back)), "touch its screen");
    forbidden(device.perform(&Event::Type("x".to_owned())), "touch its screen");
    phone.served.lock().faults.forbids.input = false;
    device.perform(&tap).unwrap();
    assert_ne!(device.observe().unwrap().layout, layout);
}

#[test]
fn settings_and_data_that_are_forbidden_are_said_so() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let mut device = open(&phone).unwrap();
    phone.served.lock().faults.forbids.clearing = true;
    forbidden(launch(&mut device, FILES, AppData::Clear), "clear the data of apps");
    phone.served.lock().faults.forbids.settings = true;
    forbidden(device.perform(&Event::Rotate), "change its settings");
    // What cannot be put back now is known until it can.
    let animations = || phone.text(&["shell", "settings get global window_animation_scale"]);
    drop(device.alone());
    assert_eq!(animations().trim(), "0");
    phone.served.lock().faults.forbids.settings = false;
    assert_eq!(put_settings_back(&phone.link(), None, &|_| false, &|| false), Ok(true));
    assert_ne!(animations().trim(), "0");
    phone.served.lock().faults.forbids.settings = true;
    forbidden(open(&phone).map(|_| ()), "change its settings");
}

#[test]
fn an_install_that_is_forbidden_names_the_switch() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let mut device = open(&phone).unwrap();
    let apk = phone.served.lock().apk(&AppId(FILES.to_owned())).unwrap();
    phone.served.lock().faults.forbids.installing = true;
    let error = device.install(&apk).unwrap_err().to_string();
    assert!(error.contains("Install via USB") && error.contains("INSTALL_FAILED_USER_RESTRICTED"), "{error}");
}

fn has_camera(phone: &ServedPhone) -> bool {
    phone.served.lock().app(DIARY).unwrap().permissions.iter().any(|(name, given)| name == CAMERA && *given)
}

#[test]
fn a_clean_start_gives_the_app_its_permissions() {
    let Some(phone) = ServedPhone::new(DIARY) else { return };
    let mut device = open(&phone).unwrap();
    assert!(!has_camera(&phone));
    phone.served.lock().faults.forbids.granting = true;
    launch(&mut device, DIARY, AppData::Clear).unwrap();
    assert!(!has_camera(&phone), "one that is not given is no failure");
    phone.served.lock().faults.forbids.granting = false;
    let mut other = open(&phone).unwrap();
    launch(&mut other, DIARY, AppData::Clear).unwrap();
    assert!(has_camera(&phone));
}

#[test]
fn a_foreign_app_in_front_is_left_again() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let mut device = open(&phone).unwrap();
    launch(&mut device, FILES, AppData::Clear).unwrap();
    phone.text(&["shell", "am", "start", "-n", "org.taproof.notes/.MainActivity"]);
    phone.text(&["shell", "monkey", "-p", "org.taproof.notes", "1"]);
    device.perform(&Event::Wait(taproof_screen::DeviceDuration(100))).unwrap();
    assert!(matches!(device.observe().unwrap().health, AppHealth::LeftApp(_)));
    device.perform(&Event::Relaunch).unwrap();
    assert_eq!(device.observe().unwrap().health, AppHealth::Running);
}

#[test]
fn keys_of_a_device_that_was_never_set_up_are_tried_once_and_left_out() {
    for (like, by) in [
        (Like::Android44, ControlMethod::Shell),
        (Like::Android44, ControlMethod::Agent),
        (Like::Android14, ControlMethod::Agent),
    ] {
        let Some(phone) = ServedPhone::with(FILES, &Build::Sound, like, Latency::default()) else { return };
        phone.text(&["shell", "settings put secure user_setup_complete 0"]);
        let mut phones = AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(by);
        for _ in 0..2 {
            let mut device = phones.fresh().unwrap();
            device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
            let starts = phone.served.lock().machine_starts;
            for event in [
                Event::Key(Key::Home),
                Event::Key(Key::Back),
                Event::System(SystemEvent::Background),
                Event::System(SystemEvent::ProcessDeath),
            ] {
                let refused = device.perform(&event).unwrap_err();
                assert!(matches!(refused, DeviceError::Unsupported { .. }), "{refused}");
                assert!(
                    refused.to_string().contains("settings put secure user_setup_complete 1"),
                    "{refused}"
                );
            }
            assert_eq!(
                phone.served.lock().machine_starts,
                starts,
                "{like:?} {by:?}: nothing was tried again"
            );
        }
    }
}

#[test]
fn what_is_not_put_back_is_told_and_what_a_killed_run_left_as_well() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let told = Arc::new(Mutex::new(Vec::new()));
    let phones = || {
        let told = Arc::clone(&told);
        let tell = Arc::new(move |left: DeviceLeft| told.lock().unwrap().push(left.to_string()));
        AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Shell).telling(tell)
    };
    let mut first = phones();
    drop(first.fresh().unwrap());
    phone.served.lock().faults.forbids.settings = true;
    drop(first);
    let said = std::mem::take(&mut *told.lock().unwrap());
    let [said] = &said[..] else { panic!("{said:?}") };
    assert!(
        said.contains("window_animation_scale") && said.contains("/data/local/tmp/taproof-journal"),
        "{said}"
    );
    phone.served.lock().faults.forbids.settings = false;
    drop(phones().fresh().unwrap());
    assert_eq!(*told.lock().unwrap(), Vec::<String>::new(), "all was put back");
    phone.text(&["shell", "echo 'was =1 window_animation_scale' >/data/local/tmp/taproof-journal"]);
    let warned = |device: &mut dyn Device| {
        device.take_warnings().iter().any(|warning| warning.problem.contains("had left 1 change"))
    };
    let mut next = phones();
    assert!(warned(&mut *next.fresh().unwrap()));
    assert!(!warned(&mut *next.fresh().unwrap()), "it is told once");
}
