//! Permissions that are taken from an app through adb, and granted again.

use std::sync::Arc;

use taproof_adb::{AdbPhone, AdbPhones, ControlMethod, put_settings_back};
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceError, DeviceSource};
use taproof_screen::{Event, SystemEvent};
use taproof_served::{Latency, Like};

use taproof_testing::device::adb::ServedPhone;

const DIARY: &str = "org.taproof.diary";
const CAMERA: &str = "org.taproof.diary android.permission.CAMERA";
const REVOKE: Event = Event::System(SystemEvent::RevokePermission);
const GRANT: Event = Event::System(SystemEvent::GrantPermission);

fn granted(phone: &ServedPhone) -> bool {
    let package = phone.text(&["shell", "dumpsys package org.taproof.diary"]);
    let stated = |granted: bool| package.contains(&format!("android.permission.CAMERA: granted={granted}"));
    assert_ne!(stated(true), stated(false), "{package}");
    stated(true)
}

fn opened(phone: &ServedPhone, by: ControlMethod) -> AdbPhone {
    AdbPhone::open(&phone.own.server, &phone.serial, by, Arc::new(|| false)).unwrap()
}

#[test]
fn what_is_taken_from_an_app_is_noted_and_granted_again() {
    for by in [ControlMethod::Agent, ControlMethod::Shell] {
        let Some(phone) = ServedPhone::new(DIARY) else { return };
        let mut device = opened(&phone, by);
        device.launch(&AppId(DIARY.to_owned()), AppData::Clear).unwrap();
        assert_eq!((granted(&phone), device.holds_permissions()), (true, Ok(true)), "{by:?}");
        device.perform(&REVOKE).unwrap();
        assert_eq!((granted(&phone), device.holds_permissions()), (false, Ok(false)), "{by:?}");
        let noted = phone.text(&["shell", "cat /data/local/tmp/taproof-journal"]);
        assert!(noted.contains("was =grant org.taproof.diary/android.permission.CAMERA"), "{noted}");
        device.perform(&GRANT).unwrap();
        assert_eq!((granted(&phone), device.holds_permissions()), (true, Ok(true)), "{by:?}");
        assert_eq!(device.observe().unwrap().layout.package(), DIARY);
        phone.text(&["shell", &format!("pm revoke {CAMERA}")]);
        device.perform(&GRANT).unwrap();
        assert!(!granted(&phone), "the user has taken it since");
    }
}

#[test]
fn an_app_with_kept_data_has_its_permissions_at_the_end() {
    let Some(phone) = ServedPhone::new(DIARY) else { return };
    phone.text(&["shell", &format!("pm grant {CAMERA}")]);
    let mut campaign = AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(ControlMethod::Shell);
    let mut device = campaign.fresh().unwrap();
    device.launch(&AppId(DIARY.to_owned()), AppData::Keep).unwrap();
    device.perform(&REVOKE).unwrap();
    assert!(!granted(&phone));
    drop(device);
    drop(campaign);
    assert!(granted(&phone));
}

/// A phone that no person has open leaves its settings to the campaign, which a kill ends.
#[test]
fn whoever_comes_after_a_kill_grants_what_was_taken() {
    let Some(phone) = ServedPhone::new(DIARY) else { return };
    let mut device = opened(&phone, ControlMethod::Shell);
    device.launch(&AppId(DIARY.to_owned()), AppData::Clear).unwrap();
    device.perform(&REVOKE).unwrap();
    drop(device);
    assert!(!granted(&phone));
    assert_eq!(put_settings_back(&phone.link(), None, &|_| false, &|| false), Ok(true));
    assert!(granted(&phone));
}

#[test]
fn before_android_6_an_app_has_no_permission_to_lose() {
    let Some(phone) = ServedPhone::with(DIARY, &Build::Faulty, Like::Android44, Latency::Off) else { return };
    let mut device = opened(&phone, ControlMethod::Shell);
    device.launch(&AppId(DIARY.to_owned()), AppData::Clear).unwrap();
    assert_eq!(device.holds_permissions(), Ok(false));
    for event in [REVOKE, GRANT] {
        let error = device.perform(&event).unwrap_err();
        assert!(matches!(error, DeviceError::Unsupported { .. }), "{error}");
        assert!(error.to_string().ends_with("that needs Android 6"), "{error}");
    }
}
