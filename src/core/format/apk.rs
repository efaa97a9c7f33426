//! What an app declares in the manifest of its APK: a ZIP with a file in Android's binary XML, which consists of nested
//! chunks (`ResourceTypes.h` of Android). All numbers are little-endian.

use std::io::Read;

use flate2::read::DeflateDecoder;

/// Why an APK cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the APK cannot be read: {0}")]
pub struct ApkError(&'static str);

const MANIFEST: &[u8] = b"AndroidManifest.xml";
/// Largest manifest in bytes. That of the largest apps has less than one megabyte.
const MAX_MANIFEST: u64 = 16 << 20;
/// Most strings and activities that are read.
const MOST: usize = 1 << 17;
/// Longest string that counts, in bytes.
const LONGEST: usize = 4096;

/// What the manifest of an APK declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApkManifest {
    /// The app's package.
    pub package: String,
    /// The activities, as `package/class`, sorted. Those that the app switches off are left out.
    pub activities: Vec<String>,
    /// The services, in the order of the manifest.
    pub services: Vec<ApkService>,
}

/// A service in a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApkService {
    /// Its class as written, such as `.Keyboard`.
    pub class: String,
    /// The permission that who binds it must hold; empty for none.
    pub permission: String,
}

/// Reads the manifest of an APK.
///
/// # Errors
///
/// What is wrong with the file.
pub fn manifest_of_apk(apk: &[u8]) -> Result<ApkManifest, ApkError> {
    parsed(&packed_manifest(apk)?)
}

