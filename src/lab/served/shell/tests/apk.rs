//! APKs of other programs, written for tests: each declares one service.

use std::io::Write as _;

const MANIFEST: &[u8] = b"AndroidManifest.xml";
/// The kinds of chunks in binary XML.
const STRINGS: u16 = 0x0001;
const RESOURCE_IDS: u16 = 0x0180;
const START_ELEMENT: u16 = 0x0102;
/// The resource ids of Android's attributes `name` and `permission`.
const NAME: u32 = 0x0101_0003;
const PERMISSION: u32 = 0x0101_0006;

fn chunk(kind: u16, head: &[u8], body: &[u8]) -> Vec<u8> {
    let header = 8 + head.len() as u16;
    let length = u32::from(header) + body.len() as u32;
    [&kind.to_le_bytes()[..], &header.to_le_bytes(), &length.to_le_bytes(), head, body].concat()
}

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// An element with attributes, each as the places of its name and its value among the strings.
fn element(name: u32, attributes: &[(u32, u32)]) -> Vec<u8> {
    let mut body = words(&[u32::MAX, name]);
    body.extend([20_u16, 20, attributes.len() as u16, 0, 0, 0].iter().flat_map(|half| half.to_le_bytes()));
    for (name, value) in attributes {
        body.extend(words(&[u32::MAX, *name, *value, 0x0300_0008, *value]));
    }
    chunk(START_ELEMENT, &words(&[1, u32::MAX]), &body)
}

/// The manifest of an app with one service, with strings in UTF-8 and names that a tool has dropped.
pub fn manifest(package: &str, class: &str, permission: &str) -> Vec<u8> {
    let texts = ["", "", "package", "manifest", "service", package, class, permission];
    let (mut places, mut pool) = (Vec::new(), Vec::new());
    for text in texts {
        places.push(pool.len() as u32);
        pool.extend([text.len() as u8, text.len() as u8]);
        pool.extend(text.bytes().chain([0]));
    }
    let head = words(&[texts.len() as u32, 0, 0x100, 28 + 4 * texts.len() as u32, 0]);
    let strings = chunk(STRINGS, &head, &[words(&places), pool].concat());
    let ids = chunk(RESOURCE_IDS, &[], &words(&[NAME, PERMISSION]));
    let nodes = [element(3, &[(2, 5)]), element(4, &[(0, 6), (1, 7)])].concat();
    chunk(0x0003, &[], &[strings, ids, nodes].concat())
}

/// An APK whose packed manifest is this.
pub fn apk(manifest: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(manifest).unwrap();
    let packed = packer.finish().unwrap();
    let sizes = words(&[crc32fast::hash(manifest), packed.len() as u32, manifest.len() as u32]);
    let common = [&[20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0][..], &sizes, &[MANIFEST.len() as u8, 0, 0, 0]].concat();
    let local = [b"PK\x03\x04", &common[..], MANIFEST, &packed].concat();
    let entry = [b"PK\x01\x02\x14\x00", &common[..], &[0; 14], MANIFEST].concat();
    let end = words(&[0, 0x0001_0001, entry.len() as u32, local.len() as u32]);
    [local, entry, b"PK\x05\x06".to_vec(), end, vec![0, 0]].concat()
}

mod itself {
    use std::sync::Arc;

    use super::{apk, manifest};
    use crate::Served;
    use taproof_engine::device::AppId;
    use taproof_phone::apps::phone_with;
    use taproof_phone::{BugSet, Fonts};
    use taproof_screen::format::{ApkManifest, manifest_of_apk};

    const KEYBOARD: &str = "android.permission.BIND_INPUT_METHOD";

    fn read(apk: &[u8]) -> ApkManifest {
        manifest_of_apk(apk).unwrap()
    }

    #[test]
    fn services_are_known_by_the_permission_that_they_require() {
        let declared = read(&apk(&manifest("org.ex", ".Keys", KEYBOARD)));
        assert_eq!(declared.package, "org.ex");
        assert_eq!(declared.service_with(KEYBOARD), Some(".Keys"));
        assert_eq!(declared.service_with("android.permission.BIND_ACCESSIBILITY_SERVICE"), None);
        let other = read(&apk(&manifest("org.ex", "org.ex.Sees", "x")));
        assert_eq!(other.service_with(KEYBOARD), None);
    }

    #[test]
    fn the_manifests_of_the_bundled_apps_can_be_read() {
        let phone = phone_with(&Arc::new(Fonts::new()), "org.taproof.files", &BugSet::none());
        let served = Served::new(Box::new(phone));
        let file = served.lock().apk(&AppId("org.taproof.files".to_owned())).unwrap();
        let declared = read(&file);
        assert_eq!((&*declared.package, declared.service_with(KEYBOARD)), ("org.taproof.files", None));
    }

    #[test]
    fn damaged_files_declare_nothing_and_harm_nobody() {
        let whole = apk(&manifest("org.ex", ".Keys", KEYBOARD));
        for length in 0..whole.len() - 22 {
            assert!(manifest_of_apk(&whole[..length]).is_err(), "{length}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            drop(std::hint::black_box(manifest_of_apk(&damaged)));
        }
        let bomb = vec![0; 17 << 20];
        assert!(manifest_of_apk(&apk(&bomb)).is_err(), "larger than any manifest");
    }
}
