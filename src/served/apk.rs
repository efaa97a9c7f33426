//! What an APK of another program declares about itself: its package and its services. An APK is a ZIP whose entry
//! `AndroidManifest.xml` is in Android's binary XML (`ResourceTypes.h`). All numbers are little-endian.

use std::io::Read as _;

use flate2::read::DeflateDecoder;

use super::component::Component;

const MANIFEST: &[u8] = b"AndroidManifest.xml";
/// Limit on the size of a manifest in bytes. Those of large apps have some 300 KiB.
const LARGEST_MANIFEST: u64 = 4 << 20;
/// The length of the longest end of a ZIP: the record with a comment of 65,535 bytes.
const LONGEST_END: usize = 22 + 0xffff;

/// The kinds of chunks in binary XML.
const STRINGS: u16 = 0x0001;
const RESOURCE_IDS: u16 = 0x0180;
const START_ELEMENT: u16 = 0x0102;

/// The resource ids of Android's attributes `name` and `permission`.
const NAME: u32 = 0x0101_0003;
const PERMISSION: u32 = 0x0101_0006;

/// What the manifest of an APK declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Declared {
    pub package: String,
    /// The class and the permission of each service, in the order of the manifest.
    services: Vec<(String, String)>,
}

impl Declared {
    /// Reads the manifest of an APK; `None` if the file is not one, or damaged.
    pub fn by(apk: &[u8]) -> Option<Declared> {
        Declared::in_manifest(&manifest_of(apk)?)
    }

    /// The first input method that it contains.
    pub fn keyboard(&self) -> Option<Component> {
        self.service_with("android.permission.BIND_INPUT_METHOD")
    }

    /// The first accessibility service that it contains.
    pub fn accessibility_service(&self) -> Option<Component> {
        self.service_with("android.permission.BIND_ACCESSIBILITY_SERVICE")
    }

    /// The first service that only holders of this permission may bind, as the system requires of some kinds.
    fn service_with(&self, permission: &str) -> Option<Component> {
        let found = self.services.iter().find(|(_, required)| required == permission);
        found.map(|(class, _)| Component::new(&self.package, class))
    }

    fn in_manifest(xml: &[u8]) -> Option<Declared> {
        let mut declared = Declared::default();
        let (mut strings, mut ids) = (Vec::new(), Vec::new());
        // The document is a chunk whose header of eight bytes is followed by the others.
        let mut rest = xml.get(8..)?;
        while let Some((kind, chunk)) = first_chunk(rest) {
            rest = rest.get(chunk.len()..)?;
            match kind {
                STRINGS if strings.is_empty() => strings = strings_of(chunk)?,
                RESOURCE_IDS => ids = chunk.get(8..)?.chunks_exact(4).filter_map(|id| word(id, 0)).collect(),
                START_ELEMENT => {
                    let element = Element { chunk, strings: &strings, ids: &ids };
                    match element.name() {
                        Some("manifest") => declared.package = element.text("package", None)?.to_owned(),
                        Some("service") => {
                            let class = element.text("name", Some(NAME)).unwrap_or_default();
                            let permission = element.text("permission", Some(PERMISSION)).unwrap_or_default();
                            declared.services.push((class.to_owned(), permission.to_owned()));
                        }
                        Some(_) | None => {}
                    }
                }
                _ => {}
            }
        }
        (!declared.package.is_empty()).then_some(declared)
    }
}

/// A chunk that begins an element.
struct Element<'a> {
    chunk: &'a [u8],
    strings: &'a [String],
    /// The resource ids of the first strings, which are names of attributes.
    ids: &'a [u32],
}

impl<'a> Element<'a> {
    fn string(&self, at: usize) -> Option<&'a str> {
        self.strings.get(word(self.chunk, at)? as usize).map(String::as_str)
    }

    fn name(&self) -> Option<&'a str> {
        self.string(20)
    }

    /// The value of an attribute with this name or, as tools may drop names, this resource id; `None` if it is missing
    /// or no string.
    fn text(&self, name: &str, id: Option<u32>) -> Option<&'a str> {
        // The offset of the attributes counts from byte 16; each has its own length.
        let first = 16 + usize::from(half(self.chunk, 24)?);
        let length = usize::from(half(self.chunk, 26)?).max(20);
        let count = usize::from(half(self.chunk, 28)?);
        let mut places = (0..count).map(|index| first + index * length);
        let place = places.find(|place| {
            let Some(index) = word(self.chunk, place + 4) else { return false };
            let index = index as usize;
            match self.ids.get(index) {
                Some(known) => Some(*known) == id,
                None => self.strings.get(index).is_some_and(|known| known == name),
            }
        })?;
        self.string(place + 8)
    }
}

/// The first chunk with its kind; `None` at the end, and where the lengths make no sense.
fn first_chunk(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let length = word(bytes, 4)? as usize;
    Some((half(bytes, 0)?, bytes.get(..length).filter(|_| length >= 8)?))
}

fn strings_of(chunk: &[u8]) -> Option<Vec<String>> {
    const UTF8: u32 = 0x100;
    let (count, flags, start) = (word(chunk, 8)?, word(chunk, 16)?, word(chunk, 20)? as usize);
    let places = chunk.get(28..)?.chunks_exact(4).take(count as usize);
    let text = |place: &[u8]| {
        let text = chunk.get(start.checked_add(word(place, 0)? as usize)?..)?;
        if flags & UTF8 == 0 { utf16(text) } else { utf8(text) }
    };
    // The strings of a damaged pool keep their places.
    Some(places.map(|place| text(place).unwrap_or_default()).collect())
}

