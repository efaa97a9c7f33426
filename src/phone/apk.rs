//! Builds and reads the APK files of bundled apps, so that tools can pull them from the phone, read their manifests,
//! and install them again. An APK is a ZIP of stored entries, of which the first names the app; the app's code is part
//! of this program.

use std::collections::BTreeSet;

use taproof_core::format::file_of_apk;

use super::app::Manifest;
use super::binary_manifest::{binary_manifest, resource_table};

/// The entry that contains the app's package.
const ENTRY: &str = "assets/taproof-app";
const MANIFEST: &str = "AndroidManifest.xml";
const RESOURCES: &str = "resources.arsc";
const LOCAL_HEADER: [u8; 4] = *b"PK\x03\x04";
const CENTRAL_HEADER: [u8; 4] = *b"PK\x01\x02";
const END_HEADER: [u8; 4] = *b"PK\x05\x06";
/// Midnight (two bytes) on 1980-01-01 (two bytes), the earliest date in a ZIP.
const DATE: [u8; 4] = [0, 0, 0x21, 0];

/// Returns the APK of an app with these string resources and this version name and code, for this API level.
pub(super) fn apk(app: &Manifest, strings: &BTreeSet<String>, version: (&str, u32), sdk: u32) -> Vec<u8> {
    zip(&[
        (ENTRY, app.package.as_bytes()),
        (MANIFEST, &binary_manifest(app, version, sdk)),
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

/// Returns the package that an APK names.
///
/// # Errors
///
/// If the file is no APK of a bundled app; what is wrong with it.
pub(super) fn package_of(bytes: &[u8]) -> Result<String, &'static str> {
    const FOREIGN: &str = "it is an app for a real phone; the bundled phone runs the bundled apps only";
    if !bytes.starts_with(&LOCAL_HEADER) {
        return Err("it is no APK");
    }
    let named = file_of_apk(bytes, ENTRY).map_err(|_| "it is cut off")?.ok_or(FOREIGN)?;
    String::from_utf8(named).map_err(|_| FOREIGN)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::apps::APPS;

    fn files() -> &'static Manifest {
        APPS[0].manifest()
    }

    fn strings() -> BTreeSet<String> {
        ["Rename", "L\u{f6}schen"].map(str::to_owned).into()
    }

    fn apk_of_files() -> Vec<u8> {
        apk(files(), &strings(), ("1.0", 1), 34)
    }

    #[test]
    fn its_activities_are_read_as_those_of_any_apk() {
        for app in APPS {
            let manifest = app.manifest();
            let apk = apk(manifest, &strings(), ("1.0", 1), 34);
            let mut declared: Vec<String> = manifest
                .activities
                .iter()
                .map(|class| format!("{0}/{0}.{class}", manifest.package))
                .collect();
            declared.sort();
            let read = taproof_core::format::manifest_of_apk(&apk).unwrap();
            assert_eq!((read.package.as_str(), read.activities), (manifest.package, declared));
            assert_eq!(taproof_core::format::strings_of_apk(&apk), Ok(strings()));
            for end in (0..apk.len()).step_by(7) {
                assert!(taproof_core::format::manifest_of_apk(&apk[..end]).is_err(), "{end}");
            }
        }
    }

    #[test]
    fn an_apk_names_its_app() {
        let bytes = apk_of_files();
        assert_eq!(package_of(&bytes), Ok("org.taproof.files".to_owned()));
        assert_eq!(package_of(&bytes[..40]), Err("it is cut off"));
        assert_eq!(package_of(b"text"), Err("it is no APK"));
        let mut foreign = bytes;
        let named: Vec<usize> =
            (0..foreign.len()).filter(|at| foreign[*at..].starts_with(ENTRY.as_bytes())).collect();
        named.iter().for_each(|at| foreign[*at] = b'x');
        assert!(package_of(&foreign).unwrap_err().contains("real phone"));
    }

    #[test]
    fn its_directory_says_where_the_entries_are() {
        let bytes = apk_of_files();
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let end = bytes.len() - 22;
        assert_eq!((&bytes[end..end + 4], &bytes[end + 8..end + 12]), (&END_HEADER[..], &[3, 0, 3, 0][..]));
        let (length, mut at) = (number(end + 12), number(end + 16));
        assert_eq!(at + length, end);
        for (name, data) in [
            (ENTRY, b"org.taproof.files".to_vec()),
            (MANIFEST, binary_manifest(files(), ("1.0", 1), 34)),
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
