//! The bundled apps report which of their code is executed: every point is declared and stands in the sources
//! once, and what a device reports is what was executed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use taproof_engine::device::{AppData, AppId, Device};
use taproof_phone::apps::{APPS, Apps, phone_with};
use taproof_phone::{BugSet, Fonts};
use taproof_screen::{CodePoint, Event, Gesture, Key, Selector};

/// The texts in quotes that look like a point of the app.
fn named_in(source: &str, app: &str) -> Vec<String> {
    let prefix = format!("{app}.");
    let texts = source.split('"').filter(|text| text.starts_with(&prefix));
    let plain = |text: &&str| text.chars().all(|c| c.is_ascii_lowercase() || c == '.' || c == '-');
    texts.filter(plain).map(str::to_owned).collect()
}

#[test]
fn every_point_is_declared_and_named_once() {
    for app in APPS {
        let declared = app.manifest().points;
        assert!((60..=160).contains(&declared.len()), "{}: {}", app.short_name(), declared.len());
        assert!(declared.is_sorted_by(|one, next| one < next), "{}: not sorted", app.short_name());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/phone/apps");
        let mut named: BTreeMap<String, usize> = BTreeMap::new();
        for file in std::fs::read_dir(folder.join(app.short_name())).unwrap() {
            let path = file.unwrap().path();
            if path.is_dir() || path.file_name().is_some_and(|name| name == "tests.rs") {
                continue;
            }
            for point in named_in(&std::fs::read_to_string(&path).unwrap(), app.short_name()) {
                *named.entry(point).or_default() += 1;
            }
        }
        let twice: Vec<_> = named.iter().filter(|(_, count)| **count > 1).collect();
        assert!(twice.is_empty(), "{}: {twice:?}", app.short_name());
        let named: Vec<&str> = named.keys().map(String::as_str).collect();
        assert_eq!(named, declared, "{}", app.short_name());
    }
}

fn points(phone: &mut impl Device) -> Vec<&'static str> {
    let points = Apps::default().find("files").unwrap().manifest().points;
    let executed = phone.take_coverage().unwrap();
    executed.into_iter().map(|CodePoint(place)| points[place as usize]).collect()
}

#[test]
fn a_device_reports_what_was_executed_and_a_restored_snapshot_takes_nothing_back() {
    let fonts = Arc::new(Fonts::new());
    let mut phone = phone_with(&fonts, "org.taproof.files", &BugSet::none());
    assert_eq!((phone.code_points(), phone.take_coverage().unwrap()), (0, Vec::new()), "no app was launched");
    phone.launch(&AppId("org.taproof.files".to_owned()), AppData::Clear).unwrap();
    assert_eq!(phone.code_points() as usize, Apps::default().find("files").unwrap().manifest().points.len());
    phone.take_coverage().unwrap();
    let saved = phone.save_snapshot().unwrap();
    let tap = |phone: &mut taproof_phone::Phone, desc: &str| {
        let selector = Selector { content_desc: Some(desc.to_owned()), ..Selector::default() };
        let layout = phone.observe().unwrap().layout;
        phone.perform(&Event::on(&layout, selector, Gesture::Tap).unwrap()).unwrap();
        phone.observe().unwrap();
    };
    tap(&mut phone, "Open navigation drawer");
    phone.restore_snapshot(saved).unwrap();
    phone.observe().unwrap();
    assert_eq!(points(&mut phone), ["files.browser.drawer-open", "files.view.drawer"]);
    assert!(points(&mut phone).is_empty(), "it was taken");
    tap(&mut phone, "Create");
    tap(&mut phone, "Create");
    phone.perform(&Event::Key(Key::Back)).unwrap();
    let executed = points(&mut phone);
    assert_eq!(executed, ["files.back.app", "files.browser.create", "files.browser.create-closed"]);
}