/// A string of UTF-16 behind its length of one unit or, with the highest bit set, two.
fn utf16(text: &[u8]) -> Option<String> {
    let first = usize::from(half(text, 0)?);
    let (length, start): (usize, usize) = match first & 0x8000 {
        0 => (first, 2),
        _ => ((first & 0x7fff) << 16 | usize::from(half(text, 2)?), 4),
    };
    let bytes = text.get(start..start.checked_add(2 * length)?)?;
    let units = bytes.chunks_exact(2).filter_map(|unit| half(unit, 0));
    Some(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// A string of UTF-8 behind its length in UTF-16 and in bytes, each of one byte or, with the highest bit set, two.
fn utf8(text: &[u8]) -> Option<String> {
    let behind = |at: usize| text.get(at).map(|byte| at + if byte & 0x80 == 0 { 1 } else { 2 });
    let lengths = behind(0)?;
    let start = behind(lengths)?;
    let first = usize::from(*text.get(lengths)?);
    let length = match start - lengths {
        1 => first,
        _ => (first & 0x7f) << 8 | usize::from(*text.get(lengths + 1)?),
    };
    Some(String::from_utf8_lossy(text.get(start..start.checked_add(length)?)?).into_owned())
}

/// The manifest in a ZIP, unpacked; `None` if there is none, or one that is damaged or too large.
fn manifest_of(zip: &[u8]) -> Option<Vec<u8>> {
    const STORED: u16 = 0;
    const DEFLATED: u16 = 8;
    let tail = zip.len().saturating_sub(LONGEST_END);
    let end = tail + zip.get(tail..)?.windows(4).rposition(|head| head == b"PK\x05\x06")?;
    let mut at = word(zip, end + 16)? as usize;
    let entry = loop {
        let entry = zip.get(at..).filter(|entry| entry.starts_with(b"PK\x01\x02"))?;
        let lengths = [half(entry, 28)?, half(entry, 30)?, half(entry, 32)?].map(usize::from);
        if entry.get(46..46 + lengths[0])? == MANIFEST {
            break entry;
        }
        at += 46 + lengths.iter().sum::<usize>();
    };
    let local = zip.get(word(entry, 42)? as usize..).filter(|local| local.starts_with(b"PK\x03\x04"))?;
    let start = 30 + usize::from(half(local, 26)?) + usize::from(half(local, 28)?);
    let data = local.get(start..start.checked_add(word(entry, 20)? as usize)?)?;
    match half(entry, 10)? {
        STORED => Some(data.to_vec()),
        DEFLATED => {
            let mut manifest = Vec::new();
            let read = DeflateDecoder::new(data).take(LARGEST_MANIFEST + 1).read_to_end(&mut manifest);
            (read.is_ok() && manifest.len() as u64 <= LARGEST_MANIFEST).then_some(manifest)
        }
        _ => None,
    }
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    let both = bytes.get(at..at.checked_add(2)?)?;
    both.try_into().ok().map(u16::from_le_bytes)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    four.try_into().ok().map(u32::from_le_bytes)
}

#[cfg(test)]
pub(super) mod testing {
    use std::io::Write as _;

    use super::*;

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
        body.extend(
            [20_u16, 20, attributes.len() as u16, 0, 0, 0].iter().flat_map(|half| half.to_le_bytes()),
        );
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
        let common =
            [&[20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0][..], &sizes, &[MANIFEST.len() as u8, 0, 0, 0]].concat();
        let local = [b"PK\x03\x04", &common[..], MANIFEST, &packed].concat();
        let entry = [b"PK\x01\x02\x14\x00", &common[..], &[0; 14], MANIFEST].concat();
        let end = words(&[0, 0x0001_0001, entry.len() as u32, local.len() as u32]);
        [local, entry, b"PK\x05\x06".to_vec(), end, vec![0, 0]].concat()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::testing::{apk, manifest};
    use super::*;
    use taproof_core::device::{AppId, Device as _};
    use taproof_phone::apps::phone_with;
    use taproof_phone::{BugSet, Fonts};

    const KEYBOARD: &str = "android.permission.BIND_INPUT_METHOD";

    #[test]
    fn services_are_known_by_the_permission_that_they_require() {
        let declared = Declared::by(&apk(&manifest("org.ex", ".Keys", KEYBOARD))).unwrap();
        assert_eq!(declared.package, "org.ex");
        assert_eq!(declared.keyboard(), Component::parse("org.ex/.Keys"));
        assert_eq!(declared.accessibility_service(), None);
        let other = Declared::by(&apk(&manifest("org.ex", "org.ex.Sees", "x"))).unwrap();
        assert_eq!(other.keyboard(), None);
    }

    #[test]
    fn the_manifests_of_the_bundled_apps_can_be_read() {
        let mut phone = phone_with(&Arc::new(Fonts::new()), "org.taproof.files", &BugSet::none());
        let file = phone.apk(&AppId("org.taproof.files".to_owned())).unwrap();
        let expected = Declared { package: "org.taproof.files".to_owned(), services: Vec::new() };
        assert_eq!(Declared::by(&file), Some(expected));
    }

    #[test]
    fn damaged_files_declare_nothing_and_harm_nobody() {
        let whole = apk(&manifest("org.ex", ".Keys", KEYBOARD));
        for length in 0..whole.len() - 22 {
            assert_eq!(Declared::by(&whole[..length]), None, "{length}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            drop(std::hint::black_box(Declared::by(&damaged)));
        }
        let bomb = vec![0; 5 << 20];
        assert_eq!(Declared::by(&apk(&bomb)), None, "larger than any manifest");
    }
}
