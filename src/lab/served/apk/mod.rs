//! Builds the APK files of bundled apps, so that tools can pull them from the phone, read their manifests, and install
//! them again. An APK is a ZIP of stored entries, of which the first names the app; the app's code is part
//! of this program.

mod binary_manifest;
pub(crate) mod component;
pub(crate) mod helpers;
pub(crate) mod packages;

pub use component::Component;
pub use helpers::Helper;

use std::collections::BTreeSet;

use super::State;
use binary_manifest::{binary_manifest, resource_table};
use taproof_engine::device::{AppFile, AppId, DeviceError, InstalledApp};
use taproof_phone::APK_ENTRY;

const MANIFEST: &str = "AndroidManifest.xml";
const RESOURCES: &str = "resources.arsc";
const LOCAL_HEADER: [u8; 4] = *b"PK\x03\x04";
const CENTRAL_HEADER: [u8; 4] = *b"PK\x01\x02";
const END_HEADER: [u8; 4] = *b"PK\x05\x06";
/// Midnight (two bytes) on 1980-01-01 (two bytes), the earliest date in a ZIP.
const DATE: [u8; 4] = [0, 0, 0x21, 0];

impl State {
    /// Returns the APK of an installed app.
    ///
    /// # Errors
    ///
    /// If the app is not installed, or the device does not give its file.
    pub fn apk(&mut self, app: &AppId) -> Result<Vec<u8>, DeviceError> {
        let (activities, strings) = match self.device.app_file(app)? {
            AppFile::Apk(apk) => return Ok(apk),
            AppFile::Declared { activities, strings } => (activities, strings),
        };
        let apps = self.device.apps()?;
        let info = self.device.info();
        match apps.iter().find(|installed| installed.id == *app) {
            Some(installed) => Ok(apk(installed, &activities, &strings, info.sdk)),
            None => Err(info.not_installed(app, &[])),
        }
    }
}

/// Returns the APK of an app with these activities and string resources, for this API level.
fn apk(app: &InstalledApp, activities: &[String], strings: &BTreeSet<String>, sdk: u32) -> Vec<u8> {
    zip(&[
        (APK_ENTRY, app.id.0.as_bytes()),
        (MANIFEST, &binary_manifest(app, activities, sdk)),
        (RESOURCES, &resource_table(strings)),
    ])
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut files, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in entries {
        let name = name.as_bytes();
        // Version 2.0, no flags, stored; then time, checksum, both sizes, lengths of the name and of the extra field.
        let mut common = vec![20, 0, 0, 0, 0, 0];
        common.extend(DATE);
        common.extend(crc32fast::hash(data).to_le_bytes());
        common.extend((data.len() as u32).to_le_bytes());
        common.extend((data.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        let place = (files.len() as u32).to_le_bytes();
        files.extend([&LOCAL_HEADER[..], &common, name, data].concat());
        // Comment length, disk and attributes are zero.
        directory.extend([&CENTRAL_HEADER[..], &[20, 0], &common, &[0; 10], &place, name].concat());
    }
    let mut end = END_HEADER.to_vec();
    let count = (entries.len() as u16).to_le_bytes();
    end.extend([[0, 0], [0, 0], count, count].concat());
    end.extend((directory.len() as u32).to_le_bytes());
    end.extend((files.len() as u32).to_le_bytes());
    end.extend([0, 0]);
    [files, directory, end].concat()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Served;
    use taproof_engine::device::Device as _;
    use taproof_phone::apps::{APPS, phone_with};
    use taproof_phone::{BugSet, Fonts};
    use taproof_screen::format::{manifest_of_apk, strings_of_apk};

    fn strings() -> BTreeSet<String> {
        ["Rename", "L\u{f6}schen"].map(str::to_owned).into()
    }

    fn files() -> InstalledApp {
        InstalledApp {
            id: AppId("org.taproof.files".to_owned()),
            label: "Files".to_owned(),
            activity: "org.taproof.files.Main".to_owned(),
            version: "1.0".to_owned(),
            version_code: 1,
            permissions: vec![("android.permission.CAMERA".to_owned(), true)],
            pid: None,
        }
    }

    fn activities() -> [String; 1] {
        ["org.taproof.files/org.taproof.files.Main".to_owned()]
    }

    #[test]
    fn the_apks_of_the_bundled_apps_declare_what_the_phone_does_and_name_their_apps() {
        for app in APPS {
            let id = AppId(app.manifest().package.to_owned());
            let mut phone = phone_with(&Arc::new(Fonts::new()), &id.0, &BugSet::none());
            let file = phone.app_file(&id).unwrap();
            let served = Served::new(Box::new(phone));
            let apk = served.lock().apk(&id).unwrap();
            let read = manifest_of_apk(&apk).unwrap();
            assert_eq!((&read.package, read.activities), (&id.0, file.clone().activities().unwrap()));
            assert_eq!(strings_of_apk(&apk).unwrap(), file.strings().unwrap());
            for end in (0..apk.len()).step_by(7) {
                assert!(manifest_of_apk(&apk[..end]).is_err(), "{end}");
            }
            let install = |apk: &[u8]| served.lock().device.install(apk);
            assert_eq!(install(&apk).unwrap(), id);
            let refused = |apk: &[u8]| install(apk).unwrap_err().to_string();
            assert!(refused(&apk[..40]).contains("it is no ZIP"));
            assert!(refused(b"text").contains("it is no APK"));
            let mut foreign = apk;
            let named: Vec<usize> =
                (0..foreign.len()).filter(|at| foreign[*at..].starts_with(APK_ENTRY.as_bytes())).collect();
            named.iter().for_each(|at| foreign[*at] = b'x');
            assert!(refused(&foreign).contains("real phone"));
        }
    }

    #[test]
    fn its_directory_says_where_the_entries_are() {
        let bytes = apk(&files(), &activities(), &strings(), 34);
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let end = bytes.len() - 22;
        assert_eq!((&bytes[end..end + 4], &bytes[end + 8..end + 12]), (&END_HEADER[..], &[3, 0, 3, 0][..]));
        let (length, mut at) = (number(end + 12), number(end + 16));
        assert_eq!(at + length, end);
        for (name, data) in [
            (APK_ENTRY, b"org.taproof.files".to_vec()),
            (MANIFEST, binary_manifest(&files(), &activities(), 34)),
            (RESOURCES, resource_table(&strings())),
        ] {
            assert_eq!(bytes[at..at + 4], CENTRAL_HEADER);
            let local = number(at + 42);
            assert_eq!(bytes[local..local + 4], LOCAL_HEADER);
            // The common parts of both headers are equal.
            assert_eq!(bytes[at + 6..at + 32], bytes[local + 4..local + 30]);
            let text = [name.as_bytes(), &data].concat();
            assert_eq!(bytes[local + 30..local + 30 + text.len()], text);
            assert_eq!(&bytes[at + 46..at + 46 + name.len()], name.as_bytes());
            assert_eq!(number(local + 14), crc32fast::hash(&data) as usize);
            at += 46 + name.len();
        }
        assert_eq!(at, end);
    }
}