/// Reads numbers from bytes. `None` beyond their end.
#[derive(Clone, Copy)]
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn from(self, at: usize) -> Option<Bytes<'b>> {
        self.0.get(at..).map(Bytes)
    }

    fn byte(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    fn half(self, at: usize) -> Option<usize> {
        let bytes = self.0.get(at..at.checked_add(2)?)?;
        Some(u16::from_le_bytes(bytes.try_into().ok()?).into())
    }

    fn word(self, at: usize) -> Option<u32> {
        let bytes = self.0.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    fn size(self, at: usize) -> Option<usize> {
        self.word(at)?.try_into().ok()
    }
}

/// Unpacks the manifest. The directory at the end of a ZIP says where each file is.
fn packed_manifest(apk: &[u8]) -> Result<Vec<u8>, ApkError> {
    const END: &[u8] = b"PK\x05\x06";
    const END_LENGTH: usize = 22;
    const LONGEST_COMMENT: usize = 0xffff;
    let first = apk.len().saturating_sub(END_LENGTH + LONGEST_COMMENT);
    let tail = apk.get(first..).unwrap_or_default();
    let end = tail.windows(END.len()).rposition(|window| window == END).ok_or(ApkError("it is no ZIP"))?;
    let cut_off = ApkError("it is cut off");
    let directory = Bytes(tail).from(end).and_then(|end| end.size(16)).ok_or(cut_off.clone())?;
    let mut entry = Bytes(apk).from(directory).ok_or(cut_off.clone())?;
    while entry.0.starts_with(b"PK\x01\x02") {
        let lengths = [28, 30, 32].map(|at| entry.half(at));
        let [Some(name), Some(extra), Some(comment)] = lengths else { return Err(cut_off) };
        if entry.0.get(46..46 + name) == Some(MANIFEST) {
            return unpacked(Bytes(apk), entry).unwrap_or(Err(cut_off));
        }
        entry = entry.from(46 + name + extra + comment).ok_or(cut_off.clone())?;
    }
    Err(ApkError("it has no AndroidManifest.xml"))
}

fn unpacked(apk: Bytes<'_>, entry: Bytes<'_>) -> Option<Result<Vec<u8>, ApkError>> {
    let (method, size, local) = (entry.half(10)?, entry.size(20)?, apk.from(entry.size(42)?)?);
    let begin = 30 + local.half(26)? + local.half(28)?;
    let packed = local.0.get(begin..begin.checked_add(size)?)?;
    let mut data = Vec::new();
    let read = match method {
        0 => packed.take(MAX_MANIFEST).read_to_end(&mut data),
        8 => DeflateDecoder::new(packed).take(MAX_MANIFEST).read_to_end(&mut data),
        _ => return Some(Err(ApkError("its manifest is compressed in an unknown way"))),
    };
    Some(match read {
        Ok(_) => Ok(data),
        Err(_) => Err(ApkError("its manifest is damaged")),
    })
}

/// The names of attributes by their ids: tools may drop the names.
const NAME: u32 = 0x0101_0003;
const PERMISSION: u32 = 0x0101_0006;
const ENABLED: u32 = 0x0101_000e;

/// A manifest while it is read.
#[derive(Default)]
struct Manifest {
    strings: Vec<String>,
    /// The ids of the first strings, as far as they are names of attributes.
    ids: Vec<u32>,
    package: String,
    classes: Vec<String>,
    services: Vec<ApkService>,
}

fn parsed(bytes: &[u8]) -> Result<ApkManifest, ApkError> {
    const STRINGS: usize = 0x0001;
    const DOCUMENT: usize = 0x0003;
    const START_ELEMENT: usize = 0x0102;
    const RESOURCE_IDS: usize = 0x0180;
    let document = Bytes(bytes);
    if document.half(0) != Some(DOCUMENT) {
        return Err(ApkError("its manifest is no binary XML"));
    }
    let mut manifest = Manifest::default();
    let mut at = document.half(2).unwrap_or(bytes.len());
    while let Some(chunk) = document.from(at).filter(|chunk| !chunk.0.is_empty()) {
        let (kind, size) = (chunk.half(0), chunk.size(4));
        let Some(size) = size.filter(|size| (8..=chunk.0.len()).contains(size)) else {
            return Err(ApkError("its manifest is cut off"));
        };
        let chunk = Bytes(&chunk.0[..size]);
        match kind {
            Some(STRINGS) => manifest.strings = strings(chunk).unwrap_or_default(),
            Some(RESOURCE_IDS) => {
                let words = (8..size).step_by(4).map_while(|at| chunk.word(at));
                manifest.ids = words.take(MOST).collect();
            }
            Some(START_ELEMENT) => manifest.element(chunk).unwrap_or(()),
            _ => {}
        }
        at += size;
    }
    Ok(manifest.declared())
}

impl Manifest {
    /// Reads the start of an element. `None` if it is cut off.
    fn element(&mut self, chunk: Bytes<'_>) -> Option<()> {
        let body = chunk.from(chunk.half(2)?)?;
        let element = self.strings.get(body.size(4)?)?.clone();
        let count = self.classes.len() + self.services.len();
        if !matches!(element.as_str(), "manifest" | "activity" | "service") || count >= MOST {
            return Some(());
        }
        let (begin, length, count) = (body.half(8)?, body.half(10)?, body.half(12)?);
        let (mut class, mut permission, mut enabled) = (None, None, true);
        for number in 0..count {
            let attribute = body.from(begin.checked_add(number.checked_mul(length)?)?)?;
            let (name, raw, kind, data) =
                (attribute.size(4)?, attribute.word(8)?, attribute.byte(15)?, attribute.word(16)?);
            const TEXT: u8 = 0x03;
            let place = if raw == u32::MAX && kind == TEXT { data } else { raw };
            let text = || self.strings.get(place as usize).cloned();
            let is = |id: u32, word: &str| {
                self.ids.get(name) == Some(&id) || self.strings.get(name).is_some_and(|name| name == word)
            };
            if is(NAME, "name") {
                class = text();
            } else if is(PERMISSION, "permission") {
                permission = text();
            } else if is(ENABLED, "enabled") {
                enabled = data != 0 || kind == TEXT;
            } else if element == "manifest" && is(0, "package") {
                self.package = text()?;
            }
        }
        match (element.as_str(), class) {
            ("activity", class) => self.classes.extend(class.filter(|_| enabled)),
            ("service", Some(class)) => {
                self.services.push(ApkService { class, permission: permission.unwrap_or_default() });
            }
            _ => {}
        }
        Some(())
    }

    fn declared(self) -> ApkManifest {
        let Manifest { package, classes, services, .. } = self;
        let full = |class: &String| match class {
            class if class.starts_with('.') => format!("{package}/{package}{class}"),
            class if class.contains('.') => format!("{package}/{class}"),
            class => format!("{package}/{package}.{class}"),
        };
        let mut activities: Vec<String> = classes.iter().map(full).collect();
        activities.sort();
        activities.dedup();
        ApkManifest { package, activities, services }
    }
}

/// The strings of a pool. `None` if it is cut off.
fn strings(chunk: Bytes<'_>) -> Option<Vec<String>> {
    const UTF8: u32 = 1 << 8;
    let (count, utf8, begin) = (chunk.size(8)?, chunk.word(16)? & UTF8 != 0, chunk.size(20)?);
    let head = chunk.half(2)?;
    let offset = |number: usize| chunk.size(head.checked_add(number.checked_mul(4)?)?);
    let string = |number: usize| -> Option<String> {
        let text = chunk.from(begin.checked_add(offset(number)?)?)?;
        if utf8 {
            // The number of characters, then that of bytes, each in one byte or two.
            let long = |at: usize| Some(if text.byte(at)? & 0x80 == 0 { 1 } else { 2 });
            let characters = long(0)?;
            let bytes = match long(characters)? {
                1 => usize::from(text.byte(characters)?),
                _ => {
                    let high = usize::from(text.byte(characters)? & 0x7f);
                    high << 8 | usize::from(text.byte(characters + 1)?)
                }
            };
            let first = characters + long(characters)?;
            let data = text.0.get(first..first + bytes)?;
            return Some(String::from_utf8_lossy(data).into_owned());
        }
        let short = text.half(0)?;
        let (length, first): (usize, usize) = match short & 0x8000 {
            0 => (short, 2),
            _ => ((short & 0x7fff) << 16 | text.half(2)?, 4),
        };
        let units = text.0.get(first..first.checked_add(length.checked_mul(2)?)?)?;
        let units = units.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
        Some(char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect())
    };
    // Strings may share their bytes, so that a small pool could hold many large ones.
    let mut room = chunk.0.len().saturating_mul(2);
    let mut kept = |number: usize| {
        let text = string(number).filter(|text| text.len() <= LONGEST && text.len() <= room);
        room -= text.as_ref().map_or(0, String::len);
        text.unwrap_or_default()
    };
    Some((0..count.min(MOST)).map(&mut kept).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_apk_is_refused() {
        for (bytes, problem) in [
            (&b""[..], "no ZIP"),
            (b"PK\x05\x06", "cut off"),
            (b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "no AndroidManifest.xml"),
        ] {
            assert!(manifest_of_apk(bytes).unwrap_err().to_string().contains(problem), "{problem}");
        }
        assert!(parsed(b"<manifest/>").unwrap_err().to_string().contains("no binary XML"));
    }

    #[test]
    fn classes_are_named_in_full() {
        let classes = [".A", "B", "org.other.C", ".A"].map(str::to_owned).to_vec();
        let manifest = Manifest { package: "org.ex".to_owned(), classes, ..Manifest::default() };
        assert_eq!(
            manifest.declared().activities,
            ["org.ex/org.ex.A", "org.ex/org.ex.B", "org.ex/org.other.C"]
        );
    }

    #[test]
    fn strings_of_both_encodings_are_read() {
        let pool = |flags: u32, data: &[u8]| {
            let mut chunk: Vec<u8> = [1u16, 28].iter().flat_map(|half| half.to_le_bytes()).collect();
            let words = [28 + 4 + data.len() as u32, 1, 0, flags, 32, 0, 0];
            chunk.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            chunk.extend(data);
            strings(Bytes(&chunk))
        };
        assert_eq!(pool(1 << 8, &[2, 3, b'a', 0xc3, 0xa4, 0]).unwrap(), ["a\u{e4}"]);
        assert_eq!(pool(0, &[2, 0, b'a', 0, 0xe4, 0, 0, 0]).unwrap(), ["a\u{e4}"]);
        assert_eq!(pool(0, &[200, 0, b'a', 0]).unwrap(), [""], "cut off");
    }
}
