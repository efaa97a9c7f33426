//! Apps installed through real adb: by the program, and by the window.

use taproof_testing::device::adb;

use std::process::{Command, Output};

use taproof_adb::install_app;
use taproof_engine::device::{AppId, Build, DeviceError};
use taproof_served::{Latency, Like};

use taproof_testing::device::adb::ServedPhone;

const FILES: &str = "org.taproof.files";
const NOTES: &str = "org.taproof.notes";

fn apk(phone: &ServedPhone, app: &str) -> Vec<u8> {
    phone.served.lock().apk(&AppId(app.to_owned())).unwrap()
}

fn taproof(phone: &ServedPhone, words: &[&str]) -> Command {
    let mut command = Command::new(taproof_testing::program::path());
    command.args(words).env("ANDROID_ADB_SERVER_PORT", phone.own.port()).env_remove("ANDROID_SERIAL");
    command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

#[test]
fn an_install_names_its_app_on_every_android() {
    for like in Like::ALL {
        let Some(phone) = ServedPhone::with(FILES, &Build::Sound, like, Latency::default()) else { return };
        for app in [NOTES, FILES, NOTES] {
            let installed = install_app(&phone.link(), &apk(&phone, app), &|| false).unwrap();
            assert_eq!(installed.0, app, "{like:?}");
        }
        let error = install_app(&phone.link(), b"no zip", &|| false).unwrap_err();
        assert!(matches!(error, DeviceError::NotInstallable { .. }), "{error}");
        let error = install_app(&phone.link(), b"PK\x03\x04 and no app", &|| false).unwrap_err();
        assert!(error.to_string().contains("cannot install this file"), "{error}");
        let left = phone.link().shell("ls /data/local/tmp", &adb::patience()).unwrap().text();
        assert!(!left.contains(".apk"), "{left}");
    }
}

#[test]
fn the_command_installs_where_there_is_no_doubt() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.apk");
    std::fs::write(&file, apk(&phone, NOTES)).unwrap();
    let file = file.to_str().unwrap();
    let install = ["devices", "install", file];
    let done = format!("Installed {NOTES} on {}.\n", phone.serial);
    let alone = taproof(&phone, &install).output().unwrap();
    assert_eq!((alone.status.code(), said(&alone)), (Some(0), done.clone()));
    let listener = adb::listen(&adb::services(&phone.served), 0);
    let other = listener.address().to_string();
    phone.own.server.connect(&other, &adb::patience()).unwrap();
    let doubt = taproof(&phone, &install).output().unwrap();
    assert_eq!(doubt.status.code(), Some(2), "{}", said(&doubt));
    assert!(said(&doubt).contains("--device") && said(&doubt).contains(&other), "{}", said(&doubt));
    let named = taproof(&phone, &install).args(["--device", &phone.serial]).output().unwrap();
    assert_eq!(said(&named), done);
    let variable = taproof(&phone, &install).env("ANDROID_SERIAL", &phone.serial).output().unwrap();
    assert_eq!(said(&variable), done);
    phone.served.lock().faults.forbids.installing = true;
    let refused = taproof(&phone, &install).args(["--device", &phone.serial]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("Install via USB"), "{}", said(&refused));
    let missing = taproof(&phone, &["devices", "install", "no such.apk"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2), "{}", said(&missing));
}
